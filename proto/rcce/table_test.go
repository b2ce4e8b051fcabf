package rcce

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

// protocol repeats the table of docs/wire/rcce.md, so that a missing row is detected. Each value has the name of the type
// and its directions: C from clients, S from servers; c and s if the package does not parse the packet.
var protocol = map[PacketType]string{
	0: "NewClient C", 1: "CreateAccount CS", 2: "VerifyAccount CS", 3: "FetchCharacter CS", 4: "CreateCharacter CS",
	5: "DeleteCharacter CS", 6: "ChangePassword CS", 7: "FetchActors CS", 8: "FetchItems -", 9: "ChangeArea CS",
	10: "FetchUpdateFiles CS", 11: "NewActor S", 12: "StartGame CS", 13: "ActorGone S", 14: "StandardUpdate CS",
	15: "InventoryUpdate CS", 16: "ChatMessage CS", 17: "WeatherChange S", 18: "AttackActor CS", 19: "ActorDead S",
	20: "RightClick C", 21: "Dialog cs", 22: "StatUpdate S", 23: "QuestLog s", 24: "GoldChange S", 25: "NameChange S",
	26: "KnownSpellUpdate s", 27: "SpellUpdate c", 28: "CreateEmitter s", 29: "Sound s", 30: "AnimateActor s",
	31: "ActionBarUpdate C", 32: "XPUpdate S", 33: "ScreenFlash s", 34: "Music s", 35: "OpenTrading cs",
	36: "ActorEffect S", 37: "Projectile S", 38: "PartyUpdate S", 39: "AppearanceUpdate s", 40: "CloseTrading s",
	41: "UpdateTrading cs", 42: "SelectScenery cs", 43: "ItemScript c", 44: "EatItem c", 45: "ItemHealth S",
	46: "Jump CS", 47: "Dismount C", 48: "FloatingNumber S", 49: "RepositionActor CS", 50: "Speech s",
	51: "ProgressBar cs", 52: "BubbleMessage S", 53: "ScriptInput cs", 60: "KickedPlayer S", 61: "Examine C", 62: "Trade C",
}

func TestPacketTableHasOneRowForEveryType(t *testing.T) {
	table := Table()
	if len(table) != len(protocol) {
		t.Errorf("%d rows for %d types", len(table), len(protocol))
	}
	for i, row := range table {
		if i > 0 && table[i-1].ID >= row.ID {
			t.Errorf("row %d is not after row %d", row.ID, table[i-1].ID)
		}
		name, dirs, _ := strings.Cut(protocol[row.ID], " ")
		got := formLetter(row.C2S, "C") + formLetter(row.S2C, "S")
		if row.Name != name || got != strings.Trim(dirs, "-") || row.ID.String() != name {
			t.Errorf("row %d is %s %q, want %s", row.ID, row.Name, got, protocol[row.ID])
		}
	}
}

func formLetter(f *Format, letter string) string {
	switch {
	case f == nil:
		return ""
	case f.Name == "":
		return strings.ToLower(letter)
	}
	return letter
}

// exported returns the types with an Append method, the names X of all functions ParseX, and the number of PacketType constants.
func exported(t *testing.T) (types, parsers map[string]bool, constants int) {
	t.Helper()
	types, parsers = map[string]bool{}, map[string]bool{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	inspect := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil && n.Name.Name == "Append" {
				types[n.Recv.List[0].Type.(*ast.Ident).Name] = true
			}
			if n.Recv == nil && strings.HasPrefix(n.Name.Name, "Parse") {
				parsers[strings.TrimPrefix(n.Name.Name, "Parse")] = true
			}
		case *ast.ValueSpec:
			if id, ok := n.Type.(*ast.Ident); ok && id.Name == "PacketType" && strings.HasPrefix(n.Names[0].Name, "Type") {
				constants++
			}
		}
		return true
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, inspect)
	}
	return types, parsers, constants
}

func TestEveryExportedPacketIsInPacketTable(t *testing.T) {
	types, parsers, constants := exported(t)
	if constants != len(protocol) {
		t.Errorf("%d type constants for %d types", constants, len(protocol))
	}
	for _, row := range Table() {
		for _, f := range []*Format{row.C2S, row.S2C} {
			if f != nil && f.Name != "" && !parsers[f.Name] {
				t.Errorf("%s has no Parse%s", row.Name, f.Name)
			}
			if f != nil {
				delete(parsers, f.Name)
			}
		}
	}
	delete(parsers, "C2S")
	delete(parsers, "S2C")
	for name := range parsers {
		t.Errorf("Parse%s is in no row", name)
	}
	for _, s := range samples() {
		delete(types, reflect.TypeOf(s.p).Name())
	}
	for _, p := range vectorPackets() {
		delete(types, reflect.TypeOf(p).Name())
	}
	delete(types, "Packet")
	for name := range types {
		t.Errorf("%s is in no vector and no sample", name)
	}
}

