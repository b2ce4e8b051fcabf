package rs

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

// zezima returns the appearance of the player in the vectors V22 and V25 and in the vector of revision 634.
func zezima() Appearance {
	return Appearance{
		Size: 1, PKIcon: -1, PrayerIcon: -1, Worn: humanBody(),
		Colours: [10]uint8{2, 3, 4, 5, 6}, Bas: 1426, Name: []byte("Zezima"),
		CombatLevel: 126, MaxCombatLevel: 138, CombatRange: 255,
	}
}

// humanBody returns worn positions that have body parts (kits) and no worn objects.
func humanBody() [maxWornSlots]Worn {
	var w [maxWornSlots]Worn
	for pos, kit := range map[int]uint16{4: 18, 6: 26, 7: 36, 8: 0, 9: 33, 10: 42, 11: 10} {
		w[pos] = Worn{WornKit, kit}
	}
	return w
}

// allKinds667 returns an Info with all 19 kinds of revision 667. The values are those of vector V25.
func allKinds667() *Info {
	look := zezima()
	return &Info{
		Has:        Profile667.Kinds(),
		WornAnims:  []WornAnim{{Seq: None, Delay: 3, Slots: 3}},
		Anim:       Anim{Seq: [4]uint16{422, 423, 424, None}, Delay: 9},
		Recolour:   Recolour{Hue: 10, Saturation: 20, Lightness: 30, Weight: 40, Start: 5, End: 300},
		TempSpeed:  2,
		TimerBar:   TimerBar{Sprite: true, Duration: 200, Start: 50, Granularity: 4},
		Clanmate:   true,
		Hits:       []Hit{{Type: 3, Amount: 200, HP: 255}, {Soaked: true, Type: 3, Amount: 55, SoakType: 5, SoakAmount: 12, Delay: 40, HP: 128}, {Hidden: true, HP: 10}},
		Appearance: Profile667.AppendAppearance(nil, &look),
		Say:        []byte("hello"),
		PIcon:      true,
		Speed:      1,
		Target:     7 + 32768,
		ExactMove:  ExactMove{X1: -2, Z1: 3, X2: 4, Z2: -5, T1: 30, T2: 90, Dir: 2},
		Turn:       4096,
		WornTargets: []WornTarget{
			{Target: 0x1234, Slots: 1},
			{Target: 0xc0012345, Slots: 2},
		},
		Gfx: [4]Gfx{
			{ID: 300, Height: 60, Delay: 10, Rotation: 3, WornSlot: NoWornSlot},
			{ID: 303, Height: 70, Delay: 40, Rotation: 4, WornSlot: 2},
			{ID: 301, Height: 100, Delay: 30, Rotation: 2, WornSlot: NoWornSlot},
			{ID: 302, Height: 50, Delay: 20, Rotation: 1, WornSlot: NoWornSlot, Loop: true},
		},
	}
}

// infoVectors are the extended-info blocks of the wire document's vectors, under the vectors' names. A real 667 client accepted them.
var infoVectors = []struct {
	name string
	hex  string
	want *Info
}{
	{"V25 all blocks", "ffff1f01fffffd8300a601a701a801ffff89ad0164001e0086766ce2288500012cfe804832fc2e013200140007ff030380c80001ffff0337050c2880fffe00f67e12b40081c081234500824e0000ffff0000000000011200011a012401000121012a010a0000000203040506000000000005925a657a696d61007e8aff0068656c6c6f007f7f80878203847b1e00da00821000012c0a003c00fbaf0146002800ec", allKinds667()},
	{"V26 empty mask", "00", &Info{}},
	{"V27 turn", "202000", &Info{Has: InfoKindsOf(KindTurn), Turn: 8192}},
	{"V27 chat", "8040686900", &Info{Has: InfoKindsOf(KindSay), Say: []byte("hi")}},
	{"V28b target", "10ff7f", &Info{Has: InfoKindsOf(KindTarget), Target: None}},
	{"V28b speed", "017e", &Info{Has: InfoKindsOf(KindSpeed), Speed: 2}},
}

func TestPlayerInfoVectorsOfProfile667RoundTrip(t *testing.T) {
	for _, v := range infoVectors {
		t.Run(v.name, func(t *testing.T) {
			want := unhex(t, v.hex)
			if got := Profile667.AppendInfo(nil, v.want); !bytes.Equal(got, want) {
				t.Errorf("wrote\n%x, want\n%x", got, want)
			}
			checkParse(t, Profile667, want, v.want)
			checkPrefixes(t, Profile667, want)
		})
	}
}

// checkParse parses all of b and compares the result with want.
func checkParse(t testing.TB, p *Profile, b []byte, want *Info) {
	t.Helper()
	var in Info
	r := wire.NewReader(b)
	if err := p.ParseInfo(&r, &in); err != nil {
		t.Fatal(err)
	}
	if err := r.Done("info"); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(&in, want) {
		t.Errorf("read\n%+v, want\n%+v", in, *want)
	}
}

// checkPrefixes checks that every shorter prefix of b is refused with wire.ErrShort.
func checkPrefixes(t testing.TB, p *Profile, b []byte) {
	t.Helper()
	var in Info
	for n := range b {
		r := wire.NewReader(b[:n])
		if err := p.ParseInfo(&r, &in); !errors.Is(err, wire.ErrShort) {
			t.Errorf("%d of %d bytes: error %v", n, len(b), err)
		}
	}
}

