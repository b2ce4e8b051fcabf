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
	maxAccountQueue  = 4   // under way at a time
	maxAccountTokens = 30  // in a row   guess: somebody who makes, looks at and deletes all characters that he may have
	accountTokenMS   = 250 // ms after which it may ask once more
)

// conn is one client. It belongs to its worker.
//
//	connected -> (account packets) -> entering -> in the world -> gone
//
// A client in the world is a member of its scene, or worker.scenes expects it in an area.
type conn struct {
	w        *worker
	peer     *enet.Peer
	identity session.Peer

	accountQueue   []proto.Packet // account packets; the first is being answered
	accountTokens  uint32         // account packets that it may still send, 0..maxAsked
	tokensAt       uint32         // up to when askAgainMS has been counted
	catalogueParts [][]byte       // what is left of the catalogue that the client asked for
	catalogueCount int            // catalogues that it asked for
	session        *session.Session
	rid            uint16 // own runtime id, held from the entry to the end
	firstArrival   bool   // the next arrival is the entry to the world, with everything that StartGame answers

	scene          *scene
	lastBroadcast  sim.Tick
	unsentActors   []sim.EntityID // actors of the scene that the client must still be told about
	unsentBar      []proto.StartGameBar
	receivedAt     uint32 // when it connected or last said something
	commandReplyAt uint32 // when it was last answered a command; 0 never
	loss           session.Loss
	closed         bool

	nextRefusalText sim.Tick // before which it is not told again why it may not attack
}

func newConn(w *worker, p *enet.Peer) *conn {
	w.g.door.Sessions.Add(1)
	return &conn{
		w: w, peer: p,
		identity:      session.Peer{Addr: p.Addr().Addr(), Conn: w.g.connSerial.Add(1), Door: "rcce"},
		accountTokens: maxAccountTokens, tokensAt: w.g.now(), receivedAt: w.g.now(),
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
		c.w.g.log.Warn("client does not read its packets; disconnected", telemetry.FieldAddr, c.identity.Addr, "queued_bytes", c.peer.QueuedBytes())
		c.peer.Disconnect(0)
		c.release()
	}
}

// message takes one message of the client, type byte first. data is borrowed.
func (c *conn) handleMessage(data []byte) {
	if c.closed || len(data) == 0 {
		return
	}
	c.receivedAt = c.w.g.now()
	if proto.Type(data[0]) == proto.TypeStandardUpdate { // the busiest packet: no interface, no allocation
		c.handleClaim(data[1:])
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
		c.handlePacket(p)
	}
}

// packet sends an account packet to login.go and everything else to play.go.
func (c *conn) handlePacket(p proto.Packet) {
	switch p.(type) {
	case proto.NewClient:
	case proto.CreateAccountRequest, proto.VerifyAccountRequest, proto.FetchCharacterRequest, proto.CreateCharacterRequest,
		proto.DeleteCharacterRequest, proto.ChangePasswordRequest, proto.StartGameRequest:
		c.handleAccount(p)
	case proto.FetchActorsRequest:
		c.startCatalogue()
	case proto.FetchUpdateFilesRequest:
		c.send(proto.FetchUpdateFiles{Last: true}) // there is no patch list here: the client has what it needs
	default:
		c.handlePlay(p)
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
	c.release()
}

// gone ends the connection's part in the world. The account is free at once; its record follows with the area's next
// frame.
func (c *conn) release() {
	if c.closed {
		return
	}
	c.closed = true
	c.accountQueue, c.catalogueParts = nil, nil
	delete(c.w.downloading, c)
	c.w.scenes.Expect(c, sim.NoArea)
	c.w.g.door.Sessions.Add(-1)
	if c.session != nil {
		c.session.Leave()
		c.w.g.ids.release(c.session.Entity)
	}
	if c.scene != nil {
		c.scene.removeMember(c)
	}
	delete(c.w.conns, c)
}
