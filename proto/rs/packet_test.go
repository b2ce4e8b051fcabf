package rs

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

// packetVector is a packet and its frame, which the game client sent or accepted as the first frame after a login.
type packetVector struct {
	id    string
	dir   Direction
	p     Packet
	frame string
}

// Source: docs/wire/rs.md, vectors P01..P19.
func packetVectors() []packetVector {
	all := []packetVector{
		{"P01", C2S, OpPlayer{Option: 1, Index: 7}, "4c 00 0007"},
		{"P03", C2S, OpPlayer{Option: 1, Index: 2047}, "4c 00 07ff"},
		{"P04", C2S, MessagePublicRequest{Text: "hello"}, "62 06 00 00 05 838c70"},
		{"P05", C2S, MessagePublicRequest{Colour: 1, Effect: 1, Text: "hello"}, "62 06 01 01 05 838c70"},
		{"P06", C2S, MessagePublicRequest{Colour: 6, Effect: 4, Text: "Hello, world!"}, "62 0c 06 04 0d 0db8c7011fb2b15008"},
		{"P07a", C2S, FaceSquare{X: 3222, Z: 3218}, "7d 120c 960c"},
		{"P07b", C2S, MoveMinimapClick{MoveGameClick: MoveGameClick{X: 3222, Z: 3218}, OffX: -1, OffZ: -1},
			"91 160c 120c 00 ffff 0000 39 00 00 59 0000 0000 3f"},
		{"P07c", C2S, NoTimeout{}, "4e"},
		{"P08", C2S, IfButton{Option: 1, Component: ComponentOf(750, 1), Object: None, Sub: None}, "7b ee02 0100 7fff ffff"},
		{"walk", C2S, MoveGameClick{X: 3222, Z: 3218}, "4a 16 0c 12 0c 00"},
		{"P09", S2C, SetPlayerOp{Slot: 1, Text: "Attack", Priority: PlayerOpNormal, Cursor: DefaultCursor},
			"19 0b 81 ffff 41747461636b00 ff"},
		{"P10a", S2C, SetPlayerOp{Slot: 3, Text: "Follow", Priority: PlayerOpReduced, Cursor: 42}, "19 0b 80 2a00 466f6c6c6f7700 fd"},
		{"P10b", S2C, SetPlayerOp{Slot: 3, Text: NoPlayerOp, Priority: PlayerOpNormal, Cursor: DefaultCursor},
			"19 09 81 ffff 6e756c6c00 fd"},
		{"P11a", S2C, UpdateStat{Skill: SkillConstitution, Level: 10, XP: 1154}, "75 76 83 82040000"},
		{"P11b", S2C, UpdateStat{Skill: SkillConstitution, Level: 7, XP: 1153}, "75 79 83 81040000"},
		{"P12a", S2C, ReduceAttackPriority{}, "94 80"},
		{"P12b", S2C, UpdateRunEnergy{Percent: 100}, "25 64"},
		{"P12c", S2C, UpdateRunWeight{Kilograms: -5}, "7f fffb"},
		{"P12d", S2C, SetMapFlag{X: 3222 - 3152, Z: 3218 - 3152}, "4f 46 c2"},
		{"P12e", S2C, IfOpenTop{Interface: TopResizable}, "5b 6a02 80"},
		{"P13a", S2C, MessageGame{Text: "Welcome."}, "7e 0f 00 00000000 00 57656c636f6d652e00"},
		{"P13b", S2C, MessageGame{Type: MessageTrade, NameCount: 1, Name: "Bob", Text: "wishes to trade with you."},
			"7e 24 64 00000000 01 426f6200 77697368657320746f207472616465207769746820796f752e00"},
		{"P13c", S2C, MessagePublic{Index: 7, Text: "hello"}, "73 09 0007 0000 00 05838c70"},
		{"P14a", S2C, UpdateZonePartialFollows{X: 8, Z: 8}, "46 88 08 80"},
		{"P14b", S2C, MapProjAnim{X: 3222 & 7, Z: 3218 & 7, DX: 3, DZ: 1, Target: TargetPlayer(7), ID: 100, Y1: 40, Y2: 36,
			T1: 30, T2: 60, Angle: 16, Shift: 64}, "56 32 03 01 fff8 0064 28 24 001e 003c 10 0040"},
		{"P14c", S2C, EffectSpecific{Target: AtPlayer(1),
			Gfx: Gfx{ID: 300, Delay: 10, Height: 100, Rotation: 2, WornSlot: NoWornSlot}}, "84 008a 00100100 80 fa 0064 2c01"},
		{"P14d", S2C, EffectSpecific{Target: AtTile(Tile{X: 3222, Z: 3218}),
			Gfx: Gfx{ID: 300, Delay: 10, Height: 100, Rotation: 2}}, "84 008a 2543928c 80 82 0064 2c01"},
		{"P17a", S2C, Logout{}, "53"},
		{"P17b", S2C, LogoutFull{}, "4b"},
		{"P18a", S2C, VarbitLarge{ID: VarbitLifePoints, Value: 100}, "6c 00000064 1c1e"},
		{"P18b", S2C, VarpSmall{ID: VarpRun, Value: 1}, "7d 00ad 81"},
	}
	for i, op := range opcodeBytes("73 8b 6c 70 90 6f 7c 69 51") {
		p := OpPlayer{Option: uint8(i) + 2, Index: 7}
		all = append(all, packetVector{"P02", C2S, p, op + "000007"})
	}
	return all
}

