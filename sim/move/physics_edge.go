package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Constants by which a sneaking player does not fall off an edge, in blocks. Source: docs/wire/bedrock.md, movement
// physics, step 8.
const (
	edgeInset float32 = 0.025 // distance by which the body's box is shrunk on each side
	edgeDepth float32 = 0.606 // depth below the feet within which there must be ground
	edgeStep  float32 = 0.05  // step by which the movement is shortened until there is ground below
)

// guardEdge shortens the horizontal velocity of a sneaking player until there is ground at the end of the movement: first along
// X, then along Z, then along both. Velocities are at most MaxSpeed, so the number of shortenings is limited.
func (a *Avatar) guardEdge(ground *terrain.Blocks, s *Scratch) {
	v := &a.Vel
	if v.X == 0 && v.Z == 0 {
		return
	}
	deep := a.Pos
	deep.Y -= edgeDepth
	s.collectBoxes(deep, geom.Vec{X: v.X, Z: v.Z}, a.Height(), 0, ground)
	for v.X != 0 && !s.supportsAt(v.X, 0) {
		v.X = shortened(v.X)
	}
	for v.Z != 0 && !s.supportsAt(0, v.Z) {
		v.Z = shortened(v.Z)
	}
	for v.X != 0 && v.Z != 0 && !s.supportsAt(v.X, v.Z) {
		v.X, v.Z = shortened(v.X), shortened(v.Z)
	}
}

// supportsAt reports whether ground would support the player if it were moved by x and z: whether the player's box, moved,
// lowered by edgeDepth and made a little narrower, overlaps one of the boxes that guardEdge has collected.
func (s *Scratch) supportsAt(x, z float32) bool {
	q := boxAt(s.feet, s.height)
	return s.overlaps(geom.Box{
		Min: geom.Vec{X: q.Min.X + edgeInset + x, Y: q.Min.Y, Z: q.Min.Z + edgeInset + z},
		Max: geom.Vec{X: q.Max.X - edgeInset + x, Y: q.Max.Y, Z: q.Max.Z - edgeInset + z},
	})
}

// shortened returns a component of the velocity, brought closer to zero by edgeStep.
func shortened(v float32) float32 {
	switch {
	case v >= edgeStep:
		return v - edgeStep
	case v < -edgeStep:
		return v + edgeStep
	}
	return 0
}
