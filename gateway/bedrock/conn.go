package bedrock

import (
	"context"
	"errors"
	"time"

	"github.com/truestep-io/truestep/admission"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
	"github.com/truestep-io/truestep/proto/raknet"
	"github.com/truestep-io/truestep/proto/wire"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/telemetry"
)

// stage is the step of the login sequence that a connection has reached. Source: docs/wire/bedrock.md, section 5, "Sequence to
// spawn", rule LO-1.
type stage uint8

const (
	stageHello     stage = iota // waiting for RequestNetworkSettings
	stageLogin                  // waiting for Login
	stageChecking               // the login is being verified
	stageHandshake              // waiting for the first encrypted packet
	stagePacks                  // waiting for the resource pack responses
	stageEntering               // the session is entering the world
	stageSpawning               // the world has been sent; waiting for SetLocalPlayerAsInitialized
	stagePlay                   // the player is in the world
)

// deadlines contains the maximum duration of each stage of a login, in ms (rule LO-2 of docs/wire/bedrock.md). 0 means no
// limit.
var deadlines = [...]int64{
	stageHello: 5_000, stageLogin: 10_000, stageChecking: 30_000, stageHandshake: 10_000,
	stagePacks: 60_000, stageEntering: 30_000, stageSpawning: 60_000, stagePlay: 0,
}

// maxQueued is the number of bytes queued for a client above which the client is disconnected, because it reads too slowly.
// Chunks do not fill the queue, because they are only sent while it is short. Other packets need minutes to fill it. The value is
// an estimate, not measured.
const maxQueued = 4 << 20

// maxMalformed is the number of malformed packets after which a client is disconnected. The value is an estimate, not
// measured.
const maxMalformed = 100

// maxHandshakeBatches is the maximum number of batches that a client may send before encryption is established. They are
// limited because a small batch can decompress to megabytes. A login needs three batches. The value is an estimate, not
// measured.
const maxHandshakeBatches = 8

// conn is one client connection. Only its worker accesses it.
type conn struct {
	w                *worker
	peer             *raknet.Peer
	who              session.Peer     // address and door of the client, for the session
	place            *admission.Place // place of this connection within the door's limit of connections; nil if the connection has no place
	gone             context.Context  // context that ends with the connection
	leave            func()           // cancels the context gone
	stage            stage
	stageSince       int64 // time in ms when the stage began
	version          proto.Version
	compressed       bool                // batches begin with a byte that names the compression
	sealer           *auth.Sealer        // encrypts sent batches; nil before encryption is established
	opener           *auth.Opener        // decrypts received batches; nil before encryption is established
	budget           proto.BatchBudget   // rate limit of received batches and packets
	handshakeBatches int                 // number of batches received before encryption was established
	malformedCount   int                 // number of malformed packets received
	loggedFaults     map[string]struct{} // kinds of faults that have been logged; each kind is logged once per session
	out              proto.BatchWriter   // packets that wait to be sent as one batch

	name      string           // player name, empty until the login is verified
	login     *session.Login   // nil until the login is verified
	nameHeld  bool             // the connection owns its account name in Gateway.accounts and is counted as a player
	session   *session.Session // nil until the client enters the world
	runtimeID uint64           // runtime id of the client's own player
	stackSent bool             // the ResourcePackStack has been sent

	firstArrival bool   // the client has not arrived in a scene yet
	scene        *scene // nil while the client is in no area
	view         clientView
	chunks       chunkView
	inputSeen    bool         // a PlayerAuthInput has been received since the spawn
	rtt          uint16       // last measured round-trip time in ms
	inputTick    uint64       // tick of the last processed input; packets about the client's own player contain this tick
	ride         ownRide      // vehicle of the player as last sent to the client
	barriers     []uint32     // serials of unanswered barriers, oldest first; at most maxBarriers
	sentOwn      sentState    // state of the client's own player as last sent to the client
	loss         session.Loss // packet loss of the connection
	lastMeasure  int64        // time in ms when the statistics of the connection were last stored
	measurements uint32       // number of times that the statistics were stored
	lastCommand  int64        // time in ms when the last command was received
	farewellAt   int64        // time in ms at which to disconnect the client, because its player left the world; 0 while the player is in the world
	closed       bool
}

