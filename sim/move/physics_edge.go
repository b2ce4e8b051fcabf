package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// How who sneaks is kept from falling off an edge, in blocks. Source: docs/wire/bedrock.md, movement physics, step 8.
const (
	edgeInset float32 = 0.025 // by which the box is drawn in
	edgeDepth float32 = 0.606 // how deep a step down would be
	edgeStep  float32 = 0.05  // by which the speed is cut until there is ground
)

// guardEdge cuts the velocity across until there is ground under where it leads: along X, along Z, then both. MaxSpeed
// bounds the number of cuts.
func (a *Avatar) guardEdge(ground *terrain.Blocks, s *Scratch) {
	v := &a.Vel
	if v.X == 0 && v.Z == 0 {
		return
	}
	deep := a.Pos
	deep.Y -= edgeDepth
	s.gather(deep, geom.Vec{X: v.X, Z: v.Z}, a.Height(), 0, ground)
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

// carries tells whether the body would meet something if it were x and z from where it is.
func (s *Scratch) supportsAt(x, z float32) bool {
	q := boxAt(s.body, s.height)
	return s.overlaps(geom.Box{
		Min: geom.Vec{X: q.Min.X + edgeInset + x, Y: q.Min.Y, Z: q.Min.Z + edgeInset + z},
		Max: geom.Vec{X: q.Max.X - edgeInset + x, Y: q.Max.Y, Z: q.Max.Z - edgeInset + z},
	})
}

// lessened is a speed one cut nearer to zero.
func shortened(v float32) float32 {
	switch {
	case v >= edgeStep:
		return v - edgeStep
	case v < -edgeStep:
		return v + edgeStep
	}
	return 0
}
