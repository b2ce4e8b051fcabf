package rcce

import (
	"context"
	"errors"
	"time"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/proto/enet"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// ENet channels on which the server sends packets: StandardUpdate unreliably, every other packet reliably. Source:
// docs/wire/rcce.md, 1.6.
const (
	channelReliable   = 1
	channelUnreliable = 2
)

// Limits on account packets, such as logins, of one connection. The server reads the database for each of these packets. An
// original client sends one at a time, and about five in all before it enters the world.
const (
	maxAccountQueue  = 4   // maximum number of queued packets, including the one being answered
	maxAccountTokens = 30  // size of the token bucket; enough for a player who creates, views and deletes all characters of the account
	accountTokenMS   = 250 // time in ms after which one token is added
)

// conn is the connection of one client. Only the goroutine of its worker uses it.
//
//	connected -> (account packets) -> entering -> in the world -> released
//
// A client in the world is a member of a scene, or it waits in worker.scenes until its player appears in an area.
type conn struct {
	w        *worker
	peer     *enet.Peer
	identity session.Peer
	place    *admission.Place
	gone     context.Context // context that ends with the connection
	leave    func()          // cancels the context in the field gone
	account  store.AccountID // account of the last successful login; 0 before the first login

	list           characterList  // characters that the client was sent last
	accountQueue   []proto.Packet // account packets to answer; the first is being answered
	callEnd        *time.Timer    // cancels the call for the first packet of accountQueue when it takes too long
	accountTokens  uint32         // tokens in the bucket for account packets, 0..maxAccountTokens
	tokensAt       uint32         // time in ms up to which tokens have been added
	catalogueParts [][]byte       // messages of the catalogue that the client has requested and was not sent yet
	catalogueCount int            // number of catalogues requested so far
	session        *session.Session
	runtimeID      uint16         // runtime id of the client's own actor, reserved from the entry until release
	firstArrival   bool           // the client's next arrival in a scene is its entry to the world, at which the StartGame replies are sent
	sentSheet      *sim.Character // record whose sheet the client was sent before its player entered the world; nil if unknown, and after the entry

	scene          *scene
	lastBroadcast  sim.Tick             // tick of the last broadcast to this client
	unsentActors   []sim.EntityID       // actors of the scene that the client was not sent yet
	unsentBar      []proto.StartGameBar // parts of the action bar that the client was not sent yet
	receivedAt     uint32               // time in ms when the client connected or last sent a message
	commandReplyAt uint32               // time in ms when this gateway last answered a chat command, 0 if never
	loss           session.Loss
	closed         bool

	nextRefusalText sim.Tick // tick of the scene's area before which the client is sent no further text about refused attacks
}

func newConn(w *worker, p *enet.Peer) *conn {
	w.g.door.Sessions.Add(1)
	gone, leave := context.WithCancel(context.Background())
	return &conn{
		w: w, peer: p, gone: gone, leave: leave,
		identity:      session.Peer{Addr: p.Addr().Addr(), Conn: w.g.connSerial.Add(1), Door: "rcce"},
		accountTokens: maxAccountTokens, tokensAt: w.g.now(), receivedAt: w.g.now(),
	}
}

// send queues a packet for the client, on the reliable channel.
func (c *conn) send(p proto.Packet) {
	c.w.scratch = p.Append(c.w.scratch[:0])
	c.sendBytes(c.w.scratch)
}

// sendBytes queues an encoded message on the reliable channel. If the client's queue is full, sendBytes disconnects the client,
// because the dropped message would never be sent again.
func (c *conn) sendBytes(msg []byte) {
	if c.closed {
		return
	}
	if err := c.peer.Send(channelReliable, msg); err != nil {
		c.w.g.door.Bad.With("slow_reader").Inc()
		c.w.g.log.Warn("the client was disconnected because it does not read its packets", telemetry.FieldAddr, c.identity.Addr, "queued_bytes", c.peer.QueuedBytes())
		c.peer.Disconnect(0)
		c.release()
	}
}

// handleMessage processes one message of the client, which begins with the type byte. The caller may reuse data afterwards.
func (c *conn) handleMessage(data []byte) {
	if c.closed || len(data) == 0 {
		return
	}
	c.receivedAt = c.w.g.now()
	if proto.PacketType(data[0]) == proto.TypeStandardUpdate { // the most frequent packet takes a path without allocation
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
		c.handlePacket(decodePacket(p))
	}
}

// handlePacket handles one packet of the client. Account packets go to login.go, the request for the catalogue to catalogue.go,
// and packets about the game to play.go.
func (c *conn) handlePacket(p proto.Packet) {
	switch p.(type) {
	case proto.NewClient:
	case proto.CreateAccountRequest, proto.VerifyAccountRequest, proto.FetchCharacterRequest, proto.CreateCharacterRequest,
		proto.DeleteCharacterRequest, proto.ChangePasswordRequest, proto.StartGameRequest:
		c.handleAccount(p)
	case proto.FetchActorsRequest:
		c.startCatalogue()
	case proto.FetchUpdateFilesRequest:
		c.send(proto.FetchUpdateFiles{Last: true}) // this server has no files for clients
	default:
		c.handlePlay(p)
	}
}

// kick disconnects the client in an orderly way: the connection ends when the client has acknowledged the disconnect. Before that,
// the client is sent the reason that an operator gave, as a chat line, because the packet KickedPlayer has no text.
func (c *conn) kick() {
	if c.session != nil {
		if why := c.session.KickMessage(); why != "" {
			c.send(proto.ChatMessage{Color: proto.ChatRed, Text: encodeText(why)})
		}
	}
	c.send(proto.KickedPlayer{})
	c.peer.DisconnectLater(0) // Disconnect would drop queued packets
	c.logOut()
}

// giveWay closes the connection because its place is needed: admission.Places has given it to a newer connection.
func (c *conn) giveWay() {
	if !c.closed {
		c.w.g.door.Bad.With("gave_way").Inc()
		c.drop()
	}
}

// leaveMenu closes the connection because its account has logged in on maxMenus newer connections. It does nothing if the
// connection's player has entered the world meanwhile.
func (c *conn) leaveMenu() {
	if !c.closed && c.session == nil {
		c.w.g.door.Bad.With("menu_replaced").Inc()
		c.drop()
	}
}

// drop closes the connection at once. The client is not told.
func (c *conn) drop() {
	c.peer.Reset()
	c.release()
}

// logOut removes the client's player from the world and releases the connection. The account may log in again immediately. The
// player's record is stored when the area has stepped the next tick.
func (c *conn) logOut() {
	if c.session != nil {
		c.session.Leave()
	}
	c.release()
}

// release marks the connection as closed and frees its place and its other resources. Unless the player has logged out, its actor
// stays in the world for some seconds. A new login of the account in this time resumes the actor.
func (c *conn) release() {
	if c.closed {
		return
	}
	c.closed = true
	c.leave()
	c.w.g.menus.remove(c.account, c)
	if c.place != nil {
		c.place.Leave()
	}
	c.accountQueue, c.catalogueParts = nil, nil
	delete(c.w.downloading, c)
	c.w.scenes.Expect(c, sim.NoArea)
	c.w.g.door.Sessions.Add(-1)
	if c.session != nil {
		c.session.Disconnect()
		c.w.g.ids.release(c.session.Entity)
	}
	if c.scene != nil {
		c.scene.removeMember(c)
	}
	delete(c.w.conns, c)
}
