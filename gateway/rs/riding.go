package rs

import (
	"cmp"
	"slices"

	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// ride is a mount and its rider. Clients of revision 667 cannot seat one player on another, and draw only one of two players
// on the same tile. A ridden mount is therefore shown on the tile behind its rider.
type ride struct {
	mount, rider sim.EntityID
}

// collectRides lists the ridden mounts of a frame.
func (as *areaScene) collectRides(f *sim.Frame) {
	as.rides = as.rides[:0]
	for i := range f.Actors {
		if a := &f.Actors[i]; a.Mount != 0 {
			as.rides = append(as.rides, ride{a.Mount, a.ID})
		}
	}
	slices.SortFunc(as.rides, func(a, b ride) int {
		return cmp.Or(cmp.Compare(a.mount, b.mount), cmp.Compare(a.rider, b.rider))
	})
	as.rides = slices.CompactFunc(as.rides, func(a, b ride) bool { return a.mount == b.mount }) // the second rider of a boat does not count
}

// hiddenTemplates returns the templates whose actors are not shown: boats without a figure, which clients would draw as
// players on the water.
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

// isRidden reports whether an actor is ridden.
func (as *areaScene) isRidden(id sim.EntityID) bool { return as.rideIndex(id) >= 0 }

func (as *areaScene) rideIndex(mount sim.EntityID) int {
	if len(as.rides) == 0 {
		return -1
	}
	i, ok := slices.BinarySearchFunc(as.rides, mount, func(r ride, id sim.EntityID) int { return cmp.Compare(r.mount, id) })
	if !ok {
		return -1
	}
	return i
}

// riderRow returns the row of an actor's rider, or -1 if it has none that is shown.
func (as *areaScene) riderRow(mount sim.EntityID) int32 {
	if i := as.rideIndex(mount); i >= 0 {
		return as.w.actors.rowOf(as.rides[i].rider)
	}
	return -1
}

// mountTile returns the tile on which a mount is shown: its current tile if it is beside its standing rider, otherwise the
// tile behind the rider, or the rider's own tile if a wall is between the two.
func (as *areaScene) mountTile(row, rider int32) proto.Tile {
	rows := as.w.actors.rowStates
	r := &rows[rider]
	if row >= 0 && rows[row].scene == as && r.motion == stood && tileDistance(rows[row].tile, r.tile) == 1 && rows[row].tile.Plane == r.tile.Plane {
		return rows[row].tile
	}
	ahead := r.heading
	if ahead == [2]int8{} {
		ahead = [2]int8{0, 1}
	}
	x, z := int(r.tile.X)-int(ahead[0]), int(r.tile.Z)-int(ahead[1])
	if x < 0 || z < 0 || x > terrain.MaxTile || z > terrain.MaxTile {
		return r.tile
	}
	if t := (proto.Tile{X: uint16(x), Z: uint16(z), Plane: r.tile.Plane}); as.isLineClear(t, r.tile) {
		return t
	}
	return r.tile
}
