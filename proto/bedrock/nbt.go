package bedrock

import (
	"bytes"
	"fmt"
	"math"

	"github.com/truestep-io/truestep/proto/wire"
)

// NBT holds the bytes of a named tag in the network encoding, from its type byte to its end. Parsers validate the tag
// but do not decode it. Append writes nil as an empty compound.
//
//	size  field    encoding  range
//	1     type     u8        10 compound, 9 list
//	      name     str       usually empty
//	      payload            by type
//
// Numbers of 32 and 64 bits are zigzag varints, lengths of arrays and lists var32, and texts str; i16, f32 and f64 are
// little-endian.
//
// It is not certain how the elements of int and long arrays are encoded: one source says as zigzag varints, but the
// bedrock-protocol npm client writes them little-endian. No packet of this package is known to contain such an array.
//
// Source: docs/wire/bedrock.md, primitive encodings.
type NBT []byte

// Types of NBT tags.
const (
	tagEnd       = 0
	tagByte      = 1
	tagShort     = 2
	tagInt       = 3
	tagLong      = 4
	tagFloat     = 5
	tagDouble    = 6
	tagByteArray = 7
	tagString    = 8
	tagList      = 9
	tagCompound  = 10
	tagIntArray  = 11
	tagLongArray = 12
)

// maxNBTDepth is the maximum number of nested tags. It is limited because each level takes memory on the stack.
const maxNBTDepth = 32 // chosen well above the nesting in the packets of this package, which is less than 10

// appendNBT appends the tag t, or an empty unnamed compound if t is nil.
func appendNBT(b []byte, t NBT) []byte {
	if len(t) == 0 {
		return append(b, tagCompound, 0, tagEnd)
	}
	return append(b, t...)
}

// readNBT reads a named tag, which shares the memory of the input. It fails with wire.ErrRange if the tag is malformed, if
// its root is neither a compound nor a list, or if tags are nested deeper than maxNBTDepth.
func readNBT(r *wire.Reader, input []byte) NBT {
	from := r.Offset()
	kind := r.U8()
	r.CheckRange(kind == tagCompound || kind == tagList, "type of the root NBT tag")
	r.VarBytes()
	skipTag(r, kind, maxNBTDepth)
	if r.Err() != nil || bytes.Equal(input[from:r.Offset()], []byte{tagCompound, 0, tagEnd}) {
		return nil
	}
	return NBT(input[from:r.Offset():r.Offset()])
}

// skipTag reads past the payload of a tag. The parameter kind is the type of the tag. The parameter depth is the number of
// levels of tags that are still allowed, including this tag.
func skipTag(r *wire.Reader, kind uint8, depth int) {
	if depth == 0 {
		r.Fail(fmt.Errorf("NBT tags are nested more than %d levels deep: %w", maxNBTDepth, wire.ErrRange))
	}
	switch kind {
	case tagByte:
		r.U8()
	case tagShort:
		r.U16()
	case tagInt:
		r.VarI32()
	case tagLong:
		r.VarI64()
	case tagFloat:
		r.U32()
	case tagDouble:
		r.U64()
	case tagString:
		r.VarBytes()
	case tagByteArray:
		r.Bytes(readNBTCount(r))
	case tagIntArray:
		for n := readNBTCount(r); n > 0 && r.Err() == nil; n-- {
			r.VarI32()
		}
	case tagLongArray:
		for n := readNBTCount(r); n > 0 && r.Err() == nil; n-- {
			r.VarI64()
		}
	case tagList:
		skipList(r, depth)
	case tagCompound:
		for next := r.U8(); next != tagEnd && r.Err() == nil; next = r.U8() {
			r.VarBytes()
			skipTag(r, next, depth-1)
		}
	default:
		r.Fail(fmt.Errorf("unknown NBT tag type %d: %w", kind, wire.ErrRange))
	}
}

// skipList reads past the payload of a list. The element type tagEnd is allowed only for an empty list. Such elements have no
// bytes, so a short input could otherwise announce any number of them.
func skipList(r *wire.Reader, depth int) {
	kind := r.U8()
	n := readNBTCount(r)
	r.CheckRange(kind != tagEnd || n == 0, "number of end tags in an NBT list, which must be 0")
	for ; n > 0 && r.Err() == nil; n-- {
		skipTag(r, kind, depth-1)
	}
}

// readNBTCount reads the number of elements of an array or a list. It fails if fewer bytes than elements are left in the input,
// because each element has at least one byte.
func readNBTCount(r *wire.Reader) int {
	n := r.VarI32()
	r.CheckRange(n >= 0, "number of NBT elements")
	return r.CheckCount(uint32(n), 1, math.MaxInt32) // every element has at least one byte
}
