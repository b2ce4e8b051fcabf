package gateway

import (
	"net"
	"net/netip"
)

// mostHomes bounds half of what Homes remembers. Clients speak many times a second, so that none is forgotten for long.
const mostHomes = 1 << 14

// Homes remembers at which address of this machine each client asks, so that answers leave from there. Of a socket of all
// interfaces the system would pick one itself, and who asked another hears an answer from a stranger. It belongs to one
// goroutine; the zero value is ready. Where the system does not tell, it remembers nothing and leaves the choice to it.
type Homes struct{ young, old map[netip.AddrPort]netip.Addr }

// Note remembers where a datagram came in.
func (h *Homes) Note(d *Datagram) {
	if !d.To.IsValid() || h.young[d.From] == d.To {
		return
	}
	if h.young == nil || len(h.young) >= mostHomes {
		h.young, h.old = make(map[netip.AddrPort]netip.Addr), h.young
	}
	h.young[d.From] = d.To
}

// Of is the address at which a client asks; not valid if it is not known.
func (h *Homes) Of(client netip.AddrPort) netip.Addr {
	if home, ok := h.young[client]; ok {
		return home
	}
	return h.old[client]
}

// Control appends the control message that lets an answer to a client leave from where it asks, nothing if that is not
// known. At most ControlRoom bytes.
func (h *Homes) Control(b []byte, to netip.AddrPort) []byte {
	if len(h.young) == 0 {
		return b
	}
	return appendSource(b, h.Of(to))
}

// Send writes an answer to a client. If the machine does not have that address any more, the system picks one.
func (h *Homes) Send(conn *net.UDPConn, b []byte, to netip.AddrPort) error {
	var room [ControlRoom]byte
	if control := h.Control(room[:0], to); len(control) > 0 {
		if _, _, err := conn.WriteMsgUDPAddrPort(b, control, to); err == nil {
			return nil
		}
	}
	_, err := conn.WriteToUDPAddrPort(b, to)
	return err
}