func opcodeBytes(s string) []string { return strings.Fields(s) }

func TestPacketFramingMatchesGameClient(t *testing.T) {
	for _, v := range packetVectors() {
		want := unhex(t, v.frame)
		keys := &Keys{1, 2, 3, 4}
		got, err := NewFrameWriter(v.dir, cipherOf(v.dir, keys)).AppendPacket(nil, v.p)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: wrote %x, %v, want %x", v.id, got, err, want)
		}
		f, n, err := NewFrameReader(v.dir, cipherOf(v.dir, keys)).Next(want)
		if err != nil || n != len(want) {
			t.Errorf("%s: read %d bytes, %v", v.id, n, err)
			continue
		}
		if p, err := Parse(v.dir, f.Op, f.Body); err != nil || !reflect.DeepEqual(p, v.p) {
			t.Errorf("%s: read %+v, %v, want %+v", v.id, p, err, v.p)
		}
	}
}

// The frames are vector P19 of docs/wire/rs.md; this package has no structs for their bodies. The player info packets
// P15 and P16 are tested with npcScenes.
func TestFramesWithTwoByteOpcodesMatchGameClient(t *testing.T) {
	for _, c := range []struct {
		op          Opcode
		body, frame string
	}{{134, "00", "98 f5 00"}, {135, "", "98 f6"}} {
		got, err := NewFrameWriter(S2C, Keys{1, 2, 3, 4}.ServerCipher()).Append(nil, c.op, unhex(t, c.body))
		if err != nil || !bytes.Equal(got, unhex(t, c.frame)) {
			t.Errorf("P19 %d: %x, %v", c.op, got, err)
		}
	}
}

func TestRebuildNormalPacketHasDocumentedBytes(t *testing.T) {
	p := RebuildNormalAround(3200, 3200, Area104, true)
	b := p.Append(nil)
	if want := unhex(t, "00 01 90 01 01 90"); !bytes.Equal(b[:6], want) || len(b) != 6+64 || PlacementSize+len(b) != 4678 {
		t.Errorf("%x, %d bytes", b[:6], len(b))
	}
	if x, z := p.SceneBase(); x != 3152 || z != 3152 {
		t.Errorf("scene base %d,%d", x, z)
	}
}

// sample is a packet for the tests that cover every packet type. The field validPrefixes has the lengths of those prefixes of the
// packet's body that are valid bodies as well.
type sample struct {
	dir           Direction
	p             Packet
	validPrefixes []int
}

