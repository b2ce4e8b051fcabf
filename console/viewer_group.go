package console

import (
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// areaViewers holds the viewers of one area. Viewers with the same update rate, in frames per second, form a group.
type areaViewers struct {
	area      sim.AreaID
	perSecond int // ticks per second

	groups atomic.Pointer[[]*viewerGroup] // replaced as a whole under mu; nil if there are no viewers
	mu     sync.Mutex
}

// current returns the groups of viewers of the area, one for each update rate that has a viewer now.
func (cs *areaViewers) current() []*viewerGroup {
	if list := cs.groups.Load(); list != nil {
		return *list
	}
	return nil
}

// join adds a viewer to the group of viewers with the given update rate. It creates the group if the viewer is the first one.
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

// leave removes a viewer from its group, and removes the group if no viewer is left in it.
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

// Limits of the messages about events that a viewerGroup sends in one second of the server's clock. The positions of actors need
// no limit, because one message per broadcast has all of them.
const (
	maxHitsPerSecond    = 100 // maximum number of hits and deaths together
	maxEntriesPerSecond = 20  // maximum number of new journal entries; changed entries have another limit of the same size
)

// viewerGroup holds the viewers of one area that have the same update rate. A message is encoded once for all of them. The
// frameReader calls frameDue, addHit, addDeath and broadcast from one goroutine.
type viewerGroup struct {
	rate, perSecond int // broadcasts and ticks per second

	mu          sync.Mutex
	viewers     []*viewer
	lastDue     uint64         // number of broadcasts that were due up to the last frame
	roster      []rosterEntry  // actors that were sent to the viewers, sorted by id
	spareRoster []rosterEntry  // memory of the previous roster, for reuse
	messages    []textMessage  // messages queued since the last broadcast
	hitLimit    secondLimit    // limit of hits and deaths
	entryLimit  secondLimit    // limit of new journal entries
	updateLimit secondLimit    // limit of changed journal entries
	buffers     []*frameBuffer // free and used buffers, at most maxPooledBuffers
}

// rosterEntry is what the viewers of an area were last told about an actor, apart from its position.
type rosterEntry struct {
	id   sim.EntityID // entity id of the actor
	body *sim.Body
	door string // door of the player; "" for NPCs and if not known

	lingersUntil sim.Tick // tick at which a lingering player leaves unless its client reconnects; 0 for other actors

	yaw    float32 // yaw in the last frame, in degrees
	facing uint16  // yaw that viewers are sent (see shownYaw), in 1/65536 of a full turn
}

// textMessage is an encoded JSON message, shared by all viewers that have not sent it yet.
type textMessage []byte

// secondLimit is a rate limit: it allows a fixed number of messages in each second of the server's clock.
type secondLimit struct {
	second int64 // Unix time of the current second
	used   int   // number of messages in that second
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

// removeViewer removes a viewer and returns the number of remaining ones.
func (c *viewerGroup) removeViewer(v *viewer) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.viewers = slices.DeleteFunc(c.viewers, func(o *viewer) bool { return o == v })
	return len(c.viewers)
}

// frameDue reports whether the frame of tick t must be broadcast. Not every frame is: viewers get c.rate broadcasts per second.
// If the frame of a due tick is missing, the next frame is broadcast instead.
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

// hitMessage tells the viewers of a live map that an actor has attacked another one, and with what damage.
type hitMessage struct {
	Type   string       `json:"type"`   // always "hit"
	By     sim.EntityID `json:"by"`     // entity id of the attacker
	On     sim.EntityID `json:"on"`     // entity id of the target
	Damage int32        `json:"damage"` // points of damage; -1 if the attack missed
}

// deathMessage tells the viewers of a live map that an actor has died.
type deathMessage struct {
	Type string       `json:"type"` // always "died"
	ID   sim.EntityID `json:"id"`   // entity id of the actor that died
}

// addHit queues a message about a hit for the next broadcast.
func (c *viewerGroup) addHit(e *sim.Event, at time.Time) {
	c.addMessage(&c.hitLimit, maxHitsPerSecond, at, func() any { return hitMessage{"hit", e.Who, e.Other, e.N} })
}

// addDeath queues a message about a death for the next broadcast.
func (c *viewerGroup) addDeath(e *sim.Event, at time.Time) {
	c.addMessage(&c.hitLimit, maxHitsPerSecond, at, func() any { return deathMessage{"died", e.Who} })
}

// addMessage queues the result of the function message for the next broadcast. It queues at most as many messages per
// second as the parameter most says. The parameter limit counts them.
func (c *viewerGroup) addMessage(limit *secondLimit, most int, at time.Time, message func() any) {
	second := at.Unix()
	c.mu.Lock()
	defer c.mu.Unlock()
	if limit.allow(second, most) {
		c.messages = append(c.messages, encodeMessage(message()))
	}
}

func encodeMessage(message any) textMessage {
	b, err := json.Marshal(message)
	if err != nil {
		panic(err) // cannot happen: plain structs
	}
	return b
}

// broadcast pushes a frame to all viewers in three parts: (1) the actors that were added, changed or removed since the last
// broadcast, or all actors for a new viewer; (2) the queued messages; (3) the positions of all actors. The function doors returns
// the name of a player's door.
func (c *viewerGroup) broadcast(f *sim.Frame, at time.Time, doors func(sim.EntityID) string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delta := c.updateRoster(f, at, doors)
	s := c.acquireBuffer()
	s.b = appendLive(s.b[:0], f, c.roster, at)
	var all textMessage // message with the whole roster, for new viewers
	for _, v := range c.viewers {
		roster := delta
		if !v.hasRoster {
			if v.hasRoster = true; all == nil {
				all = c.encodeRoster(f, at, c.roster, nil)
			}
			roster = all
		}
		v.push(roster, c.messages, s)
	}
	s.release()
	c.messages = nil // the viewers own the queued messages now
}

// rosterMessage is a message of a live map that lists the actors that were added, changed or removed.
type rosterMessage struct {
	Type   string         `json:"type"`   // always "actors"
	Add    []rosterActor  `json:"add"`    // actors that were added or changed
	Remove []sim.EntityID `json:"remove"` // entity ids of the actors that were removed
}

// rosterActor is an actor in a rosterMessage.
type rosterActor struct {
	ID       sim.EntityID `json:"id"`       // entity id
	Name     string       `json:"name"`     // name that clients show
	Door     *string      `json:"door"`     // name of the player's door; null for NPCs and if not known
	Template uint16       `json:"template"` // id of the actor's template
	Player   bool         `json:"player"`   // the actor is a player, not an NPC

	LingersUntil *timestamp `json:"lingersUntil,omitempty"` // time at which a lingering player leaves unless it reconnects; omitted for other actors
}

// encodeRoster returns the message that viewers are sent about actors that were added, changed or removed. The parameter at is the
// time of frame f.
func (c *viewerGroup) encodeRoster(f *sim.Frame, at time.Time, add []rosterEntry, remove []sim.EntityID) textMessage {
	t := &rosterMessage{Type: "actors", Add: make([]rosterActor, 0, len(add)), Remove: remove}
	if t.Remove == nil {
		t.Remove = []sim.EntityID{}
	}
	for i := range add {
		a := rosterActor{ID: add[i].id, Name: add[i].body.Name, Template: add[i].body.Template}
		a.Player = add[i].body.Character != 0
		if add[i].door != "" {
			a.Door = &add[i].door
		}
		a.LingersUntil = orNull(timestamp(leavesAt(f, add[i].lingersUntil, at, c.perSecond)), timestamp{})
		t.Add = append(t.Add, a)
	}
	return encodeMessage(t)
}

// updateRoster compares the actors of frame f with the roster, which lists the actors as viewers were last told. It stores the actors
// of f as the new roster. It returns the message with the differences, or nil if there are none. The parameter at is the time of the
// frame. The caller holds the lock.
func (c *viewerGroup) updateRoster(f *sim.Frame, at time.Time, doors func(sim.EntityID) string) textMessage {
	was, is := c.roster, slices.Grow(c.spareRoster[:0], len(f.Actors))[:len(f.Actors)]
	var add []rosterEntry
	var remove []sim.EntityID
	i := 0
	for n := range f.Actors {
		a := &f.Actors[n]
		for ; i < len(was) && was[i].id < a.ID; i++ {
			remove = append(remove, was[i].id)
		}
		t := &is[n] // assigned field by field, because the compiler would build a composite literal elsewhere and copy it
		*t = rosterEntry{}
		t.id, t.body, t.lingersUntil, t.yaw = a.ID, a.Body, a.LingersUntil, a.Yaw
		known := i < len(was) && was[i].id == a.ID
		if known {
			t.door, t.facing = was[i].door, shownYaw(a, &was[i])
		} else {
			t.facing = yawToTurn(a.Yaw)
		}
		if t.door == "" && a.Is(sim.FlagPlayer) {
			t.door = doors(a.ID)
		}
		if !known || !t.shownSameAs(&was[i]) {
			add = append(add, *t)
		}
		if known {
			i++
		}
	}
	for ; i < len(was); i++ {
		remove = append(remove, was[i].id)
	}
	clear(was) // releases the sim.Body of actors that left
	c.roster, c.spareRoster = is, was
	if add == nil && remove == nil {
		return nil
	}
	return c.encodeRoster(f, at, add, remove)
}

// shownSameAs reports whether two roster entries of an actor look the same on the map. If so, a change between them is not sent.
func (t *rosterEntry) shownSameAs(o *rosterEntry) bool {
	return t.door == o.door && t.lingersUntil == o.lingersUntil &&
		(t.body == o.body || t.body.Name == o.body.Name && t.body.Template == o.body.Template && t.body.Character == o.body.Character)
}

// frameBuffer is an encoded frame that all viewers of a group share. It counts the viewers that have not sent it yet, and is
// reused when there are none.
type frameBuffer struct {
	b    []byte
	refs atomic.Int32
}

// maxPooledBuffers is the maximum number of buffers that a group reuses: one is being encoded, one is queued and one is being
// sent.
const maxPooledBuffers = 3

// acquireBuffer returns a buffer without users, and counts the caller as its first user. The caller holds the lock.
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

// retain increases the number of users of the buffer by one. A user is a viewer that has the buffer's frame in its queue.
func (s *frameBuffer) retain() { s.refs.Add(1) }

// release reduces the number of users by one. A buffer without users is reused for a later frame. A nil buffer is ignored.
func (s *frameBuffer) release() {
	if s != nil {
		s.refs.Add(-1)
	}
}
