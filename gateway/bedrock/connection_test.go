package bedrock

import (
	"net/netip"
	"time"

	"github.com/truestep-io/truestep/proto/raknet"
)

// connection is a RakNet connection of a test client with its own address. Callbacks handle the received messages.
type connection struct {
	srv       *testServer
	addr      netip.AddrPort
	host      *raknet.Client
	peer      *raknet.Peer
	connected bool
	closed    bool
	reason    raknet.DisconnectReason
	stalled   bool          // the client neither reads nor acknowledges
	delay     time.Duration // delay of each datagram from the server

	closing     bool
	delayed     []delayedDatagram
	onMessage   func(b []byte)
	onTick      func()
	beforeFlush func()
}

type delayedDatagram struct {
	due time.Time
	b   []byte
}

var serverAddr = netip.MustParseAddrPort("127.0.0.1:19132")

// dial starts a connection from a new port.
func (srv *testServer) dial(o raknet.ClientConfig) *connection {
	srv.t.Helper()
	srv.dials++
	n := srv.dials
	o.GUID, o.Limits.AckDelay = uint64(n), -1
	c := &connection{
		srv: srv, addr: netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(40000+n)), host: raknet.NewClient(o),
		onMessage: func([]byte) {}, onTick: func() {}, beforeFlush: func() {},
	}
	srv.served = append(srv.served, c)
	srv.mu.Lock()
	srv.mail[c.addr] = nil
	srv.mu.Unlock()
	c.peer = c.host.Connect(srv.now(), serverAddr)
	return c
}

// serve processes received datagrams and sends queued ones until the connection ends.
func (c *connection) serve() {
	if c.stalled {
		return
	}
	for _, b := range c.srv.takeMail(c.addr) {
		c.delayed = append(c.delayed, delayedDatagram{time.Now().Add(c.delay), b})
	}
	for len(c.delayed) > 0 && !c.delayed[0].due.After(time.Now()) {
		c.host.Receive(c.srv.now(), serverAddr, c.delayed[0].b, c.event)
		c.delayed = c.delayed[1:]
	}
	c.host.Tick(c.srv.now(), c.event)
	c.onTick()
	c.flush()
}

func (c *connection) flush() {
	c.beforeFlush()
	c.host.Flush(c.srv.now(), func(_ netip.AddrPort, b []byte) { c.srv.send(c.addr, b) })
}

func (c *connection) event(e raknet.Event) {
	switch e.Kind {
	case raknet.Connected:
		c.connected = true
	case raknet.Disconnected:
		c.closed, c.reason = true, e.Reason
	case raknet.Message:
		c.onMessage(e.Data)
	}
}

// send queues a message. If the connection is closed, the message is dropped.
func (c *connection) send(b []byte) {
	if err := c.peer.SendOrdered(b); err != nil && !c.closed && !c.closing {
		c.srv.t.Errorf("send %d bytes: %v", len(b), err)
	}
}

// close closes the connection and waits for the server to confirm.
func (c *connection) close() {
	c.srv.t.Helper()
	c.closing = true
	c.peer.Close()
	c.srv.waitFor("the end of a connection", func() bool { return c.closed })
}