func samples() []sample {
	var all []sample
	for _, v := range packetVectors() {
		all = append(all, sample{dir: v.dir, p: v.p})
	}
	for _, p := range []Packet{
		OpNPC{Option: 1, Index: 0x1234, Ctrl: true}, OpNPC{Option: 2}, OpNPC{Option: 3}, OpNPC{Option: 4}, OpNPC{Option: 5}, OpNPC{Option: 6},
		OpLoc{Option: 1, X: 3222, Z: 3218, ID: 0x1234, Ctrl: true}, OpLoc{Option: 2}, OpLoc{Option: 3}, OpLoc{Option: 4}, OpLoc{Option: 5}, OpLoc{Option: 6},
		OpPlayerT{Index: 2047, Source: ComponentOf(192, 30), Object: None, Ctrl: true, SourceSub: 0x1234},
		OpNPCT{SourceSub: 1, Object: 2, Index: 3, Source: ComponentOf(4, 5), Ctrl: true},
		IfButton{Option: 2}, IfButton{Option: 3}, IfButton{Option: 4}, IfButton{Option: 5}, IfButton{Option: 6},
		IfButton{Option: 7}, IfButton{Option: 8}, IfButton{Option: 9}, IfButton{Option: 10, Component: 0x12345678, Object: 0x9abc, Sub: 0xdef0},
		MoveMinimapClick{MoveGameClick{16383, 1, true}, 3, -4, 0x1234, -128, 127, 0x5678, 0x9abc},
		MapBuildComplete{}, CloseModal{}, ChatSetMode{Mode: 2},
		MessagePublicRequest{Colour: MaxChatColour, Effect: MaxChatEffect, Text: "€ „ü“"},
		ClientCheat{Automatic: true, Command: "tele 0,50,50,22,18"}, ClientCheat{KeepText: true},
		ResumePauseButton{Component: 0x12345678, Sub: 0x9abc},
		SendPingReply{A: 0x12345678, B: 0x9abcdef0}, PingStatistics{Millis: 0x1234}, TransmitVarVerifyID{Count: 0x12345678},
		WindowStatus{Mode: WindowResizable, Width: 1024, Height: 768, Antialias: 2}, EventAppletFocus{Focus: true},
		EventCameraPosition{Pitch: 0x1234, Yaw: 0x5678}, EventMouseClick{Right: true, Delay: 0x1234, X: 500, Y: 0xffff},
		DetectModifiedClient{Value: UnmodifiedClient},
	} {
		all = append(all, sample{dir: C2S, p: p})
	}
	for _, p := range []Packet{
		RebuildNormalAround(3222, 3218, Area104, true), RebuildNormalAround(0, 0, Area168, false), RebuildNormalAround(16383, 16383, Area136, false),
		RebuildRegion{Area: Area104, Mode: RegionRetain, Zones: make([]ZoneSource, Area104.ZoneCount())}, sampleRegion(),
		LogoutTransfer{World: 300, Host: "world.example", Reconnect: true}, SendPing{A: 0x12345678, B: 0x9abcdef0}, TickEnd{},
		ResetAnims{}, CamReset{}, ResetClientVarcache{}, MinimapToggle{Mode: 5}, ShowFaceHere{Shown: true}, ReduceAttackPriority{On: true},
		SetMapFlag{X: NoMapFlag}, VarpLarge{ID: 0x1234, Value: -0x12345678}, VarbitSmall{ID: 0x1234, Value: 200},
		IfOpenSub{Interface: 0x1234, Parent: 0x56789abc, Type: SubOverlay}, IfCloseSub{Parent: 0x12345678},
		IfSetText{Component: 0x12345678, Text: "Zoë"}, IfSetEvents{From: 0x1234, To: 0x5678, Component: 0x9abcdef0, Mask: 0x12345678},
		MapAnim{X: 7, Z: 6, ID: 0x1234, Height: 5, Delay: 0x6789, Rotation: 3},
		MapProjAnim{Ground: true, X: 7, Z: 7, DX: -128, DZ: 127, Target: TargetNPC(0), Angle: NoAngle},
		EffectSpecific{Target: AtNPC(0x7fff), Slot: 3, Gfx: Gfx{Rotation: 7, WornSlot: 1, Loop: true}},
		EffectSpecific{Target: AtTile(Tile{X: MaxCoord, Z: MaxCoord, Plane: 3}), Gfx: Gfx{ID: None}},
		MessageGame{Type: 32767, Flags: 0xfedcba98, NameCount: 2, Name: "<img=1>Zoë", PlainName: "Zoë"},
		MessagePublic{Index: 2047, Colour: MaxChatColour, Effect: MaxChatEffect, Rank: RankGold, Text: strings.Repeat("~", MaxChatLength)},
		UpdateZonePartialFollows{X: -1, Z: -128, Plane: 3},
	} {
		all = append(all, sample{dir: S2C, p: p})
	}
	missile, anim := MapProjAnim{ID: 1}.Append(nil), MapAnim{ID: 2}.Append(nil)
	return append(all,
		sample{C2S, EventKeyboard{Presses: []KeyPress{{65, 1}, {66, 0x1234}}}, []int{0, 3}},
		sample{S2C, SetMoveAction{Form: MoveActionReset}, nil},
		sample{S2C, SetMoveAction{Form: MoveActionCursor, Cursor: 0x1234}, []int{0}},
		sample{S2C, SetMoveAction{Form: MoveActionText, Text: "Walk", Cursor: 0x1234}, []int{0, 2}},
		sample{S2C, UpdateZonePartialEnclosed{X: 8, Z: -8, Plane: 1, Entries: []ZoneEntry{
			{ZoneMapProjAnim, missile}, {ZoneMapAnim, anim}, {ZoneSoundArea, make([]byte, 8)}}}, []int{3, 3 + 17, 3 + 17 + 8}},
	)
}

