package geom

// Box is an axis-aligned box, Min <= Max on every axis; its faces belong to it.
type Box struct{ Min, Max Vec }

// Move returns the box displaced by d.
func (b Box) Move(d Vec) Box { return Box{b.Min.Add(d), b.Max.Add(d)} }

// Touches tells whether two boxes have a point in common, be it of their faces only. A box with NaN touches nothing.
func (b Box) Touches(o Box) bool {
	return b.Min.X <= o.Max.X && b.Max.X >= o.Min.X &&
		b.Min.Y <= o.Max.Y && b.Max.Y >= o.Min.Y &&
		b.Min.Z <= o.Max.Z && b.Max.Z >= o.Min.Z
}