// osrsVectors are derived by hand from the wire document; no executable client confirms them.
var osrsVectors = []struct {
	name string
	hex  string
	want *Info
}{
	{"hits", "080804 7f 03 80c8 28 05", &Info{Has: InfoKindsOf(KindHits), Hits: []Hit{{Type: 3, Amount: 200, Delay: 40, Limit: 5}}}},
	{"face npc", "01 be 01 01f4 8400", &Info{Has: InfoKindsOf(KindFace), Face: Face{WalkMode: 2, Kind: FaceEntity, Instant: true, Entity: 1, Index: 500, Fallback: 1024}}},
	{"face reset to no entity", "01 00 02 7fff 00", &Info{Has: InfoKindsOf(KindFace), Face: Face{Entity: 2, Index: -1}}},
	{"face loc", "01 f8 8c80 9000 32", &Info{Has: InfoKindsOf(KindFace), Face: Face{Kind: FaceLoc, X: 3200, Z: 4096, SizeX: 2, SizeZ: 3}}},
	{"face angle", "01 f0 8600", &Info{Has: InfoKindsOf(KindFace), Face: Face{Kind: FaceAngle, Angle: 1536}}},
	{"face reset", "01 e8", &Info{Has: InfoKindsOf(KindFace), Face: Face{Kind: FaceReset}}},
	{"chat", "0801 02 83 00 80 fe bb aa", &Info{Has: InfoKindsOf(KindChat), Chat: Chat{Colour: 2, Effect: 3, Packed: []byte{0xaa, 0xbb}}}},
	{"chat in three colours", "0801 0f 80 ff 81 ff aa ff fe fd", &Info{Has: InfoKindsOf(KindChat), Chat: Chat{Colour: 15, ModIcon: 1, Auto: true, Packed: []byte{0xaa}, Pattern: [8]uint8{1, 2, 3}}}},
	{"head bars", "080801 83 00 ffff 07 00 05 90 07 1e 05 90 dd", &Info{Has: InfoKindsOf(KindHeadBars), HeadBars: []HeadBar{{Type: 0, EndTime: HeadBarRemoved}, {Type: 7, StartTime: 5, StartFill: 16}, {Type: 7, EndTime: 30, StartTime: 5, StartFill: 16, EndFill: 35}}}},
	{"animation", "40 01 26 05", &Info{Has: InfoKindsOf(KindAnim), Anim: Anim{Seq: [4]uint16{422, None, None, None}, Delay: 5}}},
	{"spot animations", "080802 01 ff 01c6 0064001e", &Info{Has: InfoKindsOf(KindSpotAnims), SpotAnims: []SpotAnim{{Slot: 1, ID: 326, Height: 100, Delay: 30}}}},
	{"transparency", "080810 0085 001e 81 80 7f", &Info{Has: InfoKindsOf(KindTransparency), Transparency: Transparency{Start: 5, End: 30, From: 255, To: 0, UseFrom: true}}},
	{"tint", "0802 0500 001e f6 14 62 58", &Info{Has: InfoKindsOf(KindRecolour), Recolour: Recolour{Hue: 10, Saturation: 20, Lightness: 30, Weight: 40, Start: 5, End: 30}}},
	{"exact move", "0840 fe 83 fc 85 001e 5a00 8004", &Info{Has: InfoKindsOf(KindExactMove), ExactMove: ExactMove{X1: -2, Z1: 3, X2: 4, Z2: -5, T1: 30, T2: 90, Dir: 1024}}},
	{"say", "04 686900", &Info{Has: InfoKindsOf(KindSay), Say: []byte("hi")}},
	{"instant movement", "0810 7f", &Info{Has: InfoKindsOf(KindTempSpeed), TempSpeed: 127}},
	{"speed", "0804 fe", &Info{Has: InfoKindsOf(KindSpeed), Speed: 2}},
	{"reset", "02 ff", &Info{Has: InfoKindsOf(KindReset), ResetWhat: 1}},
	{"appearance", "20 7e 8182", &Info{Has: InfoKindsOf(KindAppearance), Appearance: []byte{1, 2}}},
	{"freeze", "080808 8a00 a800 81", &Info{Has: InfoKindsOf(KindFreeze), Freeze: Freeze{Delay: 10, Duration: 40, Cancel: true}}},
}

func TestOSRSPlayerInfoBlocksMatchTestVectorsAndRoundTrip(t *testing.T) {
	for _, v := range osrsVectors {
		t.Run(v.name, func(t *testing.T) {
			want := unhex(t, v.hex)
			if got := ProfileOSRS239.AppendInfo(nil, v.want); !bytes.Equal(got, want) {
				t.Errorf("wrote\n%x, want\n%x", got, want)
			}
			checkParse(t, ProfileOSRS239, want, v.want)
			checkPrefixes(t, ProfileOSRS239, want)
		})
	}
}

// OSRS chat text is packed with the chat code, and the packed bytes are stored in reverse order.
func TestOSRSChatTextIsPackedAndBytesAreReversed(t *testing.T) {
	in := &Info{Has: InfoKindsOf(KindChat), Chat: Chat{Packed: ChatHuffman().Append(nil, []byte("hello"))}}
	want := unhex(t, "0801 00 80 00 80 fc 708c8305")
	if got := ProfileOSRS239.AppendInfo(nil, in); !bytes.Equal(got, want) {
		t.Errorf("wrote %x, want %x", got, want)
	}
	var back Info
	r := wire.NewReader(want)
	if err := ProfileOSRS239.ParseInfo(&r, &back); err != nil {
		t.Fatal(err)
	}
	if text, err := ChatHuffman().Parse(nil, back.Chat.Packed, 80); err != nil || string(text) != "hello" {
		t.Errorf("read %q, %v", text, err)
	}
}
