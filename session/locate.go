package session

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// In a cluster the hub can lose sight of a player in two ways: it misses frames of the player's area, or an area that it tells
// to remove the player, or to let it linger, does not have the player. The player may then have left the world, be in another
// area, or be on its way to an area, which takes as long as that area has no leader. The hub must not assume that the player is
// gone: the account could then enter again beside the old actor. So it asks the world where the actor is (area.Host.Find), and
// acts on the answer, one of the following. It also asks about connected players whose arrival, or departure from the area before, it has
// not read for a while, because it can confuse the order of changes of areas (earlyArrival); if such a player has left the world, that
// matters once its connection is lost.

// whereabouts says where a player's actor is, as far as the world knows.
type whereabouts uint8

const (
	unknownPlace whereabouts = iota // an area has no leader, or this node lacks the newest ticks: nothing changes, the hub asks again
	inAnArea                        // the actor is in an area: the hub tells that area again that the player leaves or has no connection
	onItsWay                        // the actor has left an area and not arrived in the next one: the presence stays, the hub asks again
	leftWorld                       // the actor is nowhere in the world: the presence ends
)

// locating is the state of the search for players whose area the hub no longer knows. Only one search runs at a time.
type locating struct {
	runs   atomic.Bool
	done   sync.WaitGroup
	failed bool // an answer of the last search was unknownPlace; used only by the goroutine of the search
}

// sought is a player to search for, with what the hub assumes about it when the search begins.
type sought struct {
	v         *presence
	area      sim.AreaID
	arrived   bool
	connected bool
	early     []earlyArrival
}

// searchEvery is the least time between two searches for the same connected player. It is also how long the hub waits for a departure
// before it searches a player whose arrival it has read: it then knows the area before departureWait ends and it sends waiting texts there.
const searchEvery = departureWait / 2

// isSought reports whether the hub has lost sight of a player. A player who is leaving counts only when its last record is
// overdue. The caller holds Hub.mu.
func (h *Hub) isSought(v *presence, now time.Time) bool {
	switch {
	case v.leaving():
		return v.recordLost && now.Sub(v.leftAt) >= h.opt.RecordTimeout
	case v.disconnected:
		return v.missing
	}
	wait := departureWait
	if v.arrived && len(v.early) > 0 {
		wait = searchEvery
	}
	return v.session != nil && (!v.arrived || len(v.early) > 0) && now.Sub(v.unsettledAt) >= wait
}

// isConnected reports whether the player is in the world with a connection. The caller holds Hub.mu.
func (v *presence) isConnected() bool { return !v.leaving() && !v.disconnected }

// sought returns the players for which isSought is true, without connected ones that were searched within searchEvery.
func (h *Hub) sought(now time.Time) (list []sought) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, v := range h.presences {
		if h.isSought(v, now) && !(v.isConnected() && now.Sub(v.soughtAt) < searchEvery) {
			v.soughtAt = now
			list = append(list, sought{v, v.area, v.arrived, v.isConnected(), slices.Clone(v.early)})
		}
	}
	return list
}

// locateSought starts a search for the players that the hub has lost sight of, unless there are none or a search runs already. It
// does not wait for the search, which lasts until ctx ends if an area has no leader for so long.
func (h *Hub) locateSought(ctx context.Context, now time.Time) {
	if !h.locating.runs.CompareAndSwap(false, true) {
		return
	}
	list := h.sought(now)
	if len(list) == 0 {
		h.locating.runs.Store(false)
		return
	}
	h.locating.done.Go(func() {
		defer h.locating.runs.Store(false)
		h.locate(ctx, list)
	})
}

// locate asks the world where the given players are, and acts on the answers. (1) It asks only after every intent that this
// node has submitted is executed: otherwise a player whose join still waits would seem to be gone. (2) A player counts as gone
// only after the hub has read every frame up to the answer: otherwise the last record could be in a frame that is still to be
// read. The same holds for the area of a connected player, who can leave it meanwhile.
func (h *Hub) locate(ctx context.Context, list []sought) {
	places := make([]area.RestoredPlayer, len(list))
	answers := make([]whereabouts, len(list)) // all unknownPlace
	err := h.awaitBarrier(ctx)
	for i := 0; i < len(list) && err == nil; i++ {
		places[i], answers[i], err = h.whereIs(ctx, list[i].v)
	}
	if err == nil {
		err = h.awaitBarrier(ctx)
	}
	unknown := 0
	for i, s := range list {
		if (answers[i] == leftWorld || s.connected) && err != nil {
			answers[i] = unknownPlace
		}
		if answers[i] == unknownPlace && !s.connected {
			unknown++
		}
		h.actOn(s, answers[i], places[i])
	}
	if unknown > 0 && !h.locating.failed && ctx.Err() == nil {
		h.log.Warn("cannot find out whether some disconnected players are still in the world; their accounts count as in use until that is known",
			"players", unknown, telemetry.FieldErr, err)
	}
	h.locating.failed = unknown > 0
}

// whereIs asks the world where the actor of a player is. The result p is set if the answer is inAnArea or onItsWay. An error goes with
// the answer unknownPlace.
func (h *Hub) whereIs(ctx context.Context, v *presence) (p area.RestoredPlayer, at whereabouts, err error) {
	ctx, cancel := context.WithTimeout(ctx, h.opt.RecordTimeout)
	defer cancel()
	p, found, err := h.world.Find(ctx, v.character)
	switch {
	case err != nil:
		return p, unknownPlace, err
	case !found || p.Entity != v.entity:
		return p, leftWorld, nil
	case !p.Arrived:
		return p, onItsWay, nil
	}
	return p, inAnArea, nil
}

// actOn applies the answer of the world to the question where a player is. It does nothing if the hub has found the player in a frame
// since the search began, because frames are more reliable than the answer.
func (h *Hub) actOn(s sought, at whereabouts, p area.RestoredPlayer) {
	v := s.v
	h.mu.Lock()
	if h.presences[v.entity] != v || v.area != s.area || v.arrived != s.arrived || v.isConnected() != s.connected ||
		!slices.Equal(v.early, s.early) || !h.isSought(v, time.Now()) {
		h.mu.Unlock()
		return
	}
	if s.connected && (at == inAnArea || at == onItsWay) {
		v.early = nil // the hub has read all departures up to the answer
	}
	switch {
	case at == inAnArea:
		act := h.place(v, p.Area, true)
		h.mu.Unlock()
		act()
		return
	case at == onItsWay:
		v.area, v.arrived = p.Area, false
	case at == leftWorld && !s.connected:
		h.lingererLeft(v) // has no effect if the player was leaving already
		h.log.Warn("a disconnected player is no longer in the world, but this node did not see it leave; "+
			"if this node led the area, the player's latest changes may be lost, otherwise they are stored",
			telemetry.FieldActor, v.entity, telemetry.FieldArea, h.areaName(v.area))
		h.endLocked(v)
	}
	h.mu.Unlock()
}
