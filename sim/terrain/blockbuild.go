package terrain

import "fmt"

// NewBlocks builds the blocks of an area as described in BlocksSpec. It retains nothing that the spec refers to. Errors
// name the invalid solid or fill, or the limit that is exceeded.
func NewBlocks(spec BlocksSpec) (*Blocks, error) {
	if err := spec.check(); err != nil {
		return nil, fmt.Errorf("blocks: %w", err)
	}
	fills, slabs, err := spec.solidFills()
	if err != nil {
		return nil, fmt.Errorf("blocks: %w", err)
	}
	b := blockBuilder{b: spec.ground()}
	b.groundCells = len(b.b.cells)
	if err := b.layRectangle(&spec, fills, slabs, spec.Fills); err != nil {
		return nil, fmt.Errorf("blocks: %w", err)
	}
	if spec.Ground == HeightGround {
		b.layHeights(&spec)
	}
	b.fillAll(fills, false)
	b.fillAll(slabs, true)
	b.fillAll(spec.Fills, false)
	if b.full {
		return nil, fmt.Errorf("blocks: more than %d sections of 16 x 16 x 16 blocks have several kinds of blocks; use fewer or simpler solids and fills", MaxSections)
	}
	b.dedupe()
	b.b.findTraits()
	return b.b, nil
}

// ground returns blocks that are only the ground of the area: without heightmap, solids and fills.
func (spec *BlocksSpec) ground() *Blocks {
	if spec.Ground == VoidGround {
		return newGround(func(int32) BlockID { return Air })
	}
	return newGround(func(y int32) BlockID { return spec.groundAt(y, spec.Level) })
}

// groundAt returns the block at height y of a column of ground. The parameter level is the height of the top of the ground. Above
// it there may be a liquid.
func (spec *BlocksSpec) groundAt(y, level int32) BlockID {
	if y >= level && y < spec.LiquidLevel {
		return spec.Liquid
	}
	return layered(y, level, spec.Surface, spec.Filler)
}

// solidFills checks the solids and fills, and converts the solids to fills. It returns the fills of full blocks (whole) and those
// of half blocks (slabs). A slab does not replace solid blocks.
func (spec *BlocksSpec) solidFills() (whole, slabs []BlockFill, err error) {
	var cells int64
	for i := range spec.Solids {
		s := &spec.Solids[i]
		if err := s.Check(); err != nil {
			return nil, nil, fmt.Errorf("the solid box with index %d is invalid: %w", i, err)
		}
		w, l, hasWhole, hasSlab := spec.Grid.solidFills(s)
		if hasWhole {
			whole, cells = append(whole, w), cells+w.cells()
			err = w.check()
		}
		if hasSlab && err == nil {
			slabs, cells = append(slabs, l), cells+l.cells()
			err = l.check()
		}
		if err == nil && cells > maxFilledCells {
			err = errTooManyCells
		}
		if err != nil {
			return nil, nil, fmt.Errorf("the solid box with index %d is invalid: %w", i, err)
		}
	}
	for i := range spec.Fills {
		err := spec.Fills[i].check()
		if cells += spec.Fills[i].cells(); err == nil && cells > maxFilledCells {
			err = errTooManyCells
		}
		if err != nil {
			return nil, nil, fmt.Errorf("the block fill with index %d is invalid: %w", i, err)
		}
	}
	return whole, slabs, nil
}

var errTooManyCells = fmt.Errorf("the solids and fills up to this one have more than %d blocks in all; use smaller or fewer of them", maxFilledCells)

// blockBuilder contains the Blocks that are being built, and values that are needed only while they are built.
type blockBuilder struct {
	b           *Blocks
	groundCells int  // number of leading entries of b.cells that belong to the ground; they are copied before a write
	full        bool // MaxSections was exceeded, and nothing more is written
}

// layRectangle creates the rectangle of chunks around everything that differs from the ground, and fills it with the
// ground.
func (bb *blockBuilder) layRectangle(spec *BlocksSpec, lists ...[]BlockFill) error {
	var lo, hi [2]int32 // chunk limits of the rectangle, {x, z} each: lo is the north-west one, included; hi the south-east one, excluded
	found := false
	include := func(x0, z0, x1, z1 int32) {
		from, to := [2]int32{x0 >> 4, z0 >> 4}, [2]int32{x1>>4 + 1, z1>>4 + 1}
		if !found {
			lo, hi, found = from, to, true
		}
		for axis := range lo {
			lo[axis], hi[axis] = min(lo[axis], from[axis]), max(hi[axis], to[axis])
		}
	}
	if h := &spec.Heightmap; spec.Ground == HeightGround {
		include(h.X, h.Z, h.X+h.Width-1, h.Z+h.Depth-1)
	}
	for _, list := range lists {
		for i := range list {
			f := &list[i]
			include(f.Min[0], f.Min[2], f.Max[0], f.Max[2])
		}
	}
	if !found {
		return nil
	}
	b := bb.b
	b.minX, b.minZ, b.width, b.depth = lo[0], lo[1], uint32(hi[0]-lo[0]), uint32(hi[1]-lo[1])
	columns := int64(b.width) * int64(b.depth)
	if columns > MaxChunks {
		return fmt.Errorf("the solids, fills and the heightmap cover %d x %d chunks, more than %d in all; use larger blocks or a smaller area",
			b.width, b.depth, MaxChunks)
	}
	b.sections = make([]section, 0, columns*Sections)
	for range columns {
		b.sections = append(b.sections, b.ground[:]...)
	}
	return nil
}

// dedupe stores equal sections once. Sections that consist of a single kind of block become uniform sections, which need no
// cells. The other sections get new numbers, in the order of their occurrence.
func (bb *blockBuilder) dedupe() {
	b := bb.b
	kept := b.cells[:bb.groundCells:bb.groundCells]
	known := make(map[[SectionCells]BlockID]section)
	for i, cells := range kept {
		known[*cells] = section(i)
	}
	for i, s := range b.sections {
		if s < section(bb.groundCells) {
			continue
		}
		cells := b.cells[s]
		if id, ok := oneKind(cells); ok {
			b.sections[i] = uniform(id)
			continue
		}
		at, ok := known[*cells]
		if !ok {
			at = section(len(kept))
			kept = append(kept, cells)
			known[*cells] = at
		}
		b.sections[i] = at
	}
	b.cells = kept
}
