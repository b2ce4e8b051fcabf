package bedrock

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// maxStorages is the maximum number of layers of a sub-chunk: one for the blocks, one for the water around blocks.
const maxStorages = 2

// Chunk holds the network ids of the blocks of one column, as a client received them. It is immutable after parsing.
type Chunk struct {
	air      int32
	sections []chunkSection // first layer of the column's sub-chunks, from y = -64 upwards
	second   []chunkSection // second layer of the same sub-chunks; a zero chunkSection means that the layer is absent
}

// chunkSection is one layer of a sub-chunk. If cells is nil, every block has the id palette[0]. Otherwise cells holds for
// each block the index of its id in palette.
type chunkSection struct {
	palette []int32
	cells   []uint16 // palette index of each of the SubChunkCells cells
}

// ParseChunk decodes the payload of a LevelChunk with the given number of sub-chunks. The rest of the column is air, whose
// network id is the parameter air. The result shares no memory with b. The payload may come from AppendChunk or from
// another server: several biomes are validated and dropped, and bytes after the border blocks are ignored. ParseChunk
// allocates less than 4 MiB in total, and each part only after it has read the bytes of the part.
//
// Errors wrap wire.ErrShort or wire.ErrRange.
func ParseChunk(b []byte, subChunks uint32, air int32) (*Chunk, error) {
	if subChunks > SubChunks {
		return nil, fmt.Errorf("chunk has %d sub-chunks, at most %d allowed: %w", subChunks, SubChunks, wire.ErrRange)
	}
	r := wire.NewReader(b)
	c := &Chunk{air: air}
	for i := range int(subChunks) {
		first, second := readSubChunk(&r, int8(LowestBlockY/16+i))
		if r.Err() != nil {
			break
		}
		c.sections, c.second = append(c.sections, first), append(c.second, second)
	}
	for i := range SubChunks {
		readBiomes(&r, i > 0)
	}
	r.Bytes(int(r.U8())) // border blocks, one byte each
	r.Rest()             // skip block entities
	if err := r.Done("chunk"); err != nil {
		return nil, err
	}
	return c, nil
}

// Block returns the network id of a block. Only the low 4 bits of x and z are used. If y is not within -64..319, the result
// is air.
func (c *Chunk) Block(x, y, z int32) int32 {
	return c.at(c.sections, x, y, z)
}

// SecondLayerBlock returns the network id of a block in the second layer, for example the water around a fence, or air. The
// rules of Block for x, y and z apply.
func (c *Chunk) SecondLayerBlock(x, y, z int32) int32 { return c.at(c.second, x, y, z) }

// HasSecondLayer reports whether the sub-chunk that contains the height y has a second layer.
func (c *Chunk) HasSecondLayer(y int32) bool {
	up := uint32(y-LowestBlockY) >> 4
	return up < uint32(len(c.second)) && len(c.second[up].palette) > 0
}

// UniformBlock returns the network id that all blocks of the first layer of the sub-chunk that contains the height y have. It
// reports false if they differ or the sub-chunk has a second layer. A sub-chunk may be uniform without being stored as such;
// UniformBlock reports false for it, too.
func (c *Chunk) UniformBlock(y int32) (id int32, ok bool) {
	if c.HasSecondLayer(y) {
		return 0, false
	}
	up := uint32(y-LowestBlockY) >> 4
	return c.Block(0, y, 0), up >= uint32(len(c.sections)) || c.sections[up].cells == nil
}

func (c *Chunk) at(sections []chunkSection, x, y, z int32) int32 {
	up := uint32(y - LowestBlockY)
	if up>>4 >= uint32(len(sections)) {
		return c.air
	}
	s := &sections[up>>4]
	switch {
	case len(s.palette) == 0:
		return c.air
	case s.cells == nil:
		return s.palette[0]
	}
	return s.palette[s.cells[x&15<<8|z&15<<4|y&15]]
}

// readSubChunk reads a sub-chunk, checks that its height is y and returns its layers.
func readSubChunk(r *wire.Reader, y int8) (first, second chunkSection) {
	r.CheckRange(r.U8() == subChunkVersion, "sub-chunk version")
	n := r.U8()
	r.CheckRange(n >= 1 && n <= maxStorages, "number of storages")
	r.CheckRange(int8(r.U8()) == y, "sub-chunk height")
	for i := 0; i < int(n) && r.Err() == nil; i++ {
		if s := readStorage(r, r.U8()); i == 0 {
			first = s
		} else {
			second = s
		}
	}
	return first, second
}

// readBiomes reads and drops the biomes of one sub-chunk. If mayRepeat is true, a single byte may take their place. It says that
// the biomes of the sub-chunk below are repeated.
func readBiomes(r *wire.Reader, mayRepeat bool) {
	if header := r.U8(); header != repeatBiomes || !mayRepeat {
		readStorage(r, header)
	}
}

// readStorage reads one layer of a sub-chunk: a list of network ids (the palette), and for each block an index into this list.
// The parameter header is the first byte of the layer, which the caller has already read.
func readStorage(r *wire.Reader, header uint8) (s chunkSection) {
	bits := uint(header >> 1)
	r.CheckRange(header&networkPalette != 0 && (bits == 0 || bits == 16 || bits == 8 || bits <= 6), "header of a block storage")
	if r.Err() != nil {
		return s
	}
	if bits == 0 {
		s.palette = []int32{r.VarI32()}
		return s
	}
	perWord := int(32 / bits)
	words := r.Bytes((SubChunkCells + perWord - 1) / perWord * 4)
	n := r.VarI32()
	r.CheckRange(n >= 1 && n <= SubChunkCells, "palette size")
	s.palette = make([]int32, r.CheckCount(uint32(n), 1, SubChunkCells))
	for i := range s.palette {
		s.palette[i] = r.VarI32()
	}
	if r.Err() == nil {
		s.cells = readWords(r, words, bits, uint16(n))
	}
	return s
}

// readWords unpacks the palette index of each block of a layer. The parameter bits is the number of bits of an index, and n is
// the size of the palette. An index of n or more is an error.
func readWords(r *wire.Reader, words []byte, bits uint, n uint16) []uint16 {
	cells := make([]uint16, SubChunkCells)
	w := wire.NewReader(words)
	perWord, mask := int(32/bits), uint32(1)<<bits-1
	for at := 0; at < SubChunkCells; at += perWord {
		word := w.U32()
		for i := range cells[at:min(at+perWord, SubChunkCells)] {
			index := uint16(word & mask)
			word >>= bits
			if index >= n {
				r.CheckRange(false, "index into the palette of a block storage")
				return nil
			}
			cells[at+i] = index
		}
	}
	return cells
}
