package session

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

const (
	crashAreas      = 3
	crashCharacters = 8
	itemsEach       = 3
	filler          = 9999 // item that fills all but a few slots of every backpack
)

// crashModel is a world of areas with logs, a store and a record writer. Players drop items, pick them up, change areas, leave
// and come back, and the process is killed. The model knows the history of each area, so that it can restore areas at any tick.
type crashModel struct {
	t      testing.TB
	seed   uint64 // seed of the run, for failure messages
	r      *rand.Rand
	world  *sim.World
	opt    Options // options of the record writers
	writer *recordWriter
	areas  [crashAreas]crashArea
	chars  map[sim.CharacterID]*crashCharacter
	store  map[sim.CharacterID]*sim.Character
	came   map[record]tickRange // for each record, the tick in which an area emitted the record
	broken bool                 // the process has been killed: every save fails
	saves  int
	what   []string // steps of the run so far, for failure messages

	store.Store // nil; the record writer must call only the methods that crashModel defines
}

var (
	modelSeed = flag.Uint64("seed", 0, "the only seed that the crash and owner models play; 0: many seeds, starting at a random one")
	modelRuns = flag.Uint64("runs", 60, "number of seeds that each of the crash and owner models plays; 60 if it is less")
)

// modelSeeds returns the seed of the first run of a model and the number of runs. Each further run has the next seed.
func modelSeeds(t *testing.T) (first, runs uint64) {
	if *modelSeed != 0 {
		return *modelSeed, 1
	}
	first = rand.Uint64()>>1 + 1
	t.Logf("seeds from %d on; go test ./session -run %s -args -seed N plays one again", first, t.Name())
	return first, max(*modelRuns, 60) // fewer may have too few transactions
}

type record struct {
	id      sim.CharacterID
	version uint64
}

// crashArea is an area of crashModel. frames[n] is the frame of tick n+1.
type crashArea struct {
	frames  []*sim.Frame
	handles []uint32 // for each frame, by index: last handle of a ground item used until then
	durable sim.Tick
	saved   sim.Tick
	ground  []sim.GroundItem
	handle  uint32
	events  []sim.Event // events of the next tick
}

// crashCharacter has every state of a character since the last start of fresh areas, oldest first. The last one is the current
// state.
type crashCharacter struct{ states []crashState }

// crashState is the place and the record of a character, from one tick of an area until the tick of the character's next state.
type crashState struct {
	area   sim.AreaID // area in which the state began; sim.NoArea if it began before the areas started
	tick   sim.Tick   // tick with which the state began
	where  crashPlace
	to     sim.AreaID // if travelling: area to which the character travels
	record *sim.Character
}

// crashPlace says whether a character is offline, in an area, or between two areas.
type crashPlace uint8

const (
	offline crashPlace = iota
	inArea
	travelling
)

// now returns the current state.
func (c *crashCharacter) now() *crashState { return &c.states[len(c.states)-1] }

// modelOptions are the options of the record writers of all models. The models do not read the metrics.
var modelOptions = Options{Log: slog.New(slog.DiscardHandler), Metrics: telemetry.New()}

func newCrashModel(t testing.TB, seed uint64) *crashModel {
	m := &crashModel{
		t: t, seed: seed, r: rand.New(rand.NewPCG(seed, 0)), world: market(),
		opt:   modelOptions,
		chars: map[sim.CharacterID]*crashCharacter{}, store: map[sim.CharacterID]*sim.Character{}, came: map[record]tickRange{},
	}
	for id := sim.CharacterID(1); id <= crashCharacters; id++ {
		c := &sim.Character{ID: id}
		for slot := bag; slot < sim.SlotCount; slot++ {
			if n := slot - bag; n < itemsEach {
				c.Inventory[slot] = sim.ItemStack{Item: uint16(int(id)*itemsEach + n), Amount: 1}
			} else if n > itemsEach+1 {
				c.Inventory[slot] = sim.ItemStack{Item: filler, Amount: 1}
			}
		}
		m.store[id] = c
	}
	m.startFresh()
	return m
}

func (m *crashModel) note(format string, args ...any) {
	m.what = append(m.what, fmt.Sprintf(format, args...))
}

func (m *crashModel) fail(format string, args ...any) {
	m.t.Helper()
	m.t.Fatalf("seed %d: %s\nafter: %v", m.seed, fmt.Sprintf(format, args...), m.what[max(0, len(m.what)-40):])
}

