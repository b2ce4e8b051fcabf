package netsim

import (
	"context"
	"fmt"
	"hash/fnv"
	"net"
	"net/netip"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// firstEphemeral is the first port that a host assigns to a socket bound to port 0.
const firstEphemeral = 49152

// Network is an in-memory network. Its hosts reach each other by address. The link between two hosts has no impairment until
// Impair sets one. The network takes its time from package time, so the time is virtual in a testing/synctest bubble. It blocks
// only on sync.Cond, channels and timers, which are durably blocking in a bubble. A network must be created in the bubble that
// uses it. All methods are safe for concurrent use.
//
// Each direction between two sockets has random numbers of its own, which depend only on the seed of the network and the two
// addresses. Equal traffic thus has equal losses and delays, whatever other sockets send.
type Network struct {
	seed  uint64
	start time.Time

	mu     sync.Mutex // guards the fields below and all fields of hosts, sockets and connections
	hosts  map[netip.Addr]*Host
	lines  map[line]Impairment // impairments that Impair has set
	routes map[addrPair]*route // paths of datagrams
	counts Counts              // counters of stream segments; those of datagrams are in the paths of routes
	onDrop func(from, to netip.AddrPort)
}

// line identifies one direction of the link between two hosts. It is the key of the map of impairments.
type line struct{ from, to *Host }

// addrPair identifies one direction between two sockets by their addresses. It is the key of the maps of datagram routes and of
// stream connections.
type addrPair struct{ from, to netip.AddrPort }

// New returns a network without hosts. All random losses and delays depend on the parameter seed.
func New(seed uint64) *Network {
	return &Network{
		seed: seed, start: time.Now(),
		hosts: map[netip.Addr]*Host{}, lines: map[line]Impairment{}, routes: map[addrPair]*route{},
	}
}

// Host adds a host with one or more IP addresses. It panics if an address is malformed or in use.
func (n *Network) Host(addrs ...string) *Host {
	n.mu.Lock()
	defer n.mu.Unlock()
	h := &Host{
		net: n, sockets: map[netip.AddrPort]*PacketConn{}, listeners: map[netip.AddrPort]*Listener{},
		streams: map[addrPair]*StreamConn{}, ephemeral: firstEphemeral,
	}
	for _, s := range addrs {
		a := netip.MustParseAddr(s).Unmap()
		if n.hosts[a] != nil {
			panic("netsim: address " + s + " belongs to another host")
		}
		n.hosts[a] = h
		h.addrs = append(h.addrs, a)
	}
	if len(h.addrs) == 0 {
		panic("netsim: a host needs an address")
	}
	return h
}

// Impair sets the impairments of the link between the hosts a and b for data sent from now on. aToB applies to data from a to b,
// bToA to data from b to a. Data in transit still arrives at the time that was computed when it was sent.
func (n *Network) Impair(a, b *Host, aToB, bToA Impairment) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines[line{a, b}], n.lines[line{b, a}] = aToB, bToA
	for id, f := range n.routes {
		switch (line{n.hosts[id.from.Addr()], n.hosts[id.to.Addr()]}) {
		case line{a, b}:
			f.path.impair(aToB)
		case line{b, a}:
			f.path.impair(bToA)
		}
	}
}

// OnDrop makes the network call f for each datagram that an impairment drops from now on, at the time at which it is sent. f must not
// call the network.
func (n *Network) OnDrop(f func(from, to netip.AddrPort)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.onDrop = f
}

// Counts returns the counters of all datagrams and stream segments so far.
func (n *Network) Counts() Counts {
	n.mu.Lock()
	defer n.mu.Unlock()
	sum := n.counts
	for _, f := range n.routes {
		c := f.path.Counts()
		sum.Sent += c.Sent
		sum.Lost += c.Lost
		sum.Duplicated += c.Duplicated
		sum.Held += c.Held
		sum.Overflowed += c.Overflowed
		sum.Delivered += c.Delivered
	}
	return sum
}

// seedOf derives the random seed of one direction between two sockets.
func (n *Network) seedOf(id addrPair) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, n.seed, id.from, id.to)
	return h.Sum64()
}

// Host is a host of the network. Its sockets and connections stay open until Close.
type Host struct {
	net       *Network
	addrs     []netip.Addr
	sockets   map[netip.AddrPort]*PacketConn // UDP sockets by local address; the wildcard address is the zero Addr
	listeners map[netip.AddrPort]*Listener
	streams   map[addrPair]*StreamConn // stream connections by local and remote address
	ephemeral uint16                   // next port to assign to a socket bound to port 0
}

