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
	liquidCarry  float32 = 0.9  // of that speed is carried on at most; water leaves 0.8   [ours]

	maxClaimedStep float32 = 100  // on each axis: the square of a claim from the end of the world would be infinite
	groundProbe    float32 = 1e-3 // how near the ground must be on which one stands
)

// bounds are the limits of one step: of the way, and of the velocity that is carried on.
type bounds struct{ way, carry limits }

type limits struct{ across, up, down float32 }

// bounds are what the mode allows. Who comes into a liquid faster, as the server knows, is slowed to its limits: else one
// leap into a river would last for its whole length. How a corpse falls is its client's, where it lies is not: its player
// may live again there.
func (a *Avatar) stepBounds(m Mode) bounds {
	switch m {
	case ModeFly:
		most := limits{boundAcross, boundUp, boundDown}
		return bounds{most, most}
	case ModeDead:
		down := limits{down: boundDown}
		return bounds{down, down}
	}
	across := geom.Sqrt(flat2(a.Vel))
	return bounds{liquidLimits(across, a.Vel.Y, liquidSlack), liquidLimits(across, a.Vel.Y, liquidCarry)}
}

// liquid is the limits of a swimmer of whose speed a share is kept.
func liquidLimits(across, up, share float32) limits {
	return limits{
		across: min(max(liquidAcross, float32(across*share)), boundAcross),
		up:     min(max(liquidUp, float32(up*share)), boundUp),
		down:   min(max(liquidDown, float32(-up*share)), boundDown),
	}
}

// cut shortens v to the limits.
func (l limits) clamp(v geom.Vec) geom.Vec {
	v = clampAcross(v, l.across)
	v.Y = max(-l.down, min(v.Y, l.up))
	return v
}

// accept takes the client's position and velocity, as far as the limits of the mode and the blocks on the way allow, and
// tells whether it cut the position.
func (a *Avatar) stepBounded(in *Input, m Mode, ground *terrain.Blocks, s *Scratch) (cut bool) {
	b := a.stepBounds(m)
	asked := in.Pos.Sub(a.Pos)
	want := b.way.clamp(asked)
	s.gather(a.Pos, want, a.Height(), 0, ground)
	a.Collided = blockedAxes(want, s.slide(want))
	a.Pos = s.body
	v := b.carry.clamp(in.Delta)
	a.Vel = clearAxes(v, a.Collided)
	a.OnGround = v.Y <= 0 && a.onFloor(ground, s)
	return want != asked || a.Collided != 0
}

// stands tells whether there is ground right under the feet.
func (a *Avatar) onFloor(ground *terrain.Blocks, s *Scratch) bool {
	s.gather(a.Pos, geom.Vec{Y: -groundProbe}, a.Height(), 0, ground)
	return s.slideY(-groundProbe) != -groundProbe
}

// cutAcross shortens v on the ground plane to most.
func clampAcross(v geom.Vec, most float32) geom.Vec {
	x, z := clampAbs(v.X, maxClaimedStep), clampAbs(v.Z, maxClaimedStep)
	d := geom.Sqrt(float32(x*x) + float32(z*z))
	if !(d > most) {
		return v
	}
	k := most / d
	return geom.Vec{X: float32(x * k), Y: v.Y, Z: float32(z * k)}
}
