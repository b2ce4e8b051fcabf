package geom

// Box is an axis-aligned box with Min <= Max on every axis. It includes its faces.
type Box struct{ Min, Max Vec }

// Move returns the box after it is moved by the vector d.
func (b Box) Move(d Vec) Box { return Box{b.Min.Add(d), b.Max.Add(d)} }

// Touches reports whether two boxes have a point in common, even if only on a face. A box with a NaN coordinate touches
// nothing.
func (b Box) Touches(o Box) bool {
	return b.Min.X <= o.Max.X && b.Max.X >= o.Min.X &&
		b.Min.Y <= o.Max.Y && b.Max.Y >= o.Min.Y &&
		b.Min.Z <= o.Max.Z && b.Max.Z >= o.Min.Z
}
