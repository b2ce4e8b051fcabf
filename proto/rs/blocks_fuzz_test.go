package rs

import (
	"bytes"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

// fuzzInfo checks that accepted blocks are written back byte for byte, regardless of the Info's previous content.
func fuzzInfo(f *testing.F, p *Profile) {
	var all Info
	f.Fuzz(func(t *testing.T, b []byte) {
		r := wire.NewReader(b)
		if p.ParseInfo(&r, &all) != nil {
			return
		}
		if again := p.AppendInfo(nil, &all); !bytes.Equal(again, b[:r.Offset()]) {
			t.Fatalf("accepted %x but wrote %x", b[:r.Offset()], again)
		}
	})
}

func FuzzPlayerInfo667(f *testing.F) {
	for _, v := range infoVectors {
		f.Add(unhex(f, v.hex))
	}
	fuzzInfo(f, Profile667)
}

func FuzzInfo634(f *testing.F) {
	f.Add(Profile634.AppendInfo(nil, allKinds667()))
	f.Add(unhex(f, "0110ffff"))
	fuzzInfo(f, Profile634)
}

func FuzzInfoOSRS(f *testing.F) {
	for _, v := range osrsVectors {
		f.Add(unhex(f, v.hex))
	}
	fuzzInfo(f, ProfileOSRS239)
}

// FuzzAppearance checks that accepted appearances are written back byte for byte. The first argument selects the
// profile.
func FuzzAppearance(f *testing.F) {
	for _, v := range appearanceVectors {
		a := v.want()
		for i, p := range Profiles() {
			f.Add(uint8(i), p.AppendAppearance(nil, &a))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		p := Profiles()[int(which)%len(Profiles())]
		a, err := p.ParseAppearance(b)
		if err != nil {
			return
		}
		if again := p.AppendAppearance(nil, &a); !bytes.Equal(again, b) {
			t.Fatalf("accepted %x but wrote %x", b, again)
		}
	})
}

// FuzzText checks that every byte but NUL round-trips through a string.
func FuzzText(f *testing.F) {
	f.Add([]byte("5 \x80, \x9f\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		want := bytes.ReplaceAll(b, []byte{0}, []byte{'?'})
		if got := AppendText(nil, TextString(b)); !bytes.Equal(got, want) {
			t.Fatalf("%x came back as %x", b, got)
		}
	})
}
