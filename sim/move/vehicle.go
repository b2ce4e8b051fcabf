package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Vehicle is the state of a predicted vehicle after a tick: exactly the state on which its next step depends. It is plain
// comparable data: a client stores a Vehicle for each tick of its history, and steps a copy of it to replay its inputs. Lengths
// are in blocks, speeds in blocks per tick, angles in degrees. Create one with NewVehicle. The server sets the fields from
// Movement on between two steps; a client sets them when the server announces them.
type Vehicle struct {
	Type     VehicleType // type of the vehicle; NoVehicle in the zero value
	Pos, Vel geom.Vec    // position of the feet; velocity after gravity and friction, from which the next step starts
	Yaw      float32     // yaw as in packets, see VehicleKind.YawOffset
	OnGround bool        // the vehicle stands on ground
	Collided Axes        // axes on which the last step collided

	// Only horses use the following fields: charge and state of a jump.
	ChargeTicks int32   // ticks for which the jump key has been held; negative: ticks of the delay after a jump
	ChargeScale float32 // charge of the jump, 0..1
	JumpHeld    bool    // the jump key was down in the last input
	PendingJump float32 // share of the jump strength that the next launch uses; 0 for none
	Standing    bool    // the horse rears
	Sliding     bool    // the horse may move while it rears
	Jumping     bool    // the horse has jumped and not landed yet

	// Only boats use the following fields: rotation and paddles.
	AngularVel   float32   // degrees per tick
	PaddleTick   int32     // ticks since the driver mounted
	Paddles      [2]Paddle // state of the paddles, by LeftPaddle and RightPaddle
	TouchPaddles bool      // the paddles were last moved by flags, as from a touch screen, and not by the stick
	Submerged    int32     // consecutive ticks under water, at most the kind's SubmergedTicks + 1

	Movement     float32 // movement attribute: acceleration of a horse
	JumpStrength float32 // jump strength attribute of a horse
	MayJump      bool    // the client was told that the horse can jump
	JumpBoost    uint8   // level of the jump boost effect, 0 for none
}

// Paddle is the state of one paddle of a boat.
type Paddle struct {
	Start, Last int32   // PaddleTick of the first tick of the stroke, and of the last tick in which the paddle was held; -1 for none
	Strength    float32 // strength of the stroke, -3..3
}

// Indices of the paddles of a boat.
const (
	LeftPaddle  = iota // index of the left paddle
	RightPaddle        // index of the right paddle
)

// NewVehicle returns a vehicle of a type, at rest with its feet at the position feet and with the attributes of its
// kind k. The argument yaw, in the convention of packets, is rounded to the nearest value that packets can express.
func NewVehicle(t VehicleType, k *VehicleKind, feet geom.Vec, yaw float32) Vehicle {
	v := Vehicle{Type: t, Pos: feet, Yaw: nearestWireYaw(yaw), Movement: k.Movement, JumpStrength: k.JumpStrength, MayJump: k.JumpStrength > 0}
	v.ResetControls()
	return v
}

// nearestWireYaw returns the yaw nearest to the given one that a packet can express, in degrees: packets divide a turn into 256
// steps. A vehicle at rest has such a yaw on the server, so that a driver's client, which received it in a packet, begins with
// the same yaw.
func nearestWireYaw(yaw float32) float32 {
	const step = 360. / 256
	yaw = geom.WrapDegrees(yaw)
	n := int32(geom.Abs(yaw)/step + 0.5)
	if yaw < 0 {
		n = -n
	}
	return geom.WrapDegrees(float32(float32(n) * step))
}

// ResetControls resets the keys and paddles of a vehicle that a driver mounts or leaves. The movement of the vehicle
// continues.
func (v *Vehicle) ResetControls() {
	v.ChargeTicks, v.ChargeScale, v.JumpHeld = 0, 0, false
	v.PaddleTick, v.TouchPaddles = 0, false
	v.Paddles = [2]Paddle{{Start: -1, Last: -1}, {Start: -1, Last: -1}}
}

// VehicleStep describes what happened in a step, in addition to the resulting vehicle.
type VehicleStep struct {
	Mode       VehicleMode // how the position was computed: SimulateVehicle or BoundVehicle
	Clamped    bool        // BoundVehicle: the client's position was beyond the limits or in a block, and was limited
	JumpCharge int32       // horses: charge in percent of a jump whose key was released in this tick; -1 for none
}

// Step moves the vehicle by one tick with its driver's input. The parameter in must have been sanitized with Clean; in.Yaw is the
// driver's yaw. In two cases Step does not simulate, but accepts the position of the input within the limits of the kind: (1) the
// mode of the kind is BoundVehicle, or (2) the vehicle is in a liquid or block whose effect on it is not known. The parameter
// ground may be nil, which is flat ground. The parameter k must be the kind of v.Type. The same vehicle, input and blocks give
// the same bits on every CPU. Step does not allocate once s has grown.
func (v *Vehicle) Step(in *Input, k *VehicleKind, ground *terrain.Blocks, s *Scratch) VehicleStep {
	v.limitVelocity()
	t := v.touchedBlocks(k, ground)
	if k.Mode != SimulateVehicle || t.lava || t.slow || t.water && !k.Boat {
		return VehicleStep{Mode: BoundVehicle, Clamped: v.stepBounded(in, k, ground, s), JumpCharge: noJump}
	}
	if k.Boat {
		v.stepBoat(in, t.water, k, ground, s)
		return VehicleStep{JumpCharge: noJump}
	}
	return VehicleStep{JumpCharge: v.stepHorse(in, k, ground, s)}
}

