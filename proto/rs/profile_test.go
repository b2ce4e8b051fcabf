package rs

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

// syntheticTable is the profile table of an invented revision: known kinds with other bits, another order and other
// encodings.
const syntheticTable = `
# A row may be a comment, and a table may have empty rows.

profile toy  revision=1 ext=0x1,0x100 cell=6 maxpayload=5000 wear=3x0,1,2
400  HITS         n:u8A *{type:smart (type=5..9 delay:u16LA) amount:u8N hp:u8S}
2    SAY          text:cstr
8000 EXACT_MOVE   dir:u16A<4 t2:u16L t1:u16LA z2:s8S x2:s8A z1:s8N x1:s8
4    APPEARANCE   len:u8N data:rbytes
80   ANIM         delay:u8 seq3:u16 2*seq:u16A
800000 WORN_TARGETS n:u8 *{slots:u16 t:u16L [low:u16LA]}
10   GFX2         hd:u32M2 (hd&0xffff=0 id:u16) opts:u8
look worn   kit=0x200 object=0x300 npc:u16L
look fields name:cstr (female=1 pronoun:u8)
look custom human refresh=9 retexture:u8 recolour:u8
`

func TestExtendedInfoOfEveryKindRoundTripsInProfileOfInventedRevision(t *testing.T) {
	p, err := ParseProfile(syntheticTable)
	if err != nil {
		t.Fatal(err)
	}
	in := &Info{
		Has:         p.Kinds(),
		Hits:        []Hit{{Type: 3, Amount: 7, HP: 9}, {Type: 6, Amount: 8, Delay: 10, HP: 255}},
		Say:         []byte("hi"),
		ExactMove:   ExactMove{-1, 2, 3, -4, 5, 6, 3},
		Appearance:  []byte{1, 2, 3},
		Anim:        Anim{Seq: [4]uint16{1, 2, None, 4}, Delay: 5},
		WornTargets: []WornTarget{{0x1234, 1}, {0xc0012345, 2}},
	}
	in.Gfx[2] = Gfx{ID: 9, Height: 100}
	want := unhex(t, "978580"+ // mask 0x808496 with both extensions
		"82 03 f9 77 06 8a00 f8 81"+ // block of hits
		"686900"+ // block of say
		"0083 0600 8500 84 83 fe ff"+ // block of exact move, in reverse order
		"fd 030201"+ // block of appearance
		"05 0004 0081 0082"+ // block of an animation without seq2
		"02 0001 3412 0002 01c0 c523"+ // block of worn targets, the second with an extension
		"0000 0064 0009 00") // block of a spot animation without delay
	if got := p.AppendInfo(nil, in); !bytes.Equal(got, want) {
		t.Errorf("wrote\n%x, want\n%x", got, want)
	}
	checkParse(t, p, want, in)
	checkPrefixes(t, p, want)
	wantOrder := []InfoKind{KindHits, KindSay, KindExactMove, KindAppearance, KindAnim, KindWornTargets, KindGfx2}
	if got := p.BlockOrder(); !slices.Equal(got, wantOrder) || p.PersistentKinds() != InfoKindsOf(KindAppearance, KindWornTargets) {
		t.Errorf("order %v, persistent %b", got, p.PersistentKinds())
	}
}

func TestAppearanceRoundTripsInProfileOfInventedRevision(t *testing.T) {
	p, err := ParseProfile(syntheticTable)
	if err != nil {
		t.Fatal(err)
	}
	a := Appearance{Size: 1, Name: []byte("x"), ForceRebuild: true, Customisations: []Customisation{{Slot: 2, Recolour: [4]Substitution{{}, {true, 4, 5}}}}}
	a.Worn[1], a.Worn[2], a.Worn[4] = Worn{WornKit, 1}, Worn{WornObject, 2}, Worn{WornObject, 3}
	want := unhex(t, "00 0201 0302 0303 7800 0204 02 4f 0005")
	if got := p.AppendAppearance(nil, &a); !bytes.Equal(got, want) {
		t.Fatalf("wrote %x, want %x", got, want)
	}
	checkAppearance(t, p, want, a)
	npc := Appearance{Size: 1, NPC: &NPCForm{ID: 50}, Name: []byte("x")}
	want = unhex(t, "ffff 3200 7800")
	if got := p.AppendAppearance(nil, &npc); !bytes.Equal(got, want) {
		t.Fatalf("wrote %x, want %x", got, want)
	}
	checkAppearance(t, p, want, npc)
}

