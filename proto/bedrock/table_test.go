package bedrock

import (
	"bytes"
	"encoding/hex"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

// packetTypes returns the types of this package that have a method ID, and its functions whose names begin with Parse.
func packetTypes(t *testing.T) (types, parsers map[string]bool) {
	t.Helper()
	types, parsers = map[string]bool{}, map[string]bool{}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if name, ok := strings.CutPrefix(f.Name.Name, "Parse"); ok && f.Recv == nil {
				parsers[name] = true
			}
			if f.Recv != nil && f.Name.Name == "ID" {
				if of, ok := f.Recv.List[0].Type.(*ast.Ident); ok {
					types[of.Name] = true
				}
			}
		}
	}
	return types, parsers
}

func TestPacketTableHasEveryPacketOnce(t *testing.T) {
	types, parsers := packetTypes(t)
	last := ID(0)
	for _, row := range Table() {
		if row.ID <= last {
			t.Errorf("%s: number %d after %d", row.Name, row.ID, last)
		}
		last = row.ID
		if !types[row.Name] || !parsers[row.Name] {
			t.Errorf("%s: type %v, parser %v", row.Name, types[row.Name], parsers[row.Name])
		}
		delete(types, row.Name)
		if row.Direction == 0 || row.Direction > BothWays || row.States == 0 || row.States > AnyState {
			t.Errorf("%s: direction %d, states %b", row.Name, row.Direction, row.States)
		}
	}
	for name := range types {
		t.Errorf("%s is not in the table", name)
	}
}

// The vectors come from other implementations or captures, so that no codec is tested only against itself.
func TestEveryPacketInPacketTableHasTestVectorForEachVersion(t *testing.T) {
	seen := map[ID]map[Version]bool{}
	for _, v := range loadPacketVectors(t) {
		if seen[v.PacketID] == nil {
			seen[v.PacketID] = map[Version]bool{}
		}
		seen[v.PacketID][v.Protocol] = true
	}
	for _, row := range Table() {
		for _, v := range Versions() {
			if !seen[row.ID][v] {
				t.Errorf("%s has no vector for %d", row.Name, v)
			}
		}
	}
}

func TestPacketParsedFromTestVectorHasExpectedPacketID(t *testing.T) {
	for _, v := range loadPacketVectors(t) {
		if p, err := Parse(v.whole, v.Protocol); err == nil && p.ID() != v.PacketID {
			t.Errorf("%s: %T says it is %v", v.ID, p, p.ID())
		}
	}
}

func TestParseHeaderReturnsIDSubclientsAndBody(t *testing.T) {
	for _, c := range []struct {
		b              string
		id             ID
		sender, target uint8
		rest           int
		err            error
	}{
		{"0a01", IDSetTime, 0, 0, 1, nil},
		{"9001", IDPlayerAuthInput, 0, 0, 0, nil},
		{"c202", IDClientMovementPredictionSync, 0, 0, 0, nil},
		{"8a08ff", IDSetTime, 1, 0, 1, nil},
		{"8a68", IDSetTime, 1, 3, 0, nil},
		{"ff7f", 1023, 3, 3, 0, nil},
		{"", 0, 0, 0, 0, wire.ErrShort},
		{"80", 0, 0, 0, 0, wire.ErrShort},
		{"808001", 0, 0, 0, 0, wire.ErrRange},
		{"8a00", 0, 0, 0, 0, wire.ErrRange},
	} {
		b, err := hex.DecodeString(c.b)
		if err != nil {
			t.Fatal(err)
		}
		id, sender, target, body, err := ParseHeader(b)
		if !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", c.b, err, c.err)
		}
		if c.err == nil && (id != c.id || sender != c.sender || target != c.target || len(body) != c.rest) {
			t.Errorf("%s: %v from %d to %d and %d bytes", c.b, id, sender, target, len(body))
		}
	}
	if b := AppendHeader(nil, IDPlayerAuthInput); !bytes.Equal(b, []byte{0x90, 0x01}) {
		t.Errorf("header %x", b)
	}
}

func TestUnknownPacketErrorContainsPacketNumber(t *testing.T) {
	_, err := Parse([]byte{0xff, 0x03, 1, 2}, V2169)
	if !errors.Is(err, ErrUnknownPacket) || err.Error() != "packet 511: unknown packet type" {
		t.Errorf("error %v", err)
	}
	if s := IDSetTime.String(); s != "SetTime" {
		t.Errorf("name %q", s)
	}
}

func TestEverySupportedProtocolVersionHasGameVersion(t *testing.T) {
	for _, v := range Versions() {
		if !v.IsSupported() || v.GameVersion() == "" {
			t.Errorf("%d: known %v, game %q", v, v.IsSupported(), v.GameVersion())
		}
	}
	if v := Version(1001); v.IsSupported() || v.GameVersion() != "" {
		t.Errorf("%d is known as %q", v, v.GameVersion())
	}
}
