package rs

import (
	"fmt"
	"math/bits"

	"github.com/truestep-io/truestep/proto/wire"
)

// program is a row of a profile table in compiled form: the fields of a block, or of a part of an appearance, in wire order. It
// encodes and decodes one item, for example one hit of a list. The values of the item's fields are in an array, at indices that are
// called slots; its byte strings are in another array. The functions of kindTable copy both from and to an Info.
type program []op

type opcode uint8

const (
	opValue opcode = iota // value of a slot, encoded by enc
	opWide                // value of a slot, encoded by enc; if the two top bits are set, a second half encoded by low follows
	opBytes               // byte string in the layout named by layout, after its length, encoded by enc
	opIf                  // the next ops, skip of them, are run only if the masked value of the slot is within first..last
)

// op is one step of a program: it encodes and decodes a field, or tests a condition for the presence of the next fields.
type op struct {
	code   opcode
	enc    encoding
	low    encoding   // encoding of the second, low half of an opWide
	layout byteLayout // encoding of the bytes of an opBytes
	slot   uint8
	skip   uint8  // number of ops that an opIf controls
	signed bool   // the byte of an opValue is sign-extended when it is read
	mask   uint32 // mask of the value that an opIf tests
	first  int32  // first accepted value of an opIf
	last   int32  // last accepted value of an opIf
	limit  uint32 // parsing an opValue refuses this value and larger ones; 0 means no limit
	minLen int    // parsing an opBytes refuses fewer bytes
}

// matches reports whether the condition of an opIf is true for an item, so that the fields that depend on the condition are present. The
// parameter v has the values of the item's fields by slot.
func (o *op) matches(v []int32) bool {
	x := int32(uint32(v[o.slot]) & o.mask)
	return x >= o.first && x <= o.last
}

// needsWide reports whether an opWide encodes the value v as two numbers of 16 bits instead of one.
func needsWide(v uint32) bool { return v >= 0xc0000000 }

// append appends the encoding of one item to b and returns the longer slice. The parameter v has the values of the item's fields by
// slot, and runs has its byte strings.
func (p program) append(b []byte, v []int32, runs [][]byte) []byte {
	for i := 0; i < len(p); i++ {
		o := &p[i]
		switch o.code {
		case opValue:
			b = appendEncoded(b, o.enc, uint32(v[o.slot]))
		case opWide:
			b = o.appendWide(b, uint32(v[o.slot]))
		case opBytes:
			b = appendByteField(b, o.layout, o.enc, runs[o.slot])
		case opIf:
			if !o.matches(v) {
				i += int(o.skip)
			}
		}
	}
	return b
}

func (o *op) appendWide(b []byte, v uint32) []byte {
	if !needsWide(v) {
		return appendEncoded(b, o.enc, v)
	}
	return appendEncoded(appendEncoded(b, o.enc, v>>16), o.low, v&0xffff)
}

// parse decodes one item: the values of its fields into v, by slot, and its byte strings into runs. Elements of v and runs that the
// encoding does not contain keep their values. The memory of the byte strings is reused.
func (p program) parse(r *wire.Reader, v []int32, runs [][]byte) {
	for i := 0; i < len(p); i++ {
		o := &p[i]
		switch o.code {
		case opValue:
			v[o.slot] = o.readValue(r)
		case opWide:
			v[o.slot] = int32(o.readWide(r))
		case opBytes:
			runs[o.slot] = readByteField(r, o.layout, o.enc, o.minLen, runs[o.slot])
		case opIf:
			if !o.matches(v) {
				i += int(o.skip)
			}
		}
	}
}

func (o *op) readValue(r *wire.Reader) int32 {
	v := readEncoded(r, o.enc)
	if o.signed {
		return int32(int8(v))
	}
	if o.limit != 0 && v >= o.limit {
		r.Fail(errLimit)
	}
	return int32(v)
}

func (o *op) readWide(r *wire.Reader) uint32 {
	v := readEncoded(r, o.enc)
	if v < 0xc000 {
		return v
	}
	return v<<16 | readEncoded(r, o.low)
}

// minSize returns the minimum length of the encoding in bytes. With it, block.parse refuses a list that is longer than the
// remaining input before it allocates memory for the list.
func (p program) minSize() int {
	n := 0
	for i := 0; i < len(p); i++ {
		switch o := &p[i]; o.code {
		case opIf:
			i += int(o.skip)
		case opBytes:
			n += 1 + o.minLen
		default:
			n += o.enc.minSize()
		}
	}
	return n
}

// block is a BlockDef in the compiled form with which blocks are encoded and decoded.
type block struct {
	kind        InfoKind
	bit         uint32
	count       encoding // encoding of a list's count; encNone for a block of one item
	item        program
	minItemSize int // size of the smallest item in bytes
}

// append appends the body of the block to b and returns the longer slice. The parameter in has the block's values.
func (bl *block) append(b []byte, in *Info) []byte {
	def := &kindTable[bl.kind]
	items := 1
	if bl.count != encNone {
		items = min(def.length(in), maxItems)
		b = appendEncoded(b, bl.count, uint32(items))
	}
	var runs [1][]byte
	if def.bytesField != nil {
		runs[0] = *def.bytesField(in)
	}
	for i := range items {
		var v slots
		if def.load != nil {
			v = def.load(in, i)
		}
		b = bl.item.append(b, v[:], runs[:])
	}
	return b
}

