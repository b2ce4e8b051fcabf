package wire

import (
	"errors"
	"testing"
)

func TestWireReaderReadsFieldsInOrder(t *testing.T) {
	r := NewReader([]byte{7, 0x34, 0x12, 0x12, 0x34, 1, 0, 0, 0x80, 2, 'h', 'i', 1, 0, 'x', 0, 0, 0x80, 0x3f, 9, 9})
	if v := r.U8(); v != 7 {
		t.Errorf("U8 = %d", v)
	}
	if v := r.U16(); v != 0x1234 {
		t.Errorf("U16 = %#x", v)
	}
	if v := r.BE16(); v != 0x1234 {
		t.Errorf("BE16 = %#x", v)
	}
	if v := r.I32(); v != -2147483647 {
		t.Errorf("I32 = %d", v)
	}
	if v := r.Str8(); v != "hi" {
		t.Errorf("Str8 = %q", v)
	}
	if v := r.Str16(); v != "x" {
		t.Errorf("Str16 = %q", v)
	}
	if v := r.F32(); v != 1 {
		t.Errorf("F32 = %v", v)
	}
	if v := r.Rest(); len(v) != 2 || r.Done("all") != nil {
		t.Errorf("Rest = %v, %v", v, r.Done("all"))
	}
}

func TestWireReaderKeepsFirstError(t *testing.T) {
	r := NewReader([]byte{5, 'a'})
	if s := r.Str8(); s != "" {
		t.Errorf("short string read as %q", s)
	}
	r.U8()
	err := r.Done("name")
	if !errors.Is(err, ErrShort) || err.Error() != "name: offset 1: too short" {
		t.Errorf("error %v", err)
	}
	if r.Left() != 0 {
		t.Errorf("Left = %d after an error, want 0", r.Left())
	}
}

func TestReaderDoneReturnsErrTrailingIfBytesAreLeft(t *testing.T) {
	r := NewReader([]byte{1, 2})
	r.U8()
	if err := r.Done("flag"); !errors.Is(err, ErrTrailing) {
		t.Errorf("error %v, want ErrTrailing", err)
	}
}

func TestAppendedStringsAreCutAtMaxLength(t *testing.T) {
	long := string(make([]byte, 70000))
	if b := Str8(nil, long); len(b) != 256 || b[0] != 255 {
		t.Errorf("Str8 wrote %d bytes", len(b))
	}
	if b := Str16(nil, long); len(b) != 65537 {
		t.Errorf("Str16 wrote %d bytes", len(b))
	}
}