func TestSamplePacketOfEveryTypeRoundTrips(t *testing.T) {
	for _, s := range samples() {
		msg := s.p.Append([]byte("before"))
		if string(msg[:6]) != "before" {
			t.Errorf("%T: Append overwrote the bytes before the packet", s.p)
		}
		p, err := parseDir(s.dir, msg[6:])
		if err != nil || !reflect.DeepEqual(p, s.p) {
			t.Errorf("%+v\nis parsed as %+v, %v", s.p, p, err)
		}
	}
}

// shorterSamples lists the lengths at which a prefix of a sample is itself a valid message, in the notation of
// vector.shorter. Such a prefix ends between two elements of a list, inside a text that extends to the end, or before an
// optional field. A key is the name of the type (for an XPUpdate with the letter of its form), and the length of the message.
var shorterSamples = map[string]string{
	"CreateCharacterRequest/14": "12+", "ChangeAreaRequest/9": "1+", "RepositionActorRequest/2": "1+",
	"ChatMessageRequest/6": "1+", "ChatMessageRequest/5": "1+", "ActionBarUpdate/11": "3+",
	"DeleteCharacter/2": "1", "DeleteCharacter/19": "1 10",
	"FetchCharacterItems/176": "3 89 90", "FetchCharacterSpells/28": "2", "FetchCharacterQuests/16": "2", "StartGameBar/20": "3",
	"FetchActorsItems/817": "3 124 244 356 472 586 699", "FetchActorsFactions/12": "2 10",
	"FetchActorsTemplates/357": "2", "FetchActorsTemplates/714": "4 359",
	"FetchUpdateFiles/3": "1", "FetchUpdateFiles/18": "1 3 16", "FetchUpdateFiles/7": "1 3",
	"ChatMessage/12": "1+", "BubbleMessage/8": "6+", "NameChange/10": "7+", "PartyUpdate/8": "1 5", "XPUpdateB/6": "3",
}

// Every packet type has a sample or a test vector, so this test and the one for vectors cover every decoder.
func TestTruncatedPacketOfEveryTypeIsRefused(t *testing.T) {
	for _, s := range samples() {
		msg := s.p.Append(nil)
		name := reflect.TypeOf(s.p).Name()
		if x, ok := s.p.(XPUpdate); ok {
			name += string(rune(x.Sub))
		}
		key := fmt.Sprintf("%s/%d", name, len(msg))
		v := vector{shorter: shorterSamples[key]}
		for n := range msg {
			p, err := parseDir(s.dir, msg[:n])
			switch {
			case v.legal(n) && err != nil:
				t.Errorf("%s: %d bytes: %v", key, n, err)
			case !v.legal(n) && err == nil:
				t.Errorf("%s: %d bytes accepted as %+v", key, n, p)
			case err != nil && !errors.Is(err, wire.ErrShort) && !errors.Is(err, wire.ErrTrailing) && !errors.Is(err, wire.ErrRange):
				t.Errorf("%s: %d bytes: untyped error %v", key, n, err)
			}
		}
	}
}

func TestTraceReturnsEveryPayloadByteInExactlyOneField(t *testing.T) {
	check := func(d Direction, msg []byte) {
		row, _ := Lookup(PacketType(msg[0]))
		fields, p, err := row.FormatFor(d).Trace(msg[1:])
		if err != nil {
			t.Fatalf("%s: %v", row.Name, err)
		}
		at := 0
		for _, f := range fields {
			if f.Off != at || !bytes.Equal(f.Raw, msg[1+at:1+at+len(f.Raw)]) {
				t.Errorf("%T: field %s at %d, want at %d", p, f.Name, f.Off, at)
			}
			if w := f.Kind.Width(); w > 0 && len(f.Raw)%w != 0 {
				t.Errorf("%T: field %s has %d raw bytes, want %d", p, f.Name, len(f.Raw), w)
			}
			at += len(f.Raw)
		}
		if at != len(msg)-1 {
			t.Errorf("%T: fields end at %d of %d", p, at, len(msg)-1)
		}
	}
	for _, v := range loadVectors(t) {
		if v.use != "refused" {
			check(v.dir, v.msg)
		}
	}
	for _, s := range samples() {
		check(s.dir, s.p.Append(nil))
	}
}

func TestTraceOfInvalidPayloadReturnsFieldsBeforeError(t *testing.T) {
	row, _ := Lookup(TypeStandardUpdate)
	fields, p, err := row.C2S.Trace(make([]byte, 10))
	if p != nil || !errors.Is(err, wire.ErrShort) {
		t.Fatalf("packet %v, error %v", p, err)
	}
	if err.Error() != "StandardUpdateRequest.Y: offset 8: too short" {
		t.Errorf("error is %q", err)
	}
	if len(fields) != 2 || fields[1].Name != "DestZ" || fields[1].Off != 4 {
		t.Errorf("fields %+v", fields)
	}
}

