package session

import (
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// earlyArrival is a player's way from one area to another, at once or through other areas, of which the hub has read the arrival and
// not yet the departure. A node of a cluster reads them in this order if its copy of the area that the player left is behind, for
// example because the leader of that area failed before it sent the departure to this node. If the copies of two areas are behind at
// once, the hub may confuse the order in which the player was there; until is the time after which it no longer waits for the departure.
// It stays in presence.early until the departure is read or missed, the player arrives elsewhere later, or the world has said where the
// player is (isSought).
type earlyArrival struct {
	from, to sim.AreaID
	until    time.Time
}

// departureWait is how long the hub expects to read a departure whose arrival it has read. An area without a leader has a new one
// after about a second. In a cluster the hub asks the world where a connected player is that it has not read for so long.
const departureWait = 10 * time.Second

// settled reports whether the hub knows that the player is in presence.area, and has read its departure from the area before. The doors
// of this node show a client the next area only once they have read the departure. So until then the hub treats the player as on its
// way: it sends its texts, and orders about it other than teleports, to no area. The caller holds Hub.mu.
func (v *presence) settled() bool { return v.arrived && !v.awaitsDeparture() }

// awaitsDeparture reports whether the hub has read an arrival of the player and expects to read the departure. The caller holds Hub.mu.
func (v *presence) awaitsDeparture() bool {
	return slices.ContainsFunc(v.early, func(e earlyArrival) bool { return time.Now().Before(e.until) })
}

// arrivesEarly notes that the hub has read that a player has arrived in an area, and reports whether the player is known to have left
// that area since. The hub then ignores the arrival. The caller holds Hub.mu.
func (h *Hub) arrivesEarly(v *presence, in sim.AreaID) (gone bool) {
	if v.departureDue(in) {
		return true
	}
	now := time.Now()
	v.early = slices.DeleteFunc(v.early, func(e earlyArrival) bool { return now.After(e.until) })
	if h.opt.Directory != nil && v.area != in && v.area != sim.NoArea && !v.missing { // if missing, the hub has not read the departure and never will
		v.early = append(v.early, earlyArrival{v.area, in, now.Add(departureWait)})
		v.unsettledAt = now
	}
	return false
}

// departureDue reports whether the hub has read that a player has arrived elsewhere from an area, and has not read the departure.
func (v *presence) departureDue(from sim.AreaID) bool {
	return slices.ContainsFunc(v.early, func(e earlyArrival) bool { return e.from == from && time.Now().Before(e.until) })
}

// departsLate notes that the hub has read that a player has left an area for another one, and reports whether the player is known to
// have arrived there or in a later area. The hub then ignores the departure, also after departureWait if the player is still where it
// has arrived. The caller holds Hub.mu.
func (v *presence) departsLate(from, to sim.AreaID) bool {
	i := slices.IndexFunc(v.early, func(e earlyArrival) bool {
		return e.from == from && (time.Now().Before(e.until) || v.arrived && v.area == e.to)
	})
	if i < 0 {
		return false
	}
	if v.early[i].from = to; v.early[i].to == to {
		v.early = slices.Delete(v.early, i, i+1)
	}
	return true
}

// missDeparture notes that a departure from an area, if one was still to be read, was in a missed frame. The caller holds Hub.mu.
func (v *presence) missDeparture(from sim.AreaID) {
	v.early = slices.DeleteFunc(v.early, func(e earlyArrival) bool { return e.from == from })
}
