package console

import (
	"sync"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// hitsPerPlayer is the maximum number of hits in memory per player. Older hits are dropped.
const hitsPerPlayer = 20

// maxHitPlayers is the maximum number of players whose hits are in memory. The hits of players that have left are removed, so the
// number is normally far below this limit.
const maxHitPlayers = 1 << 14

// hit is an attack in which a player was the attacker or the target.
type hit struct {
	at             time.Time
	by, on         sim.EntityID // entity ids of attacker and target
	byName, onName string       // names of attacker and target; byName is "" if the attacker has left
	damage         int32        // points of damage; -1 if the attack missed
}

// hits holds the last hits of every player. It is safe for concurrent use.
type hits struct {
	mu    sync.Mutex
	rings map[sim.EntityID]*hitRing // last hits, by entity id of the player
}

// hitRing is a ring buffer of one player's last hits; the next hit is stored at list[next].
type hitRing struct {
	list [hitsPerPlayer]hit
	next int
	n    int // number of stored hits
}

// record adds a hit to the lists of the attacker and of the target. Actors that are not players have no list.
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

// sweep removes the hits of players that are no longer in the world. Normally forget removes a player's hits when the player
// leaves. sweep is for the players that left in a frame that the console has missed.
func (h *hits) sweep(online func(sim.EntityID) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id := range h.rings {
		if !online(id) {
			delete(h.rings, id)
		}
	}
}
