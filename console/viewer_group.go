package console

import (
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// areaViewers are the viewers of one area, grouped by the rate at which they look.
type areaViewers struct {
	area      sim.AreaID
	perSecond int // ticks

	groups atomic.Pointer[[]*viewerGroup] // replaced under mu, never changed; nil: nobody looks
	mu     sync.Mutex
}

// current are the crews of now.
func (cs *areaViewers) current() []*viewerGroup {
	if list := cs.groups.Load(); list != nil {
		return *list
	}
	return nil
}

// join puts a viewer into the crew of that rate.
func (cs *areaViewers) join(v *viewer, rate int) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	list := cs.current()
	i := slices.IndexFunc(list, func(c *viewerGroup) bool { return c.rate == rate })
	if i < 0 {
		more := append(slices.Clone(list), &viewerGroup{rate: rate, perSecond: cs.perSecond})
		cs.groups.Store(&more)
		list, i = more, len(more)-1
	}
	list[i].addViewer(v)
}

// leave takes a viewer out, and its crew with the last one.
func (cs *areaViewers) leave(v *viewer, rate int) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	list := cs.current()
	i := slices.IndexFunc(list, func(c *viewerGroup) bool { return c.rate == rate })
	if i >= 0 && list[i].removeViewer(v) == 0 {
		less := slices.Delete(slices.Clone(list), i, i+1)
		cs.groups.Store(&less)
	}
}

// Limits of what is told besides positions, per second and crew.
const (
	maxHitsPerSecond    = 100 // hits and deaths together
	maxEntriesPerSecond = 20  // new ones, and as many that have grown
)

// viewerGroup is the viewers of one area at one rate: everything is encoded once for all of them. The watcher calls due, hit,
// died and broadcast, from one goroutine.
type viewerGroup struct {
	rate, perSecond int

	mu          sync.Mutex
	viewers     []*viewer
	lastDue     uint64        // broadcasts that were due so far
	roster      []rosterEntry // sorted by id: who the viewers know
	spareRoster []rosterEntry // memory of the roster before
	messages    []textMessage // since the last broadcast
	hitLimit    secondLimit
	entryLimit  secondLimit
	updateLimit secondLimit
	buffers     []*frameBuffer // that nobody holds any more
}

// rosterEntry is an actor as viewers were told of him.
type rosterEntry struct {
	id   sim.EntityID
	body *sim.Body
	door string // "" for NPCs and while it is not known

	yaw    float32 // of the last frame
	facing uint16  // where he is shown to look, 65536 = a full turn
}

// textMessage is a JSON message, shared by all viewers that have not sent it yet.
type textMessage []byte

// secondLimit lets so many through in a second of the server's clock.
type secondLimit struct {
	second int64
	used   int
}

func (a *secondLimit) allow(second int64, most int) bool {
	if a.second != second {
		*a = secondLimit{second: second}
	}
	a.used++
	return a.used <= most
}

func (c *viewerGroup) addViewer(v *viewer) {
	c.mu.Lock()
	c.viewers = append(c.viewers, v)
	c.mu.Unlock()
}

// removeViewer returns how many are left.
func (c *viewerGroup) removeViewer(v *viewer) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.viewers = slices.DeleteFunc(c.viewers, func(o *viewer) bool { return o == v })
	return len(c.viewers)
}

// frameDue tells whether the frame of that tick is to be shown. Frames that were missed delay a broadcast, they do not drop
// it.
func (c *viewerGroup) frameDue(t sim.Tick) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := uint64(t) * uint64(c.rate) / uint64(c.perSecond)
	if n == c.lastDue {
		return false
	}
	c.lastDue = n
	return true
}

// hitMessage and diedText are messages of the live map.
type hitMessage struct {
	Type   string       `json:"type"`
	By     sim.EntityID `json:"by"`
	On     sim.EntityID `json:"on"`
	Damage int32        `json:"damage"`
}

type deathMessage struct {
	Type string       `json:"type"`
	ID   sim.EntityID `json:"id"`
}

// addHit notes a blow for the next broadcast.
func (c *viewerGroup) addHit(e *sim.Event, at time.Time) {
	c.addMessage(&c.hitLimit, maxHitsPerSecond, at, func() any { return hitMessage{"hit", e.Who, e.Other, e.N} })
}

func (c *viewerGroup) addDeath(e *sim.Event, at time.Time) {
	c.addMessage(&c.hitLimit, maxHitsPerSecond, at, func() any { return deathMessage{"died", e.Who} })
}

// addMessage keeps a message for the next broadcast, unless there were too many of its kind in this second.
func (c *viewerGroup) addMessage(a *secondLimit, most int, at time.Time, message func() any) {
	second := at.Unix()
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.allow(second, most) {
		c.messages = append(c.messages, encodeMessage(message()))
	}
}

