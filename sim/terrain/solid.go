package terrain

import (
	"fmt"

	"github.com/truestep-io/truestep/sim/geom"
)

// Solid is an impassable box in world units, aligned with the axes. Min and Max may be equal on an axis: a wall without
// thickness still obstructs.
type Solid struct{ Min, Max geom.Vec }

// Check returns an error if the solid is invalid.
func (s *Solid) Check() error {
	for _, v := range [...]float32{s.Min.X, s.Min.Y, s.Min.Z, s.Max.X, s.Max.Y, s.Max.Z} {
		if !geom.Finite(v) {
			return fmt.Errorf("the coordinate %v is not a finite number", v)
		}
	}
	if s.Min.X > s.Max.X || s.Min.Y > s.Max.Y || s.Min.Z > s.Max.Z {
		return fmt.Errorf("the lowest corner %v is above the highest corner %v on an axis", s.Min, s.Max)
	}
	return nil
}
