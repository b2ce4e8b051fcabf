package bedrock

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

// chunkVector reads the payload of the test vector with this name.
func chunkVector(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".hex")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	b, err := hex.DecodeString(lines[len(lines)-1])
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Block kinds of the tests and their network ids.
const (
	kindAir = iota
	kindDirt
	kindGrass
	kindStone
)

var chunkIDs = []int32{AirHash, -2108756090, -567203660, -2144268767}

// kindIDs returns KindIDs whose kinds have no second layer.
func kindIDs(blocks []int32) *KindIDs { return &KindIDs{Blocks: blocks, Air: AirHash} }

func uniformSections(kinds ...uint8) (s []ChunkSection[uint8]) {
	for _, k := range kinds {
		s = append(s, ChunkSection[uint8]{Kind: k})
	}
	return s
}

func TestEncodedChunksMatchVectors(t *testing.T) {
	eight := slices.Repeat([]uint8{kindDirt}, 8)
	for name, c := range map[string]struct {
		sections []ChunkSection[uint8]
		count    uint32
	}{
		"chunk_void":              {uniformSections(kindAir, kindAir), 0},
		"chunk_solid_dirt_to_y63": {uniformSections(append(eight, kindAir)...), 8},
	} {
		want := chunkVector(t, name)
		got, n := AppendChunk(nil, c.sections, kindIDs(chunkIDs), BiomePlains)
		if n != c.count || !bytes.Equal(got, want) {
			t.Errorf("%s: %d sub-chunks\n got %x\nwant %x", name, n, got, want)
		}
		chunk, err := ParseChunk(want, c.count, AirHash)
		if err != nil {
			t.Fatal(err)
		}
		for y := int32(LowestBlockY - 2); y < 322; y++ {
			id := int32(AirHash)
			if y >= LowestBlockY && y < LowestBlockY+int32(c.count)*16 {
				id = chunkIDs[kindDirt]
			}
			if got := chunk.Block(15, y, 3); got != id {
				t.Fatalf("%s: block %d at y %d, want %d", name, got, y, id)
			}
		}
		for cut := range want {
			if _, err := ParseChunk(want[:cut], c.count, AirHash); !errors.Is(err, wire.ErrShort) {
				t.Errorf("%s: its first %d bytes: %v", name, cut, err)
			}
		}
	}
}

// mixedSection returns a section with n block kinds, 0 to n-1, scattered over the cells.
func mixedSection(n int) ChunkSection[uint16] {
	s := ChunkSection[uint16]{Cells: new([SubChunkCells]uint16)}
	for i := range s.Cells {
		s.Cells[i] = uint16(i * 2654435761 >> 8 % n)
		if i < n {
			s.Cells[i] = uint16(n - 1 - i)
		}
	}
	return s
}

func TestSubChunkWithPaletteOfAnySizeRoundTrips(t *testing.T) {
	ids := make([]int32, SubChunkCells)
	for i := range ids {
		ids[i] = int32(uint32(i+1) * 2654435761)
	}
	for _, c := range []struct{ kinds, bits, words int }{
		{1, 0, 0}, {2, 1, 128}, {3, 2, 256}, {4, 2, 256}, {5, 3, 410}, {9, 4, 512}, {16, 4, 512}, {17, 5, 683}, {33, 6, 820},
		{65, 8, 1024}, {256, 8, 1024}, {257, 16, 2048}, {4096, 16, 2048},
	} {
		s := mixedSection(c.kinds)
		b := AppendSubChunk(nil, -4, &s, kindIDs(ids))
		if int(b[3]) != c.bits<<1|1 {
			t.Errorf("%d kinds: header %#x, want %d bits", c.kinds, b[3], c.bits)
		}
		if c.bits > 0 {
			r := wire.NewReader(b[4+4*c.words:])
			if n := r.VarI32(); int(n) != c.kinds {
				t.Errorf("%d kinds: a palette of %d after %d words", c.kinds, n, c.words)
			}
		}
		chunk, err := ParseChunk(appendBiomes(b, BiomePlains), 1, AirHash)
		if err != nil {
			t.Fatalf("%d kinds: %v", c.kinds, err)
		}
		for i, kind := range s.Cells {
			if got := chunk.Block(int32(i>>8), LowestBlockY+int32(i&15), int32(i>>4&15)); got != ids[kind] {
				t.Fatalf("%d kinds: cell %d is %d, want %d", c.kinds, i, got, ids[kind])
			}
		}
	}
}