func (m *crashModel) newWriter() {
	m.broken = false
	m.writer = newRecordWriter(m, crashWorld{m}, crashAreas, m.opt)
	m.writer.maxBatch, m.writer.maxWaiting = 1+m.r.IntN(6), 2+m.r.IntN(12)
}

// startFresh replaces the areas by new ones without a log. Characters enter them with the stored records.
func (m *crashModel) startFresh() {
	m.newWriter()
	m.areas = [crashAreas]crashArea{}
	m.came = map[record]tickRange{}
	for id, c := range m.store {
		m.chars[id] = &crashCharacter{[]crashState{{area: sim.NoArea, record: c}}}
	}
	m.note("fresh start")
}

// crashWorld is the part of crashModel that the record writer uses: it implements the record writer's view of the world.
type crashWorld struct{ *crashModel }

func (m crashWorld) Storable(a sim.AreaID) sim.Tick            { return m.areas[a].durable }
func (m crashWorld) Owner(sim.AreaID) (epoch uint64, own bool) { return 0, true }
func (m crashWorld) SavedTick(sim.AreaID) sim.Tick             { return math.MaxUint64 }
func (m crashWorld) Missed(sim.AreaID, sim.Tick)               {}

func (m crashWorld) Saved(a sim.AreaID, tick sim.Tick) {
	if tick <= m.areas[a].saved && tick > 0 {
		m.fail("area %d: saved up to %d after %d", a, tick, m.areas[a].saved)
	}
	m.areas[a].saved = tick
	for _, f := range m.areas[a].frames[:tick] {
		for _, e := range f.Events {
			if e.Record != nil && m.store[e.Record.ID].Version < e.Record.Version {
				m.fail("area %d: tick %d is said to be saved, but version %d of character %d of tick %d is not stored", a, tick, e.Record.Version, e.Record.ID, f.Tick)
			}
		}
	}
}

// Character implements store.Store.
func (m *crashModel) Character(_ context.Context, id sim.CharacterID) (*sim.Character, error) {
	c := *m.store[id]
	c.Dropped = slices.Clone(c.Dropped)
	return &c, nil
}

// SaveCharacters implements store.Store. It checks that after each transaction every item is in one record and no record is newer
// than the logs.
func (m *crashModel) SaveCharacters(_ context.Context, _ store.Fence, batch []*sim.Character) error {
	if m.broken || m.r.IntN(8) == 0 {
		return errors.New("killed, or the disk fails")
	}
	m.saves++
	for _, c := range batch {
		if at, ok := m.came[record{c.ID, c.Version}]; ok && at.last > m.areas[at.area].durable {
			m.fail("stored version %d of character %d, of tick %d, is not durable", c.Version, c.ID, at.last)
		}
		if c.Version < m.store[c.ID].Version {
			m.fail("version %d of character %d is stored over version %d", c.Version, c.ID, m.store[c.ID].Version)
		}
		m.store[c.ID] = c
	}
	m.note("%d records are saved", len(batch))
	m.countItems("the store", slices.Collect(maps.Values(m.store)), nil)
	m.broken = m.r.IntN(30) == 0
	return nil
}

// countItems fails the test unless every item is exactly once in the records and on the ground together.
func (m *crashModel) countItems(where string, records []*sim.Character, ground []sim.GroundItem) {
	var count [(crashCharacters + 1) * itemsEach]int // by item
	add := func(s *sim.ItemStack) {
		if item := s.Item; item != filler && s.Amount > 0 {
			count[item]++
		}
	}
	for _, c := range records {
		for i := range c.Inventory {
			add(&c.Inventory[i])
		}
		for i := range c.Dropped {
			add(&c.Dropped[i].Stack)
		}
	}
	for i := range ground {
		add(&ground[i].Stack)
	}
	for id := 1; id <= crashCharacters; id++ {
		for n := range itemsEach {
			if item := uint16(id*itemsEach + n); count[item] != 1 {
				m.fail("%s: item %d is there %d times: %v", where, item, count[item], m.holders(item))
			}
		}
	}
}

// holders returns a text for each stored record that contains an item.
func (m *crashModel) holders(item uint16) (list []string) {
	for id, c := range m.store {
		for _, s := range c.Inventory {
			if s.Item == item {
				list = append(list, fmt.Sprintf("in the stored inventory of %d, version %d", id, c.Version))
			}
		}
		for _, d := range c.Dropped {
			if d.Stack.Item == item {
				list = append(list, fmt.Sprintf("dropped by %d as %d in the stored version %d", id, d.Handle, c.Version))
			}
		}
	}
	return list
}

