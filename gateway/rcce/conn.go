package rcce

import (
	"errors"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/proto/enet"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Channels of the original library: everything but StandardUpdate is reliable. Source: docs/wire/rcce.md, framing.
const (
	channelReliable   = 1
	channelUnreliable = 2
)

// Bounds of account packets, each of which reads the database. A client sends one after the other, and about five from
// its start to the world.
const (
	maxWaiting = 4   // under way at a time
	maxAsked   = 30  // in a row   guess: somebody who makes, looks at and deletes all characters that he may have
	askAgainMS = 250 // ms after which it may ask once more
)

// conn is one client. It belongs to its worker.
//
//	connected -> (account packets) -> entering -> in the world -> gone
//
// A client in the world is a member of its scene, or worker.scenes expects it in an area.
type conn struct {
	w    *worker
	peer *enet.Peer
	who  session.Peer

	waiting []proto.Packet // account packets; the first is being answered
	asks    uint32         // account packets that it may still send, 0..maxAsked
	askedAt uint32         // up to when askAgainMS has been counted
	pages   [][]byte       // what is left of the catalogue that the client asked for
	browsed int            // catalogues that it asked for
	session *session.Session
	rid     uint16 // own runtime id, held from the entry to the end
	welcome bool   // the next arrival is the entry to the world, with everything that StartGame answers

	scene  *scene
	served sim.Tick
	entry  []sim.EntityID // actors of the scene that the client must still be told about
	chunks []proto.StartGameBar
	heard  uint32 // when it connected or last said something
	told   uint32 // when it was last answered a command; 0 never
	loss   session.Loss
	closed bool

	refusedNext sim.Tick // before which it is not told again why it may not attack
}

func newConn(w *worker, p *enet.Peer) *conn {
	w.g.door.Sessions.Add(1)
	return &conn{
		w: w, peer: p,
		who:  session.Peer{Addr: p.Addr().Addr(), Conn: w.g.serial.Add(1), Door: "rcce"},
		asks: maxAsked, askedAt: w.g.now(), heard: w.g.now(),
	}
}

// send queues a packet, reliable, on the channel of the original.
func (c *conn) send(p proto.Packet) {
	c.w.scratch = p.Append(c.w.scratch[:0])
	c.sendBytes(c.w.scratch)
}

// sendBytes queues a finished message. Whoever does not read until his queue is full is disconnected; he would
// otherwise miss packets that the protocol never repeats.
func (c *conn) sendBytes(msg []byte) {
	if c.closed {
		return
	}
	if err := c.peer.Send(channelReliable, msg); err != nil {
		c.w.g.door.Bad.With("slow_reader").Inc()
		c.w.g.log.Warn("client does not read its packets; disconnected", telemetry.FieldAddr, c.who.Addr, "queued_bytes", c.peer.QueuedBytes())
		c.peer.Disconnect(0)
		c.gone()
	}
}

// message takes one message of the client, type byte first. data is borrowed.
func (c *conn) message(data []byte) {
	if c.closed || len(data) == 0 {
		return
	}
	c.heard = c.w.g.now()
	if proto.Type(data[0]) == proto.TypeStandardUpdate { // the busiest packet: no interface, no allocation
		c.claim(data[1:])
		return
	}
	p, err := proto.ParseC2S(data)
	switch {
	case errors.Is(err, proto.ErrUnparsed):
		c.w.g.door.Bad.With("ignored").Inc()
	case errors.Is(err, proto.ErrUnknown):
		c.w.g.door.Bad.With("unknown").Inc()
	case err != nil:
		c.w.g.door.Bad.With("malformed").Inc()
	default:
		c.packet(p)
	}
}

// packet sends an account packet to login.go and everything else to play.go.
func (c *conn) packet(p proto.Packet) {
	switch p.(type) {
	case proto.NewClient:
	case proto.CreateAccountRequest, proto.VerifyAccountRequest, proto.FetchCharacterRequest, proto.CreateCharacterRequest,
		proto.DeleteCharacterRequest, proto.ChangePasswordRequest, proto.StartGameRequest:
		c.account(p)
	case proto.FetchActorsRequest:
		c.fetchActors()
	case proto.FetchUpdateFilesRequest:
		c.send(proto.FetchUpdateFiles{Last: true}) // there is no patch list here: the client has what it needs
	default:
		c.play(p)
	}
}

// kick tells the client that the server takes it out, and ends the connection when it has been told. An operator's
// reason is a line of chat: the packet itself has no room for one.
func (c *conn) kick() {
	if c.session != nil {
		if why := c.session.Farewell(); why != "" {
			c.send(proto.ChatMessage{Color: proto.ChatRed, Text: gateway.ToWindows1252(why)})
		}
	}
	c.send(proto.KickedPlayer{})
	c.peer.DisconnectLater(0) // Disconnect would drop what is queued
	c.gone()
}

// gone ends the connection's part in the world. The account is free at once; its record follows with the area's next
// frame.
func (c *conn) gone() {
	if c.closed {
		return
	}
	c.closed = true
	c.waiting, c.pages = nil, nil
	delete(c.w.browsers, c)
	c.w.scenes.Expect(c, sim.NoArea)
	c.w.g.door.Sessions.Add(-1)
	if c.session != nil {
		c.session.Leave()
		c.w.g.ids.drop(c.session.Entity)
	}
	if c.scene != nil {
		c.scene.drop(c)
	}
	delete(c.w.conns, c)
}
