package content

import (
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// vehicleWorld returns a world file with an additional template that has the given keys.
func vehicleWorld(keys string) string {
	return tinyTOML + "\n[[template]]\nid = 77\nrace = \"Steed\"\nattributes = { Health = 10 }\n" + keys + "\n"
}

func TestTemplateBecomesVehicleByVehicleKeyOrEntityModel(t *testing.T) {
	for _, c := range []struct {
		keys string
		want move.VehicleType
	}{
		{"", move.NoVehicle},
		{"vehicle = \"boat\"", move.Boat},
		{"vehicle = \"zombie_horse\"", move.ZombieHorse},
		{"rideable = true", move.NoVehicle},
		{"rideable = true\nbedrock = { entity = \"minecraft:donkey\" }", move.Donkey},
		{"bedrock = { entity = \"minecraft:donkey\" }", move.NoVehicle},
		{"rideable = true\nbedrock = { entity = \"minecraft:camel\" }", move.NoVehicle},
		{"rideable = true\nvehicle = \"none\"\nbedrock = { entity = \"minecraft:horse\" }", move.NoVehicle},
	} {
		w, _, err := LoadWorld("test.toml", []byte(vehicleWorld(c.keys)))
		if err != nil {
			t.Fatalf("%s: %v", c.keys, err)
		}
		if got := w.Template(77).Vehicle; got != c.want {
			t.Errorf("%q is %v, want %v", c.keys, got, c.want)
		}
	}
	if _, _, err := LoadWorld("test.toml", []byte(vehicleWorld("vehicle = \"hors\""))); err == nil || !strings.Contains(err.Error(), "horse") {
		t.Errorf("a misspelt kind: %v", err)
	}
}

// The embedded world has horses and boats. The boats float on the mill pond without moving.
func TestDefaultWorldHasHorsesAndFloatingBoats(t *testing.T) {
	w := DefaultWorld()
	a := sim.NewArea(w.World, w.AreaNamed("Truestep Vale"), 1)
	var before, after *sim.Frame
	for range 200 {
		before, after = after, a.Step(nil)
	}
	horses, boats := 0, 0
	for i := range after.Actors {
		x := &after.Actors[i]
		switch w.Template(x.Body.Template).Vehicle {
		case move.Horse:
			horses++
		case move.Boat:
			boats++
			v := after.FindVehicle(x.ID)
			if v == nil || before.FindVehicle(x.ID).Pos != v.Pos || v.OnGround || v.Pos.Y < 63 || v.Pos.Y > 64 {
				t.Errorf("boat at %v: %+v", x.Pos, v)
			}
		}
	}
	if horses < 1 || boats < 2 {
		t.Errorf("%d horses, %d boats", horses, boats)
	}
}
