package terrain

// Numbers of the sections of a column of blocks. A section is a cube of 16 x 16 x 16 blocks.
const (
	MinSection   = -4           // index of the lowest section, which begins at block MinBlockY
	Sections     = 24           // number of sections of a column
	SectionCells = 16 * 16 * 16 // number of blocks of a section
)

// Blocks is the collision map of players under the predict authority: one block per cell of a grid, stored in sections
// of 16 x 16 x 16. Every column outside a rectangle of chunks is like the ground, without limits on x and z. Below
// MinBlockY and above MaxBlockY is air. A nil *Blocks is flat ground of grass over dirt with its top at y = 64.
//
// A section that consists of a single kind of block uses 4 bytes, any other 4 KiB; equal sections are stored once.
type Blocks struct {
	ground [Sections]section // sections of every column outside the rectangle

	// Rectangle of chunks in which blocks are stored; every column outside is ground. The fields are the coordinates of the
	// rectangle's north-west chunk, and the size of the rectangle in chunks.
	minX, minZ   int32
	width, depth uint32
	sections     []section // sections of the rectangle: chunks in rows from north to south, each chunk from the bottom up

	cells  []*[SectionCells]BlockID // blocks of each section that has several kinds of blocks; read-only once built
	traits []Traits                 // by index of cells: union of the traits of its blocks
	all    Traits                   // union of the traits of all blocks
}

// section is a reference to the content of a section of 16 x 16 x 16 blocks. If it is negative, all blocks are of one kind, whose
// id is ^section. Otherwise it is an index in Blocks.cells.
type section int32

// uniform returns a section that consists of one kind of block.
func uniform(id BlockID) section { return ^section(id) }

// flatGround holds the blocks that a nil *Blocks stands for.
var flatGround = newGround(func(y int32) BlockID { return layered(y, 64, GrassBlock, Dirt) })

// layered returns the block at height y of ground whose top is at y = level. The highest block is of kind surface, the blocks
// below it are of kind filler.
func layered(y, level int32, surface, filler BlockID) BlockID {
	switch {
	case y >= level:
		return Air
	case y == level-1:
		return surface
	}
	return filler
}

// newGround returns Blocks whose columns are all alike. The function at returns the block at a height.
func newGround(at func(y int32) BlockID) *Blocks {
	b := &Blocks{}
	for i := range b.ground {
		var layers [16]BlockID
		same := true
		for y := range layers {
			layers[y] = at(MinBlockY + int32(i*16+y))
			same = same && layers[y] == layers[0]
		}
		if same {
			b.ground[i] = uniform(layers[0])
			continue
		}
		cells := new([SectionCells]BlockID)
		for c := range cells {
			cells[c] = layers[c&15]
		}
		b.ground[i] = section(len(b.cells))
		b.cells = append(b.cells, cells)
	}
	b.findTraits()
	return b
}

// oneKind returns the kind of block that all cells have, or false if the cells have several kinds.
func oneKind(cells *[SectionCells]BlockID) (BlockID, bool) {
	for _, id := range cells {
		if id != cells[0] {
			return Air, false
		}
	}
	return cells[0], true
}

// column returns the sections of a chunk from bottom to top. Their number is always Sections.
func (b *Blocks) column(cx, cz int32) []section {
	x, z := uint32(cx)-uint32(b.minX), uint32(cz)-uint32(b.minZ)
	if x < b.width && z < b.depth {
		i := (uint(z)*uint(b.width) + uint(x)) * Sections
		return b.sections[i : i+Sections]
	}
	return b.ground[:]
}

// Chunks returns the rectangle of chunks outside of which every column is ground: the coordinates of its north-west
// chunk, and its width (x) and depth (z) in chunks. All are 0 for a nil *Blocks.
func (b *Blocks) Chunks() (minX, minZ int32, width, depth uint32) {
	if b == nil {
		return 0, 0, 0, 0
	}
	return b.minX, b.minZ, b.width, b.depth
}

// At returns the block at x, y, z.
func (b *Blocks) At(x, y, z int32) BlockID {
	if b == nil {
		b = flatGround
	}
	up := uint32(y - MinBlockY)
	if up >= Sections*16 {
		return Air
	}
	s := b.column(x>>4, z>>4)[up>>4]
	if s < 0 {
		return BlockID(^s)
	}
	return b.cells[s][x&15<<8|z&15<<4|y&15]
}

// Section returns the blocks of section sy, MinSection..MinSection+Sections-1, of chunk cx, cz. If cells is nil, all
// blocks are of kind kind; otherwise cells has the kind of each block, in the order x<<8 | z<<4 | y. The cells are shared
// and read-only; equal pointers mean equal sections.
func (b *Blocks) Section(cx, sy, cz int32) (kind BlockID, cells *[SectionCells]BlockID) {
	if b == nil {
		b = flatGround
	}
	if up := uint32(sy - MinSection); up < Sections {
		s := b.column(cx, cz)[up]
		if s >= 0 {
			return Air, b.cells[s]
		}
		return BlockID(^s), nil
	}
	return Air, nil
}

// Surface returns the y of the first cell above the highest solid block of a column, or MinBlockY if the column has none.
func (b *Blocks) Surface(x, z int32) int32 {
	if b == nil {
		b = flatGround
	}
	column := b.column(x>>4, z>>4)
	for i := Sections - 1; i >= 0; i-- {
		if s := column[i]; s < 0 && !BlockID(^s).Kind().Solid() {
			continue
		}
		for y := int32(15); y >= 0; y-- {
			if at := MinBlockY + int32(i)*16 + y; b.At(x, at, z).Kind().Solid() {
				return at + 1
			}
		}
	}
	return MinBlockY
}