// Addr returns the first address of the host.
func (h *Host) Addr() netip.Addr { return h.addrs[0] }

// Dial connects from the first address of the host to HOST:PORT, where HOST is an IP address. The parameter network is udp or
// tcp, optionally with a 4 or 6. Dial has the signature of the option Dial of this project's clients. It returns a *PacketConn
// for UDP, and for TCP a *StreamConn, after one round trip. Errors wrap syscall.ECONNREFUSED if no TCP listener has the port, or
// the error of ctx.
func (h *Host) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	to, err := netip.ParseAddrPort(addr)
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: err}
	}
	to = netip.AddrPortFrom(to.Addr().Unmap(), to.Port())
	switch network {
	case "udp", "udp4", "udp6":
		return h.dialPacket(to)
	case "tcp", "tcp4", "tcp6":
		return h.dialStream(ctx, to)
	}
	return nil, &net.OpError{Op: "dial", Net: network, Err: net.UnknownNetworkError(network)}
}

// bind returns the local address of a new socket for HOST:PORT, the parameter addr. An empty or unspecified HOST (0.0.0.0 or ::)
// stands for all addresses of h; the result then has the zero netip.Addr. For port 0, bind selects the next free port. The
// function taken must report whether another socket uses an address. The caller holds the lock of the network.
func (h *Host) bind(addr string, taken func(netip.AddrPort) bool) (netip.AddrPort, error) {
	host, service, err := net.SplitHostPort(addr)
	if err != nil {
		return netip.AddrPort{}, err
	}
	port, err := strconv.ParseUint(service, 10, 16)
	if err != nil {
		return netip.AddrPort{}, err
	}
	var a netip.Addr
	if host != "" {
		if a, err = netip.ParseAddr(host); err != nil {
			return netip.AddrPort{}, err
		}
		if a = a.Unmap(); a.IsUnspecified() {
			a = netip.Addr{}
		} else if h.net.hosts[a] != h {
			return netip.AddrPort{}, syscall.EADDRNOTAVAIL
		}
	}
	if port != 0 {
		at := netip.AddrPortFrom(a, uint16(port))
		if taken(at) {
			return at, syscall.EADDRINUSE
		}
		return at, nil
	}
	for range 1 << 16 {
		at := netip.AddrPortFrom(a, h.ephemeral)
		if h.ephemeral++; h.ephemeral == 0 {
			h.ephemeral = firstEphemeral
		}
		if !taken(at) {
			return at, nil
		}
	}
	return netip.AddrPort{}, syscall.EADDRINUSE
}

// source returns the source address of data that a socket sends. The parameter bound is the address to which the socket is bound;
// it has the zero Addr if the socket is bound to all addresses of the host. The caller need not hold the lock of the network.
func (h *Host) source(bound netip.AddrPort) netip.AddrPort {
	if bound.Addr().IsValid() {
		return bound
	}
	return netip.AddrPortFrom(h.addrs[0], bound.Port())
}

// localIP returns the address that a socket reports as its LocalAddr. The parameter "at" is the address to which the socket is
// bound. For a socket bound to all addresses, that is the unspecified address, as in package net.
func localIP(at netip.AddrPort) netip.AddrPort {
	if at.Addr().IsValid() {
		return at
	}
	return netip.AddrPortFrom(netip.IPv6Unspecified(), at.Port())
}

// deadline is the read or write deadline of a socket or connection. Its methods require the lock of the network.
type deadline struct {
	at    time.Time
	timer *time.Timer
}

// set sets the deadline. It wakes all waiters of cond now, so that they read the new deadline, and again at the deadline.
func (d *deadline) set(at time.Time, cond *sync.Cond) {
	d.at = at
	cond.Broadcast()
	if at.IsZero() {
		if d.timer != nil {
			d.timer.Stop()
		}
		return
	}
	if d.timer == nil {
		d.timer = time.AfterFunc(time.Until(at), func() {
			cond.L.Lock()
			defer cond.L.Unlock()
			cond.Broadcast()
		})
		return
	}
	d.timer.Reset(time.Until(at))
}

func (d *deadline) stop() {
	if d.timer != nil {
		d.timer.Stop()
	}
}

// passed reports whether the deadline has passed.
func (d *deadline) passed() bool { return !d.at.IsZero() && !time.Now().Before(d.at) }
