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

// crews are the viewers of one area, grouped by the rate at which they look.
type crews struct {
	area      sim.AreaID
	perSecond int // ticks

	now atomic.Pointer[[]*crew] // replaced under mu, never changed; nil: nobody looks
	mu  sync.Mutex
}

// list are the crews of now.
func (cs *crews) list() []*crew {
	if list := cs.now.Load(); list != nil {
		return *list
	}
	return nil
}

// join puts a viewer into the crew of that rate.
func (cs *crews) join(v *viewer, rate int) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	list := cs.list()
	i := slices.IndexFunc(list, func(c *crew) bool { return c.rate == rate })
	if i < 0 {
		more := append(slices.Clone(list), &crew{rate: rate, perSecond: cs.perSecond})
		cs.now.Store(&more)
		list, i = more, len(more)-1
	}
	list[i].add(v)
}

// leave takes a viewer out, and its crew with the last one.
func (cs *crews) leave(v *viewer, rate int) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	list := cs.list()
	i := slices.IndexFunc(list, func(c *crew) bool { return c.rate == rate })
	if i >= 0 && list[i].remove(v) == 0 {
		less := slices.Delete(slices.Clone(list), i, i+1)
		cs.now.Store(&less)
	}
}

// Limits of what is told besides positions, per second and crew.
const (
	maxHitsShown    = 100 // hits and deaths together
	maxEntriesShown = 20  // new ones, and as many that have grown
)

// crew is the viewers of one area at one rate: everything is encoded once for all of them. The watcher calls due, hit,
// died and broadcast, from one goroutine.
type crew struct {
	rate, perSecond int

	mu      sync.Mutex
	viewers []*viewer
	last    uint64 // broadcasts that were due so far
	roster  []told // sorted by id: who the viewers know
	spare   []told // memory of the roster before
	news    []text // since the last broadcast
	hits    allowance
	entries allowance
	grown   allowance
	pool    []*shot // that nobody holds any more
}

// told is an actor as viewers were told of him.
type told struct {
	id   sim.EntityID
	body *sim.Body
	door string // "" for NPCs and while it is not known

	yaw    float32 // of the last frame
	facing uint16  // where he is shown to look, 65536 = a full turn
}

// text is a JSON message, shared by all viewers that have not sent it yet.
type text []byte

// allowance lets so many through in a second of the server's clock.
type allowance struct {
	second int64
	used   int
}

func (a *allowance) take(second int64, most int) bool {
	if a.second != second {
		*a = allowance{second: second}
	}
	a.used++
	return a.used <= most
}

func (c *crew) add(v *viewer) {
	c.mu.Lock()
	c.viewers = append(c.viewers, v)
	c.mu.Unlock()
}

// remove returns how many are left.
func (c *crew) remove(v *viewer) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.viewers = slices.DeleteFunc(c.viewers, func(o *viewer) bool { return o == v })
	return len(c.viewers)
}

// due tells whether the frame of that tick is to be shown. Frames that were missed delay a broadcast, they do not drop
// it.
func (c *crew) due(t sim.Tick) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := uint64(t) * uint64(c.rate) / uint64(c.perSecond)
	if n == c.last {
		return false
	}
	c.last = n
	return true
}

// hitText and diedText are messages of the live map.
type hitText struct {
	Type   string       `json:"type"`
	By     sim.EntityID `json:"by"`
	On     sim.EntityID `json:"on"`
	Damage int32        `json:"damage"`
}

type diedText struct {
	Type string       `json:"type"`
	ID   sim.EntityID `json:"id"`
}

// hit notes a blow for the next broadcast.
func (c *crew) hit(e *sim.Event, at time.Time) {
	c.note(&c.hits, maxHitsShown, at, func() any { return hitText{"hit", e.Who, e.Other, e.N} })
}

func (c *crew) died(e *sim.Event, at time.Time) {
	c.note(&c.hits, maxHitsShown, at, func() any { return diedText{"died", e.Who} })
}

// note keeps a message for the next broadcast, unless there were too many of its kind in this second.
func (c *crew) note(a *allowance, most int, at time.Time, message func() any) {
	second := at.Unix()
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.take(second, most) {
		c.news = append(c.news, encodeText(message()))
	}
}

