package terrain

import (
	"errors"

	"github.com/truestep-io/truestep/sim/geom"
)

// Solid is a box that nobody enters, edges along the axes, in world units. Min and Max may be equal on an axis: a wall
// without thickness still stands in the way.
type Solid struct{ Min, Max geom.Vec }

// Check returns what is wrong with the solid, nil if it can be used.
func (s *Solid) Check() error {
	for _, v := range [...]float32{s.Min.X, s.Min.Y, s.Min.Z, s.Max.X, s.Max.Y, s.Max.Z} {
		if !geom.Finite(v) {
			return errors.New("a coordinate is not finite")
		}
	}
	if s.Min.X > s.Max.X || s.Min.Y > s.Max.Y || s.Min.Z > s.Max.Z {
		return errors.New("min is above max")
	}
	return nil
}
