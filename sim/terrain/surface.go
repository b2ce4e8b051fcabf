package terrain

// Surface is what is visible from above of a column of blocks: the highest block, and the liquid over it.
type Surface struct {
	Top    BlockID // highest block that is neither air nor a liquid; Air if there is none
	Y      int32   // y of that block; MinBlockY-1 if there is none
	Liquid Liquid  // liquid above that block, NoLiquid if there is none
	Depth  int32   // thickness of the liquid in blocks, 0 if there is none
}

// SurfaceAt returns the surface of the column at x, z.
func (b *Blocks) SurfaceAt(x, z int32) Surface {
	if b == nil {
		b = flatGround
	}
	column := b.column(x>>4, z>>4)
	s := Surface{Y: MinBlockY - 1}
	for i := len(column) - 1; i >= 0; i-- {
		if column[i] == uniform(Air) {
			continue
		}
		for y := int32(15); y >= 0; y-- {
			id := BlockID(^column[i])
			if at := column[i]; at >= 0 {
				id = b.cells[at][x&15<<8|z&15<<4|y]
			}
			if id == Air {
				continue
			}
			k := id.Kind()
			if k.Liquid == NoLiquid || k.InLiquid && k.Solid() {
				s.Top, s.Y = id, MinBlockY+int32(i*16)+y
				return s
			}
			if s.Liquid == NoLiquid {
				s.Liquid = k.Liquid
			}
			s.Depth++
		}
	}
	return s
}
