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

// firstEphemeral is the first port that a host gives to a socket which asks for any.
const firstEphemeral = 49152

// Network is a network in memory. Hosts that it has made reach each other by address; between two hosts it is perfect
// until Impair says otherwise. It uses the time of package time, so in a testing/synctest bubble its time is virtual; all
// its waiting is on sync.Cond, channels and timers, which a bubble counts as durable. Make the network in the bubble that
// uses it. Everything is safe for concurrent use.
//
// Each pair of sockets has paths of its own, with luck that depends on the seed of the network and the two addresses
// alone: equal traffic meets an equal fate, whatever other sockets do.
type Network struct {
	seed  uint64
	start time.Time

	mu     sync.Mutex // guards what follows, and everything of hosts, sockets and connections
	hosts  map[netip.Addr]*Host
	lines  map[line]Impairment
	routes map[addrPair]*route
	counts Counts // of streams; routes count in their paths
}

// line is one direction between two hosts.
type line struct{ from, to *Host }

// addrPair is one direction between two sockets.
type addrPair struct{ from, to netip.AddrPort }

// New returns a network without hosts.
func New(seed uint64) *Network {
	return &Network{
		seed: seed, start: time.Now(),
		hosts: map[netip.Addr]*Host{}, lines: map[line]Impairment{}, routes: map[addrPair]*route{},
	}
}

// Host adds a host with one or more IP addresses. It panics if an address is malformed or taken: that is a mistake in the
// test.
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

// Impair sets how bad the line between two hosts is from now on: there is from a to b, back from b to a. What is on its
// way already arrives as it would have.
func (n *Network) Impair(a, b *Host, there, back Impairment) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines[line{a, b}], n.lines[line{b, a}] = there, back
	for id, f := range n.routes {
		switch (line{n.hosts[id.from.Addr()], n.hosts[id.to.Addr()]}) {
		case line{a, b}:
			f.path.impair(there)
		case line{b, a}:
			f.path.impair(back)
		}
	}
}

// Counts returns what happened to all datagrams and stream segments so far.
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

// seedOf derives the seed of one direction between two sockets.
func (n *Network) seedOf(id addrPair) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, n.seed, id.from, id.to)
	return h.Sum64()
}

// Host is a machine of the network. Its sockets and connections end by Close alone.
type Host struct {
	net       *Network
	addrs     []netip.Addr
	sockets   map[netip.AddrPort]*PacketConn // by local address; that of all addresses is not valid
	listeners map[netip.AddrPort]*Listener
	streams   map[addrPair]*StreamConn // from the local to the remote end
	ephemeral uint16                   // next port to give
}

// Addr is the first address of the host.
func (h *Host) Addr() netip.Addr { return h.addrs[0] }

// Dial connects to HOST:PORT, of IP addresses only, from the first address of the host. network is udp or tcp, or one of
// them with 4 or 6. It fits the Dial options of the clients. A UDP connection is a *PacketConn, a TCP connection a
// *StreamConn, which takes a round trip to connect. Errors wrap syscall.ECONNREFUSED if TCP meets a port without
// listener, and how ctx ended.
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

// bind is the local address that HOST:PORT asks for. An empty or unspecified host is all addresses, which is an address
// that is not valid; port 0 is the next free one. It needs the lock.
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

// source is the address that a socket bound to at sends from. It needs no lock.
func (h *Host) source(at netip.AddrPort) netip.AddrPort {
	if at.Addr().IsValid() {
		return at
	}
	return netip.AddrPortFrom(h.addrs[0], at.Port())
}

// localIP is how the local address of a socket is reported; all addresses are the unspecified one, as in package net.
func localIP(at netip.AddrPort) netip.AddrPort {
	if at.Addr().IsValid() {
		return at
	}
	return netip.AddrPortFrom(netip.IPv6Unspecified(), at.Port())
}

// deadline is the read or write deadline of a socket or connection. Its methods need the lock of the network.
type deadline struct {
	at    time.Time
	timer *time.Timer
}

// set sets the deadline, and wakes everything that waits on cond now and at that time.
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

// passed reports whether the deadline is over.
func (d *deadline) passed() bool { return !d.at.IsZero() && !time.Now().Before(d.at) }
