package rcce

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// reader is a wire.Reader whose methods also get the name of the field that they read. One read function for each packet can
// therefore (1) parse the packet, (2) name the invalid field in an error, and (3) list the fields for the dissector. The names
// cost time only in cases 2 and 3.
type reader struct {
	wire.Reader
	payload  []byte // whole input of the wire.Reader, for the method peek
	badField string // name of the field with the first error
	trace    *tracer
}

func newReader(payload []byte) reader {
	return reader{Reader: wire.NewReader(payload), payload: payload}
}

// peek returns the next byte and does not advance. It returns 0 at the end of the payload and after an error.
func (r *reader) peek() uint8 {
	if r.Left() == 0 {
		return 0
	}
	return r.payload[r.Offset()]
}

// note records that the bytes from start to the current offset are a field; name is its name. The dissector's list of fields
// and the texts of errors contain this name.
func (r *reader) note(name string, kind FieldKind, start int) {
	if r.trace == nil && r.Err() == nil {
		return
	}
	r.noteSlow(name, kind, start)
}

func (r *reader) noteSlow(name string, kind FieldKind, start int) {
	if r.Err() != nil {
		if r.badField == "" {
			r.badField = name
		}
		return
	}
	r.trace.add(name, kind, start, r.Offset())
}

func (r *reader) u8(name string) uint8 {
	start := r.Offset()
	v := r.U8()
	r.note(name, KindU8, start)
	return v
}

func (r *reader) u16(name string) uint16 {
	start := r.Offset()
	v := r.U16()
	r.note(name, KindU16, start)
	return v
}

func (r *reader) u32(name string) uint32 {
	start := r.Offset()
	v := r.U32()
	r.note(name, KindU32, start)
	return v
}

func (r *reader) i16(name string) int16 {
	start := r.Offset()
	v := r.I16()
	r.note(name, KindI16, start)
	return v
}

func (r *reader) i32(name string) int32 {
	start := r.Offset()
	v := r.I32()
	r.note(name, KindI32, start)
	return v
}

func (r *reader) f32(name string) float32 {
	start := r.Offset()
	v := r.F32()
	r.note(name, KindF32, start)
	return v
}

func (r *reader) str8(name string) string {
	start := r.Offset()
	v := r.Str8()
	r.note(name, KindStr8, start)
	return v
}

func (r *reader) str16(name string) string {
	start := r.Offset()
	v := r.Str16()
	r.note(name, KindStr16, start)
	return v
}

// rest reads the remaining bytes of the payload as text.
func (r *reader) rest(name string) string {
	start := r.Offset()
	v := string(r.Rest())
	r.note(name, KindText, start)
	return v
}

// text reads n bytes of text without a length prefix.
func (r *reader) text(name string, n int) string {
	start := r.Offset()
	v := string(r.Bytes(n))
	r.note(name, KindText, start)
	return v
}

// sub reads the field Sub of a packet, a letter that says which form the packet has. The parameter allowed contains the valid
// letters.
func (r *reader) sub(allowed string) uint8 { return r.letter("Sub", allowed) }

// letter reads a byte, which must be one of the letters in allowed.
func (r *reader) letter(name, allowed string) uint8 {
	start := r.Offset()
	if r.more() && !contains(allowed, r.peek()) {
		r.refuse(name) // fails before the byte is read, so that the error contains the offset of the byte
	}
	v := r.U8()
	r.note(name, KindChar, start)
	return v
}

// u8s reads one byte for each element of dst, and records them as one field.
func (r *reader) u8s(name string, dst []uint8) {
	start := r.Offset()
	copy(dst, r.Bytes(len(dst)))
	r.note(name, KindU8, start)
}

// u16s reads two bytes for each element of dst, little-endian, and records them as one field.
func (r *reader) u16s(name string, dst []uint16) {
	start := r.Offset()
	for i := range dst {
		dst[i] = r.U16()
	}
	r.note(name, KindU16, start)
}

// refuse makes the parsing fail because a field has a value that the protocol does not allow. The parameter name is the name of
// the field.
func (r *reader) refuse(name string) {
	if r.Err() == nil {
		r.badField = name
	}
	r.Fail(wire.ErrRange)
}

// entry tells the trace that element i of a list begins. The fields that are read until the next call of entry or leave belong
// to this element.
func (r *reader) entry(list string, i int) {
	if r.trace != nil {
		r.trace.prefix = fmt.Sprintf("%s[%d].", list, i)
	}
}

// leave tells the trace that a list has ended: the fields that are read from now on are outside of it.
func (r *reader) leave() {
	if r.trace != nil {
		r.trace.prefix = ""
	}
}

// more reports whether bytes are left. A list that extends to the end of the payload then has another element.
func (r *reader) more() bool { return r.Left() > 0 }

// done ends the parsing and returns its error, or nil. The error text begins with the name of the packet. If a field is invalid,
// the name of the field follows.
func (r *reader) done(packet string) error {
	if r.badField != "" {
		packet += "." + r.badField
	}
	return r.Done(packet)
}

func contains(letters string, b uint8) bool {
	for i := range len(letters) {
		if letters[i] == b {
			return true
		}
	}
	return false
}

// i32s reads four bytes for each element of dst, little-endian, and records them as one field.
func (r *reader) i32s(name string, dst []int32) {
	start := r.Offset()
	for i := range dst {
		dst[i] = r.I32()
	}
	r.note(name, KindI32, start)
}
