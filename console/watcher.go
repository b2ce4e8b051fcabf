package console

import (
	"slices"
	"sync"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim"
)

// feedDepth is how many frames of each area may wait for the watcher.   guess: a fifth of a second
const feedDepth = 4

// watcher reads the frames of every area. It copies what answers need and lets go of each frame at once.
type watcher struct {
	areas []*lookout // index = AreaID
	hits  hits
	doors func(sim.EntityID) string // of a player, "" if it is not known
	now   func() time.Time

	newest int64 // ID of the newest entry that was heard; of the journal's writer
}

// lookout is what is known of one area.
type lookout struct {
	mu   sync.Mutex
	tick sim.Tick
	rows []playerRow // of players, sorted by ID

	crews crews
}

// playerRow is a player as the last frame has him. Whom he fights and rides may be gone by the time it is read, so what
// is shown of them is here.
type playerRow struct {
	sim.ActorState
	target, mount *sim.Body // nil: nobody
}

func newWatcher(w *sim.World, doors func(sim.EntityID) string, now func() time.Time) *watcher {
	x := &watcher{areas: make([]*lookout, len(w.Areas)), doors: doors, now: now}
	for i := range x.areas {
		x.areas[i] = &lookout{crews: crews{area: sim.AreaID(i), perSecond: w.TicksPerSecond}}
	}
	return x
}

// read reads until the feed ends.
func (x *watcher) read(feed *area.Feed) {
	for p := range feed.C() {
		x.see(p.Frame)
		p.Release()
	}
}

// see takes from a frame what outlives it.
func (x *watcher) see(f *sim.Frame) {
	at := x.now()
	l := x.areas[f.Area]
	l.keep(f)
	list := l.crews.list()
	for i := range f.Events {
		switch e := &f.Events[i]; e.Kind {
		case sim.EventAttacked:
			x.hits.struck(f, e, at)
			for _, c := range list {
				c.hit(e, at)
			}
		case sim.EventDied:
			for _, c := range list {
				c.died(e, at)
			}
		case sim.EventLeft:
			x.hits.forget(e.Who)
		}
	}
	for _, c := range list {
		if c.due(f.Tick) {
			c.broadcast(f, at, x.doors)
		}
	}
}

// keep copies the players of a frame.
func (l *lookout) keep(f *sim.Frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tick = f.Tick
	rows := l.rows[:0]
	for i := range f.Actors {
		a := &f.Actors[i]
		if a.Is(sim.FlagPlayer) {
			rows = append(rows, playerRow{*a, bodyOf(f, a.Target), bodyOf(f, a.Mount)})
		}
	}
	clear(l.rows[min(len(rows), len(l.rows)):]) // whoever left is not kept alive
	l.rows = rows
}

// entryText is a message of the live map.
type entryText struct {
	Type  string        `json:"type"`
	Entry journal.Entry `json:"entry"`
}

// hear tells those who look at its area of an entry, or that it has grown. The journal's writer calls it; it does not wait.
func (x *watcher) hear(e journal.Entry) {
	grown := e.ID <= x.newest
	x.newest = max(x.newest, e.ID)
	if e.AreaID < 0 || int(e.AreaID) >= len(x.areas) {
		return
	}
	for _, c := range x.areas[e.AreaID].crews.list() {
		a := &c.entries
		if grown {
			a = &c.grown // who is held on and on does not hide others who are held
		}
		c.note(a, maxEntriesShown, x.now(), func() any { return entryText{"entry", e} })
	}
}

func bodyOf(f *sim.Frame, id sim.EntityID) *sim.Body {
	if id == 0 {
		return nil
	}
	if a := f.Find(id); a != nil {
		return a.Body
	}
	return nil
}

// player is a player of that area as its last frame has him.
func (x *watcher) player(in sim.AreaID, id sim.EntityID) (playerRow, bool) {
	if in < 0 || int(in) >= len(x.areas) {
		return playerRow{}, false
	}
	l := x.areas[in]
	l.mu.Lock()
	defer l.mu.Unlock()
	i, ok := slices.BinarySearchFunc(l.rows, id, func(r playerRow, id sim.EntityID) int {
		return int(int64(r.ID) - int64(id))
	})
	if !ok {
		return playerRow{}, false
	}
	return l.rows[i], true
}

// players are those of every area, by id.
func (x *watcher) players() map[sim.EntityID]playerRow {
	all := map[sim.EntityID]playerRow{}
	for _, l := range x.areas {
		l.mu.Lock()
		for i := range l.rows {
			all[l.rows[i].ID] = l.rows[i]
		}
		l.mu.Unlock()
	}
	return all
}