// StepIdle moves a vehicle without a driver by one client tick. It reports whether the vehicle is at rest, so that it
// needs no further ticks until something else moves it.
func (v *Vehicle) StepIdle(k *VehicleKind, ground *terrain.Blocks, s *Scratch) (rests bool) {
	v.limitVelocity()
	in := Input{Yaw: v.Facing(k)}
	switch t := v.touchedBlocks(k, ground); {
	case k.Boat && !t.lava:
		rests = v.stepBoat(&in, t.water, k, ground, s) != inAir
	case t.water || t.lava:
		v.sink(k, ground, s)
	default:
		v.stepHorse(&in, k, ground, s)
	}
	rests = (rests || v.OnGround) && lengthXZ2(v.Vel) < restSpeed*restSpeed && geom.Abs(v.AngularVel) < restSpeed &&
		(v.OnGround || geom.Abs(v.Vel.Y) < restSpeed)
	if rests {
		v.Vel, v.AngularVel, v.Yaw = geom.Vec{}, 0, nearestWireYaw(v.Yaw)
	}
	return rests
}

// restSpeed is the speed in blocks per tick, and the angular velocity in degrees per tick, below which a vehicle without a driver
// comes to rest. The value is this server's own, because the protocol does not define it.
const restSpeed float32 = 1e-3

// Facing returns the yaw of the direction in which the vehicle points, in degrees. The yaw in packets differs from it by
// YawOffset.
func (v *Vehicle) Facing(k *VehicleKind) float32 { return geom.WrapDegrees(v.Yaw - k.YawOffset) }

// body returns the size of the collision box of the kind.
func (k *VehicleKind) body() body { return body{half: k.Width / 2, height: k.Height} }

// vehicleContact says what the box of a vehicle overlaps: liquids, which count as whole blocks, and blocks that slow
// bodies inside, such as cobwebs.
type vehicleContact struct{ water, lava, slow bool }

func (v *Vehicle) touchedBlocks(k *VehicleKind, ground *terrain.Blocks) (t vehicleContact) {
	b, p := k.body(), v.Pos
	x0, x1 := blockAt(b.west(p.X)), blockAt(b.east(p.X))
	z0, z1 := blockAt(b.west(p.Z)), blockAt(b.east(p.Z))
	y0, y1 := blockAt(p.Y), blockAt(p.Y+k.Height)
	if !ground.MayHave(terrain.TouchTrait, x0, y0, z0, x1, y1, z1) {
		return t
	}
	for x := x0; x <= x1; x++ {
		for z := z0; z <= z1; z++ {
			for y := y0; y <= y1; y++ {
				if id := ground.At(x, y, z); id != terrain.Air {
					b := id.Kind()
					t.water, t.lava = t.water || b.Liquid == terrain.WaterLiquid, t.lava || b.Liquid == terrain.LavaLiquid
					t.slow = t.slow || b.Slow != geom.Vec{}
				}
			}
		}
	}
	return t
}

// sweep moves the vehicle by its velocity, stepping up by at most step blocks. It updates Collided and OnGround, and
// clears the velocity on the axes that collided.
func (v *Vehicle) sweep(k *VehicleKind, step float32, ground *terrain.Blocks, s *Scratch) {
	want, got := v.Vel, geom.Vec{}
	v.Pos, got = s.moveBody(v.Pos, want, k.body(), step, v.OnGround, ground)
	v.Collided = blockedAxes(want, got)
	if v.Collided&AxisY != 0 {
		v.OnGround = want.Y < 0
	} else {
		v.OnGround = v.OnGround && geom.Abs(want.Y) <= collisionLoss
	}
	v.Vel = clearAxes(got, v.Collided)
}

// sink moves a vehicle without a driver through a liquid in which it does not float.
func (v *Vehicle) sink(k *VehicleKind, ground *terrain.Blocks, s *Scratch) {
	v.sweep(k, 0, ground, s)
	v.Vel = geom.Vec{X: flushTiny(float32(v.Vel.X * k.WaterDrag)), Y: float32(v.Vel.Y*k.WaterDrag) - k.WaterGravity, Z: flushTiny(float32(v.Vel.Z * k.WaterDrag))}
	if v.OnGround {
		v.Vel.Y = 0
	}
}

// limitVelocity limits the velocity to MaxSpeed on each axis, and sets a velocity too small to matter to 0.
func (v *Vehicle) limitVelocity() {
	w := v.Vel
	if float32(w.X*w.X)+float32(w.Y*w.Y)+float32(w.Z*w.Z) < stillSpeed2 {
		v.Vel = geom.Vec{}
		return
	}
	v.Vel = geom.Vec{X: clampAbs(w.X, MaxSpeed), Y: clampAbs(w.Y, MaxSpeed), Z: clampAbs(w.Z, MaxSpeed)}
}