// step runs a tick of an area with random actions of its players.
func (m *crashModel) step(id sim.AreaID) {
	a := &m.areas[id]
	a.events = nil
	now := sim.Tick(len(a.frames) + 1)
	for who := sim.CharacterID(1); who <= crashCharacters; who++ {
		c := m.chars[who]
		s := *c.now()
		switch {
		case s.where == offline && m.r.IntN(10*crashAreas) == 0 && (s.area == sim.NoArea || m.areas[s.area].durable >= s.tick):
			s.record = giveBack(m.newest(who), m.world)
			s.where = inArea
		case s.where == travelling && s.to == id && m.areas[s.area].durable >= s.tick:
			s.where = inArea
		case s.where == inArea && s.area == id:
			if !m.act(a, id, now, who, &s) {
				continue
			}
		default:
			continue
		}
		s.area, s.tick = id, now
		c.states = append(c.states, s)
	}
	a.frames = append(a.frames, &sim.Frame{Area: id, Tick: now, Ground: slices.Clone(a.ground), Events: a.events})
	a.handles = append(a.handles, a.handle)
	m.writer.putFrame(a.frames[now-1], false)
}

// act performs one random action of a player: drop, pick up, travel, leave or autosave. It reports whether the player's state has
// changed.
func (m *crashModel) act(a *crashArea, id sim.AreaID, now sim.Tick, who sim.CharacterID, s *crashState) bool {
	c := *s.record
	kind := sim.EventRecord
	switch m.r.IntN(14) {
	case 0, 1:
		slot := bag + m.r.IntN(itemsEach+2)
		if c.Inventory[slot].Empty() {
			return false
		}
		a.handle++
		g := sim.GroundItem{Handle: uint32(id)<<20 + a.handle, Stack: c.Inventory[slot], Dropper: who}
		c.Inventory[slot] = sim.ItemStack{}
		a.ground = append(a.ground, g)
		a.events = append(a.events, sim.Event{Kind: sim.EventDropped, Who: sim.EntityID(who), Ground: g})
		m.note("%d/%d: %d drops %d as %d, version %d", id, now, who, g.Stack.Item, g.Handle, c.Version+1)
	case 2, 3, 4:
		slot := slotFor(&c.Inventory, sim.ItemStack{Item: filler + 1}, m.world)
		if len(a.ground) == 0 || slot < 0 {
			return false
		}
		i := m.r.IntN(len(a.ground))
		g := a.ground[i]
		a.ground = slices.Delete(slices.Clone(a.ground), i, i+1)
		c.Inventory[slot] = g.Stack
		a.events = append(a.events, sim.Event{Kind: sim.EventPickedUp, Who: sim.EntityID(who), Ground: g})
		m.note("%d/%d: %d picks %d up, version %d", id, now, who, g.Stack.Item, c.Version+1)
	case 5:
		kind, s.where, s.to = sim.EventDeparted, travelling, sim.AreaID(m.r.IntN(crashAreas))
	case 6:
		kind, s.where = sim.EventLeft, offline
	case 7:
	default:
		return false
	}
	c.Version++
	s.record = &c
	a.events = append(a.events, sim.Event{Kind: kind, Who: sim.EntityID(who), Record: &c})
	m.came[record{who, c.Version}] = tickRange{id, now, now}
	return true
}

// newest returns the record with which a character would enter the world now.
func (m *crashModel) newest(id sim.CharacterID) *sim.Character {
	if m.writer.cluster {
		list := []*sim.Character{m.store[id]}
		m.writer.applyUnsaved(list, m.writer.savedBatches())
		return list[0]
	}
	if r := m.writer.records[id]; r != nil {
		return r.newest
	}
	return m.store[id]
}

