package bedrock

import (
	"math"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// wireFlags pairs each input flag of sim/move with its flag in the protocol.
var wireFlags = [...]struct {
	ours move.InputFlags
	wire proto.InputFlag
}{
	{move.InputJumpDown, proto.InputJumpDown},
	{move.InputJumpDown, proto.InputJumpCurrentRaw},
	{move.InputJumping, proto.InputJumping},
	{move.InputStartJump, proto.InputStartJumping},
	{move.InputSneakDown, proto.InputSneakDown},
	{move.InputSneakDown, proto.InputSneakCurrentRaw},
	{move.InputSneaking, proto.InputSneaking},
	{move.InputStartSneak, proto.InputStartSneaking},
	{move.InputStopSneak, proto.InputStopSneaking},
	{move.InputSprintDown, proto.InputSprintDown},
	{move.InputSprinting, proto.InputSprinting},
	{move.InputStartSprint, proto.InputStartSprinting},
	{move.InputStopSprint, proto.InputStopSprinting},
	{move.InputStartSwim, proto.InputStartSwimming},
	{move.InputStopSwim, proto.InputStopSwimming},
	{move.InputStartGlide, proto.InputStartGliding},
	{move.InputStopGlide, proto.InputStopGliding},
	{move.InputStartCrawl, proto.InputStartCrawling},
	{move.InputStopCrawl, proto.InputStopCrawling},
	{move.InputStartFly, proto.InputStartFlying},
	{move.InputStopFly, proto.InputStopFlying},
	{move.InputUp, proto.InputUp},
	{move.InputDown, proto.InputDown},
	{move.InputWantUp, proto.InputWantUp},
	{move.InputWantDown, proto.InputWantDown},
	{move.InputHandledTeleport, proto.InputHandledTeleport},
	{move.InputVehicle, proto.InputClientVehicle},
	{move.InputPaddleLeft, proto.InputPaddlingLeft},
	{move.InputPaddleRight, proto.InputPaddlingRight},
	{move.InputStartUsing, proto.InputStartUsingItem},
	{move.InputMissedSwing, proto.InputMissedSwing},
	{move.InputHorizontalCollision, proto.InputHorizontalCollision},
	{move.InputVerticalCollision, proto.InputVerticalCollision},
}

// wireEdges lists the keys for which the protocol has a flag for the tick of the press and one for the tick of the release. The
// flags for held keys are in wireFlags.
var wireEdges = [...]struct {
	key               move.InputFlags
	pressed, released proto.InputFlag
}{
	{move.InputJumpDown, proto.InputJumpPressedRaw, proto.InputJumpReleasedRaw},
	{move.InputSneakDown, proto.InputSneakPressedRaw, proto.InputSneakReleasedRaw},
}

// AuthInput converts an input to the packet that a client with mouse, keyboard and crosshair sends. The parameter before
// contains the flags of the previous input. Comparing both shows which keys were pressed or released.
func AuthInput(in *move.Input, before move.InputFlags) proto.PlayerAuthInput {
	p := proto.PlayerAuthInput{
		Pitch: in.Pitch, Yaw: in.Yaw, HeadYaw: in.HeadYaw,
		Position:           vec3(eyeOf(in.Pos)),
		MoveVector:         in.Move,
		InputMode:          proto.InputModeMouse,
		InteractionModel:   proto.InteractionCrosshair,
		InteractRotation:   proto.Vec2{in.Pitch, in.Yaw},
		Tick:               in.Tick,
		Delta:              vec3(in.Delta),
		AnalogueMoveVector: in.Move,
		CameraOrientation:  lookVector(in.Pitch, in.Yaw),
		RawMoveVector:      in.Move,
	}
	if in.Flags.Has(move.InputVehicle) {
		p.VehicleRotation, p.PredictedVehicle = proto.Vec2{0, in.VehicleYaw}, int64(in.Vehicle)
	}
	for _, f := range wireFlags {
		if in.Flags.Has(f.ours) {
			p.Input.Set(f.wire)
		}
	}
	for _, e := range wireEdges {
		switch now, was := in.Flags.Has(e.key), before.Has(e.key); {
		case now && !was:
			p.Input.Set(e.pressed)
		case was && !now:
			p.Input.Set(e.released)
		}
	}
	if in.Move[0] > 0 {
		p.Input.Set(proto.InputLeft)
	} else if in.Move[0] < 0 {
		p.Input.Set(proto.InputRight)
	}
	return p
}

// lookVector returns the unit vector of a view direction in degrees.
func lookVector(pitch, yaw float32) proto.Vec3 {
	sinYaw, cosYaw := math.Sincos(float64(yaw) * math.Pi / 180)
	sinPitch, cosPitch := math.Sincos(float64(pitch) * math.Pi / 180)
	return proto.Vec3{float32(-sinYaw * cosPitch), float32(-sinPitch), float32(cosYaw * cosPitch)}
}

func vec3(v geom.Vec) proto.Vec3 { return proto.Vec3{v.X, v.Y, v.Z} }

func vec(v proto.Vec3) geom.Vec { return geom.Vec{X: v[0], Y: v[1], Z: v[2]} }
