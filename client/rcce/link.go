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

// ENet channels of RealmCrafter packets. StandardUpdate is sent unreliably, every other packet reliably (docs/wire/rcce.md 1.6).
const (
	channelReliable   = 1
	channelUnreliable = 2
)

// link is one ENet connection with its socket. A client has at most one at a time.
type link struct {
	server  netip.AddrPort
	sock    datagramSocket
	host    *enet.Host
	peer    *enet.Peer
	started time.Time // time at which the ENet clock begins
	trips   trips     // measures round-trip times

	at     int64                 // receive time of the current datagram in ns since 1970
	up     bool                  // the ENet connection is established
	down   bool                  // the ENet connection has ended
	reason enet.DisconnectReason // why the link went down; valid if down is true

	message func(data []byte)   // handles a message; data begins with the type byte and must not be kept after the call
	trip    func(time.Duration) // records a measured round-trip time

	handleDatagram func(arrival) // handleDatagram, handle and emit hold methods as values, so that passing them does not allocate
	handle         func(enet.Event)
	emit           func(netip.AddrPort, []byte)
}

// openLink opens a socket and sends CONNECT, ENet's request for a connection. The caller then calls wait, serve and tick until
// link.up or link.down is true.
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

// now returns the time in ms since the link was opened, which is the clock of the ENet host.
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

// write sends a datagram. It ignores send errors, because ENet retransmits a datagram that is not acknowledged.
func (l *link) write(_ netip.AddrPort, datagram []byte) {
	l.trips.sent(datagram, time.Now().UnixNano())
	_ = l.sock.write(datagram)
}

// wait blocks until datagrams have arrived, which serve then handles, or the deadline has passed.
func (l *link) wait(deadline time.Time) error {
	err := l.sock.wait(deadline)
	switch {
	case err == nil, timedOut(err):
		return nil
	case errors.Is(err, syscall.ECONNREFUSED) && l.up:
		return nil // not an error yet: the server may be restarting, and ENet's timeout ends the connection if the server stays down
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("%s/udp: %w", l.server, ErrNoServer)
	}
	return err
}

// serve handles the datagrams that wait has received.
func (l *link) serve() { l.sock.each(l.handleDatagram) }

// tick runs what is due of ENet's timers: retransmissions, pings and timeouts.
func (l *link) tick() { l.host.Tick(l.now(), l.handle) }

// flush sends all queued ENet commands, including acknowledgements.
func (l *link) flush() { l.host.Flush(l.now(), l.emit) }