func newConn(w *worker, p *raknet.Peer) *conn {
	w.g.door.Sessions.Add(1)
	gone, leave := context.WithCancel(context.Background())
	return &conn{
		gone: gone, leave: leave,
		w: w, peer: p, stageSince: w.g.nowMS(), lastCommand: -commandInterval,
		who:          session.Peer{Addr: p.Addr().Addr(), Conn: w.g.serial.Add(1), Door: "bedrock", Authority: move.ByInput},
		loggedFaults: map[string]struct{}{},
	}
}

// enterStage begins the next stage.
func (c *conn) enterStage(s stage) { c.stage, c.stageSince = s, c.w.g.nowMS() }

// checkTimeouts disconnects a client that stays in a stage of the login for too long, or whose player was removed from the
// world. It is called on every worker tick.
func (c *conn) checkTimeouts(now int64) {
	c.measure(now)
	if limit := deadlines[c.stage]; limit > 0 && now-c.stageSince >= limit && !c.closed {
		c.reportFault("slow_handshake", nil)
		c.kick("The login took too long.")
	}
	if c.stage == stagePlay && !c.inputSeen && now-c.stageSince >= firstInputTimeout && !c.closed {
		c.reportFault("no_input", nil)
		c.kick("Your client has sent no movement.")
	}
	if c.session != nil && c.session.CutOff() && !c.closed {
		c.kick(c.farewellText())
	}
	if c.farewellAt > 0 && now >= c.farewellAt && !c.w.g.world.Stopping() { // if the server stops, Dismiss disconnects with its own text
		c.kick(c.farewellText())
	}
}

// farewellText returns the text that a client shows when its player was removed from the world: the operator's message, or a
// general one if there is none.
func (c *conn) farewellText() string {
	if c.session != nil {
		if why := c.session.KickMessage(); why != "" {
			return why
		}
	}
	return "You were removed from the world."
}

// firstInputTimeout is the maximum time in ms between the player's entry to the world and its first input. After the first
// input, the area detects missing inputs (rule SV-20 of docs/wire/bedrock.md).
const firstInputTimeout = 60_000

// farewellDelay is the time in ms between the removal of a player from the world and the disconnect of its client. A server
// that is stopping removes its players, too. Within this delay it disconnects their clients with a text that says that it
// stops.
const farewellDelay = 500

// handleMessage processes one RakNet message, which must be a batch of packets. The caller may reuse data after the call.
func (c *conn) handleMessage(data []byte) {
	if c.closed {
		return
	}
	if len(data) == 0 || data[0] != proto.BatchID {
		c.reportFault("message", nil)
		return
	}
	payload, ok := c.decodeBatch(data[1:])
	if !ok {
		return
	}
	limit := proto.MaxBatchPackets
	if c.stage <= stageHandshake {
		limit = proto.MaxHandshakePackets
	}
	n, err := proto.CountPackets(payload, limit)
	switch {
	case err != nil:
		c.abort("batch_"+proto.BatchFault(err), err)
		return
	case !c.budget.AllowPackets(c.w.g.nowMS(), n):
		c.reportFault("budget", nil)
		return
	}
	_ = proto.EachPacket(payload, limit, func(b []byte) error {
		if c.closed {
			return errClosed
		}
		c.handlePacket(b)
		return nil
	})
	if c.stage == stageLogin && len(payload) > proto.MaxPlayBatch {
		c.abort("batch_size", nil) // only a batch that contains a Login may have this size, and this batch contains none
	}
	c.flush() // send answers to an input immediately instead of with the next frame (rule BA-4 of docs/wire/bedrock.md)
}

var errClosed = errors.New("the client's connection is closed")

