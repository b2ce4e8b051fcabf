package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// Size of an overworld column: 24 sub-chunks of 16 x 16 x 16 blocks. Source: docs/wire/bedrock.md, chunks.
const (
	SubChunks     = 24           // number of sub-chunks, for y -64..319
	LowestBlockY  = -64          // Y of the lowest block of a column
	SubChunkCells = 16 * 16 * 16 // number of blocks of a sub-chunk

	subChunkVersion = 9    // format version of a sub-chunk
	networkPalette  = 1    // flag in a storage header: palette entries are var32, not NBT
	repeatBiomes    = 0xff // header byte of biome storage that repeats the biomes of the sub-chunk below
)

// BiomePlains is the id of the plains biome in packets.
const BiomePlains = 1

// AirHash is the network id of air in a world that identifies blocks by hash; see BlockHash.
const AirHash = -604749536

// ChunkSection holds the blocks of a sub-chunk as kinds, the server's own numbers of block types. It has either one kind for
// all blocks, or one for each block. A kind is an index into KindIDs.Blocks.
type ChunkSection[K ~uint8 | ~uint16] struct {
	Kind  K                 // kind of all cells; only if Cells is nil
	Cells *[SubChunkCells]K // kind of each cell in the order x<<8 | z<<4 | y
}

// KindIDs maps the block kinds of a world to the network ids by which clients know them.
type KindIDs struct {
	Blocks []int32 // network id of each kind in the first layer; at most SubChunkCells elements
	// Second holds, for each kind, the network id in the second layer: that of water if the block stands in water, otherwise
	// Air. It may have at most maxSecondIDs different ids. nil means Air for every kind.
	Second []int32
	Air    int32 // network id of air
}

// second returns the network id that blocks of a kind have in the second layer of a sub-chunk. For a kind of plant that stands in
// water, for example, this is the id of the water.
func (ids *KindIDs) second(kind int) int32 {
	if ids.Second == nil {
		return ids.Air
	}
	return ids.Second[kind]
}

// AppendChunk appends the payload of a LevelChunk and returns the extended slice. The second result is the number of sub-chunks
// in the payload, 0..24, which LevelChunk carries separately. The topmost sub-chunks are omitted if they have one kind for all
// blocks and this kind is air.
//
//	size  field        encoding         range
//	      sub-chunks                    from y = -64 upwards
//	      biomes       24 storages      the byte ff repeats the storage below
//	1     border       u8               0: no border blocks
//
// The parameter sections has at most SubChunks elements, from y = -64 upwards; missing ones are air. Every block kind must
// be an index into ids. The parameter biome is the biome of the whole chunk.
//
// Source: docs/wire/bedrock.md, chunks.
func AppendChunk[K ~uint8 | ~uint16](b []byte, sections []ChunkSection[K], ids *KindIDs, biome int32) ([]byte, uint32) {
	n := len(sections)
	for n > 0 && sections[n-1].Cells == nil && ids.Blocks[sections[n-1].Kind] == ids.Air {
		n--
	}
	for i := range sections[:n] {
		b = AppendSubChunk(b, int8(LowestBlockY/16+i), &sections[i], ids)
	}
	return appendBiomes(b, biome), uint32(n)
}

// appendBiomes appends the end of a chunk's payload: the biomes of 24 sub-chunks, which are all the same, and the number of
// border blocks, which is 0. There are no block entities.
func appendBiomes(b []byte, biome int32) []byte {
	b = wire.VarI32(append(b, networkPalette), biome)
	for range SubChunks - 1 {
		b = append(b, repeatBiomes)
	}
	return append(b, 0)
}

