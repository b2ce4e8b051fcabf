package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Limits of what the bounded modes take from the client, in blocks per tick. Source: docs/wire/bedrock.md, movement
// physics, later parts; those of liquids are ours and tighter, so that a pond is no springboard.
const (
	boundAcross float32 = 1.2
	boundUp     float32 = 4
	boundDown   float32 = 4
	liquidUp    float32 = 0.6 // unless one was faster before
	liquidCarry float32 = 0.6 // speed across that may be carried on, unless one was faster before

	cutFirst    float32 = 100  // on each axis: the square of a claim from the end of the world would be infinite
	groundProbe float32 = 1e-3 // how near the ground must be on which one stands
)

// bounds are the limits of one step.
type bounds struct {
	across, up float32 // of the position
	carry      float32 // of the velocity across; up and down it is bounded as the position
}

// bounds are what the mode allows, and no less than the speed that the server knows of.
func (a *Avatar) bounds(m Mode) bounds {
	if m == ModeFly {
		return bounds{across: boundAcross, up: boundUp, carry: boundAcross}
	}
	return bounds{
		across: boundAcross,
		up:     min(max(liquidUp, a.Vel.Y), boundUp),
		carry:  min(max(liquidCarry, geom.Sqrt(flat2(a.Vel))), boundAcross),
	}
}

// accept takes the client's position and velocity, as far as the limits of the mode and the blocks on the way allow, and
// tells whether it cut the position.
func (a *Avatar) accept(in *Input, m Mode, ground *terrain.Blocks, s *Scratch) (cut bool) {
	b := a.bounds(m)
	asked := in.Pos.Sub(a.Pos)
	want := cutAcross(asked, b.across)
	want.Y = max(-boundDown, min(want.Y, b.up))
	s.gather(a.Pos, want, a.Height(), 0, ground)
	a.Collided = lost(want, s.slide(want))
	a.Pos = s.body
	v := cutAcross(in.Delta, b.carry)
	v.Y = max(-boundDown, min(v.Y, b.up))
	a.Vel = without(v, a.Collided)
	a.OnGround = v.Y <= 0 && a.stands(ground, s)
	return want != asked || a.Collided != 0
}

// stands tells whether there is ground right under the feet.
func (a *Avatar) stands(ground *terrain.Blocks, s *Scratch) bool {
	s.gather(a.Pos, geom.Vec{Y: -groundProbe}, a.Height(), 0, ground)
	return s.slideY(-groundProbe) != -groundProbe
}

// cutAcross shortens v on the ground plane to most.
func cutAcross(v geom.Vec, most float32) geom.Vec {
	x, z := within(v.X, cutFirst), within(v.Z, cutFirst)
	d := geom.Sqrt(float32(x*x) + float32(z*z))
	if !(d > most) {
		return v
	}
	k := most / d
	return geom.Vec{X: float32(x * k), Y: v.Y, Z: float32(z * k)}
}
