package rs

import (
	"cmp"
	"slices"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/terrain"
)

// ride is a mount and who rides it. These clients cannot seat a figure on another, and of two that stand on one tile
// they draw one only: so a ridden mount is shown on the tile behind its rider, as a follower is.
type ride struct {
	mount, rider sim.EntityID
}

// saddle notes who rides in a frame.
func (as *areaScene) collectRides(f *sim.Frame) {
	as.rides = as.rides[:0]
	for i := range f.Actors {
		if a := &f.Actors[i]; a.Mount != 0 {
			as.rides = append(as.rides, ride{a.Mount, a.ID})
		}
	}
	slices.SortFunc(as.rides, func(a, b ride) int { return cmp.Compare(a.mount, b.mount) })
}

// ridden tells whether an actor is ridden.
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

// riderOf is the row of whoever rides an actor, -1 if nobody does who is shown.
func (as *areaScene) riderRow(mount sim.EntityID) int32 {
	if i := as.rideIndex(mount); i >= 0 {
		return as.w.actors.rowOf(as.rides[i].rider)
	}
	return -1
}

// behind is the tile on which a mount is shown: where it is, if that is beside its standing rider, else the one that he
// has left behind, or his own if a wall leaves none.
func (as *areaScene) mountTile(row, rider int32) proto.Tile {
	figures := as.w.actors.rowStates
	r := &figures[rider]
	if row >= 0 && figures[row].scene == as && r.motion == stood && tileDistance(figures[row].tile, r.tile) == 1 && figures[row].tile.Plane == r.tile.Plane {
		return figures[row].tile
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