// decodeBatch decrypts and decompresses a batch, and drops a batch that exceeds the client's rate limit. Such a batch is
// decrypted nevertheless, because the cipher must process every batch to decrypt the next one.
func (c *conn) decodeBatch(b []byte) (payload []byte, ok bool) {
	if c.opener != nil {
		plain, err := c.opener.Open(b)
		if err != nil { // the sender lacks the key, or the two key streams are permanently out of step
			c.abort("checksum", err)
			return nil, false
		}
		b = plain
	}
	if c.stage <= stageHandshake {
		if c.handshakeBatches++; c.handshakeBatches > maxHandshakeBatches {
			c.abort("knocks", nil)
			return nil, false
		}
	}
	if !c.budget.AllowBatch(c.w.g.nowMS()) {
		c.reportFault("budget", nil)
		return nil, false
	}
	if !c.compressed {
		return b, true
	}
	return c.inflate(b)
}

// inflate decompresses a batch. The returned payload is part of b or of the worker's buffer and is valid until the next
// call.
func (c *conn) inflate(b []byte) (payload []byte, ok bool) {
	limit := proto.MaxPlayBatch
	if c.stage == stageLogin {
		limit = proto.MaxLoginBatch
	}
	payload, err := c.w.inflater.Decompress(c.w.inflated, b, limit)
	if err != nil {
		c.abort("batch_"+proto.BatchFault(err), err)
		return nil, false
	}
	// Keep the decompressed payload as the buffer of the worker, but not the payload of an uncompressed batch: that is part
	// of b, which RakNet owns.
	if b[0] != proto.CompressorNone && cap(payload) > cap(c.w.inflated) && cap(payload) <= proto.MaxPlayBatch {
		c.w.inflated = payload[:0]
	}
	return payload, true
}

// reportFault counts a client's violation of the protocol in the metrics. It logs each kind of violation once per connection, as
// long as the door's rate limit for these log lines permits.
func (c *conn) reportFault(kind string, err error) {
	c.w.g.door.Bad.With(kind).Inc()
	if _, again := c.loggedFaults[kind]; again || len(c.loggedFaults) >= 32 {
		return
	}
	c.loggedFaults[kind] = struct{}{}
	leftOut, ok := c.w.g.notices.Allow(time.Now())
	if !ok {
		return
	}
	args := []any{"fault", kind, telemetry.FieldAddr, c.peer.Addr(), telemetry.FieldAccount, c.name}
	if err != nil {
		args = append(args, telemetry.FieldErr, err)
	}
	if leftOut > 0 {
		args = append(args, telemetry.FieldLeftOut, leftOut)
	}
	c.w.g.log.Warn("client violates the protocol", args...)
}

// onMalformed counts a malformed packet and disconnects the client after maxMalformed of them. A single one is tolerated,
// because it does not prevent the decoding of later packets.
func (c *conn) onMalformed(err error) {
	c.reportFault("malformed", err)
	if c.malformedCount++; c.malformedCount >= maxMalformed {
		c.abort("malformed_often", err)
	}
}

// abort counts a client's violation of the protocol, and disconnects the client. The parameter kind is the violation's name
// in logs and metrics.
func (c *conn) abort(kind string, err error) {
	c.reportFault(kind, err)
	c.kick("The server did not understand your client.")
}

// send adds a packet to the batch that is sent to the client with this frame.
func send[P proto.Packet](c *conn, p P) {
	if !c.closed {
		proto.AddPacket(&c.out, p, c.version)
		c.flushIfFull()
	}
}

// flushIfFull sends the queued packets without waiting for the end of the frame if they fill a batch: by size or by number.
func (c *conn) flushIfFull() {
	if c.out.Len() >= flushThreshold || c.out.PacketCount() >= proto.MaxBatchPackets-1 {
		c.flush()
	}
}

// flushThreshold is the size in bytes at which a batch is sent before the frame is complete. It is well below the protocol's
// limit.
const flushThreshold = 256 << 10

