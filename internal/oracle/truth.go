package oracle

import (
	"slices"
	"sync"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Actor identifies an entity: a player or an NPC.
type Actor struct {
	ID       sim.EntityID // id of the entity on the server
	Name     string       // name of the entity, as clients show it
	Protocol string       // protocol of the player's client; "" for NPCs
	Player   bool         // the entity is a player, not an NPC
}

// Position is the position of an entity in a frame.
type Position struct {
	ID  sim.EntityID // id of the entity
	Pos geom.Vec     // position in world units
}

// Truth records the positions of actors on the server. It is safe for concurrent use.
type Truth struct {
	mu     sync.Mutex
	areas  []areaTruth // one entry per area, by AreaID
	keepMS float64     // how long positions are remembered, in ms
	tickMS float64     // time between two ticks in ms
	steps  int         // maximum number of remembered positions per actor

	frames, lost  uint64 // number of recorded frames, and of ticks without a frame
	stalls        stalls
	clockOffsetMS float64 // estimated maximum of this process's clock minus the server's, in ms
	clockKnown    bool
}

// NewTruth returns an empty record of the given number of areas. It remembers positions for the duration keep.
func NewTruth(areas, ticksPerSecond int, keep time.Duration) *Truth {
	tickMS := 1000 / float64(ticksPerSecond)
	keepMS := milliseconds(keep)
	t := &Truth{areas: make([]areaTruth, areas), keepMS: keepMS, tickMS: tickMS, steps: int(keepMS/tickMS*1.25) + 1}
	for i := range t.areas {
		t.areas[i].byID, t.areas[i].byName = map[sim.EntityID]*track{}, map[string][]*track{}
	}
	return t
}

// areaTruth is the record of the actors of one area.
type areaTruth struct {
	nowMS  float64 // time of the newest frame
	tick   sim.Tick
	byID   map[sim.EntityID]*track
	byName map[string][]*track // tracks by name of the actor, including departed actors
	gone   []*track            // tracks of departed actors that are still remembered, oldest first
}

// track is the record of where one actor was in one area, from its entry until it leaves.
type track struct {
	Actor
	cameMS float64 // server time of the first frame with the actor
	goneMS float64 // server time of the first frame without the actor after it has left; 0 while it is in the area
	seenMS float64 // server time of the last frame with the actor

	ring []step // ring buffer of the newest steps
	n    int    // number of steps recorded so far
}

// step is an element of a track: where the actor was after one tick, and when that was.
type step struct {
	atMS float64
	tick sim.Tick
	pos  geom.Vec
}

func (t *track) record(s step, capacity int) {
	if len(t.ring) < capacity {
		t.ring = append(t.ring, s)
	} else {
		t.ring[t.n%capacity] = s
	}
	t.n++
	t.seenMS = s.atMS
}

// len returns the number of remembered steps.
func (t *track) len() int { return len(t.ring) }

// step returns the k-th newest step; k is 0 for the newest.
func (t *track) step(k int) *step { return &t.ring[(t.n-1-k)%len(t.ring)] }

// presentThroughout reports whether the actor was in the area during the whole interval.
func (t *track) presentThroughout(fromMS, toMS float64) bool {
	return t.cameMS <= fromMS && (t.goneMS == 0 || t.goneMS > toMS)
}

// presentDuring reports whether the actor was in the area at any time of the interval.
func (t *track) presentDuring(fromMS, toMS float64) bool {
	return t.cameMS <= toMS && (t.goneMS == 0 || t.goneMS >= fromMS)
}

// at returns where the actor was at a server time: the position of the newest recorded step at or before that time. ok is false
// if all remembered steps are later.
func (t *track) at(ms float64) (pos geom.Vec, ok bool) {
	for k := range t.len() {
		if s := t.step(k); s.atMS <= ms {
			return s.pos, true
		}
	}
	return geom.Vec{}, false
}

// Identify records the identity of an entity. It must be called before the first frame with that entity; later calls may rename the entity.
func (t *Truth) Identify(area sim.AreaID, a Actor) {
	t.mu.Lock()
	defer t.mu.Unlock()
	g := &t.areas[area]
	x := g.track(a.ID)
	if x.Name != a.Name {
		g.removeName(x)
		g.byName[a.Name] = append(g.byName[a.Name], x)
	}
	x.Actor = a
}

// track returns the track of the actor with the given id. If no such actor is in the area, it adds a new track, because the actor
// is about to enter.
func (g *areaTruth) track(id sim.EntityID) *track {
	x := g.byID[id]
	if x == nil {
		x = &track{Actor: Actor{ID: id}}
		g.byID[id] = x
	}
	return x
}

// removeName removes a track from the map of tracks by name, so that no later search by name finds it.
func (g *areaTruth) removeName(x *track) {
	if x.Name == "" {
		return
	}
	list := g.byName[x.Name]
	if i := slices.Index(list, x); i >= 0 {
		list = append(list[:i:i], list[i+1:]...)
	}
	if len(list) == 0 {
		delete(g.byName, x.Name)
	} else {
		g.byName[x.Name] = list
	}
}

// Frame records the positions of all actors of an area after a tick. atMS is the server time of the frame. The parameter received
// is the time at which this process received the frame. The slice actors is read only during the call.
func (t *Truth) Frame(area sim.AreaID, tick sim.Tick, atMS float64, received time.Time, actors []Position) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if d := unixMS(received) - atMS; !t.clockKnown || d < t.clockOffsetMS {
		t.clockOffsetMS, t.clockKnown = d, true
	}
	t.frames++
	g := &t.areas[area]
	if g.tick > 0 && tick > g.tick {
		t.lost += uint64(tick - g.tick - 1)
		t.stalls.add(atMS, atMS-g.nowMS-t.tickMS*float64(tick-g.tick))
	}
	g.nowMS, g.tick = atMS, tick
	for i := range actors {
		a := &actors[i]
		x := g.track(a.ID)
		if x.n == 0 {
			x.cameMS = atMS
		}
		x.record(step{atMS, tick, a.Pos}, t.steps)
	}
	for id, x := range g.byID {
		if x.n > 0 && x.seenMS < atMS {
			x.goneMS = atMS
			delete(g.byID, id)
			g.gone = append(g.gone, x)
		}
	}
	for len(g.gone) > 0 && g.gone[0].goneMS < atMS-t.keepMS {
		g.removeName(g.gone[0])
		g.gone = g.gone[1:]
	}
}

