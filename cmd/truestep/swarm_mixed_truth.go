package main

import (
	"sync"
	"time"

	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

const (
	truthKept  = 10_000 // ms of everybody's way that are remembered
	truthSteps = 256    // places of it, at least as many as ticks in that time
)

// mixedSpot is where an actor was at a time.
type mixedSpot struct {
	at   float64 // ms since 1970, the server's clock
	tick sim.Tick
	pos  geom.Vec
}

// mixedTrack is the way of one actor through one area, as far as it is remembered.
type mixedTrack struct {
	id     sim.EntityID
	name   string // "" until it is known
	door   string // "" for NPCs
	player bool
	came   float64 // ms: the first frame that had it
	gone   float64 // ms: the first that had it no more; 0 while it is there
	seen   float64 // the last that had it

	spots [truthSteps]mixedSpot // a ring
	n     int                   // ever put in
}

func (t *mixedTrack) put(at float64, tick sim.Tick, pos geom.Vec) {
	t.spots[t.n%truthSteps] = mixedSpot{at, tick, pos}
	t.n++
	t.seen = at
}

// len is how many places are remembered, spot the k-th of them, 0 the newest.
func (t *mixedTrack) len() int { return min(t.n, truthSteps) }

func (t *mixedTrack) spot(k int) *mixedSpot { return &t.spots[(t.n-1-k)%truthSteps] }

// throughout tells whether it was there all the time between two.
func (t *mixedTrack) throughout(from, to float64) bool {
	return t.came <= from && (t.gone == 0 || t.gone > to)
}

// within tells whether it was there at any time between two.
func (t *mixedTrack) within(from, to float64) bool {
	return t.came <= to && (t.gone == 0 || t.gone >= from)
}

// at is where it was at a time: the newest place that is not newer.
func (t *mixedTrack) at(ms float64) (geom.Vec, bool) {
	for k := range t.len() {
		if s := t.spot(k); s.at <= ms {
			return s.pos, true
		}
	}
	return geom.Vec{}, false
}

// mixedTruth is what the server's live maps have said. Safe for any goroutine.
type mixedTruth struct {
	mu     sync.Mutex
	areas  []mixedGround // by AreaID
	frames uint64
	lost   uint64 // ticks that the live maps have left out
	stalls mixedStalls
	offset float64 // ms that our clock is ahead of the server's, at least
	synced bool
	tickMS float64
}

// mixedGround is one area.
type mixedGround struct {
	now    float64 // of the newest frame
	tick   sim.Tick
	byID   map[sim.EntityID]*mixedTrack
	byName map[string][]*mixedTrack
	gone   []*mixedTrack // still remembered
}

func newMixedTruth(areas, ticksPerSecond int) *mixedTruth {
	t := &mixedTruth{areas: make([]mixedGround, areas), tickMS: 1000 / float64(ticksPerSecond)}
	for i := range t.areas {
		t.areas[i].byID, t.areas[i].byName = map[sim.EntityID]*mixedTrack{}, map[string][]*mixedTrack{}
	}
	return t
}

// roster takes who is who. The message about somebody comes before the first frame that has him.
func (t *mixedTruth) roster(area sim.AreaID, r *mixedRoster) {
	t.mu.Lock()
	defer t.mu.Unlock()
	g := &t.areas[area]
	for i := range r.Add {
		a := &r.Add[i]
		x := g.track(a.ID)
		if x.name != a.Name {
			g.unname(x)
			x.name = a.Name
			g.byName[x.name] = append(g.byName[x.name], x)
		}
		x.player = a.Player
		if a.Door != nil {
			x.door = *a.Door
		}
	}
}

// track is the way of an actor that is here or about to be.
func (g *mixedGround) track(id sim.EntityID) *mixedTrack {
	x := g.byID[id]
	if x == nil {
		x = &mixedTrack{id: id}
		g.byID[id] = x
	}
	return x
}

// unname takes a track out of the list of its name.
func (g *mixedGround) unname(x *mixedTrack) {
	if x.name == "" {
		return
	}
	list := g.byName[x.name]
	for i, o := range list {
		if o == x {
			list = append(list[:i:i], list[i+1:]...)
			break
		}
	}
	if len(list) == 0 {
		delete(g.byName, x.name)
	} else {
		g.byName[x.name] = list
	}
}

// frame takes where everybody is after a tick; it came at that time of our clock.
func (t *mixedTruth) frame(area sim.AreaID, f *console.LiveFrame, came time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if d := msOf(came) - f.At; !t.synced || d < t.offset {
		t.offset, t.synced = d, true
	}
	t.frames++
	g := &t.areas[area]
	if g.tick > 0 && f.Tick > g.tick {
		t.lost += uint64(f.Tick - g.tick - 1)
		t.stalls.add(f.At, f.At-g.now-t.tickMS*float64(f.Tick-g.tick))
	}
	g.now, g.tick = f.At, f.Tick
	for i := range f.Actors {
		a := &f.Actors[i]
		x := g.track(a.ID)
		if x.n == 0 {
			x.came = f.At
		}
		x.put(f.At, f.Tick, a.Pos)
	}
	for id, x := range g.byID {
		if x.n > 0 && x.seen < f.At {
			x.gone = f.At
			delete(g.byID, id)
			g.gone = append(g.gone, x)
		}
	}
	for len(g.gone) > 0 && g.gone[0].gone < f.At-truthKept {
		g.unname(g.gone[0])
		g.gone = g.gone[1:]
	}
}

// server is a time of our clock on that of the server.
func (t *mixedTruth) server(at time.Time) float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return msOf(at) - t.offset
}