func TestChunkWithTwoLayersAndSeveralBiomesIsParsed(t *testing.T) {
	s := mixedSection(3)
	one := AppendSubChunk(nil, -4, &s, kindIDs(chunkIDs))
	two := slices.Concat([]byte{9, 2}, one[2:], []byte{1, 0x08}) // add a second, uniform layer
	biomes := append(slices.Clone(one[3:]), bytes.Repeat([]byte{repeatBiomes}, 23)...)
	b := slices.Concat(two, biomes, []byte{2, 7, 7}, []byte{10, 0, 0}) // border blocks and a block entity
	chunk, err := ParseChunk(b, 1, AirHash)
	if err != nil || chunk.Block(0, -64, 0) != chunkIDs[s.Cells[0]] || chunk.SecondLayerBlock(0, -64, 0) != 4 {
		t.Errorf("error %v", err)
	}
}

// A block kind with an id in the second layer is encoded in both layers. A sub-chunk without such kinds has only one layer.
func TestWaterAroundBlockIsEncodedInSecondLayer(t *testing.T) {
	const kindSlab, kindBubbles, water = 4, 5, 1211861802
	ids := &KindIDs{
		Blocks: append(slices.Clone(chunkIDs), 1001, 1002),
		Second: []int32{AirHash, AirHash, AirHash, AirHash, water, water},
		Air:    AirHash,
	}
	mixed, dry := mixedSection(4), mixedSection(4)
	mixed.Cells[7], mixed.Cells[4000] = kindSlab, kindBubbles
	payload, n := AppendChunk(nil, []ChunkSection[uint16]{mixed, dry, {Kind: kindBubbles}}, ids, BiomePlains)
	chunk, err := ParseChunk(payload, n, AirHash)
	if err != nil || n != 3 || !chunk.HasSecondLayer(LowestBlockY) || chunk.HasSecondLayer(LowestBlockY+16) || !chunk.HasSecondLayer(LowestBlockY+32) {
		t.Fatalf("%d sub-chunks, error %v", n, err)
	}
	for i, kind := range mixed.Cells {
		x, y, z := int32(i>>8), LowestBlockY+int32(i&15), int32(i>>4&15)
		if chunk.Block(x, y, z) != ids.Blocks[kind] || chunk.SecondLayerBlock(x, y, z) != ids.Second[kind] {
			t.Fatalf("cell %d is %d and %d", i, chunk.Block(x, y, z), chunk.SecondLayerBlock(x, y, z))
		}
	}
	if chunk.SecondLayerBlock(3, LowestBlockY+20, 3) != AirHash || chunk.SecondLayerBlock(3, LowestBlockY+40, 3) != water || chunk.SecondLayerBlock(3, 300, 3) != AirHash {
		t.Error("second layer of the sections above")
	}
}

func TestUniformBlockOfSubChunk(t *testing.T) {
	const kindSlab, water = 4, 1211861802
	ids := &KindIDs{Blocks: append(slices.Clone(chunkIDs), 1001), Second: []int32{AirHash, AirHash, AirHash, AirHash, water}, Air: AirHash}
	payload, n := AppendChunk(nil, []ChunkSection[uint16]{{Kind: 2}, mixedSection(3), {Kind: kindSlab}}, ids, BiomePlains)
	chunk, err := ParseChunk(payload, n, AirHash)
	if err != nil {
		t.Fatal(err)
	}
	for y, want := range map[int32]struct {
		id int32
		ok bool
	}{
		LowestBlockY:      {chunkIDs[2], true},
		LowestBlockY + 15: {chunkIDs[2], true},
		LowestBlockY + 16: {0, false}, // mixed
		LowestBlockY + 32: {0, false}, // two layers
		LowestBlockY + 48: {AirHash, true},
		319:               {AirHash, true},
	} {
		if id, ok := chunk.UniformBlock(y); ok != want.ok || ok && id != want.id {
			t.Errorf("height %d: id %d, %t, want %+v", y, id, ok, want)
		}
	}
}

