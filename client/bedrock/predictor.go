package bedrock

import (
	"math"

	"github.com/truestep-io/truestep/client/rewind"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Limits of the history, in ticks. What the server asks for is brought into them.  SG-1
const (
	defaultHistory = 40
	maxHistory     = 400
)

// Predictor is the own player's movement, predicted: packets go in, inputs come out. It steps with the very function
// that the server judges with. It has no socket and no clock, its time is the tick; a test runs millions of them. It
// belongs to one goroutine.
type Predictor struct {
	history         *rewind.History[move.Avatar, move.Input, stateUpdate]
	ground          Ground
	scratch         move.Scratch
	keys            keyState
	tamper          *Tamper
	teleportPending bool   // a teleport was received: the next input says so
	teleportTick    uint64 // tick of the last that did; 0: none, or the correction that follows has come

	sent           []sentInput // by tick modulo the length
	pending        []pendingCorrection
	lastCorrection uint32 // of corrections
	counts         MoveCounts
}

// NewPredictor stands at feet, on a ground of which nothing is known, after tick; the first input is tick + 1. size is
// the server's history in ticks, as StartGame tells it; 0 is the usual 40. t may be nil.
func NewPredictor(feet geom.Vec, tick uint64, size int, t *Tamper) *Predictor {
	if size <= 0 {
		size = defaultHistory
	}
	size = min(size, maxHistory)
	if t == nil {
		t = &Tamper{}
	}
	p := &Predictor{tamper: t, sent: make([]sentInput, size)}
	p.history = rewind.New(size, p.step, p.apply, rewind.Equal[move.Avatar])
	p.history.Reset(tick, move.NewAvatar(feet))
	return p
}

// State is the present, corrections included that Settle has seen to.
func (p *Predictor) State() move.Avatar { return p.history.State() }

// Tick is that of the last input.
func (p *Predictor) Tick() uint64 { return p.history.Tick() }

// Ground is what the player stands on, as far as it was told.
func (p *Predictor) Ground() *Ground { return &p.ground }

// Rewinds is what the history counted.
func (p *Predictor) RewindStats() rewind.Stats { return p.history.Stats() }

// Counts is what has happened to the player so far.
func (p *Predictor) Counts() MoveCounts { return p.counts }

// Settle lets what arrived take effect, as CL-3 has it at the beginning of a tick, and tells of the rewind. Advance does
// it by itself; call it before, to choose keys by the state that is true.
func (p *Predictor) Reconcile() rewind.Rewind { return p.history.Reconcile() }

// At tells of a tick that is remembered: which position was sent of it, and the state after it as the last replay left
// it. ok is false if the tick is not remembered.
func (p *Predictor) At(tick uint64) (sent geom.Vec, after move.Avatar, ok bool) {
	_, after, ok = p.history.At(tick)
	if s := &p.sent[tick%uint64(len(p.sent))]; ok && s.tick == tick {
		sent = s.pos
	}
	return sent, after, ok
}

// Advance is one tick with those keys: it settles, steps and returns the input to be sent, with the position and the
// velocity that it led to (CL-3). The tamper, if there is one, has had its say.
func (p *Predictor) Advance(k Keys) move.Input {
	p.Reconcile()
	tick := p.history.Tick() + 1
	a := p.history.State()
	in := p.keys.input(tick, k, &a)
	setFlag(&in.Flags, move.InputHandledTeleport, p.teleportPending)
	setFlag(&in.Flags, move.InputUnloaded, !p.ground.HasChunkAt(a.Pos))
	if p.teleportPending {
		p.teleportPending, p.teleportTick = false, tick
	}
	after := p.history.Step(in)
	in.Pos, in.Delta = after.Pos, after.Vel
	in.Flags &^= move.InputUnloaded // the server has its own idea of what it sent
	p.counts.Ticks++
	sent := p.tamper.alterInput(in)
	p.rememberInput(tick, sent.Pos, sent != in || p.tamper.always())
	return sent
}

// step is one tick of the state. What the server takes on trust, swimming and flying, the client makes up.
func (p *Predictor) step(a move.Avatar, in move.Input) move.Avatar {
	if in.Flags.Has(move.InputUnloaded) {
		a.Vel = geom.Vec{} // nobody can tell what there is to stand on (CH-1)
		return a
	}
	in.Pos, in.Delta = drift(&a, &in)
	before := a
	a.Step(&in, p.ground.Blocks(), &p.scratch)
	return p.tamper.alterStep(before, a, in)
}

// Motion of a swimmer or flyer, in blocks per tick, far within what the server trusts.  guess, from the feel of the game
const (
	driftLevel = 0.11
	driftUp    = 0.15
	driftDown  = 0.02 // a body that does nothing sinks
)

// drift is where a player goes whom nobody simulates.
func drift(a *move.Avatar, in *move.Input) (pos, vel geom.Vec) {
	sin, cos := math.Sincos(float64(in.Yaw) * math.Pi / 180)
	s, f := float64(in.Move[0])*driftLevel, float64(in.Move[1])*driftLevel
	vel = geom.Vec{X: float32(s*cos - f*sin), Z: float32(f*cos + s*sin)}
	switch {
	case a.Dead:
		vel = geom.Vec{}
	case in.Flags.Has(move.InputWantUp):
		vel.Y = driftUp
	case in.Flags.Has(move.InputWantDown):
		vel.Y = -driftUp
	case !a.Flying:
		vel.Y = -driftDown
	}
	return onWire(a.Pos.Add(vel)), vel
}

// onWire is a position after its way over the wire, which carries the eye's: a bounded step takes it from there.
func onWire(feet geom.Vec) geom.Vec { return feetOf(eyeOf(feet)) }

func eyeOf(feet geom.Vec) geom.Vec {
	feet.Y += move.EyeHeight
	return feet
}

func feetOf(eye geom.Vec) geom.Vec {
	eye.Y -= move.EyeHeight
	return eye
}

// apply is the news of a tick, with a look at corrections the first time that they take effect.
func (p *Predictor) apply(a move.Avatar, n stateUpdate) move.Avatar {
	if n.kind == updateCorrection && len(p.pending) > 0 {
		p.classifyCorrection(&a, &n)
	}
	return n.apply(a)
}
