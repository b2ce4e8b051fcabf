package terrain

// fillAll applies the fills in order. If the parameter gently is true, fills do not replace solid blocks.
func (bb *blockBuilder) fillAll(fills []BlockFill, gently bool) {
	for i := range fills {
		f := &fills[i]
		for cx := f.Min[0] >> 4; cx <= f.Max[0]>>4; cx++ {
			for cz := f.Min[2] >> 4; cz <= f.Max[2]>>4; cz++ {
				column := bb.b.column(cx, cz)
				for sy := (f.Min[1] - MinBlockY) >> 4; sy <= (f.Max[1]-MinBlockY)>>4; sy++ {
					bb.fillSection(&column[sy], f, [3]int32{cx * 16, MinBlockY + sy*16, cz * 16}, gently)
				}
			}
		}
	}
}

// fillSection applies the part of a fill that is in section s. The lowest corner of the section is at the block position at. The
// parameter gently says that the fill does not replace solid blocks.
func (bb *blockBuilder) fillSection(s *section, f *BlockFill, at [3]int32, gently bool) {
	var lo, hi [3]int32
	whole := !gently
	for axis := range at {
		lo[axis], hi[axis] = max(f.Min[axis]-at[axis], 0), min(f.Max[axis]-at[axis], 15)
		whole = whole && lo[axis] == 0 && hi[axis] == 15
	}
	if whole || *s == uniform(f.Block) {
		*s = uniform(f.Block)
		return
	}
	cells := bb.writable(s)
	if cells == nil {
		return
	}
	for x := lo[0]; x <= hi[0]; x++ {
		for z := lo[2]; z <= hi[2]; z++ {
			row := cells[x<<8|z<<4:][:16]
			for y := lo[1]; y <= hi[1]; y++ {
				if !gently || !row[y].Kind().Solid() {
					row[y] = f.Block
				}
			}
		}
	}
}

// writable returns the cells of a section for writing. If the section does not have cells of its own yet, because it is uniform
// or shares them with the ground, it gets a copy. The result is nil if it would need a copy and there are MaxSections copies
// already.
func (bb *blockBuilder) writable(s *section) *[SectionCells]BlockID {
	b := bb.b
	if int(*s) >= bb.groundCells {
		return b.cells[*s]
	}
	if len(b.cells)-bb.groundCells >= MaxSections {
		bb.full = true
	}
	if bb.full {
		return nil
	}
	cells := new([SectionCells]BlockID)
	if *s >= 0 {
		*cells = *b.cells[*s]
	} else if id := BlockID(^*s); id != Air {
		for i := range cells {
			cells[i] = id
		}
	}
	*s = section(len(b.cells))
	b.cells = append(b.cells, cells)
	return cells
}

// layHeights places the ground of the heightmap into the rectangle of the heightmap.
func (bb *blockBuilder) layHeights(spec *BlocksSpec) {
	h := &spec.Heightmap
	for cx := h.X >> 4; cx <= (h.X+h.Width-1)>>4; cx++ {
		for cz := h.Z >> 4; cz <= (h.Z+h.Depth-1)>>4; cz++ {
			var tops [256]int32 // indexed by x<<4 | z
			for i := range tops {
				tops[i] = h.top(cx*16+int32(i>>4), cz*16+int32(i&15), spec.Level)
			}
			bb.heightColumn(spec, bb.b.column(cx, cz), &tops)
		}
	}
}

// heightColumn places the ground of one chunk, as groundAt does. The heights of the chunk's columns are in tops, indexed by x<<4 | z.
func (bb *blockBuilder) heightColumn(spec *BlocksSpec, column []section, tops *[256]int32) {
	lower, upper := tops[0], tops[0]
	for _, top := range tops {
		lower, upper = min(lower, top), max(upper, top)
	}
	surface := upper
	if spec.Liquid != Air {
		surface = max(upper, spec.LiquidLevel)
	}
	var layers [33]BlockID // the surface, with 16 cells of filler below and 16 of air above it: any 16 in a row can be those of a column
	for i := range 16 {
		layers[i], layers[17+i] = spec.Filler, Air
	}
	layers[16] = spec.Surface
	for i := range column {
		base := MinBlockY + int32(i)*16
		switch {
		case base >= upper && base+16 <= surface:
			column[i] = uniform(spec.Liquid)
			continue
		case base >= surface:
			column[i] = uniform(Air)
			continue
		case base+16 < lower:
			column[i] = uniform(spec.Filler)
			continue
		}
		column[i] = uniform(Air)
		cells := bb.writable(&column[i])
		if cells == nil {
			return
		}
		for k, top := range tops {
			cells := cells[k*16 : k*16+16]
			copy(cells, layers[16-min(max(top-1-base, -1), 16):])
			for y := max(top-base, 0); y < min(spec.LiquidLevel-base, 16); y++ {
				cells[y] = spec.Liquid
			}
		}
	}
}

// top returns the height of the ground in a column. For a column outside the heightmap it returns the parameter level.
func (h *Heightmap) top(x, z, level int32) int32 {
	x, z = x-h.X, z-h.Z
	if x < 0 || z < 0 || x >= h.Width || z >= h.Depth {
		return level
	}
	return int32(h.Tops[z*h.Width+x])
}
