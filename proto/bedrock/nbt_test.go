package bedrock

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

func TestNBTIsReadAsUnchangedRawBytes(t *testing.T) {
	for _, c := range []struct{ name, b string }{
		{"compound with a name", "0a0161" + "00"},
		{"byte", "0a00" + "01016105" + "00"},
		{"nested compounds", "0a00" + "0a0161" + "0a0162" + "00" + "00" + "00"},
		{"root list of ints", "0900" + "0304" + "0102"},
		{"empty list of end tags", "0a00" + "0901610000" + "00"},
		{"arrays of ints and longs", "0a00" + "0b0161040102" + "0c0161020a" + "00"},
	} {
		b, err := hex.DecodeString(c.b)
		if err != nil {
			t.Fatal(err)
		}
		r := wire.NewReader(b)
		tag := readNBT(&r, b)
		if err := r.Done("tag"); err != nil || !bytes.Equal(tag, b) {
			t.Errorf("%s: %x, %v", c.name, tag, err)
		}
	}
}

func TestNilNBTIsWrittenAsEmptyCompoundAndReadBackAsNil(t *testing.T) {
	empty := appendNBT(nil, nil)
	if !bytes.Equal(empty, []byte{0x0a, 0, 0}) {
		t.Errorf("written as %x", empty)
	}
	r := wire.NewReader(empty)
	if tag := readNBT(&r, empty); tag != nil || r.Done("tag") != nil {
		t.Errorf("read as %x, %v", tag, r.Err())
	}
}

func TestMalformedNBTIsRefused(t *testing.T) {
	deep := append(bytes.Repeat([]byte{0x0a, 0}, 1000), make([]byte, 1000)...)
	lists := append([]byte{0x09, 0}, bytes.Repeat([]byte{0x09, 2}, 1000)...)
	for _, c := range []struct {
		name string
		b    []byte
		want error
	}{
		{"nothing", nil, wire.ErrShort},
		{"root tag is a byte", []byte{1, 0, 5}, wire.ErrRange},
		{"unknown type", []byte{0x0a, 0, 13, 0}, wire.ErrRange},
		{"no end", []byte{0x0a, 0, 1, 0, 5}, wire.ErrShort},
		{"text length beyond the end", []byte{0x0a, 0, 8, 0, 9, 'a', 0}, wire.ErrShort},
		{"array of two gigabytes", []byte{0x0a, 0, 7, 0, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0}, wire.ErrShort},
		{"array length -1", []byte{0x0a, 0, 7, 0, 1, 0}, wire.ErrRange},
		{"list of a billion end tags", []byte{0x09, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0x0f}, wire.ErrShort},
		{"list of one end tag", []byte{0x09, 0, 0, 2, 0}, wire.ErrRange},
		{"1000 nested compounds", deep, wire.ErrRange},
		{"1000 nested lists", lists, wire.ErrRange},
	} {
		r := wire.NewReader(c.b)
		if tag := readNBT(&r, c.b); tag != nil || !errors.Is(r.Err(), c.want) {
			t.Errorf("%s: %x, %v, want %v", c.name, tag, r.Err(), c.want)
		}
	}
}

// FuzzNBT parses any bytes as a tag: the parser returns the bytes of an accepted tag unchanged.
func FuzzNBT(f *testing.F) {
	for _, v := range loadPacketVectors(f) {
		if v.PacketID == IDAvailableActorIdentifiers {
			f.Add(v.body)
		}
	}
	f.Add([]byte{0x09, 0, 9, 2, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		r := wire.NewReader(b)
		tag := readNBT(&r, b)
		if r.Err() != nil {
			return
		}
		if again := appendNBT(nil, tag); !bytes.Equal(again, b[:r.Offset()]) {
			t.Fatalf("accepted %x but wrote %x", b[:r.Offset()], again)
		}
	})
}
