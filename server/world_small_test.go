package server

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/truestep-io/truestep/content"
)

// smallTOML returns the file of the embedded world without all areas but the first, the portals to the others, and all spawn points but one.
// A server steps that world with a small part of the CPU time.
var smallTOML = sync.OnceValue(func() string {
	tables := strings.SplitAfter(string(content.DefaultTOML()), "\n\n")
	areas, spawns := 0, 0
	small := slices.DeleteFunc(tables, func(table string) bool {
		if strings.Contains(table, "[[area]]\n") {
			areas++
		}
		spawn := strings.Contains(table, "[[area.spawn]]\n")
		if spawn {
			spawns++
		}
		return areas > 1 || spawn && spawns > 1 || strings.Contains(table, "\nto = { area = ")
	})
	return strings.Join(small, "")
})

var small = sync.OnceValues(func() (*content.World, error) {
	w, _, err := content.LoadWorld(content.DefaultName, []byte(smallTOML()))
	return w, err
})

// smallWorld returns the world of smallTOML, of which a test may replace fields and areas.
func smallWorld(t *testing.T) *content.World {
	t.Helper()
	shared, err := small()
	if err != nil {
		t.Fatal(err)
	}
	w, rules := *shared, *shared.World
	w.World, rules.Areas = &rules, slices.Clone(rules.Areas)
	return &w
}

// moreAreas are two further areas, for the end of smallTOML.
const moreAreas = `
[[area]]
name = "Field"
[[area]]
name = "Meadow"
`

// smallWorldConfig returns the settings with which a command loads smallWorld.
func smallWorldConfig() WorldConfig {
	return WorldConfig{World: "small.toml", Text: []byte(smallTOML())}
}

func TestSmallWorldHasOneAreaWithSpawnPoint(t *testing.T) {
	if w := smallWorld(t); len(w.Areas) != 1 || len(w.Areas[0].Spawns) != 1 || len(w.Areas[0].Portals) < 2 || w.Name != content.DefaultWorld().Name {
		t.Errorf("%d areas, %+v", len(w.Areas), w.Areas[0])
	}
}
