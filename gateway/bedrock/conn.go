package bedrock

import (
	"errors"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
	"github.com/truestep-io/truestep/proto/raknet"
	"github.com/truestep-io/truestep/proto/wire"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/telemetry"
)

// stage is how far a connection has come in the login sequence. Source: docs/wire/bedrock.md, the way to the world;
// LO-1.
type stage uint8

const (
	stageHello     stage = iota // waits for RequestNetworkSettings
	stageLogin                  // waits for Login
	stageChecking               // the login is being verified
	stageHandshake              // waits for the first encrypted packet
	stagePacks                  // waits for the resource pack responses
	stageEntering               // the session is entering the world
	stageSpawning               // the world was sent; waits for SetLocalPlayerAsInitialized
	stagePlay
)

// deadlines bound the duration of each stage, in ms (LO-2); 0: none.
var deadlines = [...]int64{
	stageHello: 5_000, stageLogin: 10_000, stageChecking: 30_000, stageHandshake: 10_000,
	stagePacks: 60_000, stageEntering: 30_000, stageSpawning: 60_000, stagePlay: 0,
}

// maxQueued is how many bytes may be queued for a client before it is dropped as a slow reader. Chunks are sent only
// as fast as the client acknowledges them, so this is the traffic of minutes.   guess
const maxQueued = 4 << 20

// maxMalformed is how many malformed packets a session may send before it is closed.   guess
const maxMalformed = 100

// maxHandshakeBatches is how many batches a client may send before encryption is established; three are needed. Each
// batch could inflate to megabytes.   guess
const maxHandshakeBatches = 8

// conn is one client connection. It belongs to its worker.
type conn struct {
	w                *worker
	peer             *raknet.Peer
	who              session.Peer
	stage            stage
	stageSince       int64 // ms, when the stage began
	version          proto.Version
	compressed       bool // batches have a compression byte
	sealer           *auth.Sealer
	opener           *auth.Opener
	budget           proto.BatchBudget
	handshakeBatches int // batches received before encryption was established
	malformedCount   int
	loggedFaults     map[string]struct{} // kinds of faults that were logged: each kind once
	out              proto.BatchWriter

	name      string         // "" until the login is verified
	login     *session.Login // nil until the login is verified
	nameHeld  bool           // it holds its name in Gateway.accounts and is counted as a player
	session   *session.Session
	runtimeID uint64 // of its player's actor
	stackSent bool   // ResourcePackStack was sent

	firstArrival bool // the next arrival in a scene is the entry to the world
	scene        *scene
	view         clientView
	chunks       chunkView
	inputSeen    bool      // an input was received
	rtt          uint16    // ms
	inputTick    uint64    // tick of the last processed input, for packets about its own player
	barriers     []uint32  // serials of the sent barriers that were not answered yet, oldest first; at most maxBarriers
	sentOwn      sentState // what the client was last told about its own player
	loss         session.Loss
	lastMeasure  int64  // ms, when the link figures were last stored
	measurements uint32 // count of stored link figures
	lastCommand  int64  // ms, when the last command was received
	farewellAt   int64  // ms, when a client whose player was removed is disconnected; 0: the player was not removed
	closed       bool
}

func newConn(w *worker, p *raknet.Peer) *conn {
	w.g.door.Sessions.Add(1)
	return &conn{
		w: w, peer: p, stageSince: w.g.nowMS(), lastCommand: -commandInterval,
		who:          session.Peer{Addr: p.Addr().Addr(), Conn: w.g.serial.Add(1), Door: "bedrock", Authority: move.ByInput},
		loggedFaults: map[string]struct{}{},
	}
}

// enterStage begins the next stage.
func (c *conn) enterStage(s stage) { c.stage, c.stageSince = s, c.w.g.nowMS() }

// checkTimeouts disconnects a client whose stage takes too long, or whose player was removed from the world. It is
// called on every worker tick.
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
	if c.farewellAt > 0 && now >= c.farewellAt && !c.w.g.world.Stopping() { // a stopping server has its own message
		c.kick(c.farewellText())
	}
}

// farewellText is what a player reads when it is removed from the world.
func (c *conn) farewellText() string {
	if c.session != nil {
		if why := c.session.KickMessage(); why != "" {
			return why
		}
	}
	return "You were removed from the world."
}

