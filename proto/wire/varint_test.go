package wire

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"testing"
)

// numbers are the boundary values of the variable-length forms: the last value of each length and the first of the next.
var numbers = []uint64{0, 1, 2, 63, 64, 127, 128, 300, 1<<14 - 1, 1 << 14, 1<<21 - 1, 1 << 21, 1<<28 - 1, 1 << 28,
	math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32, math.MaxUint32 + 1, 1<<35 - 1, 1 << 35, 1 << 42, 1 << 49, 1 << 56,
	math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64 - 1, math.MaxUint64}

func TestVarintsRoundTrip(t *testing.T) {
	for _, n := range numbers {
		var b []byte
		b = VarU32(b, uint32(n))
		if len(b) != SizeVarU32(uint32(n)) {
			t.Errorf("%d was written in %d bytes, SizeVarU32 returns %d", uint32(n), len(b), SizeVarU32(uint32(n)))
		}
		b = VarU64(b, n)
		b = VarI32(b, int32(n))
		b = VarI64(b, int64(n))
		b = I64(I32(I16(b, int16(n)), int32(n)), int64(n))
		r := NewReader(b)
		u32, u64, i32, i64 := r.VarU32(), r.VarU64(), r.VarI32(), r.VarI64()
		f16, f32, f64 := r.I16(), r.I32(), r.I64()
		if err := r.Done("numbers"); err != nil {
			t.Fatal(err)
		}
		if u32 != uint32(n) || u64 != n || i32 != int32(n) || i64 != int64(n) {
			t.Errorf("%d was read as %d, %d, %d, %d", n, u32, u64, i32, i64)
		}
		if f16 != int16(n) || f32 != int32(n) || f64 != int64(n) {
			t.Errorf("%d was read as %d, %d, %d", n, f16, f32, f64)
		}
	}
}

func TestVarintsHaveDocumentedEncodings(t *testing.T) {
	for _, c := range []struct {
		name string
		got  []byte
		want string
	}{
		{"two groups, low first", VarU32(nil, 300), "ac02"},
		{"packet id above 127", VarU32(nil, 144), "9001"},
		{"minus one is one", VarI32(nil, -1), "01"},
		{"one is two", VarI32(nil, 1), "02"},
		{"lowest 32-bit", VarI32(nil, math.MinInt32), "ffffffff0f"},
		{"lowest 64-bit", VarI64(nil, math.MinInt64), "ffffffffffffffffff01"},
		{"big-endian", BE32(nil, 2169), "00000879"},
		{"bytes", VarBytes(nil, []byte{9, 8}), "020908"},
		{"text", VarStr(nil, "hi"), "026869"},
		{"bools", Bool(Bool(nil, true), false), "0100"},
	} {
		if got := hex.EncodeToString(c.got); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A number has exactly one encoding: encodings that are padded, too long or too large are refused, and truncated ones cause ErrShort.
func TestVarintsLongerThanNecessaryAreRefused(t *testing.T) {
	u32 := func(r *Reader) { r.VarU32() }
	u64 := func(r *Reader) { r.VarU64() }
	for _, c := range []struct {
		name, b string
		read    func(*Reader)
		want    error
	}{
		{"empty input", "", u32, ErrShort},
		{"unfinished", "ffff", u32, ErrShort},
		{"unfinished 64", "ffffffffffffffffff", u64, ErrShort},
		{"padded zero", "8000", u32, ErrRange},
		{"padded one", "818000", u64, ErrRange},
		{"33 bits", "ffffffff1f", u32, ErrRange},
		{"six bytes", "808080808001", u32, ErrRange},
		{"65 bits", "ffffffffffffffffff02", u64, ErrRange},
		{"eleven bytes", "8080808080808080808001", u64, ErrRange},
		{"bool two", "02", func(r *Reader) { r.Bool() }, ErrRange},
		{"bytes past the end", "0461", func(r *Reader) { r.VarBytes() }, ErrShort},
		{"bytes of four gigabytes", "ffffffff0f61", func(r *Reader) { r.VarBytes() }, ErrShort},
		{"text past its limit", "03616263", func(r *Reader) { r.VarStrMax(2) }, ErrRange},
		{"list past the end", "030000", func(r *Reader) { r.VarCount(1, 99) }, ErrShort},
		{"list past its limit", "03000000", func(r *Reader) { r.VarCount(1, 2) }, ErrRange},
	} {
		b, err := hex.DecodeString(c.b)
		if err != nil {
			t.Fatal(err)
		}
		r := NewReader(b)
		c.read(&r)
		if !errors.Is(r.Err(), c.want) {
			t.Errorf("%s: %v, want %v", c.name, r.Err(), c.want)
		}
	}
}

func TestReaderChecksElementCountsAndReturnsZeroAfterError(t *testing.T) {
	r := NewReader([]byte{2, 0, 0, 0, 0})
	if n := r.VarCount(2, 2); n != 2 || r.Err() != nil {
		t.Errorf("count %d, %v", n, r.Err())
	}
	if n := r.CheckCount(4, 1, 4); n != 4 || r.Err() != nil {
		t.Errorf("count %d, %v", n, r.Err())
	}
	r.CheckRange(false, "mode")
	if err := r.Done("p"); err == nil || err.Error() != "p: offset 1: mode: value out of range" {
		t.Errorf("error %v", err)
	}
	if r.VarU32() != 0 || r.VarBytes() != nil || r.VarCount(1, 9) != 0 {
		t.Error("read after an error returned a value other than zero")
	}
}

// FuzzVar reads numbers in the four variable-length encodings: an accepted input must be written back byte for byte.
func FuzzVar(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 2, 'h', 'i', 1})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0x0f, 0x80, 0x01, 0x7f, 0x80, 0x80, 0x01, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		r := NewReader(b)
		var again []byte
		again = VarU32(again, r.VarU32())
		again = VarU64(again, r.VarU64())
		again = VarI32(again, r.VarI32())
		again = VarI64(again, r.VarI64())
		again = VarStr(again, r.VarStr())
		again = Bool(again, r.Bool())
		if r.Err() == nil && !bytes.Equal(again, b[:r.Offset()]) {
			t.Fatalf("accepted %x but wrote %x", b, again)
		}
	})
}
