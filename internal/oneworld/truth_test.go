package oneworld

import (
	"slices"
	"sync"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/oracle"
	"github.com/truestep-io/truestep/sim"
)

// savedFrame is a copy of a frame, with the time at which it was read.
type savedFrame struct {
	at      time.Time
	area    sim.AreaID
	tick    sim.Tick
	actors  []sim.ActorState // sorted by ID
	avatars []sim.AvatarState
}

// savedEvent is an event with its area and tick.
type savedEvent struct {
	sim.Event
	area   sim.AreaID
	tick   sim.Tick
	by, on string  // by: name of the actor Who; on: name of the actor Other
	apart  float32 // distance of the two actors in that frame in world units, or -1 if one is not in the frame
}

// framesKept is the number of frames of each area that are stored: one minute.
const framesKept = 1200

// truth records the frames of all areas. It receives them from a feed, as a door does.
type truth struct {
	done    chan struct{}
	def     *sim.World
	players map[string]*oracle.Truth // by door: Truth with the positions of players in the unit of that door's clients

	mu     sync.Mutex
	frames map[sim.AreaID][]savedFrame
	log    []savedEvent
	names  map[sim.EntityID]string // names of all actors so far
	ids    map[string]sim.EntityID // by player name: the latest entity of that player
	missed uint64
}

func watchFrames(w *area.World) *truth {
	t := &truth{
		done: make(chan struct{}), def: w.Def(), players: map[string]*oracle.Truth{}, frames: map[sim.AreaID][]savedFrame{},
		names: map[sim.EntityID]string{}, ids: map[string]sim.EntityID{},
	}
	for _, door := range doors {
		t.players[door] = oracle.NewTruth(len(t.def.Areas), t.def.TicksPerSecond, framesKept*50*time.Millisecond)
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

// wait waits until the feed has ended.
func (t *truth) wait() { <-t.done }

func (t *truth) read(f *sim.Frame, missed uint64) {
	m := savedFrame{at: time.Now(), area: f.Area, tick: f.Tick, actors: slices.Clone(f.Actors), avatars: slices.Clone(f.Avatars)}
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
	t.recordPlayers(&m)
	list := append(t.frames[f.Area], m)
	t.frames[f.Area] = list[max(0, len(list)-framesKept):]
	for _, e := range f.Events {
		e.Record, e.Join = nil, nil
		d := savedEvent{Event: e, area: f.Area, tick: f.Tick, by: t.names[e.Who], on: t.names[e.Other], apart: -1}
		if x, y := f.Find(e.Who), f.Find(e.Other); x != nil && y != nil {
			d.apart = distance(x.Pos, y.Pos)
		}
		t.log = append(t.log, d)
	}
}

// recordPlayers passes the positions of all players in a frame to the oracles.
func (t *truth) recordPlayers(m *savedFrame) {
	for door, record := range t.players {
		var positions []oracle.Position
		updated := true
		for i := range m.actors {
			a := &m.actors[i]
			if !a.Is(sim.FlagPlayer) {
				continue
			}
			var at position
			if at, updated = expectedPosition(door, &t.def.Areas[m.area], m, a); !updated {
				break // the clients of this door get no update about this tick
			}
			record.Identify(m.area, oracle.Actor{ID: a.ID, Name: a.Body.Name, Player: true})
			positions = append(positions, oracle.Position{ID: a.ID, Pos: at.vec()})
		}
		if updated {
			record.Frame(m.area, m.tick, float64(m.at.UnixMicro())/1000, m.at, positions)
		}
	}
}

// missedFrames returns the number of frames that the feed dropped.
func (t *truth) missedFrames() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.missed
}

// latest returns the last frame of an area, or an empty frame if none has been recorded yet.
func (t *truth) latest(a sim.AreaID) savedFrame {
	t.mu.Lock()
	defer t.mu.Unlock()
	if list := t.frames[a]; len(list) > 0 {
		return list[len(list)-1]
	}
	return savedFrame{area: a}
}

// since returns the frames of an area that were read after a time, oldest first, preceded by the last frame before that time.
func (t *truth) since(a sim.AreaID, from time.Time) []savedFrame {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.frames[a]
	i, _ := slices.BinarySearchFunc(list, from, func(m savedFrame, at time.Time) int { return m.at.Compare(at) })
	return slices.Clone(list[max(0, i-1):])
}

// id returns the entity id of the player with the given name, or 0 if no player has had this name.
func (t *truth) id(name string) sim.EntityID {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ids[name]
}

// player returns the state of the named player, and the frame that contains this state. ok is false if the player is in no area.
func (t *truth) player(name string) (m savedFrame, a *sim.ActorState, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	id := t.ids[name]
	for _, list := range t.frames {
		m = list[len(list)-1]
		if a = m.find(id); a != nil {
			return m, a, true
		}
	}
	return savedFrame{}, nil, false
}

// events returns the events for which want returns true.
func (t *truth) events(want func(d *savedEvent) bool) (all []savedEvent) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.log {
		if want(&t.log[i]) {
			all = append(all, t.log[i])
		}
	}
	return all
}

// eventsOf returns the events of a kind whose actor and target have the given names; "" is any name.
func (t *truth) eventsOf(kind sim.EventKind, actor, target string) []savedEvent {
	return t.events(func(d *savedEvent) bool {
		return d.Kind == kind && (actor == "" || d.by == actor) && (target == "" || d.on == target)
	})
}

// find returns the state of an actor, or nil if the actor is not in the frame.
func (m *savedFrame) find(id sim.EntityID) *sim.ActorState {
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

// avatarOf returns the simulated body of an actor, or nil if the actor has none.
func (m *savedFrame) avatarOf(id sim.EntityID) *sim.AvatarState {
	for i := range m.avatars {
		if m.avatars[i].ID == id {
			return &m.avatars[i]
		}
	}
	return nil
}