func sampleRegion() RebuildRegion {
	p := RebuildRegion{CentreZoneX: 400, CentreZoneZ: 2047, Area: Area120, Force: true, Mode: RegionClearNPCs}
	p.Zones = make([]ZoneSource, p.Area.ZoneCount())
	p.Zones[0] = ZoneSource{Present: true, Plane: 3, X: 1023, Z: 2047, Rotation: 3}
	p.Zones[7] = ZoneSource{Present: true, X: 400, Z: 401, Rotation: 1}
	p.Zones[8] = ZoneSource{Present: true, X: 407, Z: 400, Rotation: 2}
	p.Zones[len(p.Zones)-1] = ZoneSource{Present: true, Plane: 1, X: 1, Z: 8}
	p.Keys = []Keys{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}
	return p
}

func TestEveryPacketRoundTrips(t *testing.T) {
	for _, s := range samples() {
		b := s.p.Append(nil)
		p, err := Parse(s.dir, s.p.Opcode(), b)
		if err != nil || !reflect.DeepEqual(p, s.p) {
			t.Errorf("%T of %x: %+v, %v, want %+v", s.p, b, p, err, s.p)
			continue
		}
		if again := p.Append([]byte("before")); !bytes.Equal(again, append([]byte("before"), b...)) {
			t.Errorf("%T: accepted %x but wrote %x", p, b, again)
		}
		if row, _ := Lookup(s.dir, p.Opcode()); row.Size >= 0 && int(row.Size) != len(b) || row.Size == SizeByte && len(b) > 255 {
			t.Errorf("%s has %d bytes, %d in the table", row.Name, len(b), row.Size)
		}
	}
}

func TestTruncatedPacketBodiesAreRefused(t *testing.T) {
	for _, s := range samples() {
		b := s.p.Append(nil)
		for n := range b {
			if slices.Contains(s.validPrefixes, n) {
				continue
			}
			if p, err := Parse(s.dir, s.p.Opcode(), b[:n]); p != nil || !errors.Is(err, wire.ErrShort) {
				t.Errorf("%T: %d of %d bytes: %+v, %v", s.p, n, len(b), p, err)
			}
		}
	}
}

