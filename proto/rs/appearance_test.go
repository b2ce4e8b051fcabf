package rs

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

// appearanceVectors are appearances and their encoded blocks; each block starts with the mask byte and the length. A real,
// unmodified client of revision 667 accepted the vectors whose names begin with Vnn or Pnn.
var appearanceVectors = []struct {
	name    string
	profile *Profile
	hex     string
	want    func() Appearance
}{
	{"V22 human", Profile667, "084e0000ffff0000000000011200011a012401000121012a010a0000000203040506000000000005925a657a696d61007e8aff00", zezima},
	{"V23 dragon as NPC form", Profile667, "085f8907010300ffff003204000000000000000000000592447261676f6e0003031400", func() Appearance {
		return Appearance{
			Female: true, Size: 2, TitleGroup: 2, Title: 7, PKIcon: 1, PrayerIcon: 3, NPC: &NPCForm{ID: 50, Team: 4},
			Bas: 1426, Name: []byte("Dragon"), CombatLevel: 3, MaxCombatLevel: 3, CombatRange: 20,
		}
	}},
	{"V24 skill level, sounds, worn object", Profile667, "08450600ffff008064000000011200011a012401000121012a010a000000010101010101010101010592536b696c6c006305dc050001000200030004c8", func() Appearance {
		a := humanBody()
		a[0] = Worn{WornObject, 100}
		return Appearance{
			Vorbis: true, ShowSkillLevel: true, Size: 1, PKIcon: -1, PrayerIcon: -1, Worn: a,
			Colours: [10]uint8{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, Bas: 1426, Name: []byte("Skill"),
			CombatLevel: 99, SkillLevel: 1500, Sound: PlayerSound{Range: 5, IDs: [4]uint16{1, 2, 3, 4}, Volume: 200},
		}
	}},
	{"P15 goblin as NPC form", Profile667, "085f0000ffff00ffff000100000000000000000000000592476f626c696e000202ff00", func() Appearance {
		return Appearance{
			Size: 1, PKIcon: -1, PrayerIcon: -1, NPC: &NPCForm{ID: 1},
			Bas: 1426, Name: []byte("Goblin"), CombatLevel: 2, MaxCombatLevel: 2, CombatRange: 255,
		}
	}},
	{"V29b human without colours", Profile667, "08500000ffff0000000000011200011a012401000121012a010a000000000000000000000000000592426f7431000303ff00", func() Appearance {
		return Appearance{
			Size: 1, PKIcon: -1, PrayerIcon: -1, Worn: humanBody(),
			Bas: 1426, Name: []byte("Bot1"), CombatLevel: 3, MaxCombatLevel: 3, CombatRange: 255,
		}
	}},
	{"recoloured object", Profile667, "08480000ffff008064000000011200011a012401000121012a010a000001" + "0c f3f5 000a 000b 4f 0007" + "000000000000000000000592430003 03ff00", func() Appearance {
		a := humanBody()
		a[0] = Worn{WornObject, 100}
		return Appearance{
			Size: 1, PKIcon: -1, PrayerIcon: -1, Worn: a,
			Customisations: []Customisation{{
				Recolour:  [4]Substitution{{true, 5, 10}, {}, {true, 3, 11}, {}},
				Retexture: [2]Substitution{{}, {true, 4, 7}},
			}},
			Bas: 1426, Name: []byte("C"), CombatLevel: 3, MaxCombatLevel: 3, CombatRange: 255,
		}
	}},
	{"634 human, reversed bytes", Profile634, "102a00ff8a7e00616d697a655a920506050403020a012a012101000124011a010012010000000000ffff0000", zezima},
	{"634 goblin, reversed bytes", Profile634, "101c00ff02 02 006e696c626f47 9205 0000000000 00 0100 ffff 00 ffff 00 00", func() Appearance {
		return Appearance{
			Size: 1, PKIcon: -1, PrayerIcon: -1, NPC: &NPCForm{ID: 1},
			Bas: 1426, Name: []byte("Goblin"), CombatLevel: 2, MaxCombatLevel: 2, CombatRange: 255,
		}
	}},
}

func TestAppearanceVectorsAreParsedAndWrittenByteForByte(t *testing.T) {
	for _, v := range appearanceVectors {
		t.Run(v.name, func(t *testing.T) {
			block, want := unhex(t, v.hex), v.want()
			in := &Info{Has: InfoKindsOf(KindAppearance), Appearance: v.profile.AppendAppearance(nil, &want)}
			if got := v.profile.AppendInfo(nil, in); !bytes.Equal(got, block) {
				t.Fatalf("wrote\n%x, want\n%x", got, block)
			}
			checkParse(t, v.profile, block, in)
			checkAppearance(t, v.profile, in.Appearance, want)
		})
	}
}

// checkAppearance parses b and compares the result with want. Every shorter prefix must be refused.
func checkAppearance(t testing.TB, p *Profile, b []byte, want Appearance) {
	t.Helper()
	got, err := p.ParseAppearance(b)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read\n%+v, want\n%+v", got, want)
	}
	for n := range b {
		if _, err := p.ParseAppearance(b[:n]); !errors.Is(err, wire.ErrShort) {
			t.Errorf("%d of %d bytes: error %v", n, len(b), err)
		}
	}
	if _, err := p.ParseAppearance(append(bytes.Clone(b), 0)); !errors.Is(err, wire.ErrTrailing) {
		t.Errorf("with a trailing byte: error %v", err)
	}
}

