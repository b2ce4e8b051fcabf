package rs

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

func TestParsePlayerInfoRefusesInvalidBlocks(t *testing.T) {
	for _, v := range []struct {
		rule    string
		profile *Profile
		hex     string
		want    error
		says    string
	}{
		{"bit without a block", Profile667, "800820", wire.ErrRange, "0x200000"},
		{"unused OSRS bit", ProfileOSRS239, "80", wire.ErrRange, "mask"},
		{"second mask byte that is not needed", Profile667, "8000", wire.ErrRange, "longer form"},
		{"third mask byte that is not needed", Profile667, "800800", wire.ErrRange, "longer form"},
		{"empty text", Profile667, "804000", wire.ErrRange, "SAY"},
		{"text without a terminating 0", Profile667, "80406869", wire.ErrShort, "SAY"},
		{"empty appearance", Profile667, "0880", wire.ErrRange, "APPEARANCE"},
		{"appearance longer than the input", Profile667, "087e00", wire.ErrShort, "APPEARANCE"},
		{"more hits than bytes", Profile667, "04ff000000", wire.ErrShort, "HITS"},
		{"small number in two bytes", Profile667, "0401 8003 05 00 00", wire.ErrRange, "offset 4"},
		{"flag of 2", Profile667, "80047e", wire.ErrRange, "P_ICON"},
		{"face of an unknown kind", ProfileOSRS239, "01e0", wire.ErrRange, "FACE"},
		{"face with an undefined bit", ProfileOSRS239, "0168", wire.ErrRange, "FACE"},
		{"small index in four bytes", ProfileOSRS239, "0100 01 80000001 00", wire.ErrRange, "FACE"},
	} {
		t.Run(v.rule, func(t *testing.T) {
			var in Info
			r := wire.NewReader(unhex(t, v.hex))
			err := v.profile.ParseInfo(&r, &in)
			if !errors.Is(err, v.want) || !strings.Contains(err.Error(), v.says) || !strings.Contains(err.Error(), "offset") {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A kind that the profile lacks is no error: its mask bit and body are left out.
func TestAppendPlayerInfoOmitsBlocksThatProfileLacks(t *testing.T) {
	in := &Info{Has: InfoKindsOf(KindSpeed, KindFace, KindFreeze), Speed: 1, Face: Face{Kind: FaceReset}}
	if got := Profile667.AppendInfo(nil, in); string(got) != "\x01\x7f" {
		t.Errorf("wrote %x", got)
	}
	if got := Profile667.AppendBlock([]byte{9}, KindFace, in); len(got) != 1 {
		t.Errorf("wrote %x for a kind that 667 lacks", got)
	}
}

func TestAppendPlayerInfoTruncatesListsTo255Elements(t *testing.T) {
	in := &Info{Has: InfoKindsOf(KindHits, KindAppearance), Hits: make([]Hit, 300), Appearance: make([]byte, 300)}
	var back Info
	r := wire.NewReader(Profile667.AppendInfo(nil, in))
	if err := Profile667.ParseInfo(&r, &back); err != nil || len(back.Hits) != 255 || len(back.Appearance) != 255 || r.Left() != 0 {
		t.Errorf("%d hits, %d bytes of appearance, %d bytes left, %v", len(back.Hits), len(back.Appearance), r.Left(), err)
	}
}

func TestLengthOfBlockMaskDependsOnHighestBit(t *testing.T) {
	for _, v := range []struct {
		profile *Profile
		kinds   InfoKindSet
		want    string
	}{
		{Profile667, 0, "00"},
		{Profile667, InfoKindsOf(KindSpeed, KindAppearance), "09"},
		{Profile667, InfoKindsOf(KindSay), "8040"},
		{Profile667, InfoKindsOf(KindSpeed, KindClanmate), "810810"},
		{Profile634, InfoKindsOf(KindTarget), "01"},
		{Profile634, InfoKindsOf(KindTempSpeed), "4008"},
		{Profile634, InfoKindsOf(KindRecolour), "404004"},
		{ProfileOSRS239, InfoKindsOf(KindFace, KindChat), "0901"},
		{ProfileOSRS239, InfoKindsOf(KindTransparency), "080810"},
	} {
		if got := v.profile.AppendMask(nil, v.kinds); string(got) != string(unhex(t, v.want)) {
			t.Errorf("%s %b: %x, want %s", v.profile.Name, v.kinds, got, v.want)
		}
	}
}

// Every number encoding of the wire document (u8A, u16LA, smart and others) gives the documented bytes, at its limits
// and between.
func TestNumberEncodingsHaveDocumentedBytesAndRoundTrip(t *testing.T) {
	for _, v := range []struct {
		encoding string
		value    uint32
		hex      string
	}{
		{"u8", 0x12, "12"}, {"u8A", 0x12, "92"}, {"u8N", 0x12, "ee"}, {"u8S", 0x12, "6e"},
		{"u16", 0x1234, "1234"}, {"u16L", 0x1234, "3412"}, {"u16A", 0x1234, "12b4"}, {"u16LA", 0x1234, "b412"},
		{"u32", 0x12345678, "12345678"}, {"u32L", 0x12345678, "78563412"},
		{"u32M2", 0x12345678, "56781234"}, {"u32M3", 0x12345678, "34127856"},
		{"smart", 0, "00"}, {"smart", 127, "7f"}, {"smart", 128, "8080"}, {"smart", 32767, "ffff"},
		{"smart2or4n", 0, "0000"}, {"smart2or4n", 32766, "7ffe"}, {"smart2or4n", math.MaxUint32, "7fff"},
		{"smart2or4n", 32767, "80007fff"}, {"smart2or4n", math.MaxInt32, "ffffffff"},
	} {
		b := appendEncoded(nil, encodings[v.encoding], v.value)
		if string(b) != string(unhex(t, v.hex)) || encodings[v.encoding].minSize() > len(b) {
			t.Errorf("%s of %#x: %x, want %s", v.encoding, v.value, b, v.hex)
		}
		r := wire.NewReader(b)
		if got := readEncoded(&r, encodings[v.encoding]); got != v.value || r.Done("encoding") != nil {
			t.Errorf("%s: read %#x of %x, %v", v.encoding, got, b, r.Done("encoding"))
		}
	}
}
