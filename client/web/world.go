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

// history is the number of ticks of the prediction that are kept. It is at least the server's.
const history = 80

// Actor is another player or an NPC that the client is shown, or its own player.
type Actor struct {
	Handle    uint16
	Kind      uint8
	Door      string // door of the player, empty for an NPC
	Name      string
	Level     uint16
	HealthMax int32
	State     [proto.BuiltinFields]int32 // at the newest snapshot: as told, or as the states told before predict
	Sure      bool                       // false while a newer state was told that could not be decoded, because a snapshot was lost

	values []int32 // all fields of its kind in snapshots, like State
	slow   []int32 // slow fields of the game
}

// Pos returns the position of the feet in blocks.
func (a *Actor) Pos() geom.Vec {
	return geom.Vec{X: float32(a.State[0]) / 64, Y: float32(a.State[1]) / 64, Z: float32(a.State[2]) / 64}
}

// Health returns the health as a share, 0..1.
func (a *Actor) Health() float32 { return float32(a.State[proto.FieldHealth]) / 255 }

// Dead reports whether the actor is dead.
func (a *Actor) Dead() bool { return a.State[proto.FieldFlags]&(1<<4) != 0 }

// Counts counts what a client has seen and done.
type Counts struct {
	Inputs      uint64
	Snapshots   uint64
	Dropped     uint64 // snapshots that were older than one that was read
	Told        uint64 // states of actors in snapshots
	Corrections uint64 // Own messages because the prediction was wrong
	Teleports   uint64
	Knockbacks  uint64
	False       uint64  // corrections that changed the present position of a player that was neither hit nor teleported at the same time
	Visible     uint64  // states of the server, knockbacks among them, that changed the present state
	MaxOff      float32 // largest distance by which a correction changed the present position, blocks
	Struck      uint64  // blows that the client was told
	Deaths      uint64  // of the own player
	BytesIn     uint64
	BytesOut    uint64
}

// Add adds the counts of another client; MaxOff becomes the larger one.
func (c *Counts) Add(o *Counts) { c.combine(o, 1) }

// Sub subtracts earlier counts of a client; MaxOff does not change.
func (c *Counts) Sub(o *Counts) {
	off := c.MaxOff
	c.combine(o, ^uint64(0))
	c.MaxOff = off
}

// combine adds a multiple of o, modulo 2^64.
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

// World is what a client knows: its own player as predicted, and the actors that it is shown. It is used by one goroutine.
type World struct {
	Area    string
	Own     uint16 // handle of the own player
	Actors  map[uint16]*Actor
	Lines   []string // received lines: sender, a tab, and the text; those of the server have no sender
	Counts  Counts
	LastOwn proto.Own // last Own message

	Happenings []Happening // events of the game, in the order in which they were received
	Waits      uint8       // inputs that wait at the server
	processed  uint8       // last input that the server has processed, low bits of its tick
	ground     *terrain.Blocks
	keys       keys.State
	history    *rewind.History[move.Avatar, move.Input, ownUpdate]
	entries    [proto.MaxEntries]proto.Entry // of the last ticks, newest last
	stepped    int                           // number of entries that are set
	teleport   bool
	corrected  bool // a correction has arrived that is not applied yet
	moved      bool // a knockback or teleport has arrived that is not applied yet
	barrier    uint16
	heard      uint16
	reader     *proto.Reader
	schema     proto.Schema
	scratch    move.Scratch
	liquids    move.Liquids
	onEvent    func(w *World, e *proto.Event) // Options.Events
	answers    map[uint16]proto.Answer
	areaFields []int32
	rng        *rand.Rand
	acts       []proto.Act
	newest     uint32 // tick of the newest snapshot of the area, 0 before the first
	act        uint16
}

// ownUpdate is the state of the own player after a tick, as the server says.
type ownUpdate struct{ avatar move.Avatar }

func newWorld(seed uint64) *World {
	w := &World{rng: rand.New(rand.NewPCG(seed, 0)), Actors: map[uint16]*Actor{}, answers: map[uint16]proto.Answer{}, liquids: move.DefaultLiquids()}
	w.setSchema(proto.Builtin())
	w.history = rewind.New(history, w.step, func(_ move.Avatar, u ownUpdate) move.Avatar { return u.avatar }, rewind.Equal[move.Avatar])
	return w
}

// setSchema sets the schema of the server, before the first message.
func (w *World) setSchema(s proto.Schema) {
	w.schema = s
	w.reader = proto.NewReader(&w.schema)
}