func encodeMessage(message any) textMessage {
	b, err := json.Marshal(message)
	if err != nil {
		panic(err) // plain data of ours
	}
	return b
}

// broadcast shows a frame to all viewers: who came and went since the last one, what happened, where everybody is.
func (c *viewerGroup) broadcast(f *sim.Frame, at time.Time, doors func(sim.EntityID) string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delta := c.updateRoster(f, doors)
	s := c.acquireBuffer()
	s.b = appendLive(s.b[:0], f, c.roster, at)
	var all textMessage // for those who know nobody
	for _, v := range c.viewers {
		roster := delta
		if !v.hasRoster {
			if v.hasRoster = true; all == nil {
				all = encodeMessage(newRosterMessage(c.roster, nil))
			}
			roster = all
		}
		v.push(roster, c.messages, s)
	}
	s.release()
	c.messages = nil // viewers have it now
}

// rosterMessage says who came, or is another than he was, and who went.
type rosterMessage struct {
	Type   string         `json:"type"`
	Add    []rosterActor  `json:"add"`
	Remove []sim.EntityID `json:"remove"`
}

type rosterActor struct {
	ID       sim.EntityID `json:"id"`
	Name     string       `json:"name"`
	Door     *string      `json:"door"`
	Template uint16       `json:"template"`
	Player   bool         `json:"player"`
}

func newRosterMessage(add []rosterEntry, remove []sim.EntityID) *rosterMessage {
	t := &rosterMessage{Type: "actors", Add: make([]rosterActor, 0, len(add)), Remove: remove}
	if t.Remove == nil {
		t.Remove = []sim.EntityID{}
	}
	for i := range add {
		a := rosterActor{ID: add[i].id, Name: store.ToText(add[i].body.Name), Template: add[i].body.Template}
		a.Player = add[i].body.Character != 0
		if add[i].door != "" {
			a.Door = &add[i].door
		}
		t.Add = append(t.Add, a)
	}
	return t
}

// updateRoster makes the roster that of the frame and returns what viewers must be told, nil if nothing. It needs the lock.
func (c *viewerGroup) updateRoster(f *sim.Frame, doors func(sim.EntityID) string) textMessage {
	was, is := c.roster, c.spareRoster[:0]
	var add []rosterEntry
	var remove []sim.EntityID
	i := 0
	for n := range f.Actors {
		a := &f.Actors[n]
		for ; i < len(was) && was[i].id < a.ID; i++ {
			remove = append(remove, was[i].id)
		}
		t := rosterEntry{id: a.ID, body: a.Body}
		known := i < len(was) && was[i].id == a.ID
		t.yaw, t.facing = a.Yaw, yawToTurn(a.Yaw)
		if known {
			t.door, t.facing = was[i].door, shownYaw(a, &was[i])
		}
		if t.door == "" && a.Is(sim.FlagPlayer) {
			t.door = doors(a.ID)
		}
		if !known || !t.shownSameAs(&was[i]) {
			add = append(add, t)
		}
		if known {
			i++
		}
		is = append(is, t)
	}
	for ; i < len(was); i++ {
		remove = append(remove, was[i].id)
	}
	clear(was) // the bodies of those who left are not kept alive
	c.roster, c.spareRoster = is, was
	if add == nil && remove == nil {
		return nil
	}
	return encodeMessage(newRosterMessage(add, remove))
}

// shownSameAs tells whether viewers would be told the same of both.
func (t *rosterEntry) shownSameAs(o *rosterEntry) bool {
	return t.door == o.door &&
		(t.body == o.body || t.body.Name == o.body.Name && t.body.Template == o.body.Template && t.body.Character == o.body.Character)
}

// frameBuffer is an encoded frame, shared by the viewers that have not sent it yet. Its memory goes back to its crew.
type frameBuffer struct {
	b    []byte
	refs atomic.Int32
}

// maxPooledBuffers is how many shots a crew keeps for later: one in the making, one waiting and one being sent.
const maxPooledBuffers = 3

// acquireBuffer takes a shot that nobody reads, held once. It needs the lock.
func (c *viewerGroup) acquireBuffer() *frameBuffer {
	for _, s := range c.buffers {
		if s.refs.CompareAndSwap(0, 1) {
			return s
		}
	}
	s := new(frameBuffer)
	s.refs.Store(1)
	if len(c.buffers) < maxPooledBuffers {
		c.buffers = append(c.buffers, s)
	}
	return s
}

func (s *frameBuffer) retain() { s.refs.Add(1) }

// release lets go of a shot; nil is none.
func (s *frameBuffer) release() {
	if s != nil {
		s.refs.Add(-1)
	}
}