func TestPacketBodiesWithTrailingByteAreRefused(t *testing.T) {
	for _, s := range samples() {
		b := append(s.p.Append(nil), 0)
		if p, err := Parse(s.dir, s.p.Opcode(), b); p != nil || err == nil {
			t.Errorf("%T with a trailing byte: %+v", s.p, p)
		}
	}
}

func TestPacketParsersRefuseInvalidValues(t *testing.T) {
	for _, c := range []struct {
		dir  Direction
		op   Opcode
		name string
		body string
	}{
		{C2S, 12, "tile 16384", "8040 120c 00"},
		{C2S, 12, "ctrl 2", "160c 120c 02"},
		{C2S, 83, "wrong first constant", "160c 120c 00 ffff 0000 38 00 00 59 0000 0000 3f"},
		{C2S, 83, "wrong last constant", "160c 120c 00 ffff 0000 39 00 00 59 0000 0000 40"},
		{C2S, 14, "index 0", "00 0000"},
		{C2S, 14, "index 2048", "00 0800"},
		{C2S, 36, "colour 12", "0c 00 00"},
		{C2S, 36, "effect 6", "00 06 00"},
		{C2S, 36, "91 characters", "00 00 5b" + strings.Repeat("00", 40)},
		{C2S, 93, "focus 2", "02"},
		{S2C, 93, "skill 25", "00 99 00000000"},
		{S2C, 91, "quick chat", "0007 8000 00 00"},
		{S2C, 102, "second name without the first", "00 00000000 02 4100 4200"},
		{S2C, 102, "type in a long form", "8005 00000000 00 4100"},
		{S2C, 43, "area 4", "fc 01 9001 0190"},
		{S2C, 43, "zone 2048", "00 01 0008 0190"},
		{S2C, 46, "plane 4", "88 08 7c"},
		{S2C, 62, "bit 6 of the tile", "72 03 01 fff8 0064 28 24 001e 003c 10 0040"},
		{S2C, 41, "bit 3 of the tile", "08 0001 00 0000 00"},
		{S2C, 87, "kind 15", "00 80 00 0f"},
		{S2C, 87, "kind of unknown length", "00 80 00 09 00"},
		{S2C, 108, "no target", "008a 00000100 80 fa 0064 2c01"},
		{S2C, 108, "player 0", "008a 00100000 80 fa 0064 2c01"},
		{S2C, 108, "slot 4", "008a 00100100 84 fa 0064 2c01"},
		{S2C, 124, "flag 2", "7e"},
	} {
		if p, err := Parse(c.dir, c.op, unhex(t, c.body)); p != nil || !errors.Is(err, wire.ErrRange) {
			t.Errorf("%v %d with %s: %+v, %v", c.dir, c.op, c.name, p, err)
		}
	}
}

func TestChatTextWithNULIsRefused(t *testing.T) {
	b := ChatHuffman().Append([]byte{0, 0}, []byte("a\x00b"))
	if p, err := ParseMessagePublicRequest(b); !errors.Is(err, wire.ErrRange) {
		t.Errorf("%q, %v", p.Text, err)
	}
}

// Every type with an Opcode method has a sample, and every sample of revision 667 has a row with a parser in the packet table.
func TestEveryPacketTypeIsInPacketTable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range samples() {
		seen[reflect.TypeOf(s.p).Name()] = true
		row, ok := Lookup(s.dir, s.p.Opcode())
		if !ok || !row.Parseable() {
			t.Errorf("%T is not in the table", s.p)
		}
	}
	for _, p := range samples634() {
		seen[reflect.TypeOf(p.p).Name()] = true
	}
	for _, name := range packetTypes(t) {
		if !seen[name] {
			t.Errorf("%s has no sample", name)
		}
	}
	for _, d := range []Direction{C2S, S2C} {
		for _, row := range Table(d) {
			has := slices.ContainsFunc(samples(), func(s sample) bool { return s.dir == d && s.p.Opcode() == row.Op })
			if row.Parseable() != has {
				t.Errorf("%v %s: parseable %v, sample %v", d, row.Name, row.Parseable(), has)
			}
		}
	}
}

