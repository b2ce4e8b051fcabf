package cluster

import (
	"fmt"
	"hash/maphash"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

const itemsEach = 4 // number of items that each character begins with; no two items of the world are of the same kind

// simWorld returns a world of some areas with cows that any blow kills, and with players who can fight each other and survive that.
func simWorld() *sim.World {
	w := fields(simAreas)
	w.Templates[0].Attr[0] = combat.Attribute{Value: 1, Max: 1}
	w.Templates[0].XPMultiplier = 10
	w.Templates[1].Attr[0] = combat.Attribute{Value: 30_000, Max: 30_000}
	w.Templates[1].Slots = 1 << 10 // a backpack
	for i := range w.Areas {
		w.Areas[i].PvP = true
	}
	w.Rules.Linger = sim.LingerRules{MS: 7_000, CombatMS: 9_000, RestartMS: 7_000}
	for id := 1; id <= simClients; id++ {
		for n := range itemsEach {
			w.Items = append(w.Items, sim.Item{ID: uint16(id*itemsEach + n), Name: fmt.Sprint("Thing ", id, n), Kind: sim.ItemOther})
		}
	}
	return w
}

// newRecord returns the record of a character that has never been in the world.
func (s *simulation) newRecord(id sim.CharacterID) *sim.Character {
	c := &sim.Character{ID: id, Name: fmt.Sprint("P", id), Template: 2, Level: 1, Attr: s.def.Template(2).Attr, Area: s.def.Areas[int(id)%simAreas].Name, Pos: geom.Vec{X: float32(id)}}
	for n := range itemsEach {
		c.Inventory[sim.SlotBackpack+n] = sim.ItemStack{Item: uint16(int(id)*itemsEach + n), Amount: 1, Health: 100}
	}
	return c
}

// truth is the one history of the world that all nodes must show: for each area the ticks as the first node that stepped them showed
// them. From their events it derives where each character and each item is, and checks what the cluster promises:
//
//   - No tick is shown in two ways, whichever nodes end and come back: all nodes have the same intents, state, frame and events.
//   - A character is in one area, or on its way to one, or not in the world. It arrives once, in the area to which it went.
//   - Every item is carried by one character or lies on the ground of one area.
//   - A stored record has a greater version than the one before, and the experience and items that the character has.
//   - A line that a node has accepted is heard once at most. It is heard, before all later lines of its session and before the body
//     leaves the world or is taken over, unless the node ends or is declared dead. Of a player with more intents than fit into a round of
//     the inbox, a leave or a lost connection drops those that wait. A barrier is answered when all lines before it are heard.
//   - After a session has taken over a character, no line of an earlier session is heard.
//   - A term has one leader.
//   - If a node says that the records of a tick are stored, they are.
//   - A character stays in its party until it leaves the party or the world. All nodes show that.
//   - Whenever nothing has failed for a while, all areas have ticks, all nodes show them, no character stays under way, and all clients play.
type truth struct {
	s       *simulation
	areas   []areaTruth
	chars   []charTruth // by id
	items   []place     // by id of the item
	actors  map[sim.EntityID]*session
	leaders map[areaTerm]uint64

	gone    []uint64 // by number of the node: newest incarnation that an area has declared dead
	hashing maphash.Seed
	encoded []byte // buffer of digest
}

type areaTerm struct {
	area sim.AreaID
	term uint64
}

type areaTruth struct {
	hashes  []uint64        // hash after each tick
	content []uint64        // digest of the intents and the frame of each tick
	times   []time.Duration // time at which a node first showed each tick

	unsaved []tickRecord // records of ticks that no node has reported as stored
}

// place is where an item is: with a character, or on the ground of an area.
type place struct {
	char sim.CharacterID // 0: on the ground
	area sim.AreaID
}

func (p place) String() string {
	if p.char == 0 {
		return fmt.Sprintf("on the ground of area %d", p.area)
	}
	return fmt.Sprintf("with character %d", p.char)
}

type whereabouts uint8

const (
	outOfWorld whereabouts = iota
	inArea
	underWay // between two areas
)

type charTruth struct {
	where    whereabouts
	area, to sim.AreaID
	version  uint64
	xp       int32
	carried  int
	who      sim.EntityID // its newest actor
	party    sim.PartyID  // 0 for none
	session  int          // number of the session that controls the character
	since    time.Duration
}

// String says where the character is.
func (c *charTruth) String() string {
	switch c.where {
	case inArea:
		return fmt.Sprintf("is in area %d", c.area)
	case underWay:
		return fmt.Sprintf("is on its way from area %d to %d", c.area, c.to)
	}
	return "is out of the world"
}

func newTruth(s *simulation) truth {
	t := truth{s: s, areas: make([]areaTruth, simAreas), chars: make([]charTruth, simClients+1), items: make([]place, (simClients+1)*itemsEach),
		actors: map[sim.EntityID]*session{}, leaders: map[areaTerm]uint64{}, gone: make([]uint64, len(s.nodes)), hashing: maphash.MakeSeed()}
	for id := 1; id <= simClients; id++ {
		t.chars[id].carried = itemsEach
		for n := range itemsEach {
			t.items[id*itemsEach+n].char = sim.CharacterID(id)
		}
	}
	return t
}

// time returns the time at which the first node showed a tick. The history of clients uses these times, which are equal for all nodes,
// so it judges what clients are shown, in which order, and not how soon: a node that is cut off shows an old world. For nodes that are
// not, watch judges how far they are behind.
func (t *truth) time(a sim.AreaID, tick sim.Tick) time.Time {
	if tick == 0 {
		return t.s.began
	}
	return t.s.began.Add(t.areas[a].times[tick-1])
}

// checkStart checks that a process starts from a state whose records are stored: it does not show the earlier ticks again.
func (t *truth) checkStart(n *simNode, g *group) {
	if tick := g.state.Now(); tick > t.s.db.saved[g.area] && !t.s.faults.outages {
		t.s.fail("node %d starts area %d from tick %d, and records are stored only up to tick %d", n.id, g.area, tick, t.s.db.saved[g.area])
	}
}

// checkLead checks that no other node leads in the same term.
func (t *truth) checkLead(a *simArea) {
	term := a.g.term.Load()
	if term == 0 {
		return
	}
	at, id := areaTerm{a.g.area, term}, a.p.n.id
	if have := t.leaders[at]; have == 0 {
		t.leaders[at] = id
		t.s.note("node %d leads area %d in term %d", id, at.area, term)
	} else if have != id {
		t.s.fail("nodes %d and %d both lead area %d in term %d", have, id, at.area, term)
	}
}

// saved is called when a node reports that the records up to a tick are stored. It checks that they are.
func (t *truth) saved(p *process, a sim.AreaID, tick sim.Tick) {
	h, db := &t.areas[a], &t.s.db
	db.saved[a] = max(db.saved[a], tick)
	h.unsaved = slices.DeleteFunc(h.unsaved, func(r tickRecord) bool {
		if r.tick > tick {
			return false
		}
		if have := db.records.Characters[r.record.ID]; have == nil || have.Version < r.record.Version {
			t.s.fail("node %d says that the records of area %d are stored up to tick %d, and version %d of the record of character %d, of tick %d, is not",
				p.n.id, a, tick, r.record.Version, r.record.ID, r.tick)
		}
		return true
	})
}

// skip notes that a node continues an area from a state that the leader has sent, and so has no frames of the skipped ticks.
func (t *truth) skip(p *process, g *group, last sim.Tick, state *sim.Area) {
	now := state.Now()
	t.s.note("node %d continues area %d from tick %d to %d", p.n.id, g.area, last, now)
	if h := t.areas[g.area].hashes; int(now) > len(h) || now > 0 && h[now-1] != state.Hash() {
		t.s.fail("node %d continues area %d from a state of tick %d that no node had", p.n.id, g.area, now)
		return
	}
	p.skipped(g.area, t.time(g.area, last))
}

// digest returns a digest of what a node has executed in a tick and shows of it. The hash of a state has neither: lines of chat, for
// example, are events and no part of the state.
func (t *truth) digest(intents []sim.Intent, f *sim.Frame) uint64 {
	t.encoded = f.Append(sim.AppendIntents(t.encoded[:0], intents))
	return maphash.Bytes(t.hashing, t.encoded)
}

// publish is called with each frame of each node, before any client sees it.
func (t *truth) publish(a *simArea, intents []sim.Intent, f *sim.Frame) {
	h, content := &t.areas[f.Area], t.digest(intents, f)
	switch at := int(f.Tick) - 1; {
	case at < len(h.hashes):
		switch {
		case h.hashes[at] != f.Hash:
			t.s.fail("node %d shows another tick %d of area %d than was shown before", a.p.n.id, f.Tick, f.Area)
		case h.content[at] != content:
			t.s.fail("node %d has other intents or events in tick %d of area %d than were shown before", a.p.n.id, f.Tick, f.Area)
		}
		return
	case at > len(h.hashes):
		t.s.fail("node %d shows tick %d of area %d, and nobody has shown tick %d", a.p.n.id, f.Tick, f.Area, at)
		return
	}
	h.hashes, h.content, h.times = append(h.hashes, f.Hash), append(h.content, content), append(h.times, t.s.now)
	for i := range a.g.origins {
		t.gone[i] = max(t.gone[i], a.g.origins[i].gone)
	}
	if t.s.published != nil {
		t.s.published(a, f)
	}
	for i := range f.Events {
		t.event(a, f, &f.Events[i])
	}
	t.checkParties(f)
}

// checkParties checks that the characters in a frame are in the parties that they have joined last, in whichever area and on whichever
// node.
func (t *truth) checkParties(f *sim.Frame) {
	for i := range f.Actors {
		x := &f.Actors[i]
		session := t.actors[x.ID]
		if session == nil {
			continue
		}
		if want := t.chars[session.c.id].party; x.Party != want {
			t.s.fail("tick %d of area %d shows character %d in party %d, and it has joined party %d", f.Tick, f.Area, session.c.id, x.Party, want)
		}
	}
}

func (t *truth) event(a *simArea, f *sim.Frame, e *sim.Event) {
	session := t.actors[e.Who]
	if session == nil {
		if e.Kind == sim.EventPickedUp && e.Who == 0 {
			t.s.fail("an item has expired")
		}
		return
	}
	id := session.c.id
	c := &t.chars[id]
	if e.Record != nil {
		t.record(c, f, e)
		t.areas[f.Area].unsaved = append(t.areas[f.Area].unsaved, tickRecord{f.Tick, e.Record})
	}
	switch e.Kind {
	case sim.EventJoined:
		t.joined(c, session, f, e)
	case sim.EventDeparted:
		c.where, c.to, c.since = underWay, e.To, t.s.now
	case sim.EventLeft:
		c.where = outOfWorld
		t.checkHeard(a, session.c, nil, "leaves the world")
	case sim.EventResumed:
		by := session.c.sessionOf(a.g.homes[e.Who])
		t.checkHeard(a, session.c, by, "is taken over")
		if by == nil {
			t.s.fail("character %d was taken over by a session that there is not: %+v", id, a.g.homes[e.Who])
		} else {
			c.session = by.number
			t.s.stats.resumed++
		}
	case sim.EventXP:
		c.xp += e.Value
	case sim.EventParty:
		c.party = e.Party
		t.s.stats.invited++
	case sim.EventDropped:
		t.move(e.Ground.Stack.Item, place{char: id}, place{area: f.Area})
		c.carried--
	case sim.EventPickedUp:
		t.move(e.Ground.Stack.Item, place{area: f.Area}, place{char: id})
		c.carried++
	case sim.EventChat:
		t.heard(c, session.c, e.Text)
	}
}

func (t *truth) joined(c *charTruth, by *session, f *sim.Frame, e *sim.Event) {
	id := by.c.id
	switch {
	case e.N == 1 && c.where != outOfWorld:
		t.s.fail("character %d logs in to area %d, and %v", id, f.Area, c)
	case e.N == 1:
		c.session, c.who, c.party = by.number, e.Who, 0
		t.s.stats.logins++
		t.s.note("character %d is in area %d", id, f.Area)
	case c.where != underWay || c.to != f.Area:
		t.s.fail("character %d arrives in area %d, and %v", id, f.Area, c)
	default:
		t.s.stats.crossed++
		if c.party != 0 {
			t.s.stats.together++
		}
	}
	c.where, c.area = inArea, f.Area
}

// record checks a record in an event.
func (t *truth) record(c *charTruth, f *sim.Frame, e *sim.Event) {
	r := e.Record
	if c.where != inArea || c.area != f.Area {
		t.s.fail("area %d has a record of character %d (event %v), who %v", f.Area, r.ID, e.Kind, c)
	}
	if e.Kind != sim.EventResumed && r.Version <= c.version {
		t.s.fail("area %d has version %d of the record of character %d after version %d", f.Area, r.Version, r.ID, c.version)
	}
	c.version = max(c.version, r.Version)
	if r.XP != c.xp {
		t.s.fail("the record of character %d has %d experience points, and they got %d", r.ID, r.XP, c.xp)
	}
	carried := 0
	for _, s := range r.Inventory {
		if s.Empty() {
			continue
		}
		carried++
		if at := t.items[s.Item]; at.char != r.ID {
			t.s.fail("the record of character %d has item %d, which is %v", r.ID, s.Item, at)
		}
	}
	if carried != c.carried {
		t.s.fail("the record of character %d has %d items, and they carry %d", r.ID, carried, c.carried)
	}
}

func (t *truth) move(item uint16, from, to place) {
	if have := t.items[item]; have != from {
		t.s.fail("item %d is %v before an event and %v after it, and was %v", item, from, to, have)
	}
	t.items[item] = to
}

// checkEnd checks the conditions that must hold a while after the last fault, such as that all nodes run and have caught up.
func (s *simulation) checkEnd() {
	for _, n := range s.nodes[1:] {
		if n.p == nil {
			s.fail("node %d does not run", n.id)
			return
		}
		for i, a := range n.p.areas {
			h := &s.truth.areas[i]
			if late := len(h.times) - int(a.seen); late > 4 {
				s.fail("node %d is %d ticks behind in area %d", n.id, late, i)
			}
			if past := s.now - h.times[len(h.times)-1]; past > time.Second {
				s.fail("area %d has had no tick for %v", i, past)
			}
		}
		for a, d := range n.disks {
			if d.Lost {
				s.fail("the disk of node %d is still incomplete for area %d, which node %d leads", n.id, a, n.p.areas[a].g.rep.Lead())
			}
		}
	}
	for a := range s.truth.areas {
		h := &s.truth.areas[a]
		if saved := s.db.saved[a]; s.now-h.times[min(int(saved), len(h.times)-1)] > 4*time.Second {
			s.fail("the records of area %d are stored up to tick %d of %d only", a, saved, len(h.times))
		}
	}
	for _, c := range s.clients {
		if past := s.now - c.played; past > recovery-2*time.Second {
			for _, n := range s.nodes[1:] {
				if x := n.p.sessions[c.id]; x != nil {
					s.note("node %d has session %d: %+v", n.id, x.number, []any{x.state, x.area, x.arrived, x.left, x.pending})
				}
			}
			s.note("the account is held by %+v; the client has a session: %t", s.db.holders[c.id], c.at != nil)
			s.fail("client %d could not play for %v: its character %v", c.id, past, &s.truth.chars[c.id])
		}
		at := &s.truth.chars[c.id]
		for _, n := range s.nodes[1:] {
			if have := n.p.parties[at.who]; at.where == inArea && have != at.party {
				s.fail("node %d shows character %d in party %d, and it has joined party %d", n.id, c.id, have, at.party)
			}
		}
		for text, l := range c.lines {
			if !l.heard && !l.mayBeLost && s.now-l.said > 4*time.Second {
				s.fail("line %q, accepted %v ago, is lost", text, s.now-l.said)
			}
		}
	}
	s.countItems()
	for _, err := range s.history.Check() {
		s.fail("%v", err)
	}
	s.stats.blows, s.stats.damage = s.history.Blows()
	s.stats.pairs, _ = s.history.Lines()
}