func TestParseProfileRefusesInvalidTables(t *testing.T) {
	const head = "profile toy revision=1 ext=0x1,0x100 cell=6 maxpayload=5000 wear=3x0\n"
	for _, v := range []struct{ rule, table string }{
		{"no rows", ""},
		{"no blocks", head},
		{"block before the first row", "2 SPEED v:u8"},
		{"two profile rows", head + head + "2 SPEED v:u8"},
		{"unknown option", "profile toy colour=3"},
		{"cell of 7", strings.Replace(head, "cell=6", "cell=7", 1) + "2 SPEED v:u8"},
		{"no extensions", strings.Replace(head, "ext=0x1,0x100", "", 1) + "2 SPEED v:u8"},
		{"extension bit in the wrong byte", strings.Replace(head, "0x100", "0x10", 1) + "2 SPEED v:u8"},
		{"payload above 65535", strings.Replace(head, "5000", "70000", 1) + "2 SPEED v:u8"},
		{"unknown kind", head + "2 SPED v:u8"},
		{"unknown field", head + "2 SPEED w:u8"},
		{"unknown encoding", head + "2 SPEED v:u9"},
		{"two bits", head + "6 SPEED v:u8"},
		{"bit used twice", head + "2 SPEED v:u8\n2 TURN v:u16"},
		{"kind used twice", head + "2 SPEED v:u8\n4 SPEED v:u8"},
		{"bit of an extension", head + "100 SPEED v:u8"},
		{"list without a count", head + "2 HITS type:smart"},
		{"count of variable length", head + "2 HITS n:smart *{type:smart}"},
		{"list without a closing bracket", head + "2 HITS n:u8 *{type:smart"},
		{"fields after a list", head + "2 HITS n:u8 *{type:smart} hp:u8"},
		{"group without a closing bracket", head + "2 FACE f:u8 (f=1 x:smart"},
		{"condition on an unknown field", head + "2 FACE f:u8 (g=1 x:smart)"},
		{"bytes without a length", head + "2 APPEARANCE data:bytes"},
		{"a length without bytes", head + "2 APPEARANCE len:u8 data:u8"},
		{"bytes of a kind without bytes", head + "2 SPEED len:u8 v:bytes"},
		{"low half of one byte", head + "2 WORN_TARGETS n:u8 *{t:u16 [e:u8]}"},
		{"negative limit", head + "2 TURN v:u16<-1"},
		{"look row without a part", head + "look"},
		{"unknown look part", head + "look hat"},
		{"kit base above object base", head + "look worn kit=0x300 object=0x200"},
		{"unknown customisation", head + "look custom hat:u8"},
		{"bit above the mask", head + "look custom refresh=16"},
	} {
		if _, err := ParseProfile(v.table); !errors.Is(err, ErrProfile) {
			t.Errorf("%s: error %v", v.rule, err)
		}
	}
}

func TestBuiltInProfilesHaveExpectedBlocks(t *testing.T) {
	for _, v := range []struct {
		name   string
		blocks int
		cell   uint
		worn   int
		kinds  InfoKindSet // expected persistent kinds
	}{
		{"667", 19, 6, 13, InfoKindsOf(KindAppearance, KindSpeed, KindTarget, KindTurn, KindWornTargets, KindClanmate, KindPIcon)},
		{"634", 16, 6, 12, InfoKindsOf(KindAppearance, KindSpeed, KindTarget, KindTurn, KindWornTargets, KindClanmate)},
		{"osrs239", 15, 13, 12, InfoKindsOf(KindAppearance, KindSpeed, KindFace)},
	} {
		p, ok := ProfileNamed(v.name)
		if !ok || p.Name != v.name {
			t.Errorf("no profile %s", v.name)
			continue
		}
		worn := 0
		for _, kind := range p.WornSlots {
			if kind != 1 {
				worn++
			}
		}
		if len(p.Blocks) != v.blocks || p.SquareShift != v.cell || worn != v.worn || p.PersistentKinds() != v.kinds {
			t.Errorf("%s: %d blocks, cell %d, %d worn, persistent %b", v.name, len(p.Blocks), p.SquareShift, worn, p.PersistentKinds())
		}
		if !reflect.DeepEqual(p.BlockOrder(), kindsIn(p.Blocks)) || p.Kinds().Count() != v.blocks {
			t.Errorf("%s: order %v", v.name, p.BlockOrder())
		}
	}
	if _, ok := ProfileNamed("377"); ok {
		t.Error("found profile 377, which is not built in")
	}
}

func kindsIn(defs []BlockDef) []InfoKind {
	var ks []InfoKind
	for _, d := range defs {
		ks = append(ks, d.Kind)
	}
	return ks
}

// FuzzProfile checks that no table makes ParseProfile or the resulting profile panic.
func FuzzProfile(f *testing.F) {
	f.Add(syntheticTable, []byte{2, 'h', 0})
	f.Add("profile toy ext=1,256 cell=6 maxpayload=9 wear=1\n2 CHAT len:u8 a:bytes (colour=1 colour:u8)\nlook custom wear:u8+", []byte{2, 1, 1})
	f.Fuzz(func(t *testing.T, table string, b []byte) {
		p, err := ParseProfile(table)
		if err != nil {
			return
		}
		var in Info
		r := wire.NewReader(b)
		if p.ParseInfo(&r, &in) == nil {
			p.AppendInfo(nil, &in)
		}
		if a, err := p.ParseAppearance(b); err == nil {
			p.AppendAppearance(nil, &a)
		}
	})
}
