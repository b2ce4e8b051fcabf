package bedrock

import (
	"encoding/binary"
	"sync"
	"testing"

	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// A rig is a Predictor and a server that judges the Predictor's inputs with move.PredictPolicy. A simulated network, on which
// packets are bytes, connects both.
const (
	frameMS   = 50
	ownID     = 7
	firstTick = 1000 // tick before the first input
	version   = proto.V2169
)

var start = geom.Vec{X: 0.5, Y: 64, Z: 0.5}

// chunkCache is shared by the clients of all tests.
var chunkCache ChunkCache

// encodedChunks caches the encoded chunks around the origin, for reuse by other tests.
var encodedChunks sync.Map

type encodingKey struct {
	blocks *terrain.Blocks
	radius int32
}

// eachChunk passes each encoded chunk that is at most radius chunks away from the origin to the last parameter, a function.
func eachChunk(blocks *terrain.Blocks, radius int32, to func(c proto.LevelChunk)) {
	all, ok := encodedChunks.Load(encodingKey{blocks, radius})
	if !ok {
		all = encodeChunks(blocks, radius)
		encodedChunks.Store(encodingKey{blocks, radius}, all)
	}
	for _, c := range all.([]proto.LevelChunk) {
		to(c)
	}
}

func encodeChunks(blocks *terrain.Blocks, radius int32) (all []proto.LevelChunk) {
	n := terrain.BlockKindCount()
	ids := proto.KindIDs{Blocks: make([]int32, n), Second: make([]int32, n), Air: proto.AirHash}
	for i := range n {
		k := terrain.BlockID(i).Kind()
		block, _ := proto.BlockNamed(k.Word)
		water, _ := proto.BlockNamed("water")
		ids.Blocks[i], ids.Second[i] = block.NetworkID(), proto.AirHash
		if k.InLiquid {
			ids.Second[i] = water.NetworkID()
		}
	}
	for x := -radius; x <= radius; x++ {
		for z := -radius; z <= radius; z++ {
			sections := make([]proto.ChunkSection[terrain.BlockID], terrain.Sections)
			for i := range sections {
				sections[i].Kind, sections[i].Cells = blocks.Section(x, terrain.MinSection+int32(i), z)
			}
			payload, n := proto.AppendChunk(nil, sections, &ids, proto.BiomePlains)
			all = append(all, proto.LevelChunk{X: x, Z: z, SubChunks: n, Payload: payload})
		}
	}
	return all
}

// sendGround stores the chunks around the origin in g, as if a server had sent them.
func sendGround(t testing.TB, g *Ground, blocks *terrain.Blocks, radius int32) {
	t.Helper()
	g.SetCentre(proto.BlockPos{0, 64, 0}, uint32(16*radius))
	eachChunk(blocks, radius, func(c proto.LevelChunk) {
		if err := g.SetChunk(c); err != nil {
			t.Fatal(err)
		}
	})
}

// authority simulates one player on the server and judges its inputs.
type authority struct {
	policy  move.PredictPolicy
	state   move.PredictState
	blocks  *terrain.Blocks
	scratch move.Scratch

	inbox       []proto.PlayerAuthInput
	out         [][]byte
	corrections int
	maxError    float32 // greatest distance between claimed and simulated position, in blocks, over all inputs
	last        move.Prediction
	positions   map[uint64]geom.Vec // position of the player after each processed tick
	uses        map[uint64]bool     // by tick: true if the input of the tick starts the use of the held item, false if it ends the use
	serial      uint32
	drives      bool               // the player drives state.Vehicle
	mounted     bool               // the first input as a driver has arrived
	beforeInput func(j *authority) // called in each server frame before its inputs are processed
	afterInput  func(j *authority)
}

func newAuthority(blocks *terrain.Blocks) *authority {
	j := &authority{policy: move.DefaultPredictPolicy(), blocks: blocks, positions: map[uint64]geom.Vec{}, uses: map[uint64]bool{}}
	j.state.Avatar = move.NewAvatar(start)
	return j
}

func (j *authority) queue(p proto.Packet) { j.out = append(j.out, proto.AppendPacket(nil, p, version)) }

// sendBarrier sends a latency request after a change of the player's state. The client's answer shows that it knows the change.
func (j *authority) sendBarrier() {
	j.serial++
	j.state.MarkChanged(j.serial)
	j.queue(proto.NetworkStackLatency{Timestamp: uint64(j.serial), NeedsResponse: true})
}

func (j *authority) applyKnockback(v geom.Vec) {
	j.state.SetVelocity(v)
	j.queue(proto.SetActorMotion{Runtime: ownID, Velocity: vec3(v), Tick: j.state.Tick})
	j.sendBarrier()
}

func (j *authority) teleport(feet geom.Vec) {
	j.state.TeleportTo(feet)
	j.state.BeginReplay()
	j.queue(proto.MovePlayer{Runtime: ownID, Position: vec3(eyeOf(feet)), Mode: proto.MoveTeleport, Tick: j.state.Tick})
}

// sendActorData sends the metadata with the player's state flags.
func (j *authority) sendActorData(tick uint64) {
	a := &j.state.Avatar
	var f proto.ActorFlags
	f.Set(proto.FlagSneaking, a.Sneaking)
	f.Set(proto.FlagSprinting, a.Sprinting)
	f.Set(proto.FlagSwimming, a.Swimming)
	f.Set(proto.FlagHasCollision, true)
	j.queue(proto.SetActorData{Runtime: ownID, Metadata: proto.Metadata{proto.LongMeta(proto.MetaFlags, int64(f[0]))}, Tick: tick})
}

// frame runs one server tick.
func (j *authority) frame() {
	if j.beforeInput != nil {
		j.beforeInput(j)
	}
	for n := j.policy.InputsDue(&j.state, len(j.inbox), 20); n > 0; n-- {
		in := inputOf(&j.inbox[0])
		j.inbox = j.inbox[1:]
		j.process(&in)
	}
}

func (j *authority) process(in *move.Input) {
	if on, ok := j.uses[in.Tick]; ok {
		j.state.Avatar.UsingItem = on
	}
	v := j.judge(in)
	j.last = v
	j.maxError = max(j.maxError, v.PosError)
	j.positions[in.Tick] = j.state.Avatar.Pos
	if v.SendStance {
		j.sendActorData(j.state.Tick)
		j.queue(proto.UpdateAttributes{Runtime: ownID, Tick: j.state.Tick, Attributes: []proto.Attribute{{
			Name: proto.AttributeMovement, Current: j.state.Avatar.MovementSpeed(), Default: move.WalkSpeed,
		}}})
	}
	switch {
	case v.Correct != reason.None && j.drives:
		j.correctVehicle()
	case v.Correct != reason.None:
		a := &j.state.Avatar
		j.corrections++
		j.queue(proto.CorrectPlayerMovePrediction{
			Position: vec3(eyeOf(a.Pos)), Delta: vec3(a.Vel), OnGround: a.OnGround, Tick: j.state.Tick,
		})
		j.sendBarrier()
	}
	if j.afterInput != nil {
		j.afterInput(j)
	}
}

// judge processes an input as the input of a driver or of a player on foot. Inputs that the client sent before it learned that
// its player drives are not judged.
func (j *authority) judge(in *move.Input) move.Prediction {
	j.mounted = j.mounted || j.drives && in.Flags.Has(move.InputVehicle)
	switch {
	case j.drives && j.mounted:
		return j.policy.ProcessDriver(&j.state, in, j.blocks, &j.scratch)
	case j.drives:
		return j.policy.ProcessRider(&j.state, in)
	}
	return j.policy.Process(&j.state, in, j.blocks, &j.scratch)
}

// inputOf converts an input packet to an input of package move, as the gateway does.
func inputOf(p *proto.PlayerAuthInput) move.Input {
	in := move.Input{
		Tick: p.Tick, Pitch: p.Pitch, Yaw: p.Yaw, HeadYaw: p.HeadYaw, Move: p.MoveVector,
		Pos: feetOf(vec(p.Position)), Delta: vec(p.Delta),
	}
	for _, f := range wireFlags {
		keys.SetFlag(&in.Flags, f.ours, p.Input.Has(f.wire))
	}
	in.VehicleYaw, in.Vehicle = p.VehicleRotation[1], uint64(p.PredictedVehicle)
	return in
}

// orderedPath is one direction of a network that may reorder datagrams, and restores their order as RakNet does: a datagram is
// delivered only after all datagrams that were sent before it.
type orderedPath struct {
	path       *netsim.Path
	next, sent uint32
	early      map[uint32][]byte
}

func newOrderedPath(net netsim.Impairment, seed uint64) *orderedPath {
	return &orderedPath{path: netsim.NewPath(net, seed), early: map[uint32][]byte{}}
}

func (o *orderedPath) Send(now uint32, b []byte) {
	o.path.Send(now, append(binary.LittleEndian.AppendUint32(nil, o.sent), b...))
	o.sent++
}

func (o *orderedPath) Receive(now uint32) (b []byte, ok bool) {
	for d, came := o.path.Receive(now); came; d, came = o.path.Receive(now) {
		o.early[binary.LittleEndian.Uint32(d)] = d[4:]
	}
	if b, ok = o.early[o.next]; ok {
		delete(o.early, o.next)
		o.next++
	}
	return b, ok
}

// rig connects a client and a server over two impaired network paths. Each frame of play runs one tick of the client and one
// of the server.
type rig struct {
	t        testing.TB
	now      uint32 // time of the network in ms
	client   *Session
	predict  *Predictor
	server   *authority
	up, down *orderedPath
	transact []bool // for each transaction with the held item since the last input: true for a use, false for a release
	before   func(p *Predictor)
	keys     func(p *Predictor) Keys
}

// newRig creates a client in the world, as after a login, without encryption.
func newRig(t testing.TB, blocks *terrain.Blocks, net netsim.Impairment, tamper *Tamper) *rig {
	t.Helper()
	s, err := NewSession(Options{Name: "rig", Seed: 1, Tamper: tamper})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, client: s, server: newAuthority(blocks), up: newOrderedPath(net, 1), down: newOrderedPath(net, 2)}
	s.stage = stagePacks
	game := proto.PlainStartGame(version)
	game.Runtime, game.Unique, game.Position, game.Tick = ownID, ownID, vec3(eyeOf(start)), firstTick
	if err := s.startGame(game); err != nil {
		t.Fatal(err)
	}
	s.writer.Reset()
	s.stage = stagePlay
	r.predict = s.predict
	r.predict.Ground().Cache = &chunkCache
	sendGround(t, s.predict.Ground(), blocks, 4)
	r.keys = func(*Predictor) Keys { return Keys{Forward: 1} }
	return r
}

