package terrain

import "github.com/truestep-io/truestep/sim/geom"

// AppendPlatforms appends to dst the cells of platform blocks (BlockKind.Platform) that touch q, in the order of
// AppendBoxes. A body that comes from above stands on the top of such a cell; the caller checks whether it comes from
// above.
func (b *Blocks) AppendPlatforms(dst []geom.Box, q geom.Box) []geom.Box {
	if !b.HasAny(PlatformTrait) {
		return dst
	}
	x0, x1, okX := cellsOf(q.Min.X, q.Max.X)
	y0, y1, okY := cellsOf(q.Min.Y, q.Max.Y)
	z0, z1, okZ := cellsOf(q.Min.Z, q.Max.Z)
	y0, y1 = max(y0, MinBlockY), min(y1, MaxBlockY)
	if !okX || !okY || !okZ {
		return dst
	}
	x1, z1 = min(x1, x0+MaxQuerySpan-1), min(z1, z0+MaxQuerySpan-1)
	for x := x0; x <= x1; x++ {
		for z := z0; z <= z1; z++ {
			for y := y0; y <= y1; y++ {
				if b.At(x, y, z).Kind().Platform {
					at := geom.Vec{X: float32(x), Y: float32(y), Z: float32(z)}
					dst = append(dst, geom.Box{Min: at, Max: geom.Vec{X: at.X + 1, Y: at.Y + 1, Z: at.Z + 1}})
				}
			}
		}
	}
	return dst
}
