package bedrock

import (
	"cmp"
	"math"

	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/client/rewind"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Default and limits of the length of the prediction history, in ticks. The packet StartGame states the length.
const (
	defaultHistory = 40  // length in ticks if StartGame states none
	maxHistory     = 400 // maximum length in ticks that the client accepts from StartGame
)

// Predictor implements client-side prediction of the client's player: the server's packets go in, inputs come out. It
// simulates ticks with the same function as the server. It has no socket and no clock; it counts time in ticks. It is not
// safe for concurrent use.
type Predictor struct {
	history         *rewind.History[rider, move.Input, stateUpdate] // inputs and states of the last ticks
	ground          Ground
	scratch         move.Scratch
	keys            keys.InputBuilder // builds inputs from keys
	tamper          *Tamper           // cheats for tests; never nil
	teleportPending bool              // a teleport has arrived; the next input must acknowledge it
	teleportTick    uint64            // tick of the last input that acknowledged a teleport; 0 once a correction of that tick or of a later one has arrived

	sent           []sentInput         // recent inputs; the input of tick t is at index t % len(sent)
	pending        []pendingCorrection // corrections that have not taken effect, in order of arrival
	lastCorrection uint32              // number of the latest correction
	counts         MoveCounts
}

// NewPredictor returns a predictor without any terrain. The parameter feet is the position of the player's feet. The parameter
// tick is the tick before the first input. The parameter size is the length of the prediction history in ticks, which StartGame
// states; 0 selects 40. The parameter t makes the client cheat in tests; nil makes it honest.
func NewPredictor(feet geom.Vec, tick uint64, size int, t *Tamper) *Predictor {
	if size <= 0 {
		size = defaultHistory
	}
	size = min(size, maxHistory)
	if t == nil {
		t = &Tamper{}
	}
	p := &Predictor{tamper: t, sent: make([]sentInput, size)}
	p.history = rewind.New(size, p.step, p.apply, rewind.Equal[rider])
	p.history.Reset(tick, rider{Avatar: move.NewAvatar(feet)})
	return p
}

// State returns the predicted state after the last tick that was simulated.
func (p *Predictor) State() move.Avatar { return p.history.Now().Avatar }

// Tick returns the last tick that was simulated, which is the tick of the last input.
func (p *Predictor) Tick() uint64 { return p.history.Tick() }

// Ground returns the terrain that the server has sent.
func (p *Predictor) Ground() *Ground { return &p.ground }

// RewindStats returns the statistics of rewinds and replays.
func (p *Predictor) RewindStats() rewind.Stats { return p.history.Stats() }

// Counts returns the counts of packets and corrections so far.
func (p *Predictor) Counts() MoveCounts { return p.counts }

// Reconcile applies the packets that have arrived since its last call, replays the inputs of later ticks, and returns what this
// changed. Advance also calls it first, as rule CL-3 of docs/wire/bedrock.md requires. A caller that chooses the keys by the
// corrected state calls Reconcile itself before Advance.
func (p *Predictor) Reconcile() rewind.Rewind { return p.history.Reconcile() }

// StateAt returns two values for a tick: the position that the client sent to the server, and the state after the tick as the
// newest replay computed it. ok is false if the tick is not in the prediction history.
func (p *Predictor) StateAt(tick uint64) (sent geom.Vec, after move.Avatar, ok bool) {
	_, r, ok := p.history.At(tick)
	if s := &p.sent[tick%uint64(len(p.sent))]; ok && s.tick == tick {
		sent = s.pos
	}
	return sent, r.Avatar, ok
}

// VehicleAt returns the vehicle that the player drove after a tick in the history; its type is NoVehicle if the player
// drove none.
func (p *Predictor) VehicleAt(tick uint64) move.Vehicle {
	_, r, ok := p.history.At(tick)
	if !ok || r.seat != driverSeat {
		return move.Vehicle{}
	}
	return r.vehicle
}

// Advance runs one tick with the given keys and returns the input to send (rule CL-3 of docs/wire/bedrock.md). It first
// calls Reconcile. The input contains the predicted position and velocity after the tick. The changes of a Tamper are already in
// it.
func (p *Predictor) Advance(k Keys) move.Input {
	p.Reconcile()
	tick := p.history.Tick() + 1
	a := p.history.Now()
	var in move.Input
	if a.seat == onFoot {
		in = p.keys.Input(tick, k, &a.Avatar, p.ground.Blocks())
	} else {
		in = ridingInput(&p.keys, tick, k, a)
	}
	keys.SetFlag(&in.Flags, move.InputHandledTeleport, p.teleportPending)
	keys.SetFlag(&in.Flags, move.InputUnloaded, !p.ground.HasChunkAt(a.Pos))
	if p.teleportPending {
		p.teleportPending, p.teleportTick = false, tick
	}
	after := p.history.Step(in)
	in.Pos, in.Delta = after.Pos, after.Vel
	if after.seat == driverSeat {
		in.Pos, in.Delta, in.VehicleYaw = feetOf(vehiclePosition(&after.vehicle)), after.vehicle.Vel, after.vehicle.Yaw
		p.counts.VehicleTicks++
	}
	in.Flags &^= move.InputUnloaded | move.InputStopUsing // the server does not use these flags
	p.counts.Ticks++
	sent := p.tamper.alterInput(in)
	p.rememberInput(tick, sent.Pos, sent != in || p.tamper.always())
	return sent
}

// step simulates one tick of the client's player: on foot, as a driver or as a passenger. In movement modes in which the server
// accepts the client's position, such as flying, the result is only approximate. The start or end of using an item takes effect
// before the movement of the tick (rule SV-22 of docs/wire/bedrock.md).
func (p *Predictor) step(r *rider, in move.Input) {
	switch r.seat {
	case driverSeat:
		p.stepVehicle(r, in)
	case passengerSeat:
		r.Pitch, r.Yaw, r.HeadYaw = in.Pitch, in.Yaw, in.HeadYaw
	default:
		p.stepBody(&r.Avatar, &in, r.liquids())
	}
}

// stepBody simulates one tick of a player on foot. It overwrites the position and the velocity of the input.
func (p *Predictor) stepBody(a *move.Avatar, in *move.Input, liquids *move.Liquids) {
	if in.Flags.Has(move.InputUnloaded) {
		a.Vel = geom.Vec{} // without terrain the player cannot be simulated (rule CH-1 of docs/wire/bedrock.md)
		return
	}
	in.Pos, in.Delta = drift(a, in)
	a.UsingItem = !a.Dead && !in.Flags.Has(move.InputStopUsing) && (a.UsingItem || in.Flags.Has(move.InputStartUsing))
	if p.tamper.AlterStep == nil {
		a.StepIn(liquids, in, p.ground.Blocks(), &p.scratch)
		return
	}
	before := *a
	a.StepIn(liquids, in, p.ground.Blocks(), &p.scratch)
	*a = p.tamper.alterStep(before, *a, *in)
}

// Speeds in movement modes, such as flying, in which the server accepts the client's position. The values were chosen by
// playing and are well within the server's limits.
const (
	driftHorizontal = 0.11 // horizontal speed at full input, in blocks per tick
	driftVertical   = 0.15 // speed of rising and of diving, in blocks per tick
	driftSinking    = 0.02 // speed at which a player in a liquid sinks without input, in blocks per tick
)

// drift returns a player's position and velocity after one tick of a movement mode in which the server accepts the client's
// values, such as flying.
func drift(a *move.Avatar, in *move.Input) (pos, vel geom.Vec) {
	sin, cos := math.Sincos(float64(in.Yaw) * math.Pi / 180)
	s, f := float64(in.Move[0])*driftHorizontal, float64(in.Move[1])*driftHorizontal
	vel = geom.Vec{X: float32(s*cos - f*sin), Z: float32(f*cos + s*sin)}
	switch {
	case a.Dead:
		vel = geom.Vec{}
	case in.Flags.Has(move.InputWantUp):
		vel.Y = driftVertical
	case in.Flags.Has(move.InputWantDown):
		vel.Y = -driftVertical
	case !a.Flying:
		vel.Y = -driftSinking
	}
	return onWire(a.Pos.Add(vel)), vel
}

// onWire returns the feet position that the server receives for the parameter feet. It differs by a rounding error: packets carry
// the position of the eyes, from which the server computes the position of the feet.
func onWire(feet geom.Vec) geom.Vec { return feetOf(eyeOf(feet)) }

func eyeOf(feet geom.Vec) geom.Vec {
	feet.Y += move.EyeHeight
	return feet
}

func feetOf(eye geom.Vec) geom.Vec {
	eye.Y -= move.EyeHeight
	return eye
}

// apply returns the state r, changed by the update n. If n is a correction that is applied for the first time, apply also counts
// it by its cause.
func (p *Predictor) apply(r rider, n stateUpdate) rider {
	if (n.kind == updateCorrection || n.kind == updateVehicle) && len(p.pending) > 0 {
		p.classifyCorrection(&r, &n)
	}
	if ridden, ok := p.applyToRide(r, &n); ok {
		return ridden
	}
	switch n.kind {
	case updateWaterSpeed:
		r.waterSpeed = n.speed
	case updateLavaSpeed:
		r.lavaSpeed = n.speed
	default:
		r.Avatar = n.apply(r.Avatar)
	}
	return r
}

// defaultLiquids holds the default physics constants of water and lava. It must not be modified.
var defaultLiquids = move.DefaultLiquids()

// liquids returns the physics constants of water and lava for the player. The accelerations that the server has sent as
// attributes replace the defaults.
func (r *rider) liquids() *move.Liquids {
	if r.waterSpeed == 0 && r.lavaSpeed == 0 {
		return &defaultLiquids
	}
	water, lava := cmp.Or(r.waterSpeed, defaultLiquids.Water.Accelerate), cmp.Or(r.lavaSpeed, defaultLiquids.Lava.Accelerate)
	if water == defaultLiquids.Water.Accelerate && lava == defaultLiquids.Lava.Accelerate {
		return &defaultLiquids
	}
	l := defaultLiquids
	l.Water.Accelerate, l.Lava.Accelerate = water, lava
	return &l
}
