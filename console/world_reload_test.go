package console

import (
	"slices"
	"testing"

	"github.com/truestep-io/truestep/sim"
)

func TestWorldAPIResponseChangesWhenWorldIsReloaded(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		before := get[worldBody](r, Viewer, "/world").Areas[0]
		def := *r.world.Def()
		def.ContentHash++
		def.Areas = slices.Clone(def.Areas)
		def.Areas[0].Portals = append(slices.Clone(def.Areas[0].Portals), sim.Portal{Name: "Cellar", Radius: 3, ToArea: sim.NoArea})
		if err := r.world.Redefine(t.Context(), &def, nil); err != nil {
			t.Fatal(err)
		}
		after := get[worldBody](r, Viewer, "/world").Areas[0]
		if n := len(before.Portals); len(after.Portals) != n+1 || after.Portals[n].Name != "Cellar" {
			t.Errorf("portals %+v", after.Portals)
		}
	})
}
