package rcce

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"syscall"
	"time"

	"github.com/truestep-io/truestep/proto/enet"
)

// Channels of the original library: everything but StandardUpdate is reliable.  spec 1.6
const (
	channelReliable   = 1
	channelUnreliable = 2
)

// link is one ENet connection with its socket. A client has one after the other.
type link struct {
	server  netip.AddrPort
	sock    datagramSocket
	host    *enet.Host
	peer    *enet.Peer
	started time.Time
	trips   trips

	at     int64 // ns since 1970, when the datagram being handled arrived
	up     bool
	down   bool
	reason enet.Reason // valid if down

	message func(data []byte) // type byte first; borrowed
	trip    func(time.Duration)

	handleDatagram func(arrival)
	handle         func(enet.Event)
	emit           func(netip.AddrPort, []byte)
}

// openLink opens a socket and asks the server for a connection; pump until up or down.
func openLink(ctx context.Context, server netip.AddrPort, o *Options, seed uint64) (*link, error) {
	conn, err := o.Dial(ctx, "udp", server.String())
	if err != nil {
		return nil, err
	}
	sock, err := newDatagramSocket(conn, o.GRO)
	if err != nil {
		conn.Close()
		return nil, err
	}
	l := &link{server: server, sock: sock, started: time.Now()}
	l.host = enet.NewHost(enet.Config{MaxPeers: 1, RefuseConnect: true, SessionSeed: seed})
	l.handleDatagram = l.handleArrival
	l.handle = l.event
	l.emit = l.write
	if l.peer, err = l.host.Connect(l.now(), server, 0); err != nil {
		sock.close()
		return nil, err
	}
	l.host.Flush(l.now(), l.emit)
	return l, nil
}

// now is the clock of the ENet host: ms since the link was opened.
func (l *link) now() uint32 { return uint32(time.Since(l.started).Milliseconds()) }

func (l *link) handleArrival(a arrival) {
	l.at = a.at
	l.trips.received(a.data, a.at, l.trip)
	l.host.Receive(l.now(), l.server, a.data, l.handle)
}

func (l *link) event(e enet.Event) {
	switch e.Kind {
	case enet.Connected:
		l.up = true
	case enet.Disconnected:
		l.down, l.reason = true, e.Reason
	case enet.Message:
		if l.message != nil && len(e.Data) > 0 {
			l.message(e.Data)
		}
	}
}

// write sends a datagram. One that the kernel refuses is lost, as a network would lose it.
func (l *link) write(_ netip.AddrPort, datagram []byte) {
	l.trips.sent(datagram, time.Now().UnixNano())
	_ = l.sock.write(datagram)
}

// wait blocks until datagrams are there, to be handled by serve, or the deadline has passed.
func (l *link) wait(deadline time.Time) error {
	err := l.sock.wait(deadline)
	switch {
	case err == nil, timedOut(err):
		return nil
	case errors.Is(err, syscall.ECONNREFUSED) && l.up:
		return nil // the server is gone, or comes back: ENet decides
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("%s/udp: %w", l.server, ErrNoServer)
	}
	return err
}

// serve handles what wait has found.
func (l *link) serve() { l.sock.each(l.handleDatagram) }

// tick does what time asks for: resends, pings, giving up.
func (l *link) tick() { l.host.Tick(l.now(), l.handle) }

// flush sends what is queued, acknowledgements included.
func (l *link) flush() { l.host.Flush(l.now(), l.emit) }
