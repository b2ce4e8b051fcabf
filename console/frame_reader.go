package console

import (
	"slices"
	"sync"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim"
)

// feedDepth is the maximum number of queued frames per area: a fifth of a second at 20 ticks per second. The value is
// chosen, not measured.
const feedDepth = 4

// frameReader reads the frames of every area for the console. It copies what the responses of the API need, and releases each
// frame at once.
type frameReader struct {
	areas  []*areaState // indexed by AreaID
	hits   hits
	deaths deaths
	doorOf func(sim.EntityID) string // returns the name of the door of a player, or "" if not known
	now    func() time.Time

	newestEntry int64 // ID of the newest journal entry received; accessed by onEntry only
}

// areaState is the last known state of one area.
type areaState struct {
	mu   sync.Mutex
	tick sim.Tick    // tick of the last frame
	rows []playerRow // players of the area, sorted by ID

	viewers areaViewers
}

// playerRow is the state of a player in the last frame of its area. It also keeps the sim.Body of the player's target and of its
// mount, because these two actors may have left the area by the time a response describes the player.
type playerRow struct {
	sim.ActorState
	area          sim.AreaID // area of the frame
	target, mount *sim.Body  // nil if the player has none
	leavesAt      time.Time  // when the player leaves unless its client reconnects; zero while it has a connection
}

func newFrameReader(w *sim.World, doors func(sim.EntityID) string, now func() time.Time) *frameReader {
	x := &frameReader{areas: make([]*areaState, len(w.Areas)), doorOf: doors, now: now}
	for i := range x.areas {
		x.areas[i] = &areaState{viewers: areaViewers{area: sim.AreaID(i), perSecond: w.TicksPerSecond}}
	}
	return x
}

// read reads frames until the feed ends.
func (x *frameReader) read(feed *area.Feed) {
	for p := range feed.C() {
		x.readFrame(p)
		p.Release()
	}
}

// readFrame copies the players and hits of a frame and passes it to the viewer groups.
func (x *frameReader) readFrame(p area.Published) {
	f, at := p.Frame, x.now()
	died := at
	if p.AtMS != 0 { // AtMS is set for past ticks, which a node of a cluster simulates after its start
		died = p.Time()
	}
	l := x.areas[f.Area]
	l.storePlayers(f, at)
	list := l.viewers.current()
	for i := range f.Events {
		switch e := &f.Events[i]; e.Kind {
		case sim.EventAttacked:
			x.hits.record(f, e, at)
			for _, c := range list {
				c.addHit(e, at)
			}
		case sim.EventDied:
			x.deaths.record(f, e, died)
			for _, c := range list {
				c.addDeath(e, at)
			}
		case sim.EventLeft:
			x.hits.forget(e.Who)
		}
	}
	for _, c := range list {
		if c.frameDue(f.Tick) {
			c.broadcast(f, at, x.doorOf)
		}
	}
}

// storePlayers copies the players of frame f. The parameter at is the time at which the console read the frame.
func (l *areaState) storePlayers(f *sim.Frame, at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tick = f.Tick
	rows := l.rows[:0]
	for i := range f.Actors {
		a := &f.Actors[i]
		if a.Is(sim.FlagPlayer) {
			rows = append(rows, playerRow{*a, f.Area, actorBody(f, a.Target), actorBody(f, a.Mount), leavesAt(f, a.LingersUntil, at, l.viewers.perSecond)})
		}
	}
	clear(l.rows[min(len(rows), len(l.rows)):]) // releases the sim.Body of players that left
	l.rows = rows
}

// leavesAt returns the time at which a lingering actor leaves the world if its client does not reconnect. The parameter
// until is the tick of that, and at is the time of frame f. For until = 0, an actor that does not linger, it returns the
// zero time.
func leavesAt(f *sim.Frame, until sim.Tick, at time.Time, ticksPerSecond int) time.Time {
	if until == 0 {
		return time.Time{}
	}
	left := int64(until) - int64(f.Tick)
	return at.Add(time.Duration(max(left, 0)) * time.Second / time.Duration(ticksPerSecond))
}

// entryMessage is a message of a live map with a new or changed journal entry.
type entryMessage struct {
	Type  string        `json:"type"`  // always "entry"
	Entry journal.Entry `json:"entry"` // the entry, with its present number of merged decisions
}

// onEntry queues a new or changed journal entry for the live maps of the entry's area. It ignores entries about hits,
// because maps show hits from the frames. It runs on the goroutine that writes the journal, so it must not block.
func (x *frameReader) onEntry(e journal.Entry) {
	grown := e.ID <= x.newestEntry
	x.newestEntry = max(x.newestEntry, e.ID)
	if e.AreaID < 0 || int(e.AreaID) >= len(x.areas) || e.Verdict == journal.Hit {
		return
	}
	for _, c := range x.areas[e.AreaID].viewers.current() {
		a := &c.entryLimit
		if grown {
			a = &c.updateLimit // changed entries have a separate limit, so that repeated holds of one player do not use up the limit of new entries
		}
		c.addMessage(a, maxEntriesPerSecond, x.now(), func() any { return entryMessage{"entry", e} })
	}
}

// actorBody returns the sim.Body of an actor of the frame, or nil if the id is 0 or the actor is not in the area.
func actorBody(f *sim.Frame, id sim.EntityID) *sim.Body {
	if id == 0 {
		return nil
	}
	if a := f.Find(id); a != nil {
		return a.Body
	}
	return nil
}

// player returns a player's state in the last frame of an area. It returns false if the player was not in that frame.
func (x *frameReader) player(in sim.AreaID, id sim.EntityID) (playerRow, bool) {
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

// players returns the state of the players of all areas in their last frames, by entity id.
func (x *frameReader) players() map[sim.EntityID]playerRow {
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