// Act implements Behaviour: it returns the keys that the test selects.
func (r *rig) Act(*Player) Keys { return r.keys(r.predict) }

// play runs a number of frames.
func (r *rig) play(frames int) {
	r.t.Helper()
	for range frames {
		for b, ok := r.down.Receive(r.now); ok; b, ok = r.down.Receive(r.now) {
			if err := r.client.handle(b); err != nil {
				r.t.Fatal(err)
			}
		}
		if r.before != nil {
			r.before(r.predict)
		}
		if err := r.client.Tick(int64(r.now)*1e6, r); err != nil {
			r.t.Fatal(err)
		}
		r.send()
		r.receive()
		r.server.frame()
		for _, b := range r.server.out {
			r.down.Send(r.now, b)
		}
		r.server.out = r.server.out[:0]
		r.now += frameMS
	}
}

// send sends each packet of the client.
func (r *rig) send() {
	payloads := append([][]byte{append([]byte(nil), r.client.writer.Bytes()...)}, r.client.ready...)
	if r.client.delayOut.ticks > 0 {
		if r.client.writer.PacketCount() > 0 {
			r.client.delayOut.push(r.client.tickCount, payloads[0])
		}
		payloads = payloads[1:]
	}
	r.client.writer.Reset()
	r.client.ready = r.client.ready[:0]
	for _, p := range payloads {
		err := proto.EachPacket(p, proto.MaxBatchPackets, func(packet []byte) error {
			r.up.Send(r.now, packet)
			return nil
		})
		if err != nil {
			r.t.Fatal(err)
		}
	}
}

// receive handles the packets that have arrived at the server.
func (r *rig) receive() {
	for b, ok := r.up.Receive(r.now); ok; b, ok = r.up.Receive(r.now) {
		id, _, _, body, err := proto.ParseHeader(b)
		if err != nil {
			r.t.Fatal(err)
		}
		switch id {
		case proto.IDPlayerAuthInput:
			p, err := proto.ParsePlayerAuthInput(body, version)
			if err != nil {
				r.t.Fatal(err)
			}
			for _, on := range r.transact {
				r.server.uses[p.Tick] = on
			}
			r.transact = nil
			if in := inputOf(&p); r.server.policy.Admit(&r.server.state, &in) == reason.None {
				r.server.inbox = append(r.server.inbox, p)
			}
		case proto.IDInventoryTransaction:
			p, err := proto.ParseInventoryTransaction(body, version)
			if err != nil {
				r.t.Fatal(err)
			}
			r.transact = append(r.transact, p.Type == proto.TransactionUseItem)
		case proto.IDNetworkStackLatency:
			p, err := proto.ParseNetworkStackLatency(body, version)
			if err != nil {
				r.t.Fatal(err)
			}
			r.server.state.AckBarrier(uint32(p.Timestamp))
		}
	}
}
