package rcce

import (
	"bytes"
	"testing"
)

func seeds(f *testing.F, d Direction) {
	for _, v := range loadVectors(f) {
		if v.dir == d {
			f.Add(v.msg)
		}
	}
	for _, s := range samples() {
		if s.dir == d {
			f.Add(s.p.Append(nil))
		}
	}
}

func FuzzC2S(f *testing.F) {
	seeds(f, C2S)
	f.Fuzz(func(t *testing.T, msg []byte) { checkMessage(t, C2S, msg) })
}

func FuzzS2C(f *testing.F) {
	seeds(f, S2C)
	f.Fuzz(func(t *testing.T, msg []byte) { checkMessage(t, S2C, msg) })
}

func FuzzStandardUpdate(f *testing.F) {
	f.Add(make([]byte, 22))
	f.Add(make([]byte, 24))
	f.Add(make([]byte, 26))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := ParseStandardUpdate(b)
		if err != nil {
			return
		}
		if again := p.Append(nil); !bytes.Equal(again[1:], b) {
			t.Fatalf("accepted %x but wrote %x", b, again[1:])
		}
		if n := len(b); n != 22 && n != 24 && n != 26 {
			t.Fatalf("accepted %d bytes", n)
		}
	})
}

func FuzzDamage(f *testing.F) {
	f.Add(int32(-1))
	f.Add(int32(32767))
	f.Fuzz(func(t *testing.T, points int32) {
		d := DamageOf(points)
		if d > 0x7fff || d.Points() != min(max(points, Missed), MaxDamage) {
			t.Fatalf("damage %d is encoded as %d", points, d)
		}
	})
}
