package bedrock

import (
	"errors"
	"time"

	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
	"github.com/truestep-io/truestep/proto/raknet"
	"github.com/truestep-io/truestep/proto/wire"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/telemetry"
)

// stage is how far a connection has come. Source: docs/wire/bedrock.md, the way to the world; LO-1.
type stage uint8

const (
	stageHello     stage = iota // waits for RequestNetworkSettings
	stageLogin                  // waits for Login
	stageChecking               // its login is being checked
	stageHandshake              // waits for the first encrypted packet
	stagePacks                  // waits for the answers about packs
	stageEntering               // is on the way into the world
	stageSpawning               // has the world, and has not said that it stands in it
	stagePlay
)

// deadlines bound each stage in ms from when it began (LO-2); 0: none.
var deadlines = [...]int64{
	stageHello: 5_000, stageLogin: 10_000, stageChecking: 30_000, stageHandshake: 10_000,
	stagePacks: 60_000, stageEntering: 30_000, stageSpawning: 60_000, stagePlay: 0,
}

// maxQueue is how many bytes may wait for a client that does not read; then it is dropped. The world of a new client is
// sent only as fast as it takes it, so this is the traffic of minutes.   guess
const maxQueued = 4 << 20

// badPackets is how many packets of a session that cannot be read are borne.   guess
const maxMalformed = 100

// knocks is how many batches a client may send until the server has its proof: three are needed. Without a bound each
// could inflate to megabytes.   guess
const maxHandshakeBatches = 8

// conn is one client. It belongs to its worker.
type conn struct {
	w                *worker
	peer             *raknet.Peer
	who              session.Peer
	stage            stage
	stageSince       int64 // ms, of the stage
	version          proto.Version
	compressed       bool // batches have a compressor byte
	sealer           *auth.Sealer
	opener           *auth.Opener
	budget           proto.BatchBudget
	handshakeBatches int // before the handshake was complete
	malformedCount   int
	loggedFaults     map[string]struct{} // what was logged of it: each fault once
	out              proto.BatchWriter

	name      string         // "" until the login is checked
	login     *session.Login // nil until then
	nameHeld  bool           // its account is taken in Gateway.names, and it is counted as a player
	session   *session.Session
	runtimeID uint64 // of his actor
	stackSent bool   // ResourcePackStack was sent

	firstArrival bool // the next arrival is the entry to the world
	scene        *scene
	view         clientView
	chunks       chunkView
	inputSeen    bool      // an input has come
	rtt          uint16    // ms
	inputTick    uint64    // of the last processed input, for packets about himself
	barriers     []uint32  // serials of those that were sent and are not back, the newest last; mostBarriers
	sentOwn      sentState // what his client believes of himself
	loss         session.Loss
	lastMeasure  int64  // ms, when its figures were written down last
	measurements uint32 // how often they were
	lastCommand  int64  // ms, of the last command
	farewellAt   int64  // ms, when the client of a player who was taken out is told so; 0: he was not
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

// enterStage goes on in the order of stages.
func (c *conn) enterStage(s stage) { c.stage, c.stageSince = s, c.w.g.nowMS() }

// expire drops a client that takes too long to get in, or that has been taken out. It is called all the time.
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
	if c.farewellAt > 0 && now >= c.farewellAt && !c.w.g.world.Stopping() { // or the end of the feed comes, however late
		c.kick(c.farewellText())
	}
}

// farewell is what a player reads who was taken out of the world.
func (c *conn) farewellText() string {
	if c.session != nil {
		if why := c.session.Farewell(); why != "" {
			return gateway.Legible(why)
		}
	}
	return "You were taken out of the world."
}

// firstInput is how long a player may stand in the world before his client has sent an input, ms. From then on the area
// watches over silence (SV-20).
const firstInputTimeout = 60_000

// lastWordAfter is how long a player who was taken out of the world waits for the reason, ms: if the server stops he
// hears of that instead.
const farewellDelay = 500

// message takes one message of RakNet. data is borrowed.
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
		c.abort("batch_size", nil) // the room is for a login, and this was none
	}
	c.flush() // what an input brought about is not kept until the next frame (BA-4)
}

var errClosed = errors.New("closed")

// open decrypts and unpacks a batch. A batch beyond the budget is decrypted all the same, or the two key streams would
// never meet again.
func (c *conn) decodeBatch(b []byte) (payload []byte, ok bool) {
	if c.opener != nil {
		plain, err := c.opener.Open(b)
		if err != nil { // whoever sent this has not the key, or the streams are apart for good
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

// inflate unpacks a batch. The payload is borrowed, from b or from the worker.
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
	// What was not compressed are b's own bytes, which are RakNet's.
	if b[0] != proto.CompressorNone && cap(payload) > cap(c.w.inflated) && cap(payload) <= proto.MaxPlayBatch {
		c.w.inflated = payload[:0]
	}
	return payload, true
}

// fault counts something odd and logs it once for each session, as far as notices allow.
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
	c.w.g.log.Warn("a client sent something that cannot be used", args...)
}

// malformed counts a packet that cannot be read. Some are borne: they harm nobody, and RakNet's order is kept.
func (c *conn) onMalformed(err error) {
	c.reportFault("malformed", err)
	if c.malformedCount++; c.malformedCount >= maxMalformed {
		c.abort("malformed_often", err)
	}
}

// broken drops a client whose stream makes no sense any more.
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

// overflow sends early what would become too large or too many for one batch.
func (c *conn) flushIfFull() {
	if c.out.Len() >= flushThreshold || c.out.Count() >= proto.MaxBatchPackets-1 {
		c.flush()
	}
}

// batchBytes is when a batch is sent though more is to come: well below what the protocol allows.
const flushThreshold = 256 << 10

// flush sends what was added.
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

// compressFrom is how many bytes are worth compressing. Fewer fit one datagram of any client, encrypted and all, and
// compressing takes four times as long as everything else that is done for a batch (measured: BenchmarkFrame).
const compressionThreshold = 1280

// refuse ends a connection with a text that the player reads.
func (c *conn) kick(text string) { c.disconnect(proto.DisconnectKicked, text) }

// dismiss is refuse with a reason for the client's statistics.
func (c *conn) disconnect(why proto.DisconnectReason, text string) {
	send(c, proto.Disconnect{Reason: why, Message: text})
	c.flushAndClose()
}

// end sends what waits and closes.
func (c *conn) flushAndClose() {
	c.flush()
	if c.closed {
		return
	}
	c.peer.Close()
	c.release()
}

// gone ends the connection's part in the world. The account is free at once; its record follows with the area's next
// frame.
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

// packet takes one packet, header and body.
func (c *conn) handlePacket(b []byte) {
	id, _, _, body, err := proto.ParseHeader(b)
	if err != nil {
		c.onMalformed(err)
		return
	}
	if id == proto.IDPlayerAuthInput { // the busiest packet: no interface, no allocation
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
