package rs

import (
	"bytes"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// encoding says how one number is written in bytes. The letters in the names are those of RuneScape protocols. A, N and S change
// the lowest byte: A adds 128, N negates it, S subtracts it from 128, all modulo 256. L, M2 and M3 are orders of the bytes: L
// begins with the lowest, M2 and M3 with a middle one of four.
type encoding uint8

const (
	encNone   encoding = iota
	encU8              // one byte v
	encU8A             // one byte v+128
	encU8N             // one byte -v
	encU8S             // one byte 128-v
	encU16             // bytes high, low
	encU16L            // bytes low, high
	encU16A            // bytes high, low+128
	encU16LA           // bytes low+128, high
	encU32             // bytes 3 2 1 0, where 3 is the highest
	encU32L            // bytes 0 1 2 3, where 3 is the highest
	encU32M2           // bytes 1 0 3 2, where 3 is the highest
	encU32M3           // bytes 2 3 0 1, where 3 is the highest
	encSmart           // 0..127 in one byte, up to 32767 in two bytes with the top bit set
	encSmart4          // 0..32766 in two bytes, -1 as 7fff, larger values in four bytes with the top bit set
)

// encodings has the encoding of each name that profile rows use. The names with s8 are for signed values: they have the same
// bytes as the corresponding names with u8, and readers extend the sign.
var encodings = map[string]encoding{
	"u8": encU8, "u8A": encU8A, "u8N": encU8N, "u8S": encU8S,
	"s8": encU8, "s8A": encU8A, "s8N": encU8N, "s8S": encU8S,
	"u16": encU16, "u16L": encU16L, "u16A": encU16A, "u16LA": encU16LA,
	"u32": encU32, "u32L": encU32L, "u32M2": encU32M2, "u32M3": encU32M3,
	"smart": encSmart, "smart2or4n": encSmart4,
}

// minSize returns the minimum number of bytes that a value encoded by t takes.
func (t encoding) minSize() int {
	switch {
	case t >= encU32 && t <= encU32M3:
		return 4
	case t >= encU16 && t <= encU16LA, t == encSmart4:
		return 2
	}
	return 1
}

// byteLayout is the encoding of a byte string: how its end is marked, and how its bytes are transformed.
type byteLayout uint8

const (
	layoutNone     byteLayout = iota
	layoutCstr                // the bytes, then a 0
	layoutPlain               // a length, then the bytes
	layoutReversed            // a length, then the bytes in reverse order
	layoutPlus128             // a length, then every byte plus 128
)

var byteLayouts = map[string]byteLayout{"cstr": layoutCstr, "bytes": layoutPlain, "rbytes": layoutReversed, "bytesA": layoutPlus128}

// Errors for field values that parsers refuse. Clients fail on some of these values. Others are valid for clients, but the
// encoder writes them in another form.
var (
	errLongForm     = fmt.Errorf("%w: value is encoded in a longer form than it needs", wire.ErrRange)
	errLimit        = fmt.Errorf("%w: value is above the field's limit", wire.ErrRange)
	errEmpty        = fmt.Errorf("%w: field is empty", wire.ErrRange)
	errUnterminated = fmt.Errorf("%w: text has no terminating 0", wire.ErrShort)
	errListTooLong  = fmt.Errorf("%w: list is longer than the remaining input", wire.ErrShort)
	errValue        = fmt.Errorf("%w: the protocol does not define this value of the field", wire.ErrRange)
)

// appendEncoded appends v encoded by t.
func appendEncoded(b []byte, t encoding, v uint32) []byte {
	switch t {
	case encU8:
		return append(b, byte(v))
	case encU8A:
		return append(b, byte(v+128))
	case encU8N:
		return append(b, byte(-v))
	case encU8S:
		return append(b, byte(128-v))
	case encU16:
		return append(b, byte(v>>8), byte(v))
	case encU16L:
		return append(b, byte(v), byte(v>>8))
	case encU16A:
		return append(b, byte(v>>8), byte(v+128))
	case encU16LA:
		return append(b, byte(v+128), byte(v>>8))
	case encU32:
		return append(b, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
	case encU32L:
		return append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	case encU32M2:
		return append(b, byte(v>>8), byte(v), byte(v>>24), byte(v>>16))
	case encU32M3:
		return append(b, byte(v>>16), byte(v>>24), byte(v), byte(v>>8))
	case encSmart:
		return appendSmart(b, v)
	case encSmart4:
		return appendSmart4(b, v)
	}
	return b
}

func appendSmart(b []byte, v uint32) []byte {
	if v < 128 {
		return append(b, byte(v))
	}
	return append(b, byte(v>>8)|0x80, byte(v))
}

func appendSmart4(b []byte, v uint32) []byte {
	switch {
	case v == 1<<32-1:
		return append(b, 0x7f, 0xff)
	case v < 0x7fff:
		return append(b, byte(v>>8), byte(v))
	}
	return append(b, byte(v>>24)|0x80, byte(v>>16), byte(v>>8), byte(v))
}

// readEncoded reads a value encoded by t. It returns 0 if r has failed. It refuses an encoding that is longer than the value needs,
// because the encoder would not write the same bytes again.
func readEncoded(r *wire.Reader, t encoding) uint32 {
	switch t {
	case encU8:
		return uint32(r.U8())
	case encU8A:
		return uint32(r.U8() - 128)
	case encU8N:
		return uint32(-r.U8())
	case encU8S:
		return uint32(128 - r.U8())
	case encU16:
		return uint32(r.BE16())
	case encU16L:
		return uint32(r.U16())
	case encU16A:
		return uint32(r.BE16() ^ 0x80)
	case encU16LA:
		return uint32(r.U16() ^ 0x80)
	case encU32:
		return r.BE32()
	case encU32L:
		return r.U32()
	case encU32M2:
		return uint32(r.BE16()) | uint32(r.BE16())<<16
	case encU32M3:
		return uint32(r.U16())<<16 | uint32(r.U16())
	case encSmart:
		return readSmart(r)
	case encSmart4:
		return readSmart4(r)
	}
	return 0
}

func readSmart(r *wire.Reader) uint32 {
	v := uint32(r.U8())
	if v < 128 {
		return v
	}
	v = v&0x7f<<8 | uint32(r.U8())
	if v < 128 {
		r.Fail(errLongForm)
	}
	return v
}

func readSmart4(r *wire.Reader) uint32 {
	v := uint32(r.BE16())
	if v == 0x7fff {
		return 1<<32 - 1
	}
	if v < 0x7fff {
		return v
	}
	v = v&0x7fff<<16 | uint32(r.BE16())
	if v < 0x7fff {
		r.Fail(errLongForm)
	}
	return v
}

// appendByteField appends the byte string data in the layout s. (1) With layoutCstr it appends data up to the first 0, and a 0
// as the end. (2) With any other layout it appends the length, encoded by t, and at most maxItems bytes of data. Both cut off
// the rest of data, which a client would read as the next fields.
func appendByteField(b []byte, s byteLayout, t encoding, data []byte) []byte {
	if s == layoutCstr {
		if n := bytes.IndexByte(data, 0); n >= 0 {
			data = data[:n]
		}
		return append(append(b, data...), 0)
	}
	data = data[:min(len(data), maxItems)]
	b = appendEncoded(b, t, uint32(len(data)))
	at := len(b)
	b = append(b, data...)
	applyLayout(b[at:], s)
	return b
}

// readByteField reads a byte string into the memory of dst and returns it. It refuses a string of fewer than minLen bytes.
func readByteField(r *wire.Reader, s byteLayout, t encoding, minLen int, dst []byte) []byte {
	var raw []byte
	if s == layoutCstr {
		raw = readCstr(r)
	} else {
		raw = r.Bytes(int(readEncoded(r, t)))
	}
	if len(raw) < minLen {
		r.Fail(errEmpty)
	}
	dst = append(dst[:0], raw...)
	applyLayout(dst, s)
	return dst
}

// readCstr reads up to and including the next 0 and returns the bytes before it.
func readCstr(r *wire.Reader) []byte {
	ahead := *r
	n := bytes.IndexByte(ahead.Rest(), 0)
	if n < 0 {
		r.Fail(errUnterminated)
		return nil
	}
	return r.Bytes(n + 1)[:n]
}

// applyLayout transforms the bytes of b in place as the layout s demands, for example reverses them. A second call restores
// them.
func applyLayout(b []byte, s byteLayout) {
	switch s {
	case layoutReversed:
		for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	case layoutPlus128:
		for i := range b {
			b[i] += 128
		}
	}
}
