package web

import (
	"math/rand/v2"

	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/client/rewind"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// history is the number of past client ticks whose states and inputs the prediction keeps. A correction by the server may be for
// any of them, and must not be for an older one.
const history = 80

// Actor is an actor that the server has shown to the client: another player, an NPC, or the client's own player.
type Actor struct {
	Handle    uint16 // number of the actor in messages of the area
	Kind      uint8  // index of the kind in Schema().Kinds
	Door      string // door through which the player entered; "" for an NPC
	Name      string // name of the actor
	Level     uint16 // level of the character
	HealthMax int32  // maximum health points

	world    *World  // world from whose snapshots update takes the values; nil once the server no longer shows the actor
	snapshot uint64  // value of World.snapshots for which the fields values and sure were computed
	values   []int32 // all fields of the kind that snapshots carry
	sure     bool    // result of the method Sure
	slow     []int32 // fields of the game that change rarely and are sent in messages
}

// update computes the actor's values at the tick of the newest snapshot. It is called only by the methods that return these
// values, because most clients read the values of few actors per snapshot.
func (a *Actor) update() {
	if w := a.world; w != nil && a.snapshot != w.snapshots {
		a.snapshot = w.snapshots
		_, a.sure = w.reader.StateAtNewest(a.Handle, a.values)
	}
}

// leave makes the actor keep its present values, because the server no longer shows it.
func (a *Actor) leave() {
	a.update()
	a.world = nil
}

// State returns the built-in fields at the tick of the newest snapshot, as sent or extrapolated.
func (a *Actor) State() [proto.BuiltinFields]int32 {
	a.update()
	return [proto.BuiltinFields]int32(a.values)
}

// Sure returns false if State may be wrong: a newer state could not be decoded after a loss.
func (a *Actor) Sure() bool {
	a.update()
	return a.sure
}

// Pos returns the position of the actor's feet in blocks.
func (a *Actor) Pos() geom.Vec {
	s := a.State()
	return geom.Vec{X: float32(s[proto.FieldX]) / 64, Y: float32(s[proto.FieldY]) / 64, Z: float32(s[proto.FieldZ]) / 64}
}

// Health returns the actor's health as a fraction of its maximum, 0..1.
func (a *Actor) Health() float32 { return float32(a.State()[proto.FieldHealth]) / 255 }

// Dead reports whether the actor was dead in the newest snapshot that contains it.
func (a *Actor) Dead() bool { return a.State()[proto.FieldFlags]&(1<<4) != 0 }

// Counts holds counters of a client since Dial, and the largest error of its prediction.
type Counts struct {
	Inputs      uint64  // inputs sent
	Snapshots   uint64  // snapshots received
	Dropped     uint64  // snapshots ignored because a newer one was read before
	Told        uint64  // states of actors received in snapshots
	Corrections uint64  // Own messages that correct a wrong prediction
	Teleports   uint64  // Own messages that teleport the player
	Knockbacks  uint64  // Own messages that knock the player back
	False       uint64  // corrections that moved the player although it was neither knocked back nor teleported at the same time
	Visible     uint64  // reconciliations that changed the present state, for any reason
	MaxOff      float32 // greatest distance by which a reconciliation moved the player, blocks
	Struck      uint64  // events of a hit that the client received
	Deaths      uint64  // deaths of the own player
	BytesIn     uint64  // bytes of messages and snapshots received
	BytesOut    uint64  // bytes of inputs sent
}

// Add adds the counters of another client. MaxOff becomes the larger of both values.
func (c *Counts) Add(o *Counts) { c.combine(o, 1) }

// Sub subtracts an earlier copy of the same client's counters, so that only what was counted since then remains. MaxOff does not
// change.
func (c *Counts) Sub(o *Counts) {
	off := c.MaxOff
	c.combine(o, ^uint64(0))
	c.MaxOff = off
}

// combine adds each counter of o, multiplied by the parameter times, to that of c. It computes modulo 2^64, so with times =
// 2^64-1 it subtracts.
func (c *Counts) combine(o *Counts, times uint64) {
	for _, p := range [...]struct{ to, from *uint64 }{
		{&c.Inputs, &o.Inputs}, {&c.Snapshots, &o.Snapshots}, {&c.Dropped, &o.Dropped}, {&c.Told, &o.Told}, {&c.Corrections, &o.Corrections},
		{&c.False, &o.False}, {&c.Teleports, &o.Teleports}, {&c.Knockbacks, &o.Knockbacks}, {&c.Visible, &o.Visible}, {&c.Struck, &o.Struck}, {&c.Deaths, &o.Deaths},
		{&c.BytesIn, &o.BytesIn}, {&c.BytesOut, &o.BytesOut},
	} {
		*p.to += *p.from * times
	}
	c.MaxOff = max(c.MaxOff, o.MaxOff)
}

// World is the world as the client knows it: the predicted own player, and the actors that the server has shown. Only one
// goroutine at a time may use it.
type World struct {
	Area    string            // name of the current area
	Own     uint16            // handle of the own player
	Actors  map[uint16]*Actor // actors that the server shows, the own player included, by handle
	Lines   []string          // received chat lines and messages: sender, a tab, text; lines of the server have no sender
	Counts  Counts            // what the client has received and done since Dial
	LastOwn proto.Own         // last Own message, which is a state of the own player

	Happenings []GameEvent     // events of the game's rules, in order of arrival
	Waits      uint8           // inputs that wait at the server to be processed
	pace       pace            // speed of the client's ticks, which follows Waits
	processed  uint8           // low 8 bits of the tick of the last input that the server has processed
	ground     *terrain.Blocks // terrain of the area; nil before the Welcome
	keys       keys.InputBuilder
	history    *rewind.History[move.Avatar, move.Input, ownUpdate]
	entries    [proto.MaxEntries]proto.InputEntry // keys and angles of the last ticks, newest last, for repetition
	stepped    int                                // number of entries in use
	teleport   bool                               // the next input acknowledges a teleport
	corrected  bool                               // a correction has arrived that is not applied yet
	moved      bool                               // a knockback or teleport has arrived that is not applied yet
	barrier    uint16                             // serial number of the last Own message, which inputs acknowledge
	heard      uint16                             // number of control messages received, modulo 2^16; inputs report it
	reader     *proto.Reader
	schema     proto.Schema
	scratch    move.Scratch
	liquids    move.Liquids
	onEvent    func(w *World, e *proto.Event) // Options.Events
	answers    map[uint16]proto.Answer        // answers of the server by number of the request
	areaFields []int32                        // values of the fields that the game declares for areas
	rng        *rand.Rand
	acts       []proto.Act // requests that the next tick sends
	newest     uint32      // tick of the newest snapshot of the area, 0 before the first
	snapshots  uint64      // number of snapshots that were decoded
	silent     bool        // see Silence
	act        uint16      // number of the last request
}

// ownUpdate is the state of the own player after a client tick, as the server has sent it.
type ownUpdate struct{ avatar move.Avatar }

func newWorld(seed uint64) *World {
	w := &World{rng: rand.New(rand.NewPCG(seed, 0)), Actors: map[uint16]*Actor{}, answers: map[uint16]proto.Answer{}, liquids: move.DefaultLiquids(), pace: newPace()}
	w.setSchema(proto.BuiltinSchema())
	w.history = rewind.New(history, w.step, func(_ move.Avatar, u ownUpdate) move.Avatar { return u.avatar }, rewind.Equal[move.Avatar])
	return w
}

// setSchema sets the schema of the server. It must be called before the first message is handled.
func (w *World) setSchema(s proto.Schema) {
	w.schema = s
	w.reader = proto.NewReader(&w.schema)
}

func (w *World) step(a *move.Avatar, in move.Input) { a.StepIn(&w.liquids, &in, w.ground, &w.scratch) }

// State returns the state of the own player that the client predicts.
func (w *World) State() move.Avatar { return w.history.State() }

// Tick returns the client tick of the newest predicted state, which is the tick of the last input that was sent.
func (w *World) Tick() uint64 { return w.history.Tick() }

// Blocks returns the terrain of the area in which the player is.
func (w *World) Blocks() *terrain.Blocks { return w.ground }

// NewestTick returns the server tick of the newest snapshot. It returns 0 while the client has received none in the current area.
func (w *World) NewestTick() uint32 { return w.newest }

// Silence makes the client send nothing more. It goes on to receive until its connection ends.
func (w *World) Silence() { w.silent = true }

// Rand returns the client's random number generator, which behaviours should use.
func (w *World) Rand() *rand.Rand { return w.rng }

// Self returns the own player as the server has shown it, or nil if the server has not shown it yet.
func (w *World) Self() *Actor { return w.Actors[w.Own] }

// Dead reports whether the own player is dead in the newest snapshot or in the predicted state. Both are needed, because the
// predicted player dies only with the server's next Own message, which often arrives after the snapshot.
func (w *World) Dead() bool {
	self := w.Self()
	return self != nil && self.Dead() || w.State().Dead
}

// FindByName returns the actor with that name that is nearest to the own player, or nil if the server has shown none. Living
// actors take precedence over dead ones.
func (w *World) FindByName(name string) (found *Actor) {
	at := w.State().Pos
	for _, a := range w.Actors {
		if a.Name == name && (found == nil || isNearer(at, a, found)) {
			found = a
		}
	}
	return found
}

func isNearer(at geom.Vec, a, b *Actor) bool {
	if a.Dead() != b.Dead() {
		return b.Dead()
	}
	da, db := geom.DistXZ(at, a.Pos()), geom.DistXZ(at, b.Pos())
	return da < db || da == db && a.Handle < b.Handle
}

// Attack requests an attack on an actor and returns the number of the request, with which Answer returns the server's answer. The
// client sends the request before its next input.
func (w *World) Attack(a *Actor) uint16 { return w.request(proto.VerbAttack, a.Handle, "") }

// Say requests that a line of chat be sent to all players of the area. It returns the number of the request for Answer.
func (w *World) Say(text string) uint16 { return w.request(proto.VerbSay, proto.NoHandle, text) }

// Wake requests a respawn of the dead player. It returns the number of the request for Answer.
func (w *World) Wake() uint16 { return w.request(proto.VerbWake, proto.NoHandle, "") }

func (w *World) request(verb proto.ActVerb, handle uint16, text string) uint16 {
	return w.Request(proto.Act{Verb: verb, Handle: handle, Text: text})
}

// Request queues a request, which the client sends before its next input, and returns its number. It sets the fields Number, Tick
// and Seen; the caller sets the others.
func (w *World) Request(a proto.Act) uint16 {
	w.act++
	a.Number, a.Tick, a.Seen = w.act, uint32(w.Tick()), w.newest<<8&0xffffff
	w.acts = append(w.acts, a)
	return w.act
}

// LastRequest returns the number of the last request, 0 if there was none. A client that resumes the session needs it as
// Options.Request: the server executes each number once.
func (w *World) LastRequest() uint16 { return w.act }

// Answer returns the server's answer to the request with that number. ok is false until the answer has arrived.
func (w *World) Answer(number uint16) (a proto.Answer, ok bool) {
	a, ok = w.answers[number]
	return a, ok
}

// flagOf pairs each key bit of the web protocol with the input flag of sim/move.
var flagOf = [...]struct {
	wire proto.Keys
	move move.InputFlags
}{
	{proto.KeyJumpDown, move.InputJumpDown}, {proto.KeyJumping, move.InputJumping}, {proto.KeyStartJump, move.InputStartJump},
	{proto.KeySneakDown, move.InputSneakDown}, {proto.KeyStartSneak, move.InputStartSneak}, {proto.KeyStopSneak, move.InputStopSneak},
	{proto.KeyStartSprint, move.InputStartSprint}, {proto.KeyStopSprint, move.InputStopSprint},
	{proto.KeyStartSwim, move.InputStartSwim}, {proto.KeyStopSwim, move.InputStopSwim},
	{proto.KeyStartGlide, move.InputStartGlide}, {proto.KeyStopGlide, move.InputStopGlide},
	{proto.KeyWantUp, move.InputWantUp}, {proto.KeyWantDown, move.InputWantDown}, {proto.KeyHandledTeleport, move.InputHandledTeleport},
}

// advance runs one client tick with the given keys and returns the input to send. It first applies the states that the server has
// sent. It rounds angles and movement keys as the message does before it simulates the tick, because the server simulates with
// the rounded numbers.
func (w *World) advance(k keys.Keys) proto.Input {
	w.reconcile()
	if w.Dead() { // the server does not move a dead player, and does not correct it
		k = keys.Keys{Yaw: k.Yaw, Pitch: k.Pitch}
	}
	tick := w.history.Tick() + 1
	in := w.keys.Input(tick, k, w.history.Now(), w.ground)
	keys.SetFlag(&in.Flags, move.InputHandledTeleport, w.teleport)
	w.teleport = false
	var pressed proto.Keys
	for _, f := range flagOf {
		if in.Flags.Has(f.move) {
			pressed |= f.wire
		}
	}
	e := proto.NewInputEntry(pressed, in.Yaw, in.Pitch, in.Move[0], in.Move[1])
	after := w.history.Step(inputOf(tick, &e))
	copy(w.entries[:], w.entries[1:])
	w.entries[len(w.entries)-1] = e
	w.stepped = min(w.stepped+1, len(w.entries))
	w.Counts.Inputs++
	return w.message(tick, after)
}

// repeated is the minimum number of ticks in an input message. A message contains the keys and angles of the newest ticks, so a
// lost message does no harm if a later one arrives. It also contains earlier ticks that the server has not reported as processed,
// up to proto.MaxEntries ticks in all.
const repeated = 3

func (w *World) message(tick uint64, after *move.Avatar) proto.Input {
	p := proto.Input{
		ReceivedSnapshots: w.reader.Received(), Heard: w.heard, Barrier: w.barrier, Tick: uint32(tick), N: min(max(repeated, int(uint8(tick)-w.processed)), w.stepped),
		Pos: [3]float32{after.Pos.X, after.Pos.Y, after.Pos.Z}, Vel: [3]float32{after.Vel.X, after.Vel.Y, after.Vel.Z},
	}
	copy(p.Entries[:p.N], w.entries[len(w.entries)-p.N:])
	return p
}

// inputOf converts an entry of an input message to the input of a tick, as the server does.
func inputOf(tick uint64, e *proto.InputEntry) move.Input {
	yaw := e.YawDegrees()
	in := move.Input{Tick: tick, Pitch: float32(e.Pitch), Yaw: yaw, HeadYaw: yaw}
	in.Move[0], in.Move[1] = e.Sticks()
	for _, f := range flagOf {
		if e.Keys&f.wire != 0 {
			in.Flags |= f.move
		}
	}
	return in
}

// reconcile applies the states of the own player that have arrived since the last call. For each, the prediction returns to the
// client tick of the state and applies the inputs of later ticks again.
func (w *World) reconcile() {
	before := w.history.State().Pos
	if r := w.history.Reconcile(); r.Visible {
		w.Counts.Visible++
		if w.corrected && !w.moved {
			w.Counts.False++
		}
		w.Counts.MaxOff = max(w.Counts.MaxOff, geom.Sqrt(geom.Dist2(before, w.history.State().Pos)))
	}
	w.corrected, w.moved = false, false
}

// avatarFrom converts an avatar of the web protocol to an avatar of sim/move.
func avatarFrom(a *proto.Avatar) move.Avatar {
	has := func(f proto.AvatarFlags) bool { return a.Flags&f != 0 }
	return move.Avatar{
		Pos: vec(a.Pos), Vel: vec(a.Vel), Pitch: a.Pitch, Yaw: a.Yaw, HeadYaw: a.HeadYaw, Collided: move.Axes(a.Collided), JumpDelay: a.JumpDelay,
		SwimPose: a.SwimPose, Speed: a.Speed, JumpBoost: a.JumpBoost, Levitation: a.Levitation, SlowFalling: a.SlowFalling,
		DepthStrider: a.DepthStrider, GlideBoost: a.GlideBoost, KnockbackVel: vec(a.KnockbackVel),
		OnGround: has(proto.AvatarOnGround), Sneaking: has(proto.AvatarSneaking), Sprinting: has(proto.AvatarSprinting),
		Swimming: has(proto.AvatarSwimming), Gliding: has(proto.AvatarGliding), Flying: has(proto.AvatarFlying),
		Crawling: has(proto.AvatarCrawling), ForcedLow: has(proto.AvatarForcedLow), SneakHeld: has(proto.AvatarSneakHeld),
		MayFly: has(proto.AvatarMayFly), MayGlide: has(proto.AvatarMayGlide), MaySprint: has(proto.AvatarMaySprint),
		UsingItem: has(proto.AvatarUsingItem), Immobile: has(proto.AvatarImmobile), Dead: has(proto.AvatarDead),
		SoulSpeed: has(proto.AvatarSoulSpeed), HasKnockback: has(proto.AvatarHasKnockback),
	}
}

func vec(v [3]float32) geom.Vec { return geom.Vec{X: v[0], Y: v[1], Z: v[2]} }