// AppendSubChunk appends one sub-chunk and returns the extended slice. The parameter y is the height of the sub-chunk,
// -4..19, in units of 16 blocks.
//
//	off  size  field     encoding  range
//	0    1     version   u8        9
//	1    1     storages  u8        1, or 2 with a second layer
//	2    1     y         i8        -4..19
//	3          storage
//	           storage             second layer, only if not all air
//
// A storage:
//
//	off  size  field     encoding  range
//	0    1     header    u8        bits per cell << 1 | 1; bits 0, 1, 2, 3, 4, 5, 6, 8 or 16
//	1          words     u32 each  32/bits cells each, low bits first, in the order x<<8 | z<<4 | y; none for 0 bits
//	           count     var32     entries of the palette, 1..4096; absent for 0 bits
//	           palette   var32     network ids; exactly one for 0 bits
//
// The palette lists the kinds in order of first use by the cells.
//
// Source: docs/wire/bedrock.md, chunks.
func AppendSubChunk[K ~uint8 | ~uint16](b []byte, y int8, s *ChunkSection[K], ids *KindIDs) []byte {
	b = append(b, subChunkVersion, 1, byte(y))
	layers := len(b) - 2
	if s.Cells == nil {
		b = wire.VarI32(append(b, networkPalette), ids.Blocks[s.Kind])
		if id := ids.second(int(s.Kind)); id != ids.Air {
			b[layers] = 2
			b = wire.VarI32(append(b, networkPalette), id)
		}
		return b
	}
	b = appendStorage(b, s.Cells, ids.Blocks)
	if ids.Second == nil {
		return b
	}
	var cells [SubChunkCells]uint8
	var second [maxSecondIDs]int32
	n := secondLayer(s.Cells, ids, &cells, &second)
	if n == 1 && second[0] == ids.Air {
		return b
	}
	b[layers] = 2
	return appendStorage(b, &cells, second[:n])
}

// maxSecondIDs is the maximum number of different network ids in the second layer of a sub-chunk.
const maxSecondIDs = 16

// secondLayer computes the second layer of a sub-chunk, such as the water in which its blocks stand. It writes the different
// network ids of this layer to second and returns their number n. For each block it writes to cells the index of the block's id
// in second. If there are more than maxSecondIDs ids, the first id replaces the surplus ones.
func secondLayer[K ~uint8 | ~uint16](kinds *[SubChunkCells]K, ids *KindIDs, cells *[SubChunkCells]uint8, second *[maxSecondIDs]int32) (n int) {
	for i, kind := range kinds {
		id, at := ids.second(int(kind)), 0
		for at < n && second[at] != id {
			at++
		}
		if at == n {
			if n == maxSecondIDs {
				at = 0
			} else {
				second[n] = id
				n++
			}
		}
		cells[i] = uint8(at)
	}
	return n
}

// appendStorage appends one layer of a sub-chunk: a list of the network ids that occur in it (the palette), and for each block
// the index of its id in that list. If all blocks are of the same kind, it appends only one id.
func appendStorage[K ~uint8 | ~uint16](b []byte, cells *[SubChunkCells]K, ids []int32) []byte {
	var p palette
	for _, kind := range cells {
		p.add(uint16(kind))
	}
	if p.size == 1 {
		return wire.VarI32(append(b, networkPalette), ids[cells[0]])
	}
	bits := bitsFor(int(p.size))
	b = append(b, byte(bits<<1|networkPalette))
	b = appendWords(b, bits, cells, &p)
	b = wire.VarI32(b, int32(p.size))
	for _, kind := range p.kinds[:p.size] {
		b = wire.VarI32(b, ids[kind])
	}
	return b
}

// palette is the list of the block kinds that occur in a sub-chunk, each once, in the order in which they are added.
type palette struct {
	size  uint16
	kinds [SubChunkCells]uint16
	index [SubChunkCells]uint16 // by kind: position in the list of added kinds plus 1; 0 if the kind was not added
}

func (p *palette) add(kind uint16) {
	if p.index[kind] == 0 {
		p.kinds[p.size] = kind
		p.size++
		p.index[kind] = p.size
	}
}

// appendWords appends the palette index of each block. An index has the given number of bits. As many whole indices as fit are
// packed into each word of 32 bits.
func appendWords[K ~uint8 | ~uint16](b []byte, bits uint, cells *[SubChunkCells]K, p *palette) []byte {
	perWord := int(32 / bits)
	for at := 0; at < SubChunkCells; at += perWord {
		var word uint32
		var shift uint
		for _, kind := range cells[at:min(at+perWord, SubChunkCells)] {
			word |= uint32(p.index[kind]-1) << (shift & 31) // shift is below 32; with the mask, the compiler omits a check for larger shifts
			shift += bits
		}
		b = wire.U32(b, word)
	}
	return b
}

// bitsFor returns the smallest number of bits that the format allows for an index into a palette of n entries. The
// parameter n is 2..4096.
func bitsFor(n int) uint {
	for _, bits := range [...]uint{1, 2, 3, 4, 5, 6, 8} {
		if n <= 1<<bits {
			return bits
		}
	}
	return 16
}