func (w *World) step(a move.Avatar, in move.Input) move.Avatar {
	a.StepIn(&w.liquids, &in, w.ground, &w.scratch)
	return a
}

// State returns the predicted state of the own player.
func (w *World) State() move.Avatar { return w.history.State() }

// Tick returns the tick of the last input.
func (w *World) Tick() uint64 { return w.history.Tick() }

// Blocks returns the blocks of the area.
func (w *World) Blocks() *terrain.Blocks { return w.ground }

// Newest returns the server's tick of the newest snapshot, 0 before the first of an area.
func (w *World) Newest() uint32 { return w.newest }

// Rand returns the random source of behaviours.
func (w *World) Rand() *rand.Rand { return w.rng }

// Self returns the own player as the server shows it, nil before the first snapshot.
func (w *World) Self() *Actor { return w.Actors[w.Own] }

// Dead reports whether the own player is dead. The state of the prediction shows that only from the next Own message on.
func (w *World) Dead() bool {
	self := w.Self()
	return self != nil && self.Dead() || w.State().Dead
}

// Named returns the actor with a name, or nil.
func (w *World) Named(name string) *Actor {
	for _, a := range w.Actors {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Attack asks to attack an actor with the next input and returns the number of the request, whose result is Answer.
func (w *World) Attack(a *Actor) uint16 { return w.request(proto.VerbAttack, a.Handle, "") }

// Say says a line to all players of the area.
func (w *World) Say(text string) uint16 { return w.request(proto.VerbSay, proto.NoHandle, text) }

// Wake asks to respawn.
func (w *World) Wake() uint16 { return w.request(proto.VerbWake, proto.NoHandle, "") }

func (w *World) request(verb proto.Verb, handle uint16, text string) uint16 {
	return w.Request(proto.Act{Verb: verb, Handle: handle, Text: text})
}

// Request sends a request with the next input and returns its number. Number, Tick and Seen of a are set.
func (w *World) Request(a proto.Act) uint16 {
	w.act++
	a.Number, a.Tick, a.Seen = w.act, uint32(w.Tick()), w.newest<<8&0xffffff
	w.acts = append(w.acts, a)
	return w.act
}

// Answer returns the answer to a request. ok is false until it has arrived.
func (w *World) Answer(number uint16) (a proto.Answer, ok bool) {
	a, ok = w.answers[number]
	return a, ok
}

// flagOf maps the keys of the wire to input flags.
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

// advance runs one tick with keys: it reconciles, steps with rounded angles and sticks, and returns the input to send.
func (w *World) advance(k keys.Keys) proto.Input {
	w.reconcile()
	if w.Dead() { // the server does not move a dead player, and does not correct it
		k = keys.Keys{Yaw: k.Yaw, Pitch: k.Pitch}
	}
	tick := w.history.Tick() + 1
	a := w.history.State()
	in := w.keys.Input(tick, k, &a, w.ground)
	keys.SetFlag(&in.Flags, move.InputHandledTeleport, w.teleport)
	w.teleport = false
	var pressed proto.Keys
	for _, f := range flagOf {
		if in.Flags.Has(f.move) {
			pressed |= f.wire
		}
	}
	e := proto.EntryOf(pressed, in.Yaw, in.Pitch, in.Move[0], in.Move[1])
	after := w.history.Step(inputOf(tick, &e))
	copy(w.entries[:], w.entries[1:])
	w.entries[len(w.entries)-1] = e
	w.stepped = min(w.stepped+1, len(w.entries))
	w.Counts.Inputs++
	return w.message(tick, &after)
}

// repeated is the least number of ticks in an input: the newest and those before, in case their inputs were lost. An input has all ticks
// that the server has not processed yet, up to proto.MaxEntries.
const repeated = 3

func (w *World) message(tick uint64, after *move.Avatar) proto.Input {
	p := proto.Input{
		Received: w.reader.Received(), Heard: w.heard, Barrier: w.barrier, Tick: uint32(tick), N: min(max(repeated, int(uint8(tick)-w.processed)), w.stepped),
		Pos: [3]float32{after.Pos.X, after.Pos.Y, after.Pos.Z}, Vel: [3]float32{after.Vel.X, after.Vel.Y, after.Vel.Z},
	}
	copy(p.Entries[:p.N], w.entries[len(w.entries)-p.N:])
	return p
}

// inputOf is the input of a tick as the server makes it from an entry.
func inputOf(tick uint64, e *proto.Entry) move.Input {
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

// reconcile applies the Own messages that have arrived.
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

// avatarFrom converts an avatar of the wire.
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
