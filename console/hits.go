package console

import (
	"sync"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// hitsPerPlayer is how many of a player's last hits are kept.
const hitsPerPlayer = 20

// maxHitPlayers bounds the players whose hits are kept; forget and sweep keep the number far below it.
const maxHitPlayers = 1 << 14

// hit is an attack that a player dealt, took or missed.
type hit struct {
	at             time.Time
	by, on         sim.EntityID
	byName, onName string // byName is "" if the attacker was gone already
	damage         int32  // -1: missed
}

// hits are the last hits of every player. Safe for concurrent use.
type hits struct {
	mu    sync.Mutex
	rings map[sim.EntityID]*hitRing
}

// hitRing is the last hits of one player; the next goes to list[next].
type hitRing struct {
	list [hitsPerPlayer]hit
	next int
	n    int
}

// record adds a hit for the attacker and the target, where they are players.
func (h *hits) record(f *sim.Frame, e *sim.Event, at time.Time) {
	by, on := f.Find(e.Who), f.Find(e.Other)
	row := hit{at: at, by: e.Who, on: e.Other, onName: e.Text, damage: e.N}
	if by != nil {
		row.byName = by.Body.Name
	}
	for _, a := range [...]*sim.ActorState{by, on} {
		if a != nil && a.Is(sim.FlagPlayer) {
			h.add(a.ID, row)
		}
	}
}

func (h *hits) add(id sim.EntityID, row hit) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rings[id]
	if r == nil {
		if len(h.rings) >= maxHitPlayers {
			return
		}
		if h.rings == nil {
			h.rings = map[sim.EntityID]*hitRing{}
		}
		r = new(hitRing)
		h.rings[id] = r
	}
	r.list[r.next] = row
	r.next = (r.next + 1) % hitsPerPlayer
	r.n = min(r.n+1, hitsPerPlayer)
}

// recent returns a player's last hits, newest first.
func (h *hits) recent(id sim.EntityID) []hit {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rings[id]
	if r == nil {
		return nil
	}
	list := make([]hit, 0, r.n)
	for i := range r.n {
		list = append(list, r.list[(r.next-1-i+hitsPerPlayer)%hitsPerPlayer])
	}
	return list
}

func (h *hits) forget(id sim.EntityID) {
	h.mu.Lock()
	delete(h.rings, id)
	h.mu.Unlock()
}

// sweep forgets players that are no longer in the world, because the frame in which they left may have been missed.
func (h *hits) sweep(online func(sim.EntityID) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id := range h.rings {
		if !online(id) {
			delete(h.rings, id)
		}
	}
}