func TestMalformedChunksAreRefused(t *testing.T) {
	s := mixedSection(2)
	sub := AppendSubChunk(nil, -4, &s, kindIDs(chunkIDs))
	good, _ := AppendChunk(nil, []ChunkSection[uint16]{s}, kindIDs(chunkIDs), BiomePlains)
	change := func(at int, to byte) []byte {
		b := slices.Clone(good)
		b[at] = to
		return b
	}
	palette := 4 + 4*128
	for _, c := range []struct {
		name  string
		b     []byte
		count uint32
		want  error
	}{
		{"more sub-chunks than a column has", good, 25, wire.ErrRange},
		{"count of request mode", good, 1<<32 - 1, wire.ErrRange},
		{"another version", change(0, 8), 1, wire.ErrRange},
		{"no storage", change(1, 0), 1, wire.ErrRange},
		{"three storages", change(1, 3), 1, wire.ErrRange},
		{"another height", change(2, 0), 1, wire.ErrRange},
		{"NBT palette", change(3, 2), 1, wire.ErrRange},
		{"seven bits", change(3, 7<<1|1), 1, wire.ErrRange},
		{"palette size 0", change(palette, 0), 1, wire.ErrRange},
		{"palette size -1", change(palette, 1), 1, wire.ErrRange},
		{"palette index out of range", change(palette, 2), 1, wire.ErrRange},
		{"first biome storage repeats", change(len(sub), repeatBiomes), 1, wire.ErrRange},
		{"truncated border blocks", change(len(good)-1, 1), 1, wire.ErrShort},
	} {
		if _, err := ParseChunk(c.b, c.count, AirHash); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	huge := slices.Concat(sub[:palette], []byte{0xfe, 0xff, 0xff, 0xff, 0x0f})
	if _, err := ParseChunk(huge, 1, AirHash); !errors.Is(err, wire.ErrRange) {
		t.Errorf("a palette of 2^31-1: %v", err)
	}
	for cut := range good {
		if _, err := ParseChunk(good[:cut], 1, AirHash); !errors.Is(err, wire.ErrShort) {
			t.Fatalf("the first %d bytes: %v", cut, err)
		}
	}
}

// An accepted chunk is unchanged after it is appended and parsed again.
func FuzzParseChunk(f *testing.F) {
	f.Add(chunkVector(f, "chunk_void"), uint32(0))
	f.Add(chunkVector(f, "chunk_solid_dirt_to_y63"), uint32(8))
	for _, n := range []int{1, 2, 5, 300} {
		s := mixedSection(n)
		b, count := AppendChunk(nil, []ChunkSection[uint16]{s}, kindIDs(make([]int32, n)), BiomePlains)
		f.Add(b, count)
	}
	f.Fuzz(func(t *testing.T, b []byte, count uint32) {
		c, err := ParseChunk(b, count, AirHash)
		if err != nil {
			return // malformed input is refused
		}
		again, n := appendParsed(c)
		d, err := ParseChunk(again, n, AirHash)
		if err != nil {
			t.Fatalf("wrote what is refused: %v", err)
		}
		for i := range int32(SubChunkCells * SubChunks) {
			x, z, y := i&15, i>>4&15, i>>8+LowestBlockY
			if c.Block(x, y, z) != d.Block(x, y, z) {
				t.Fatalf("block %d, %d, %d was %d and became %d", x, y, z, c.Block(x, y, z), d.Block(x, y, z))
			}
		}
	})
}

// appendParsed encodes a parsed chunk again. It appends each sub-chunk alone, because each has its own palette.
func appendParsed(c *Chunk) (b []byte, count uint32) {
	for i := range c.sections {
		s := ChunkSection[uint16]{}
		if cells := c.sections[i].cells; cells != nil {
			s.Cells = (*[SubChunkCells]uint16)(cells)
		}
		b = AppendSubChunk(b, int8(LowestBlockY/16+i), &s, kindIDs(c.sections[i].palette))
	}
	return appendBiomes(b, BiomePlains), uint32(len(c.sections))
}

func TestAppendChunkDoesNotAllocate(t *testing.T) {
	s := []ChunkSection[uint16]{mixedSection(5), {Kind: kindDirt}}
	ids := &KindIDs{Blocks: append(slices.Clone(chunkIDs), 77), Second: []int32{AirHash, AirHash, 99, AirHash, AirHash}, Air: AirHash}
	buf := make([]byte, 0, 8192)
	if n := testing.AllocsPerRun(50, func() { AppendChunk(buf, s, ids, BiomePlains) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkAppendChunk(b *testing.B) {
	sections := slices.Repeat([]ChunkSection[uint16]{{Kind: kindDirt}}, 7)
	sections = append(sections, mixedSection(3))
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf, _ = AppendChunk(buf[:0], sections, kindIDs(chunkIDs), BiomePlains)
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkParseChunk(b *testing.B) {
	sections := slices.Repeat([]ChunkSection[uint16]{{Kind: kindDirt}}, 7)
	buf, n := AppendChunk(nil, append(sections, mixedSection(3)), kindIDs(chunkIDs), BiomePlains)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseChunk(buf, n, AirHash); err != nil {
			b.Fatal(err)
		}
	}
}