// flush sends the queued packets as one batch. It disconnects a client whose send queue has become too long.
func (c *conn) flush() {
	if c.closed || c.out.PacketCount() == 0 {
		return
	}
	w := c.w
	w.outBuf = append(w.outBuf[:0], proto.BatchID)
	if c.compressed {
		w.outBuf = w.deflater.Compress(w.outBuf, c.out.Bytes(), compressionThreshold)
	} else {
		w.outBuf = append(w.outBuf, c.out.Bytes()...)
	}
	c.out.Reset()
	if c.sealer != nil {
		w.outBuf = c.sealer.Seal(w.outBuf[:1], w.outBuf[1:])
	}
	if err := c.peer.SendOrdered(w.outBuf); err != nil || c.peer.QueuedBytes() > maxQueued {
		c.reportFault("slow_reader", err)
		c.peer.Close()
		c.release()
	}
}

// compressionThreshold is the size in bytes from which on a batch is compressed. A smaller batch fits into one datagram
// anyway. Compression takes four times as long as all other work for a batch (measured with BenchmarkFrame).
const compressionThreshold = 1280

// kick disconnects a client. The client shows the text to its player.
func (c *conn) kick(text string) { c.disconnect(proto.DisconnectKicked, text) }

// disconnect closes a connection with a reason code and a text for the player.
func (c *conn) disconnect(why proto.DisconnectReason, text string) {
	send(c, proto.Disconnect{Reason: why, Message: text})
	c.flushAndClose()
}

// flushAndClose sends the queued packets and closes the connection.
func (c *conn) flushAndClose() {
	c.flush()
	if c.closed {
		return
	}
	c.peer.Close()
	c.release()
}

// giveWay closes the connection to free its place. admission.Places calls giveWay when all places are used and a newer
// connection gets this place.
func (c *conn) giveWay() {
	if !c.closed {
		c.reportFault("gave_way", nil)
		c.drop()
	}
}

// drop closes the connection without notifying the client.
func (c *conn) drop() {
	c.peer.Reset()
	c.release()
}

// logOut removes the client's player from the world at once and releases the connection. The account may log in again
// immediately. The player's record is stored with the next frame of its area.
func (c *conn) logOut() {
	if c.session != nil {
		c.session.Leave()
	}
	c.release()
}

// release removes the connection from the worker. If the player has not logged out, its actor stays in the world for some
// seconds. A new login of the account within this time takes over the actor.
func (c *conn) release() {
	if c.closed {
		return
	}
	c.closed = true
	c.leave()
	w := c.w
	if c.place != nil {
		c.place.Leave()
	}
	w.scenes.Expect(c, sim.NoArea)
	delete(w.conns, c)
	w.g.door.Sessions.Add(-1)
	if c.nameHeld {
		w.g.players.Add(-1)
		w.g.accounts.release(c.login.Name, c)
	}
	if c.session != nil {
		c.session.Disconnect()
		w.ids.release(c.session.Entity)
		delete(w.players, c.session.Entity)
	}
	if c.scene != nil {
		c.scene.removeClient(c)
	}
}

// handlePacket processes one packet of the client. The parameter b contains the packet's header and body.
func (c *conn) handlePacket(b []byte) {
	id, _, _, body, err := proto.ParseHeader(b)
	if err != nil {
		c.onMalformed(err)
		return
	}
	if id == proto.IDPlayerAuthInput { // PlayerAuthInput is the most frequent packet and must not allocate
		c.handleInput(body)
		return
	}
	row, ok := proto.Lookup(id)
	if !ok {
		c.w.g.door.Bad.With("unknown").Inc()
		return
	}
	if row.Direction&proto.ToServer == 0 || row.States&c.packetState() == 0 {
		c.reportFault("untimely", nil)
		if c.stage > stageLogin && (id == proto.IDLogin || id == proto.IDRequestNetworkSettings) {
			c.abort("login_again", nil)
		}
		return
	}
	p, err := row.Parse(body, c.version)
	switch {
	case err != nil && errors.Is(err, wire.ErrTrailing):
		c.w.g.door.Bad.With("trailing").Inc()
	case err != nil:
		c.onMalformed(err)
		return
	}
	if c.stage < stageEntering {
		c.handleLoginPacket(p)
	} else {
		c.handlePlayPacket(p)
	}
}
