package content

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"
)

// Each case changes bytes in files of RealmCrafter's default project. An independent parser determined the offsets of
// these bytes.
func TestCorruptRealmCrafterProjectsAreRefused(t *testing.T) {
	project := realProject(t)
	set := func(at int, with ...byte) func([]byte) []byte {
		return func(b []byte) []byte { copy(b[at:], with); return b }
	}
	cut := func(n int) func([]byte) []byte { return func(b []byte) []byte { return b[:n] } }
	tests := []struct {
		file   string
		change func([]byte) []byte
		want   string
	}{
		{"Misc.dat", cut(20), "offset 17: serverPort: the file is truncated: the field needs 4 bytes, 3 are left"},
		{"Actors.dat", set(2, 0xff, 0xff, 0xff, 0x7f), "offset 2: record 0: race: the string length 2147483647 is outside 0..256"},
		{"Actors.dat", set(2, 0xff, 0xff, 0xff, 0xff), "offset 2: record 0: race: the string length -1 is outside 0..256"},
		{"Actors.dat", cut(1000), "offset 999: record 2: maleSpeech[7]: the file is truncated: the field needs 2 bytes, 1 are left"},
		{"Factions.dat", func(b []byte) []byte { return append(b, 0) }, "offset 10415: the file has 1 trailing bytes"},
		{"Items.dat", set(511, 9), "offset 511: record 3: the type 9 is outside 1..7"},
		{"Areas/Plains.dat", set(47638, 0, 0, 0xc0, 0x7f), "offset 47638: portal 0: x is not a finite number"},
		{"Areas/Plains.dat", set(78913, 0xff, 0xff), "offset 78913: water count 65535 needs 1572840 bytes, 24 are left"},
		{"Fixed Attributes.dat", set(10, 0xff, 0xff), "no attribute has the role speed"},
		{"Areas/Test1.dat", cut(40000), "offset 39999: waypoint 1653: nextA: the file is truncated: the field needs 2 bytes, 1 are left"},
	}
	for _, tt := range tests {
		m := copyProject(t, project)
		name := serverData + "/" + tt.file
		m["data/"+name] = &fstest.MapFile{Data: tt.change(bytes.Clone(m["data/"+name].Data))}
		_, _, err := LoadProject(m, ProjectOptions{})
		if want := name + ": " + tt.want; err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", tt.file, err, want)
		}
	}
}

func TestRealmCrafterSpawnWithInvalidWaypointIsDisabledWithWarning(t *testing.T) {
	m := copyProject(t, realProject(t))
	name := "data/" + areaFolder + "/Plains.dat"
	b := bytes.Clone(m[name].Data)
	copy(b[50902:], []byte{5000 & 0xff, 5000 >> 8})
	m[name] = &fstest.MapFile{Data: b}
	p, warnings, err := LoadProject(m, ProjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(p.World.Areas[p.World.AreaNamed("Plains")].Spawns); n != 1 {
		t.Errorf("%d spawns, want the remaining one", n)
	}
	found := false
	for _, w := range warnings {
		found = found || w.Where == "spawn 0" && w.Detail == "the spawn's waypoint 5000 is outside 0..1999: the spawn is disabled"
	}
	if !found {
		t.Errorf("no warning about it: %v", warnings)
	}
}

func TestBothItemLayoutsOfDefaultRealmCrafterProjectAreParsed(t *testing.T) {
	m := copyProject(t, realProject(t))
	b := m["data/"+itemFile].Data
	list, _, err := parseItems(newCursor(itemFile, b))
	if err != nil {
		t.Fatal(err)
	}
	if again := writeItems(list, false); !bytes.Equal(again, b) {
		t.Fatalf("the rewritten file has %d bytes and differs from the original %d", len(again), len(b))
	}
	always := writeItems(list, true)
	if len(always) != 652 {
		t.Fatalf("with an empty text after each item the file has %d bytes, want 652", len(always))
	}
	classic := newCursor(itemFile, always)
	if _, err := parseItemsAs(classic, false); err == nil || classic.errAt != 162 {
		t.Errorf("layout classic: %v, want an error at 162", err)
	}
	if again, layout, err := parseItems(newCursor(itemFile, always)); err != nil || layout != "always" || len(again) != len(list) {
		t.Errorf("layout %q, %v", layout, err)
	}
	other := newCursor(itemFile, b)
	if _, err := parseItemsAs(other, true); err == nil || other.errAt != 160 || !strings.Contains(err.Error(), "983041") {
		t.Errorf("layout always: %v, want length 983041 at 160", err)
	}
}

func TestWritingParsedRealmCrafterProjectReproducesOriginalFiles(t *testing.T) {
	m := copyProject(t, realProject(t))
	actors, err := parseActors(newCursor(actorFile, m["data/"+actorFile].Data))
	if err != nil || !bytes.Equal(writeActors(actors), m["data/"+actorFile].Data) {
		t.Errorf("actors differ (%v)", err)
	}
	for _, area := range []string{"Plains", "Test Zone", "Northern Shrine", "Test1"} {
		b := m["data/"+areaFolder+"/"+area+".dat"].Data
		a, err := parseArea(newCursor(area, b), area)
		if err != nil || !bytes.Equal(writeArea(a), b) {
			t.Errorf("area %s differs (%v)", area, err)
		}
	}
}
