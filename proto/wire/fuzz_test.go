package wire

import (
	"errors"
	"testing"
)

// FuzzReader performs arbitrary reads on arbitrary bytes. The offset must never decrease or exceed the length of the input, and must not
// change after the first error.
func FuzzReader(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, []byte{7, 0x34, 0x12, 1, 0, 0, 0x80, 2, 'h', 'i', 1, 0, 'x', 9, 9})
	f.Add([]byte{6, 6}, []byte{1, 'a', 255, 'b'})
	f.Add([]byte{8, 0}, []byte{})
	f.Fuzz(func(t *testing.T, plan, b []byte) {
		r := NewReader(b)
		for _, what := range plan {
			at, failed := r.Offset(), r.Err()
			got := readOne(&r, what)
			if r.Offset() < at || r.Offset() > len(b) || failed != nil && (r.Offset() != at || r.Err() != failed) {
				t.Fatalf("read %d moved from %d to %d of %d, error %v, then %v", what, at, r.Offset(), len(b), failed, r.Err())
			}
			if got > r.Offset()-at {
				t.Fatalf("read %d returned %d bytes and moved by %d", what, got, r.Offset()-at)
			}
		}
		left := r.Left()
		switch err := r.Done("plan"); {
		case err == nil && r.Offset() != len(b):
			t.Fatalf("Done accepted offset %d of %d", r.Offset(), len(b))
		case err != nil && left > 0 && !errors.Is(err, ErrTrailing), err != nil && left == 0 && !errors.Is(err, ErrShort):
			t.Fatalf("Done with %d bytes left: %v", left, err)
		}
	})
}

// readOne performs one read and returns the length of the returned bytes or string.
func readOne(r *Reader, what byte) int {
	switch what % 10 {
	case 0:
		r.U8()
	case 1:
		r.U16()
	case 2:
		r.U32()
	case 3:
		r.F32()
	case 4:
		r.BE16()
	case 5:
		r.BE32()
	case 6:
		return len(r.Str8())
	case 7:
		return len(r.Str16())
	case 8:
		return len(r.Bytes(int(int8(what)))) // the number of bytes may be negative
	case 9:
		return len(r.Rest())
	}
	return 0
}
