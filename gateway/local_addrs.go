package gateway

import "net/netip"

// maxLocalAddrs is the maximum number of clients in each of the two maps of LocalAddrs. When the map young is full, it replaces
// the map old, and an empty map becomes young. This forgets the clients that are only in old. Active clients send many times a
// second, so they are in young again soon enough.
const maxLocalAddrs = 1 << 14

// LocalAddrs stores the local address to which each client sends, so that answers are sent from the same address. On a socket
// that is bound to all interfaces, the system could choose another source address, and the client would discard the answer.
// LocalAddrs is not safe for concurrent use. The zero value is ready to use. Nothing is stored if the socket does not report
// local addresses.
type LocalAddrs struct{ young, old map[netip.AddrPort]netip.Addr }

// Record stores the local address of a received datagram.
func (l *LocalAddrs) Record(d *Datagram) {
	if !d.Local.IsValid() || l.young[d.From] == d.Local {
		return
	}
	if l.young == nil || len(l.young) >= maxLocalAddrs {
		l.young, l.old = make(map[netip.AddrPort]netip.Addr), l.young
	}
	l.young[d.From] = d.Local
}

// Of returns the local address to which a client sends, or an invalid address if none is stored for the client.
func (l *LocalAddrs) Of(client netip.AddrPort) netip.Addr {
	if local, ok := l.young[client]; ok {
		return local
	}
	return l.old[client]
}