// firstInputTimeout is how long a client may be in the world before its first input, ms. Afterwards the area watches
// for missing inputs (SV-20).
const firstInputTimeout = 60_000

// farewellDelay is the time between a player's removal and the disconnect, ms. If the server stops meanwhile, the
// client is told that instead.
const farewellDelay = 500

// handleMessage processes one RakNet message. data is borrowed.
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
		c.abort("batch_size", nil) // a batch this large was allowed for a login, but it contained none
	}
	c.flush() // answers to an input do not wait for the next frame (BA-4)
}

var errClosed = errors.New("closed")

// decodeBatch decrypts and decompresses a batch. A batch over budget is decrypted too, because the key stream must
// advance.
func (c *conn) decodeBatch(b []byte) (payload []byte, ok bool) {
	if c.opener != nil {
		plain, err := c.opener.Open(b)
		if err != nil { // the sender lacks the key, or the key streams are out of step for good
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

// inflate decompresses a batch. The payload is borrowed, from b or from the worker.
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
	// The payload of an uncompressed batch is part of b, which belongs to RakNet.
	if b[0] != proto.CompressorNone && cap(payload) > cap(c.w.inflated) && cap(payload) <= proto.MaxPlayBatch {
		c.w.inflated = payload[:0]
	}
	return payload, true
}

// reportFault counts a fault of the client and logs it once per session and kind, within the rate limit of the door's
// notices.
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
	c.w.g.log.Warn("client fault", args...)
}

// onMalformed counts a malformed packet and closes the session after maxMalformed of them. One malformed packet does
// not affect the packets after it.
func (c *conn) onMalformed(err error) {
	c.reportFault("malformed", err)
	if c.malformedCount++; c.malformedCount >= maxMalformed {
		c.abort("malformed_often", err)
	}
}

// abort disconnects a client whose stream can no longer be decoded.
func (c *conn) abort(kind string, err error) {
	c.reportFault(kind, err)
	c.kick("The server did not understand your client.")
}

// send adds a packet to the batch of this frame.
func send[P proto.Packet](c *conn, p P) {
	if !c.closed {
		proto.AddPacket(&c.out, p, c.version)
		c.flushIfFull()
	}
}

// flushIfFull sends the batch early when it reaches the size or packet limit.
func (c *conn) flushIfFull() {
	if c.out.Len() >= flushThreshold || c.out.Count() >= proto.MaxBatchPackets-1 {
		c.flush()
	}
}

// flushThreshold is the size at which a batch is sent early, in bytes: well below the protocol's limit.
const flushThreshold = 256 << 10

// flush sends the queued packets as one batch.
func (c *conn) flush() {
	if c.closed || c.out.Count() == 0 {
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
	if err := c.peer.SendOrdered(w.outBuf); err != nil || c.peer.Queued() > maxQueued {
		c.reportFault("slow_reader", err)
		c.peer.Close()
		c.release()
	}
}

// compressionThreshold is the smallest batch that is compressed, in bytes. Smaller ones fit into one datagram even
// when encrypted, and compression takes four times as long as all other work for a batch (measured: BenchmarkFrame).
const compressionThreshold = 1280

// kick disconnects a client with a text that the player reads.
func (c *conn) kick(text string) { c.disconnect(proto.DisconnectKicked, text) }

// disconnect closes a connection with a text that the player reads and a reason code.
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

// release removes the connection from the worker and its player from the world. The account is free at once; its
// record follows with the area's next frame.
func (c *conn) release() {
	if c.closed {
		return
	}
	c.closed = true
	w := c.w
	w.scenes.Expect(c, sim.NoArea)
	delete(w.conns, c)
	w.g.door.Sessions.Add(-1)
	if c.nameHeld {
		w.g.players.Add(-1)
		w.g.accounts.release(c.login.Name, c)
	}
	if c.session != nil {
		c.session.Leave()
		w.ids.release(c.session.Entity)
		delete(w.players, c.session.Entity)
	}
	if c.scene != nil {
		c.scene.removeClient(c)
	}
}

// handlePacket processes one packet, header and body.
func (c *conn) handlePacket(b []byte) {
	id, _, _, body, err := proto.ParseHeader(b)
	if err != nil {
		c.onMalformed(err)
		return
	}
	if id == proto.IDPlayerAuthInput { // the most frequent packet: no interface value, no allocation
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
