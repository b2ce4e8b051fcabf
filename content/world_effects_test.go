package content

import (
	"reflect"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

func TestEffectsOfItemsAndZonesAreRead(t *testing.T) {
	src := strings.Replace(tinyTOML, "damage = 10\n", `damage = 10
use = [{ effect = "levitation", level = 3, time = 2.5 }, { effect = "firework", time = 1.02 }]
use_delay = 0.5
worn = [{ effect = "speed", level = 2 }]
glides = true
`, 1)
	src = strings.Replace(src, "[[area.portal]]", `[[area.zone]]
from = [9, 0, 4]
to = [1, 8, -4]
effect = "slow_falling"

[[area.portal]]`, 1)
	loaded, _, err := LoadWorld("x.toml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	w := loaded.World
	it := w.Item(3)
	use := []sim.Effect{{Kind: sim.EffectLevitation, Level: 3, Ticks: 50}, {Kind: sim.EffectFirework, Level: 1, Ticks: 21}}
	if !reflect.DeepEqual(it.Use, use) || it.UseDelayMS != 500 || !it.Glides ||
		!reflect.DeepEqual(it.Worn, []sim.Effect{{Kind: sim.EffectSpeed, Level: 2}}) {
		t.Errorf("item %+v", it)
	}
	zone := sim.EffectZone{Min: geom.Vec{X: 1, Z: -4}, Max: geom.Vec{X: 9, Y: 8, Z: 4}, Effect: sim.Effect{Kind: sim.EffectSlowFalling, Level: 1, Ticks: 100}}
	if got := w.Areas[0].Zones; len(got) != 1 || got[0] != zone {
		t.Errorf("zones %+v, want %+v", got, zone)
	}
}

func TestInvalidEffectsAreRefusedWithReason(t *testing.T) {
	for keys, want := range map[string]string{
		`use = [{ effect = "flight", time = 1 }]`:            "flight",
		`use = [{ effect = "speed" }]`:                       "time",
		`use = [{ effect = "speed", time = 0 }]`:             "time",
		`use = [{ effect = "firework", time = 21 }]`:         "time",
		`use = [{ effect = "speed", time = 9, level = 11 }]`: "level",
		`worn = [{ effect = "firework" }]`:                   "a worn item cannot give the effect firework",
		`worn = [{ effect = "speed", time = 3 }]`:            "time",
	} {
		_, _, err := LoadWorld("x.toml", []byte(strings.Replace(tinyTOML, "damage = 10\n", "damage = 10\n"+keys+"\n", 1)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want a message with %q", keys, err, want)
		}
	}
	_, _, err := LoadWorld("x.toml", []byte(strings.Replace(tinyTOML, "kind = \"potion\"\n", "kind = \"potion\"\nuse = [{ effect = \"speed\", time = 1 }]\n", 1)))
	if err == nil || !strings.Contains(err.Error(), "in the hand") {
		t.Errorf("a potion that is used: %v", err)
	}
}
