package rs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	proto "github.com/truestep-io/truestep/proto/rs"
)

func TestMapKeysAreLoadedFromJSONFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	os.WriteFile(path, []byte(`[{"mapsquare": 12850, "key": [1, -1, 4294967295, 4], "name": "m50_50"}, {"mapsquare": 0, "key": [0, 0, 0, 0]}]`), 0o600)
	keys, err := LoadMapKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := keys[12850]; len(keys) != 2 || got != [4]uint32{1, 1<<32 - 1, 1<<32 - 1, 4} {
		t.Errorf("%v", keys)
	}
}

func TestInvalidMapKeyErrorNamesEntry(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{`, "it must be a list"},
		{`{"mapsquare": 1}`, "it must be a list"},
		{`[{"mapsquare": "x"}]`, "it must be a list"},
		{`[{"key": [1,2,3,4]}]`, "entry 0: mapsquare"},
		{`[{"mapsquare": 1, "key": [1,2,3,4]}, {"mapsquare": 65536, "key": [1,2,3,4]}]`, "entry 1: mapsquare"},
		{`[{"mapsquare": -1, "key": [1,2,3,4]}]`, "entry 0: mapsquare"},
		{`[{"mapsquare": 12850, "key": [1,2,3]}]`, "entry 0 (mapsquare 12850): key has 3 numbers"},
		{`[{"mapsquare": 12850}]`, "entry 0 (mapsquare 12850): key has 0 numbers"},
		{`[{"mapsquare": 12850, "key": [1,2,3,4294967296]}]`, "entry 0 (mapsquare 12850): key contains 4294967296"},
		{`[{"mapsquare": 12850, "key": [1,2,3,-2147483649]}]`, "entry 0 (mapsquare 12850): key contains -2147483649"},
	} {
		path := filepath.Join(t.TempDir(), "keys.json")
		os.WriteFile(path, []byte(c.text), 0o600)
		if _, err := LoadMapKeys(path); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := LoadMapKeys(filepath.Join(t.TempDir(), "nowhere")); err == nil {
		t.Error("a missing file was accepted")
	}
	large := filepath.Join(t.TempDir(), "large.json")
	f, err := os.Create(large)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(maxMapKeys + 1); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := LoadMapKeys(large); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a file of 64 MiB and a byte: %v", err)
	}
}

// docs/wire/rs.md, after the login: the client reads one key for every map square that overlaps its map, ordered by x, then z.
func TestMapPacketHasOneKeyPerMapSquare(t *testing.T) {
	for z := range uint16(2048) {
		for _, at := range [][2]uint16{{z, z}, {z, 5}, {2047, z}} {
			m := proto.RebuildNormalAround(at[0]*8, at[1]*8, buildArea, true)
			if got := squaresAround(m.CentreZoneX, m.CentreZoneZ); len(got) != len(m.Keys) {
				t.Fatalf("zone %v: %d squares, %d keys", at, len(got), len(m.Keys))
			}
		}
	}
	got := squaresAround(400, 400)
	want := []uint16{49<<8 | 49, 49<<8 | 50, 50<<8 | 49, 50<<8 | 50}
	if len(got) != 4 || [4]uint16(got) != [4]uint16(want) {
		t.Errorf("around zone 400, 400: %v, want %v", got, want)
	}
}

func TestConfiguredMapKeysAreSent(t *testing.T) {
	keys := MapKeys{49<<8 | 50: {9, 8, 7, 6}}
	withServer(t, valeWithoutNPCs(), Options{Register: true, MapKeys: keys}, func(srv *testServer) {
		c := srv.join("Ada")
		at := squaresAround(uint16(c.base[0]/8+6), uint16(c.base[1]/8+6))
		for i, square := range at {
			if c.mapKeys[i] != keys[square] {
				t.Errorf("square %d: %v, want %v", square, c.mapKeys[i], keys[square])
			}
		}
	})
}