func encodeText(message any) text {
	b, err := json.Marshal(message)
	if err != nil {
		panic(err) // plain data of ours
	}
	return b
}

// broadcast shows a frame to all viewers: who came and went since the last one, what happened, where everybody is.
func (c *crew) broadcast(f *sim.Frame, at time.Time, doors func(sim.EntityID) string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delta := c.meet(f, doors)
	s := c.load()
	s.b = appendLive(s.b[:0], f, c.roster, at)
	var all text // for those who know nobody
	for _, v := range c.viewers {
		roster := delta
		if !v.met {
			if v.met = true; all == nil {
				all = encodeText(rosterText(c.roster, nil))
			}
			roster = all
		}
		v.push(roster, c.news, s)
	}
	s.release()
	c.news = nil // viewers have it now
}

// actorsText says who came, or is another than he was, and who went.
type actorsText struct {
	Type   string         `json:"type"`
	Add    []actorText    `json:"add"`
	Remove []sim.EntityID `json:"remove"`
}

type actorText struct {
	ID       sim.EntityID `json:"id"`
	Name     string       `json:"name"`
	Door     *string      `json:"door"`
	Template uint16       `json:"template"`
	Player   bool         `json:"player"`
}

func rosterText(add []told, remove []sim.EntityID) *actorsText {
	t := &actorsText{Type: "actors", Add: make([]actorText, 0, len(add)), Remove: remove}
	if t.Remove == nil {
		t.Remove = []sim.EntityID{}
	}
	for i := range add {
		a := actorText{ID: add[i].id, Name: store.ToText(add[i].body.Name), Template: add[i].body.Template}
		a.Player = add[i].body.Character != 0
		if add[i].door != "" {
			a.Door = &add[i].door
		}
		t.Add = append(t.Add, a)
	}
	return t
}

// meet makes the roster that of the frame and returns what viewers must be told, nil if nothing. It needs the lock.
func (c *crew) meet(f *sim.Frame, doors func(sim.EntityID) string) text {
	was, is := c.roster, c.spare[:0]
	var add []told
	var remove []sim.EntityID
	i := 0
	for n := range f.Actors {
		a := &f.Actors[n]
		for ; i < len(was) && was[i].id < a.ID; i++ {
			remove = append(remove, was[i].id)
		}
		t := told{id: a.ID, body: a.Body}
		known := i < len(was) && was[i].id == a.ID
		t.yaw, t.facing = a.Yaw, turnOf(a.Yaw)
		if known {
			t.door, t.facing = was[i].door, facing(a, &was[i])
		}
		if t.door == "" && a.Is(sim.FlagPlayer) {
			t.door = doors(a.ID)
		}
		if !known || !t.looks(&was[i]) {
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
	c.roster, c.spare = is, was
	if add == nil && remove == nil {
		return nil
	}
	return encodeText(rosterText(add, remove))
}

// looks tells whether viewers would be told the same of both.
func (t *told) looks(o *told) bool {
	return t.door == o.door &&
		(t.body == o.body || t.body.Name == o.body.Name && t.body.Template == o.body.Template && t.body.Character == o.body.Character)
}

// shot is an encoded frame, shared by the viewers that have not sent it yet. Its memory goes back to its crew.
type shot struct {
	b    []byte
	refs atomic.Int32
}

// maxPool is how many shots a crew keeps for later: one in the making, one waiting and one being sent.
const maxPool = 3

// load takes a shot that nobody reads, held once. It needs the lock.
func (c *crew) load() *shot {
	for _, s := range c.pool {
		if s.refs.CompareAndSwap(0, 1) {
			return s
		}
	}
	s := new(shot)
	s.refs.Store(1)
	if len(c.pool) < maxPool {
		c.pool = append(c.pool, s)
	}
	return s
}

func (s *shot) hold() { s.refs.Add(1) }

// release lets go of a shot; nil is none.
func (s *shot) release() {
	if s != nil {
		s.refs.Add(-1)
	}
}