// parse reads the body of the block and stores its values in the Info of the parameter in.
func (bl *block) parse(r *wire.Reader, in *Info) {
	def := &kindTable[bl.kind]
	items := 1
	if bl.count != encNone {
		items = int(readEncoded(r, bl.count))
		if items*bl.minItemSize > r.Left() {
			r.Fail(errListTooLong)
			return
		}
		def.setLength(in, items)
	}
	var runs [1][]byte
	if def.bytesField != nil {
		runs[0] = *def.bytesField(in)
	}
	for i := 0; i < items && r.Err() == nil; i++ {
		v := def.defaults
		bl.item.parse(r, v[:], runs[:])
		if def.check != nil && !def.check(v) {
			r.Fail(errValue)
		}
		if def.store != nil {
			def.store(in, i, v)
		}
	}
	if def.bytesField != nil {
		*def.bytesField(in) = runs[0]
	}
}

// maxItems is the maximum length of a list, and of a length-prefixed byte string, because their counts have one byte.
const maxItems = 255

// AppendBlock appends the body of one block, without a mask, and returns the longer slice. It returns b unchanged if
// the profile lacks the kind. Lists and length-prefixed bytes are cut off after 255 elements. The caller ensures that all
// other values are within the ranges that Info documents.
func (p *Profile) AppendBlock(b []byte, k InfoKind, in *Info) []byte {
	if !p.Has(k) {
		return b
	}
	return p.blocks[p.wireOrder[k]].append(b, in)
}

// AppendMask appends the mask that announces the blocks of the kinds ks. It has 1 to 3 bytes, lowest byte first. A bit in a
// byte (the extension bit) tells a client that another byte follows. Kinds that the profile lacks are left out; without kinds,
// the mask is one 0 byte.
func (p *Profile) AppendMask(b []byte, ks InfoKindSet) []byte {
	mask, _ := p.maskOf(ks)
	return p.appendMask(b, mask)
}

// maskOf returns the mask bits of the kinds ks, without the extension bits. The result places contains the same kinds as
// positions in wire order: bit i stands for the block p.blocks[i].
func (p *Profile) maskOf(ks InfoKindSet) (mask, places uint32) {
	for left := uint64(ks & p.kinds); left != 0; left &= left - 1 {
		place := p.wireOrder[bits.TrailingZeros64(left)]
		mask |= p.blocks[place].bit
		places |= 1 << place
	}
	return mask, places
}

func (p *Profile) appendMask(b []byte, mask uint32) []byte {
	switch mask = p.withExtensions(mask); {
	case mask > 0xffff:
		return append(b, byte(mask), byte(mask>>8), byte(mask>>16))
	case mask > 0xff:
		return append(b, byte(mask), byte(mask>>8))
	}
	return append(b, byte(mask))
}

// withExtensions returns the mask with its extension bits: they tell a client that a second or a third byte of the mask
// follows.
func (p *Profile) withExtensions(mask uint32) uint32 {
	if mask > 0xffff {
		mask |= p.Ext2
	}
	if mask > 0xff {
		mask |= p.Ext1
	}
	return mask
}

// AppendInfo appends the extended info of one player: the mask and the blocks of in.Has in wire order. Kinds that the
// profile lacks are left out.
func (p *Profile) AppendInfo(b []byte, in *Info) []byte {
	mask, places := p.maskOf(in.Has)
	b = p.appendMask(b, mask)
	for ; places != 0; places &= places - 1 {
		b = p.blocks[bits.TrailingZeros32(places)].append(b, in)
	}
	return b
}

// ParseInfo parses the mask and the blocks of one player and stores the values in in. It reuses the slices of in and keeps no
// reference to the input. ParseInfo is stricter than a client: it refuses mask bits without a block, masks and numbers that are
// longer than needed, and undefined values. Therefore AppendInfo writes the bytes of an accepted block again. Errors name the
// block and the offset and wrap wire.ErrShort or wire.ErrRange. After an error r and in must not be used.
func (p *Profile) ParseInfo(r *wire.Reader, in *Info) error {
	in.Reset()
	mask := p.parseMask(r)
	if err := r.Err(); err != nil {
		return fmt.Errorf("parse the mask of extended player info, profile %s: %w", p.Name, err)
	}
	for i := range p.blocks {
		bl := &p.blocks[i]
		if mask&bl.bit == 0 {
			continue
		}
		in.Has = in.Has.With(bl.kind)
		bl.parse(r, in)
		if err := r.Err(); err != nil {
			return fmt.Errorf("parse block %s of extended player info, profile %s: %w", bl.kind, p.Name, err)
		}
	}
	return nil
}

// parseMask reads a mask. The 667 client silently accepts bits that have no block and extensions that are not needed;
// here both are errors, because they are mistakes of the sender.
func (p *Profile) parseMask(r *wire.Reader) uint32 {
	mask := uint32(r.U8())
	if mask&p.Ext1 != 0 {
		mask |= uint32(r.U8()) << 8
	}
	if mask&p.Ext2 != 0 {
		mask |= uint32(r.U8()) << 16
	}
	if mask&^(p.known|p.Ext1|p.Ext2) != 0 {
		r.Fail(fmt.Errorf("%w: mask bits %#x belong to no block of the profile", wire.ErrRange, mask&^(p.known|p.Ext1|p.Ext2)))
	} else if p.withExtensions(mask&p.known) != mask {
		r.Fail(errLongForm)
	}
	return mask
}