func TestUnknownAndUnsupportedPacketTypesReturnDifferentErrors(t *testing.T) {
	for id := range 256 {
		for _, d := range []Direction{C2S, S2C} {
			_, err := parseDir(d, []byte{uint8(id)})
			dirs := protocol[PacketType(id)]
			if i := strings.IndexByte(dirs, ' '); i >= 0 {
				dirs = dirs[i:]
			}
			letter := [...]string{"C", "S"}[d]
			switch {
			case strings.Contains(dirs, letter):
				if errors.Is(err, ErrUnknown) || errors.Is(err, ErrUnparsed) {
					t.Errorf("%d %v: %v", id, d, err)
				}
			case strings.Contains(dirs, strings.ToLower(letter)):
				if !errors.Is(err, ErrUnparsed) {
					t.Errorf("%d %v: %v, want ErrUnparsed", id, d, err)
				}
			case !errors.Is(err, ErrUnknown):
				t.Errorf("%d %v: %v, want ErrUnknown", id, d, err)
			}
		}
	}
	if _, err := ParseC2S(nil); !errors.Is(err, wire.ErrShort) {
		t.Errorf("empty message: %v", err)
	}
}

func TestRandomPayloadOfAnyPacketTypeIsRefusedOrRoundTrips(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for id := range 256 {
		for n := range 65 {
			msg := make([]byte, 1+n)
			for i := range msg {
				msg[i] = uint8(rng.Uint32())
			}
			msg[0] = uint8(id)
			for _, d := range []Direction{C2S, S2C} {
				checkMessage(t, d, msg)
			}
		}
	}
}

// checkMessage checks that an accepted message is written back byte for byte and fits its row of the table.
func checkMessage(t *testing.T, d Direction, msg []byte) {
	t.Helper()
	p, err := parseDir(d, msg)
	if err != nil {
		if p != nil {
			t.Fatalf("%v %x: a packet and the error %v", d, msg, err)
		}
		return
	}
	if again := p.Append(nil); !bytes.Equal(again, msg) {
		t.Fatalf("accepted %x\nbut wrote %x", msg, again)
	}
	row, _ := Lookup(PacketType(msg[0]))
	f := row.FormatFor(d)
	if n := len(msg) - 1; n < f.Min || f.Max != UnlimitedSize && n > f.Max {
		t.Fatalf("%s of %d bytes accepted, want %d to %d", f.Name, n, f.Min, f.Max)
	}
	fields, _, _ := f.Trace(msg[1:])
	covered := 0
	for _, field := range fields {
		covered += len(field.Raw)
	}
	if covered != len(msg)-1 {
		t.Fatalf("trace of %x covers %d bytes", msg, covered)
	}
}

func TestListsLongerThanMaximumAreRefused(t *testing.T) {
	if _, err := ParseVerifyAccount(append([]byte{'Y'}, make([]byte, 11*8)...)); !errors.Is(err, wire.ErrTrailing) {
		t.Errorf("eleven characters: %v", err)
	}
	if _, err := ParsePartyUpdate(make([]byte, 8)); !errors.Is(err, wire.ErrTrailing) {
		t.Errorf("eight party members: %v", err)
	}
	if _, err := ParseFetchCharacter([]byte("C3" + strings.Repeat("\x63", 47))); !errors.Is(err, wire.ErrTrailing) {
		t.Errorf("47 slots: %v", err)
	}
	if _, err := ParseFetchActors(append([]byte{'F'}, make([]byte, 2*101)...)); !errors.Is(err, wire.ErrTrailing) {
		t.Errorf("101 factions: %v", err)
	}
}

func TestWritingAndParsingMovementAndCombatPacketsDoesNotAllocate(t *testing.T) {
	buf := make([]byte, 0, 64)
	up := StandardUpdate{RuntimeID: 300, X: 1, Z: 2, Tail: HeightTail, Y: 3}
	echo := up.Append(nil)
	claim := StandardUpdateRequest{DestX: 1, X: 2}.Append(nil)
	swing := AttackActorRequest{Target: 300}.Append(nil)
	var sink float32
	for name, f := range map[string]func(){
		"StandardUpdate.Append":      func() { buf = up.Append(buf[:0]) },
		"AttackActor.Append":         func() { buf = HitForAttacker(300, 24, 3).Append(buf[:0]) },
		"StatUpdate.Append":          func() { buf = StatUpdate{Sub: StatValue, RuntimeID: 1, Value: 5}.Append(buf[:0]) },
		"ParseStandardUpdateRequest": func() { p, _ := ParseStandardUpdateRequest(claim[1:]); sink += p.X },
		"ParseAttackActorRequest":    func() { p, _ := ParseAttackActorRequest(swing[1:]); sink += float32(p.Target) },
		"ParseStandardUpdate":        func() { p, _ := ParseStandardUpdate(echo[1:]); sink += p.X },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