func msOf(at time.Time) float64 { return float64(at.UnixMicro()) / 1000 }

// named are the tracks of that name in an area. It needs the lock.
func (t *mixedTruth) named(area sim.AreaID, name string) []*mixedTrack {
	return t.areas[area].byName[name]
}

// player is the newest track of a player, wherever it is. It needs the lock.
func (t *mixedTruth) player(name string) (area sim.AreaID, x *mixedTrack) {
	for i := range t.areas {
		for _, o := range t.areas[i].byName[name] {
			if o.player && o.n > 0 && (x == nil || o.seen > x.seen) {
				area, x = sim.AreaID(i), o
			}
		}
	}
	return area, x
}

// count is how many frames have come, and how many were left out.
func (t *mixedTruth) count() (frames, lost uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.frames, t.lost
}

// stalled notes that our own process did not run for so long before a time of our clock.
func (t *mixedTruth) stalled(at time.Time, ms float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stalls.add(msOf(at)-t.offset, ms)
}

// worstStall is the longest one so far, in ms. Frames go on coming while a report is made.
func (t *mixedTruth) worstStall() float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stalls.worst
}

// mixedStalls are the times at which the machine did not get to the server or to us.
type mixedStalls struct {
	list  []mixedStall
	worst float64
}

// mixedStall ended at a time of the server's clock and took so many ms.
type mixedStall struct{ at, ms float64 }

const (
	stallLeast = 25   // ms; what is shorter is part of every machine's day
	stallFelt  = 1500 // ms after a stall in which clients may still be behind
	stallKept  = 64
)

func (s *mixedStalls) add(at, ms float64) {
	if ms < stallLeast {
		return
	}
	s.worst = max(s.worst, ms)
	if len(s.list) == stallKept {
		s.list = append(s.list[:0], s.list[1:]...)
	}
	s.list = append(s.list, mixedStall{at, ms})
}

// felt is how much later than usual a client may be at a time.
func (s *mixedStalls) felt(at float64) (ms float64) {
	for _, x := range s.list {
		if x.at >= at-stallFelt && x.at-x.ms <= at {
			ms = max(ms, x.ms)
		}
	}
	return ms
}
