package rcce

import (
	"net/netip"
	"reflect"

	"github.com/truestep-io/truestep/proto/enet"
	proto "github.com/truestep-io/truestep/proto/rcce"
)

// client is a RealmCrafter client that records every packet it receives.
type client struct {
	srv          *testServer
	addr         netip.AddrPort
	host         *enet.Host
	peer         *enet.Peer
	received     []proto.Packet
	runtimeID    uint16 // runtime id of the client's own actor
	unresponsive bool   // the client neither reads nor acknowledges
	disconnected bool   // the server disconnected the client or never answered
}

// connect connects a new client and completes the handshake.
func (srv *testServer) connect() *client {
	srv.t.Helper()
	c := srv.dial()
	srv.waitFor("a connection", func() bool { return c.peer.IsConnected() })
	c.send(proto.NewClient{})
	return c
}

// dial starts a connection from a new port of 127.0.0.1.
func (srv *testServer) dial() *client { return srv.dialFrom("127.0.0.1") }

// dialFrom starts a connection from a new port of an address.
func (srv *testServer) dialFrom(addr string) *client {
	srv.t.Helper()
	n := len(srv.clients) + 1
	c := &client{
		srv: srv, addr: netip.AddrPortFrom(netip.MustParseAddr(addr), uint16(40000+n)),
		host: enet.NewHost(enet.Config{MaxPeers: 1, SessionSeed: uint64(n), RefuseConnect: true}),
	}
	srv.clients = append(srv.clients, c)
	srv.mu.Lock()
	srv.mail[c.addr] = nil
	srv.mu.Unlock()
	peer, err := c.host.Connect(srv.now(), serverAddr, 0)
	srv.must(err)
	c.peer = peer
	return c
}

var serverAddr = netip.MustParseAddrPort("127.0.0.1:25000")

// serve processes received datagrams and sends queued ones.
func (c *client) serve() {
	if c.unresponsive {
		return
	}
	for _, b := range c.srv.takeMail(c.addr) {
		c.host.Receive(c.srv.now(), serverAddr, b, c.handleENet)
	}
	c.host.Tick(c.srv.now(), c.handleENet)
	c.flush()
}

func (c *client) flush() {
	c.host.Flush(c.srv.now(), func(_ netip.AddrPort, b []byte) { c.srv.send(c.addr, b) })
}

func (c *client) handleENet(e enet.Event) {
	switch e.Kind {
	case enet.Disconnected:
		c.disconnected = true
	case enet.Message:
		if len(e.Data) == 0 {
			return
		}
		p, err := proto.ParseS2C(e.Data)
		if err != nil {
			c.srv.t.Errorf("the server sent % x: %v", e.Data, err)
			return
		}
		if want := proto.PacketType(e.Data[0]) != proto.TypeStandardUpdate; e.Reliable != want {
			c.srv.t.Errorf("%s was sent reliable: %v, want %v", packetName(p), e.Reliable, want)
		}
		if a, ok := p.(proto.StartGameActor); ok {
			c.runtimeID = a.RuntimeID
		}
		c.received = append(c.received, p)
	}
}

// send sends packets on the reliable channel.
func (c *client) send(packets ...proto.Packet) {
	for _, p := range packets {
		c.sendRaw(p.Append(nil))
	}
}

// sendRaw sends a message, which may be an invalid packet.
func (c *client) sendRaw(msg []byte) {
	c.srv.t.Helper()
	if err := c.peer.Send(channelReliable, msg); err != nil && !c.disconnected {
		c.srv.t.Fatal(err)
	}
}

// claim sends a position claim on the unreliable channel.
func (c *client) claim(p proto.StandardUpdateRequest) {
	if err := c.peer.SendUnreliable(channelUnreliable, p.Append(nil)); err != nil && !c.disconnected {
		c.srv.t.Fatal(err)
	}
}

// request sends a packet and returns all packets received within 50 ms.
func (c *client) request(p proto.Packet) []proto.Packet {
	c.received = nil
	c.send(p)
	for range 5 {
		c.srv.step()
	}
	return c.received
}

// disconnect disconnects and waits for the server's confirmation.
func (c *client) disconnect() {
	c.srv.t.Helper()
	c.peer.Disconnect(0)
	c.srv.waitFor("the end of a connection", func() bool { return c.disconnected })
}

// receivedNames returns the names of all received packets except StandardUpdate, in order.
func (c *client) receivedNames() []string {
	var list []string
	for _, p := range c.received {
		if _, ok := p.(proto.StandardUpdate); !ok {
			list = append(list, packetName(p))
		}
	}
	return list
}

// takePackets returns all received packets except StandardUpdate and clears the list.
func (c *client) takePackets() []proto.Packet {
	var list []proto.Packet
	for _, p := range c.received {
		if _, ok := p.(proto.StandardUpdate); !ok {
			list = append(list, p)
		}
	}
	c.received = nil
	return list
}

// packetsOf returns the received packets of one type, in order.
func packetsOf[P proto.Packet](c *client) []P {
	var list []P
	for _, p := range c.received {
		if q, ok := p.(P); ok {
			list = append(list, q)
		}
	}
	return list
}

func countOf[P proto.Packet](c *client) int { return len(packetsOf[P](c)) }

// expectPackets compares the received packets, except StandardUpdate, with want and clears the list.
func (c *client) expectPackets(who string, want ...proto.Packet) {
	c.srv.t.Helper()
	got := c.takePackets()
	if len(got) == 0 && len(want) == 0 {
		return
	}
	if !reflect.DeepEqual(got, want) {
		c.srv.t.Errorf("%s got\n  %+v\nwant\n  %+v", who, got, want)
	}
}
