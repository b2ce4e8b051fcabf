package rs

import (
	"slices"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// collectRidden stores the mounts of a frame, which are the actors that another actor rides. Clients are not sent mounts for
// two reasons: they cannot draw an actor on top of another, and they draw only one of two players on the same tile.
func (as *areaScene) collectRidden(f *sim.Frame) {
	as.ridden = as.ridden[:0]
	for i := range f.Actors {
		if mount := f.Actors[i].Mount; mount != 0 {
			as.ridden = append(as.ridden, mount)
		}
	}
	slices.Sort(as.ridden)
}

// isRidden reports whether another actor rides the actor with this id, according to the frame that was last passed to
// collectRidden.
func (as *areaScene) isRidden(id sim.EntityID) bool {
	_, ridden := slices.BinarySearch(as.ridden, id)
	return ridden
}

// hiddenTemplates returns the templates whose actors are not displayed. These are boats without a model in the client's cache,
// which clients would draw as players that stand on the water.
func hiddenTemplates(w *sim.World, models *appearance.RuneScape) map[uint16]bool {
	hidden := map[uint16]bool{}
	for i := range w.Templates {
		t := &w.Templates[i]
		if _, figure := models.Actors[t.ID]; !figure && t.Vehicle != move.NoVehicle && w.Rules.Predict.Vehicles[t.Vehicle].Boat {
			hidden[t.ID] = true
		}
	}
	return hidden
}
