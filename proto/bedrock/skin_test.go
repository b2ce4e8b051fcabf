package bedrock

import (
	"bytes"
	"errors"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

func TestPlainSkinIsValid(t *testing.T) {
	s := PlainSkin()
	if s.Image.Width != 64 || s.Image.Height != 64 || len(s.Image.Pixels) != 64*64*4 || s.Image.Pixels[3] != 0xff {
		t.Errorf("%d by %d, %d bytes", s.Image.Width, s.Image.Height, len(s.Image.Pixels))
	}
	if err := s.Validate(); err != nil || s.SkinID == "" || s.ResourcePatch == "" {
		t.Errorf("error %v, skin id %+q", err, s.SkinID)
	}
	b := s.Append(nil)
	again, err := ParseSkin(b)
	if err != nil || !bytes.Equal(again.Append(nil), b) {
		t.Errorf("error %v", err)
	}
	for n := range len(b) {
		if _, err := ParseSkin(b[:n]); !errors.Is(err, wire.ErrShort) && !errors.Is(err, wire.ErrRange) {
			t.Fatalf("the first %d of %d bytes: %v", n, len(b), err)
		}
	}
}

func TestSkinWithInvalidImageSizeIsRefused(t *testing.T) {
	for _, c := range []struct {
		width, height int32
		bytes         int
		ok            bool
	}{
		{0, 0, 0, true}, {64, 32, 64 * 32 * 4, true}, {512, 512, 512 * 512 * 4, true},
		{64, 64, 64*64*4 - 1, false}, {0, 64, 4, false}, {-1, -1, 4, false}, {513, 1, 513 * 4, false},
		{1 << 16, 1 << 16, 0, false}, {-1 << 31, -1 << 31, 0, false},
	} {
		s := Skin{Cape: SkinImage{Width: c.width, Height: c.height, Pixels: make([]byte, c.bytes)}}
		if c.bytes == 0 {
			s.Cape.Pixels = nil
		}
		if err := s.Validate(); (err == nil) != c.ok || err != nil && !errors.Is(err, wire.ErrRange) {
			t.Errorf("%d by %d in %d bytes: %v", c.width, c.height, c.bytes, err)
		}
		if _, err := ParseSkin(s.Append(nil)); (err == nil) != c.ok {
			t.Errorf("%d by %d in %d bytes: parsed, %v", c.width, c.height, c.bytes, err)
		}
	}
}

func FuzzSkin(f *testing.F) {
	plain := PlainSkin()
	plain.Image = SkinImage{Width: 1, Height: 1, Pixels: []byte{1, 2, 3, 4}}
	f.Add(plain.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := ParseSkin(b)
		if err != nil {
			return
		}
		if again := s.Append(nil); !bytes.Equal(again, b) {
			t.Fatalf("accepted %x but wrote %x", b, again)
		}
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
	})
}