// Vector V24b contains models of a worn object. The client reads as many pairs of models as its game cache has for the
// object, so that a server without the cache can write the bytes but not parse them.
func TestParseAppearanceWithObjectModelsFailsWithoutGameCache(t *testing.T) {
	a := Appearance{
		PKIcon: -1, PrayerIcon: -1, Worn: humanBody(), Customisations: []Customisation{{WornModels: []ModelPair{{1234, -1}}}},
		Bas: 1426, Name: []byte("Cust"), CombatLevel: 3, MaxCombatLevel: 3, CombatRange: 255,
	}
	a.Worn[0] = Worn{WornObject, 100}
	want := unhex(t, "0000ffff008064000000011200011a012401000121012a010a0000010104d27fff00000000000000000000059243757374000303ff00")
	b := Profile667.AppendAppearance(nil, &a)
	if !bytes.Equal(b, want) {
		t.Errorf("wrote\n%x, want\n%x", b, want)
	}
	if _, err := Profile667.ParseAppearance(b); !errors.Is(err, ErrNeedsCache) {
		t.Errorf("error %v", err)
	}
}

// This OSRS appearance has every part. The expected bytes are derived from the wire document; no executable client confirms them.
func TestOSRSAppearanceWithEveryPartRoundTrips(t *testing.T) {
	a := Appearance{
		Female: true, Size: 1, PKIcon: -1, PrayerIcon: 2, Worn: humanBody(), Kits: humanBody(), ForceRebuild: true,
		Customisations: []Customisation{{
			Slot: 3, WornModels: []ModelPair{{1, 2}}, HeadModels: []ModelPair{{3, -1}},
			Recolour: [4]Substitution{{true, 1, 500}, {}}, Retexture: [2]Substitution{{true, 0, 6}, {true, 1, 7}},
		}},
		Colours: [10]uint8{1, 2, 3, 4, 5}, Anims: [7]uint16{808, 823, 819, 820, 821, 822, 824}, Name: []byte("Zezima"),
		Affixes: [3][]byte{[]byte("a"), nil, []byte("c")}, CombatLevel: 126, SkillLevel: 2277, Hidden: true, Pronoun: 1,
	}
	a.Worn[3] = Worn{WornObject, 4151}
	b := unhex(t, "01ff02 000000 1837 0112 00 011a 0124 0100 0121 012a 010a 00000000 0112 00 011a 0124 0100 0121 012a 010a"+
		"0102030405 0328 0337 0333 0334 0335 0336 0338 5a657a696d6100 7e 08e5 01"+
		"8200 0f f1 01f4 10 0006 0007 00000001 00000002 00000003 ffffffff 6100 00 6300 01")
	if got := ProfileOSRS239.AppendAppearance(nil, &a); !bytes.Equal(got, b) {
		t.Fatalf("wrote\n%x, want\n%x", got, b)
	}
	a.Affixes[1] = []byte{}
	got, err := ProfileOSRS239.ParseAppearance(b)
	got.Affixes[1] = []byte{}
	if err != nil || !reflect.DeepEqual(got, a) {
		t.Errorf("read %v\n%+v, want\n%+v", err, got, a)
	}
	npc := Appearance{Size: 1, NPC: &NPCForm{ID: 50}, Kits: humanBody(), Name: []byte("Dragon"), Affixes: [3][]byte{}}
	checkOSRSNPCForm(t, npc)
}

// checkOSRSNPCForm checks that an NPC form replaces the worn positions and nothing else.
func checkOSRSNPCForm(t *testing.T, npc Appearance) {
	t.Helper()
	b := ProfileOSRS239.AppendAppearance(nil, &npc)
	if !bytes.HasPrefix(b, []byte{0, 0, 0, 0xff, 0xff, 0, 50, 0, 0, 0, 0, 1, 18}) {
		t.Errorf("wrote %x", b)
	}
	got, err := ProfileOSRS239.ParseAppearance(b)
	if err != nil || got.NPC == nil || *got.NPC != *npc.NPC || got.Kits != npc.Kits || got.Worn != (Appearance{}).Worn {
		t.Errorf("read %v %+v", err, got)
	}
}

func TestParseAppearanceRefusesInvalidValues(t *testing.T) {
	plain := zezima()
	whole := Profile667.AppendAppearance(nil, &plain)
	at := func(place int, v ...byte) []byte {
		b := bytes.Clone(whole)
		copy(b[place:], v)
		return b
	}
	for _, v := range []struct {
		rule string
		b    []byte
		want error
	}{
		{"hidden flag of 2", at(4, 2), wire.ErrRange},
		{"customised equipment slot without an object", at(25, 0, 1), wire.ErrRange},
		{"customised bit without a position", at(25, 0x20, 0), wire.ErrRange},
		{"no bytes", nil, wire.ErrShort},
	} {
		if _, err := Profile667.ParseAppearance(v.b); !errors.Is(err, v.want) {
			t.Errorf("%s: error %v", v.rule, err)
		}
	}
}

// An appearance made for one revision can be encoded for another. Fields that the other revision lacks are left out.
func TestAppendAppearanceOmitsFieldsThatProfileLacks(t *testing.T) {
	a := zezima()
	a.Worn[14] = Worn{WornObject, 3}
	a.Customisations = []Customisation{{Slot: 14, Recolour: [4]Substitution{{}, {}, {}, {true, 1, 2}}}}
	for _, p := range Profiles() {
		b := p.AppendAppearance(nil, &a)
		got, err := p.ParseAppearance(b)
		if err != nil || string(got.Name) != "Zezima" || !bytes.Equal(p.AppendAppearance(nil, &got), b) {
			t.Errorf("%s: %v, %+v", p.Name, err, got)
		}
	}
}
