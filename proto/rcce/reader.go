package rcce

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// reader is a wire.Reader whose reads are named. The names cost nothing until an error or a trace wants them, so one
// read function per packet serves Parse, the error text and the dissector alike.
type reader struct {
	wire.Reader
	payload []byte // what the Reader reads, for peek
	bad     string // name of the field at which the first error stood
	trace   *tracer
}

func newReader(payload []byte) reader {
	return reader{Reader: wire.NewReader(payload), payload: payload}
}

// peek is the next byte, not read yet; 0 at the end and after an error.
func (r *reader) peek() uint8 {
	if r.Left() == 0 {
		return 0
	}
	return r.payload[r.Offset()]
}

// note records a field that ended just now. start is where it began.
func (r *reader) note(name string, kind Kind, start int) {
	if r.trace == nil && r.Err() == nil {
		return
	}
	r.noteSlow(name, kind, start)
}

func (r *reader) noteSlow(name string, kind Kind, start int) {
	if r.Err() != nil {
		if r.bad == "" {
			r.bad = name
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

// rest reads to the end of the payload.
func (r *reader) rest(name string) string {
	start := r.Offset()
	v := string(r.Rest())
	r.note(name, KindText, start)
	return v
}

// text reads n bytes of text whose length stood elsewhere.
func (r *reader) text(name string, n int) string {
	start := r.Offset()
	v := string(r.Bytes(n))
	r.note(name, KindText, start)
	return v
}

// sub reads the letter that says which form of a packet this is.
func (r *reader) sub(allowed string) uint8 { return r.letter("Sub", allowed) }

// letter reads a byte that must be one of the letters in allowed.
func (r *reader) letter(name, allowed string) uint8 {
	start := r.Offset()
	if r.more() && !contains(allowed, r.peek()) {
		r.refuse(name) // before it is read, so that the error has its offset
	}
	v := r.U8()
	r.note(name, KindChar, start)
	return v
}

// u8s fills dst with one byte each.
func (r *reader) u8s(name string, dst []uint8) {
	start := r.Offset()
	copy(dst, r.Bytes(len(dst)))
	r.note(name, KindU8, start)
}

// u16s fills dst with two bytes each.
func (r *reader) u16s(name string, dst []uint16) {
	start := r.Offset()
	for i := range dst {
		dst[i] = r.U16()
	}
	r.note(name, KindU16, start)
}

// refuse ends the parse: the field that was read last holds what the protocol does not allow.
func (r *reader) refuse(name string) {
	if r.Err() == nil {
		r.bad = name
	}
	r.Fail(wire.ErrRange)
}

// entry begins the i-th element of a list; the fields up to the next entry or leave belong to it.
func (r *reader) entry(list string, i int) {
	if r.trace != nil {
		r.trace.prefix = fmt.Sprintf("%s[%d].", list, i)
	}
}

// leave ends the list that entry began.
func (r *reader) leave() {
	if r.trace != nil {
		r.trace.prefix = ""
	}
}

// more says whether a list that runs to the end of the payload has another element.
func (r *reader) more() bool { return r.Left() > 0 }

// done ends the parse; the error begins with the packet and, if one is to blame, the field.
func (r *reader) done(packet string) error {
	if r.bad != "" {
		packet += "." + r.bad
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

// i32s fills dst with four bytes each.
func (r *reader) i32s(name string, dst []int32) {
	start := r.Offset()
	for i := range dst {
		dst[i] = r.I32()
	}
	r.note(name, KindI32, start)
}
