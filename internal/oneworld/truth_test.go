package oneworld

import (
	"slices"
	"sync"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
)

// moment is a frame that is kept, and when it was read.
type moment struct {
	at        time.Time
	area      sim.AreaID
	tick      sim.Tick
	actors    []sim.ActorState // sorted by ID
	predicted []sim.PredictedState
}

// deed is an event, and where and when it happened.
type deed struct {
	sim.Event
	area   sim.AreaID
	tick   sim.Tick
	by, on string  // names of Who and Other
	apart  float32 // units between the two in that frame, -1 if one is not in it
}

// remembered is how many moments of each area are kept: a minute.
const remembered = 1200

// truth is what the areas say. It is a reader of frames like any door.
type truth struct {
	done chan struct{}

	mu      sync.Mutex
	moments map[sim.AreaID][]moment
	deeds   []deed
	names   map[sim.EntityID]string // of everybody who was ever seen
	ids     map[string]sim.EntityID // of players by name, the last of that name
	missed  uint64
}

func watch(w *area.World) *truth {
	t := &truth{
		done: make(chan struct{}), moments: map[sim.AreaID][]moment{},
		names: map[sim.EntityID]string{}, ids: map[string]sim.EntityID{},
	}
	feed := w.Subscribe("truth", 512, area.All)
	go func() {
		defer close(t.done)
		for p := range feed.C() {
			t.read(p.Frame, p.Missed)
			p.Release()
		}
	}()
	return t
}

// wait waits for the end of the world.
func (t *truth) wait() { <-t.done }

func (t *truth) read(f *sim.Frame, missed uint64) {
	m := moment{at: time.Now(), area: f.Area, tick: f.Tick, actors: slices.Clone(f.Actors), predicted: slices.Clone(f.Predicted)}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.missed += missed
	for i := range f.Actors {
		a := &f.Actors[i]
		t.names[a.ID] = a.Body.Name
		if a.Is(sim.FlagPlayer) {
			t.ids[a.Body.Name] = max(t.ids[a.Body.Name], a.ID)
		}
	}
	list := append(t.moments[f.Area], m)
	t.moments[f.Area] = list[max(0, len(list)-remembered):]
	for _, e := range f.Events {
		e.Record, e.Join = nil, nil
		d := deed{Event: e, area: f.Area, tick: f.Tick, by: t.names[e.Who], on: t.names[e.Other], apart: -1}
		if x, y := f.Find(e.Who), f.Find(e.Other); x != nil && y != nil {
			d.apart = flat(x.Pos, y.Pos)
		}
		t.deeds = append(t.deeds, d)
	}
}

// lost is how many frames the reader missed.
func (t *truth) lost() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.missed
}

// now is the last moment of an area, without actors before the first.
func (t *truth) now(a sim.AreaID) moment {
	t.mu.Lock()
	defer t.mu.Unlock()
	if list := t.moments[a]; len(list) > 0 {
		return list[len(list)-1]
	}
	return moment{area: a}
}

// since are the moments of an area that were read after a time, oldest first, and the one before them.
func (t *truth) since(a sim.AreaID, from time.Time) []moment {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.moments[a]
	i, _ := slices.BinarySearchFunc(list, from, func(m moment, at time.Time) int { return m.at.Compare(at) })
	return slices.Clone(list[max(0, i-1):])
}

// id is the entity of a player by name, 0 if nobody of that name was ever seen.
func (t *truth) id(name string) sim.EntityID {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ids[name]
}

// of is a player by name, where he is now. ok is false if he is nowhere.
func (t *truth) of(name string) (m moment, a *sim.ActorState, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	id := t.ids[name]
	for _, list := range t.moments {
		m = list[len(list)-1]
		if a = m.find(id); a != nil {
			return m, a, true
		}
	}
	return moment{}, nil, false
}

// told are the events that want accepts.
func (t *truth) told(want func(d *deed) bool) (all []deed) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.deeds {
		if want(&t.deeds[i]) {
			all = append(all, t.deeds[i])
		}
	}
	return all
}

// did are the events of a kind in which one did something to the other; "" is anybody.
func (t *truth) did(kind sim.EventKind, by, on string) []deed {
	return t.told(func(d *deed) bool { return d.Kind == kind && (by == "" || d.by == by) && (on == "" || d.on == on) })
}

// find is the state of an actor, nil if it is not there.
func (m *moment) find(id sim.EntityID) *sim.ActorState {
	i, ok := slices.BinarySearchFunc(m.actors, id, func(a sim.ActorState, id sim.EntityID) int {
		switch {
		case a.ID < id:
			return -1
		case a.ID > id:
			return 1
		}
		return 0
	})
	if !ok {
		return nil
	}
	return &m.actors[i]
}

// body is the predicted state of an actor, nil if it has none.
func (m *moment) body(id sim.EntityID) *sim.PredictedState {
	for i := range m.predicted {
		if m.predicted[i].ID == id {
			return &m.predicted[i]
		}
	}
	return nil
}