// kill simulates a killed process or a power loss. After a kill, each area is restored at its last tick. After a power loss, it
// is restored at a random tick that is not before its last durable tick.
func (m *crashModel) kill() {
	power := m.r.IntN(2) == 0
	var restored RestoredRecords
	var through [crashAreas]sim.Tick
	for id := range m.areas {
		a := &m.areas[id]
		n := len(a.frames)
		if power {
			n = int(a.durable) + m.r.IntN(n-int(a.durable)+1)
		}
		through[id] = sim.Tick(n)
		first := 0
		if known := min(int(a.saved), n); known > 0 { // the log may contain an older value
			first = m.r.IntN(known + 1)
		}
		for _, f := range a.frames[first:n] {
			restored.AddFrame(f)
		}
		a.frames, a.handles = a.frames[:n], a.handles[:n]
		a.ground, a.handle, a.saved = nil, 0, 0
		if n > 0 {
			a.ground, a.handle = slices.Clone(a.frames[n-1].Ground), a.handles[n-1]
		}
		restored.ticks = append(restored.ticks, tickRange{sim.AreaID(id), 1, sim.Tick(n)})
		for i := range a.ground {
			restored.ground = append(restored.ground, toDropped(&a.ground[i], sim.AreaID(id)))
		}
		m.note("area %d is restored at %d, from %d, durable %d", id, n, first, a.durable)
	}
	for _, c := range m.chars {
		c.states = slices.DeleteFunc(c.states, func(s crashState) bool { return s.area != sim.NoArea && s.tick > through[s.area] })
	}
	maps.DeleteFunc(m.came, func(_ record, at tickRange) bool { return at.last > through[at.area] })
	m.newWriter()
	if err := m.writer.restore(m.t.Context(), &restored); err != nil {
		m.t.Fatal(err)
	}
	m.check("after the restart")
}

// check fails the test unless every item is exactly once in the newest records and on the ground, as players see them.
func (m *crashModel) check(when string) {
	var records []*sim.Character
	var ground []sim.GroundItem
	for id, c := range m.chars {
		if s := c.now(); s.where == offline {
			records = append(records, m.newest(id))
		} else {
			records = append(records, s.record)
		}
	}
	for i := range m.areas {
		ground = append(ground, m.areas[i].ground...)
	}
	m.countItems(when, records, ground)
}

// stop stops the world cleanly: all players leave, and every record is saved.
func (m *crashModel) stop() {
	for id := range m.areas {
		a := &m.areas[id]
		a.events = nil
		for who := sim.CharacterID(1); who <= crashCharacters; who++ {
			if s := m.chars[who].now(); s.where == travelling && s.to == sim.AreaID(id) || s.where == inArea && s.area == sim.AreaID(id) {
				c := *s.record
				c.Version++
				a.events = append(a.events, sim.Event{Kind: sim.EventLeft, Who: sim.EntityID(who), Record: &c})
			}
		}
		a.frames = append(a.frames, &sim.Frame{Area: sim.AreaID(id), Tick: sim.Tick(len(a.frames) + 1), Ground: a.ground, Events: a.events})
		m.writer.putFrame(a.frames[len(a.frames)-1], false)
		a.durable = sim.Tick(len(a.frames))
	}
	for range 1000 {
		m.broken = false
		if _, err := m.writer.flush(m.t.Context(), false); err == nil {
			break
		}
	}
	if n := m.writer.unsaved(); n > 0 {
		m.fail("%d records are not saved after a stop", n)
	}
	m.note("stopped")
}

// TestItemsAreNeitherLostNorDuplicatedByServerCrashesAndStops runs a world through kills, losses of power, stops and starts; a
// start restores the areas or creates them anew. After each transaction the store must have every item exactly once, and after
// each start the world, too.
func TestItemsAreNeitherLostNorDuplicatedByServerCrashesAndStops(t *testing.T) {
	first, runs := modelSeeds(t)
	saves := 0
	for n := range runs {
		m := newCrashModel(t, first+n)
		for range 400 {
			m.step(sim.AreaID(m.r.IntN(crashAreas)))
			if a := &m.areas[m.r.IntN(crashAreas)]; m.r.IntN(3) == 0 {
				a.durable += sim.Tick(m.r.IntN(len(a.frames) - int(a.durable) + 1))
			}
			if m.r.IntN(5) == 0 {
				_, _ = m.writer.flush(t.Context(), false)
			}
			m.check("while the world runs")
			switch m.r.IntN(100) {
			case 0, 1, 2:
				m.kill()
			case 3: // kill, then a start that discards the logs
				m.startFresh()
			case 4:
				m.stop()
				m.startFresh()
			}
		}
		saves += m.saves
	}
	t.Logf("%d transactions", saves)
	if saves < 1000 && *modelSeed == 0 {
		t.Errorf("only %d transactions", saves)
	}
}
