package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Limits of what the bounded modes take from the client, in blocks per tick. Source: docs/wire/bedrock.md, movement
// physics, later parts; those of liquids are ours and tighter, so
// that a pond is no springboard and a river no road.
const (
	boundAcross  float32 = 1.2
	boundUp      float32 = 4
	boundDown    float32 = 4
	liquidAcross float32 = 0.32 // a sprinting swimmer makes 0.28   [ours]
	liquidUp     float32 = 0.42 // a jump   [ours]
	liquidDown   float32 = 0.6  // [ours]
	liquidSlack  float32 = 1.01 // of a higher speed that the server knew: positions are rounded
	liquidKeeps  float32 = 0.9  // of that speed is carried on at most; water leaves 0.8   [ours]

	cutFirst    float32 = 100  // on each axis: the square of a claim from the end of the world would be infinite
	groundProbe float32 = 1e-3 // how near the ground must be on which one stands
)

// bounds are the limits of one step: of the way, and of the velocity that is carried on.
type bounds struct{ way, carry limits }

type limits struct{ across, up, down float32 }

// bounds are what the mode allows. Who comes into a liquid faster, as the server knows, is slowed to its limits: else one
// leap into a river would last for its whole length. How a corpse falls is its client's, where it lies is not: its player
// may live again there.
func (a *Avatar) bounds(m Mode) bounds {
	switch m {
	case ModeFly:
		most := limits{boundAcross, boundUp, boundDown}
		return bounds{most, most}
	case ModeDead:
		down := limits{down: boundDown}
		return bounds{down, down}
	}
	across := geom.Sqrt(flat2(a.Vel))
	return bounds{liquid(across, a.Vel.Y, liquidSlack), liquid(across, a.Vel.Y, liquidKeeps)}
}

// liquid is the limits of a swimmer of whose speed a share is kept.
func liquid(across, up, share float32) limits {
	return limits{
		across: min(max(liquidAcross, float32(across*share)), boundAcross),
		up:     min(max(liquidUp, float32(up*share)), boundUp),
		down:   min(max(liquidDown, float32(-up*share)), boundDown),
	}
}

// cut shortens v to the limits.
func (l limits) cut(v geom.Vec) geom.Vec {
	v = cutAcross(v, l.across)
	v.Y = max(-l.down, min(v.Y, l.up))
	return v
}

// accept takes the client's position and velocity, as far as the limits of the mode and the blocks on the way allow, and
// tells whether it cut the position.
func (a *Avatar) accept(in *Input, m Mode, ground *terrain.Blocks, s *Scratch) (cut bool) {
	b := a.bounds(m)
	asked := in.Pos.Sub(a.Pos)
	want := b.way.cut(asked)
	s.gather(a.Pos, want, a.Height(), 0, ground)
	a.Collided = lost(want, s.slide(want))
	a.Pos = s.body
	v := b.carry.cut(in.Delta)
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
