package gateway

import "net/netip"

// maxLocalAddrs bounds each of the two generations of LocalAddrs. Clients send many times a second, so a client that
// plays is recorded again soon after a generation ends.
const maxLocalAddrs = 1 << 14 // clients

// LocalAddrs remembers to which local address each client sends, so that answers leave from that address. The system
// would pick another one on a socket of all interfaces, and the client would drop the answer. It belongs to one
// goroutine; the zero value is ready. It stays empty if the socket does not report local addresses.
type LocalAddrs struct{ young, old map[netip.AddrPort]netip.Addr }

// Record remembers the local address of a received datagram.
func (l *LocalAddrs) Record(d *Datagram) {
	if !d.Local.IsValid() || l.young[d.From] == d.Local {
		return
	}
	if l.young == nil || len(l.young) >= maxLocalAddrs {
		l.young, l.old = make(map[netip.AddrPort]netip.Addr), l.young
	}
	l.young[d.From] = d.Local
}

// Of is the local address that a client sends to; not valid if it is not known.
func (l *LocalAddrs) Of(client netip.AddrPort) netip.Addr {
	if local, ok := l.young[client]; ok {
		return local
	}
	return l.old[client]
}
