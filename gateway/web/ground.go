package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"

	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/proto/wire"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// groundMagic is the text at the beginning of a ground file, which contains the blocks of an area. The digit is the version of
// the format.
const groundMagic = "TSG1"

// Bits in a ground file: properties of a kind of block (see terrain.BlockKind).
const (
	groundClimbable = 1 << iota
	groundPlatform
	groundSticky
	groundInLiquid
)

// AppendGround appends the ground file of an area to dst. The file contains the area's blocks, and those properties of each kind
// of block that affect movement (docs/wire/web.md, Ground). If b is nil, the area is flat.
func AppendGround(dst []byte, b *terrain.Blocks) []byte {
	dst = append(dst, groundMagic...)
	dst = append(dst, byte(terrain.BlockKindCount()))
	for i := range terrain.BlockKindCount() {
		dst = appendKind(dst, terrain.BlockID(i).Kind())
	}
	minX, minZ, width, depth := b.Chunks()
	dst = wire.I32(wire.I32(dst, minX), minZ)
	dst = wire.VarU32(wire.VarU32(dst, width), depth)

	var sections, columns []byte
	known := map[groundSection]uint32{}
	add := func(cx, cz int32) {
		for i := range int32(terrain.Sections) {
			var s groundSection
			s.kind, s.cells = b.Section(cx, terrain.MinSection+i, cz)
			at, again := known[s]
			if !again {
				at = uint32(len(known))
				known[s] = at
				sections = s.append(sections)
			}
			columns = wire.VarU32(columns, at)
		}
	}
	add(minX-1, minZ-1) // a column outside the area's rectangle of chunks, where the ground is flat
	for z := range int32(depth) {
		for x := range int32(width) {
			add(minX+x, minZ+z)
		}
	}
	dst = append(wire.VarU32(dst, uint32(len(known))), sections...)
	return append(dst, columns...)
}

// groundSection is a cube of 16 x 16 x 16 blocks. Sections with the same blocks compare equal, and the file contains such a
// section only once.
type groundSection struct {
	kind  terrain.BlockID // kind of all blocks if cells is nil
	cells *[terrain.SectionCells]terrain.BlockID
}

// append appends the blocks of the section to dst, as runs of equal blocks. Y changes fastest from one block to the next, then z,
// then x. A run is the kind of its blocks and their number minus 1.
func (s *groundSection) append(dst []byte) []byte {
	if s.cells == nil {
		return wire.VarU32(append(dst, byte(s.kind)), terrain.SectionCells-1)
	}
	for i := 0; i < len(s.cells); {
		n := i + 1
		for n < len(s.cells) && s.cells[n] == s.cells[i] {
			n++
		}
		dst = wire.VarU32(append(dst, byte(s.cells[i])), uint32(n-i-1))
		i = n
	}
	return dst
}

// appendKind appends the name and the properties of a block kind to dst.
func appendKind(dst []byte, k *terrain.BlockKind) []byte {
	dst = append(wire.Str8(dst, k.Word), byte(len(k.Boxes)))
	for _, b := range k.Boxes {
		dst = appendVec(appendVec(dst, b.Min), b.Max)
	}
	dst = wire.F32(wire.F32(dst, k.Slipperiness), k.SpeedFactor)
	bits := byte(0)
	for bit, on := range map[byte]bool{groundClimbable: k.Climbable, groundPlatform: k.Platform, groundSticky: k.Sticky, groundInLiquid: k.InLiquid} {
		if on {
			bits |= bit
		}
	}
	dst = append(dst, byte(k.Liquid), k.Depth, byte(k.Bubbles), byte(k.Bounce), bits)
	return appendVec(dst, k.Slow)
}

func appendVec(dst []byte, v geom.Vec) []byte {
	return wire.F32(wire.F32(wire.F32(dst, v.X), v.Y), v.Z)
}

// groundFile is the compressed ground file of an area, as clients download it.
type groundFile struct {
	hash proto.Hash // hash of the uncompressed file
	gzip []byte     // compressed file
}

// newGroundFile encodes and compresses the blocks of an area.
func newGroundFile(b *terrain.Blocks) groundFile {
	plain := AppendGround(nil, b)
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // fails only for an invalid level
	_, _ = z.Write(plain)                                   // a bytes.Buffer does not fail
	_ = z.Close()
	sum := sha256.Sum256(plain)
	return groundFile{hash: proto.Hash(sum[:8]), gzip: out.Bytes()}
}