// packetTypes returns the types of the package's source that have a method Opcode.
func packetTypes(t *testing.T) []string {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(gotoken.NewFileSet(), file.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "Opcode" && f.Recv != nil {
				names = append(names, f.Recv.List[0].Type.(*ast.Ident).Name)
			}
		}
	}
	return names
}

func TestPacketsThatBreakClientsWhenSentAloneAreMarkedZoneOnly(t *testing.T) {
	for _, op := range []Opcode{65, 90, 119} {
		if row, _ := Lookup(S2C, op); !row.ZoneOnly {
			t.Errorf("%s is not marked ZoneOnly", row.Name)
		}
	}
}

func TestParseRefusesUnknownOpcodesAndPacketsWithoutParser(t *testing.T) {
	if _, err := Parse(S2C, ServerNPCInfo, nil); !errors.Is(err, ErrUnparsed) || err.Error() != "NPC_INFO: packet is known, but has no parser" {
		t.Errorf("%v", err)
	}
	if _, err := Parse(C2S, 94, nil); !errors.Is(err, ErrOpcode) {
		t.Errorf("%v", err)
	}
	if _, err := Parse(S2C, 145, nil); !errors.Is(err, ErrOpcode) {
		t.Errorf("%v", err)
	}
}

func TestParseRebuildRegionRefusesNonzeroPaddingAndMissingKeys(t *testing.T) {
	good := sampleRegion()
	bit := 7 * 8 // offset of the first zone, bits
	last := bit + len(good.Zones) + zoneSourceBits*4
	if last%8 == 0 {
		t.Fatal("sample has no padding bits")
	}
	for name, at := range map[string]int{"lowest bit of a zone": bit + zoneSourceBits, "padding": last} {
		b := good.Append(nil)
		b[at/8] |= 0x80 >> (at % 8)
		if _, err := ParseRebuildRegion(b); !errors.Is(err, wire.ErrRange) {
			t.Errorf("%s: %v", name, err)
		}
	}
	good.Keys = good.Keys[:2]
	if _, err := ParseRebuildRegion(good.Append(nil)); !errors.Is(err, wire.ErrShort) {
		t.Errorf("two keys for three source squares: %v", err)
	}
}

func TestPackedComponentIDSplitsIntoInterfaceAndComponentNumber(t *testing.T) {
	if c := ComponentOf(750, 1); c != 0x02ee0001 || c.Interface() != 750 || c.Number() != 1 {
		t.Errorf("%x is %d:%d", uint32(c), c.Interface(), c.Number())
	}
}

func TestEffectTargetIsRecognisedAsPlayerOrNPCOrTile(t *testing.T) {
	tile := Tile{X: 1, Z: 2, Plane: 3}
	for _, c := range []struct {
		p                 EffectTarget
		player, npc, tile bool
	}{
		{AtPlayer(1), true, false, false},
		{AtPlayer(2048), false, false, false},
		{AtNPC(0), false, true, false},
		{AtTile(tile), false, false, true},
		{1<<28 | 1<<29, false, false, false},
		{1<<31 | 1<<30, false, false, false},
		{0, false, false, false},
	} {
		_, player := c.p.Player()
		_, npc := c.p.NPC()
		got, isTile := c.p.Tile()
		if player != c.player || npc != c.npc || isTile != c.tile || isTile && got != tile || c.p.valid() != (player || npc || isTile) {
			t.Errorf("%x is player %v, npc %v, tile %v", uint32(c.p), player, npc, isTile)
		}
	}
}

