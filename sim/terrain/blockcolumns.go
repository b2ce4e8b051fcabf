package terrain

// Column is the blocks of one chunk as sent to clients: its sections from the lowest, MinSection, upward.
type Column [Sections]ColumnSection

// ColumnSection is one section of a Column. Columns may share cells; shared cells must not be written.
type ColumnSection struct {
	Kind   BlockID                // kind of every cell if Cells is nil
	Cells  *[SectionCells]BlockID // kind of each cell, in the order x<<8 | z<<4 | y; nil if all are of kind Kind
	Traits Traits                 // union of the traits of the kinds in Cells; not used if Cells is nil
}

// BlocksFromColumns builds blocks from columns that a client received one by one. The rectangle has width x depth
// chunks, and its north-west chunk is minX, minZ. The function at returns the column of a chunk, or nil if it is
// unknown. Unknown chunks and everything outside the rectangle are air. The cells are retained, not copied. If the
// rectangle is empty or larger than MaxChunks, the result is only air.
func BlocksFromColumns(minX, minZ int32, width, depth int, at func(cx, cz int32) *Column) *Blocks {
	return BlocksWithGround(&Column{}, minX, minZ, width, depth, at) // the zero value of a section is air
}

// BlocksWithGround builds blocks from columns like BlocksFromColumns, but unknown chunks and everything outside the
// rectangle consist of the parameter ground instead of air.
func BlocksWithGround(ground *Column, minX, minZ int32, width, depth int, at func(cx, cz int32) *Column) *Blocks {
	b := &Blocks{}
	known := make(map[*[SectionCells]BlockID]section)
	for i := range b.ground {
		b.ground[i] = b.sectionOf(&ground[i], known)
	}
	if width <= 0 || depth <= 0 || width > MaxChunks || depth > MaxChunks || width*depth > MaxChunks {
		return b
	}
	b.minX, b.minZ, b.width, b.depth = minX, minZ, uint32(width), uint32(depth)
	b.sections = make([]section, 0, width*depth*Sections)
	for z := range int32(depth) {
		for x := range int32(width) {
			column := at(minX+x, minZ+z)
			if column == nil {
				b.sections = append(b.sections, b.ground[:]...)
				continue
			}
			for i := range column {
				b.sections = append(b.sections, b.sectionOf(&column[i], known))
			}
		}
	}
	return b
}

func (b *Blocks) sectionOf(s *ColumnSection, known map[*[SectionCells]BlockID]section) section {
	if s.Cells == nil {
		b.all |= s.Kind.Traits()
		return uniform(s.Kind)
	}
	at, ok := known[s.Cells]
	if !ok {
		at = section(len(b.cells))
		known[s.Cells] = at
		b.cells, b.traits = append(b.cells, s.Cells), append(b.traits, s.Traits)
		b.all |= s.Traits
	}
	return at
}