// serverMS converts a time of this process's clock to server time, in ms.
func (t *Truth) serverMS(at time.Time) float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return unixMS(at) - t.clockOffsetMS
}

func unixMS(at time.Time) float64 { return float64(at.UnixMicro()) / 1000 }

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }

// player returns the newest track of the player with this name, and the area of that track. x is nil if there is none. The
// caller holds the lock.
func (t *Truth) player(name string) (area sim.AreaID, x *track) {
	for i := range t.areas {
		for _, o := range t.areas[i].byName[name] {
			if o.Player && o.n > 0 && (x == nil || o.seenMS > x.seenMS) {
				area, x = sim.AreaID(i), o
			}
		}
	}
	return area, x
}

// Counts returns the number of recorded frames, and of ticks without a frame.
func (t *Truth) Counts() (frames, lost uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.frames, t.lost
}

// Stall records that this process did not run for the duration d before the time end.
func (t *Truth) Stall(end time.Time, d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stalls.add(unixMS(end)-t.clockOffsetMS, milliseconds(d))
}

// WorstStall returns the longest time for which the server's ticks or this process did not run.
func (t *Truth) WorstStall() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Duration(t.stalls.worstMS * float64(time.Millisecond))
}

// stalls are the periods in which the server or this process did not run.
type stalls struct {
	list    []stall
	worstMS float64
}

// stall is a period in which the server or this process did not run. It took ms milliseconds and ended at the server time atMS.
type stall struct{ atMS, ms float64 }

const (
	minStallMS    = 25   // ms; shorter pauses are normal and are not recorded
	stallEffectMS = 1500 // ms after a stall in which clients may still be late
	maxStalls     = 64   // maximum number of remembered stalls
)

func (s *stalls) add(atMS, ms float64) {
	if ms < minStallMS {
		return
	}
	s.worstMS = max(s.worstMS, ms)
	if len(s.list) == maxStalls {
		s.list = append(s.list[:0], s.list[1:]...)
	}
	s.list = append(s.list, stall{atMS, ms})
}

// delayAt returns by how many ms more than usual a client may be late with the positions that it shows at a server time. It is
// the length of the longest stall (of the server or of this process) at that time or shortly before.
func (s *stalls) delayAt(atMS float64) (ms float64) {
	for _, x := range s.list {
		if x.atMS >= atMS-stallEffectMS && x.atMS-x.ms <= atMS {
			ms = max(ms, x.ms)
		}
	}
	return ms
}