func TestSquareCountEqualsNumberOfMapSquaresThatClientLoads(t *testing.T) {
	for _, c := range []struct {
		area BuildArea
		x, z uint16
		want int
	}{
		{Area104, 400, 400, 4},  // squares 49..50 on both axes
		{Area104, 402, 400, 6},  // squares 49..51 on the x axis
		{Area168, 400, 400, 16}, // squares 48..51 on both axes
		{Area104, 0, 0, 1},      // -6/8 is 0
		{Area168, 0, 0, 9},      // -10/8 is -1
		{Area104, 2047, 4, 4},   // squares 255..256 on the x axis, 0..1 on the z axis
	} {
		x0, x1 := c.area.squareRange(c.x)
		z0, z1 := c.area.squareRange(c.z)
		if got := c.area.SquareCount(c.x, c.z); got != (x1-x0+1)*(z1-z0+1) || got > 16 {
			t.Errorf("area %d around %d,%d: %d squares", c.area, c.x, c.z, got)
		} else if got != c.want {
			t.Errorf("area %d around %d,%d: %d squares (%d..%d, %d..%d), want %d", c.area, c.x, c.z, got, x0, x1, z0, z1, c.want)
		}
	}
}

// FuzzPackets parses arbitrary bodies: accepted bodies must be written back byte for byte.
func FuzzPackets(f *testing.F) {
	for _, s := range samples() {
		f.Add(s.dir == S2C, uint8(s.p.Opcode()), s.p.Append(nil))
	}
	f.Fuzz(func(t *testing.T, server bool, op uint8, b []byte) {
		d := C2S
		if server {
			d = S2C
		}
		p, err := Parse(d, Opcode(op), b)
		if err != nil {
			if p != nil {
				t.Fatalf("Parse returned both %+v and %v", p, err)
			}
			return
		}
		if again := p.Append(nil); p.Opcode() != Opcode(op) || !bytes.Equal(again, b) {
			t.Fatalf("%v %d: accepted %x but wrote %d %x", d, op, b, p.Opcode(), again)
		}
	})
}

func samples634() []sample {
	return []sample{
		{C2S, Walk634{X: 3222, Z: 3218, Ctrl: true}, nil},
		{C2S, MinimapWalk634{Walk634: Walk634{X: 1, Z: 16383}, Rest: [13]byte{1, 2, 3, 12: 13}}, nil},
		{S2C, Region634{CentreZoneX: 400, CentreZoneZ: 401, Area: Area120, Force: true, Keys: make([]Keys, 2)}, []int{6, 22}},
	}
}

func TestPacketsOfRevision634RoundTrip(t *testing.T) {
	if b := (Walk634{X: 3222, Z: 3218, Ctrl: true}).Append(nil); !bytes.Equal(b, unhex(t, "920c 81 0c16")) {
		t.Errorf("walk %x", b)
	}
	if b := (Region634{CentreZoneX: 400, CentreZoneZ: 401, Area: 1, Force: true}).Append(nil); !bytes.Equal(b, unhex(t, "7f 1101 9001 ff")) {
		t.Errorf("region %x", b)
	}
	for _, s := range samples634() {
		i := slices.IndexFunc(Packets634(s.dir), func(r PacketDef) bool { return r.Op == s.p.Opcode() })
		row, b := Packets634(s.dir)[i], s.p.Append(nil)
		if p, err := row.Parse(b); err != nil || !reflect.DeepEqual(p, s.p) || row.Size >= 0 && int(row.Size) != len(b) {
			t.Errorf("%s: %+v, %v", row.Name, p, err)
		}
		for n := range b {
			if _, err := row.Parse(b[:n]); !slices.Contains(s.validPrefixes, n) && !errors.Is(err, wire.ErrShort) {
				t.Errorf("%s: %d of %d bytes: %v", row.Name, n, len(b), err)
			}
		}
	}
	if _, err := ParseRegion634(make([]byte, 6+17*16)); err == nil {
		t.Error("17 keys accepted")
	}
	for _, d := range []Direction{C2S, S2C} {
		if !slices.IsSortedFunc(Packets634(d), func(a, b PacketDef) int { return int(a.Op) - int(b.Op) }) {
			t.Errorf("%v is not sorted", d)
		}
	}
}
