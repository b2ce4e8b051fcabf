package area

import (
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/internal/race"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
)

// crashRig steps areas with logs under control of the test, and simulates crashes.
type crashRig struct {
	t      *testing.T
	random *rand.Rand
	def    *sim.World
	world  *World
	logs   []*memoryLog
	ticks  []sim.Tick // newest tick of each area
	gaps   bool       // true: a crash also loses durable ticks of the logs, as after gaps or damage

	items   map[int16]bool                    // numbers of all items
	history map[sim.CharacterID][]characterAt // progress of each character in the frames since the start
}

// characterAt says how far a character had progressed in a frame.
type characterAt struct {
	area     sim.AreaID
	tick     sim.Tick
	progress int64
}

func progress(level, xp int32) int64 { return int64(level)<<32 + int64(xp) }

const (
	crashAreas   = 4
	crashPlayers = 12
	crashItems   = 4 // number of items of each player at the beginning
)

// crashFields is a world of areas with cows that players kill, without portals: the test teleports the players.
func crashFields() *sim.World {
	w := twoFields()
	w.Templates[0].XPMultiplier = 10
	w.Templates[0].Attr[0] = combat.Attribute{Value: 3, Max: 3}
	w.Templates[1].Slots = 1<<32 - 1
	w.Items = []sim.Item{{ID: 1, Name: "Herb", Kind: sim.ItemIngredient, SlotKind: 11}}
	west := w.Areas[0]
	west.Portals = nil
	w.Areas = nil
	for i := range crashAreas {
		west.Name = fmt.Sprint("Field ", i)
		w.Areas = append(w.Areas, west)
	}
	return w
}

func newCrashRig(t *testing.T, seed uint64) *crashRig {
	r := &crashRig{t: t, random: rand.New(rand.NewPCG(seed, 1)), def: crashFields(), items: map[int16]bool{}, history: map[sim.CharacterID][]characterAt{}}
	r.open(make([]*sim.Area, crashAreas))
	for i := range crashPlayers {
		in := enter(r.def, sim.EntityID(i+1), 0)
		for slot := range crashItems {
			number := int16(i*crashItems + slot + 1)
			r.items[number] = true
			in.Join.Character.Inventory[sim.SlotBackpack+slot] = sim.ItemStack{Item: 1, Amount: 1, Health: 100, Attr: &[combat.Attributes]int16{number}}
		}
		submit(t, r.world, sim.AreaID(r.random.IntN(crashAreas)), in)
	}
	return r
}

// open creates a world from the states of its areas; a nil state creates a new area.
func (r *crashRig) open(states []*sim.Area) {
	r.logs, r.ticks = nil, make([]sim.Tick, crashAreas)
	for i, a := range states {
		r.logs = append(r.logs, newMemoryLog(a))
		if a != nil {
			r.ticks[i] = a.Now()
		}
	}
	r.world = NewWorld(r.def, Options{
		Seed: 1, Log: slog.New(slog.NewTextHandler(warnings{r}, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Open: func(id sim.AreaID) (Log, *sim.Area) { return r.logs[id], states[id] },
	})
}

// warnings is a log writer that fails the test when a line is logged, because sim.Reconcile must find nothing to repair.
type warnings struct{ *crashRig }

func (w warnings) Write(b []byte) (int, error) {
	if !w.gaps {
		w.t.Errorf("%s", b)
	}
	return len(b), nil
}

// round steps the areas in a random order, some twice and some not at all, and lets some syncs of logs finish.
func (r *crashRig) round() {
	for range crashAreas {
		id := r.random.IntN(crashAreas)
		a := r.world.areas[id]
		a.step(nil, nil)
		f := a.last.frame
		r.ticks[id] = f.Tick
		note := func(c sim.CharacterID, level, xp int32) {
			r.history[c] = append(r.history[c], characterAt{sim.AreaID(id), f.Tick, progress(level, xp)})
		}
		for i := range f.Actors {
			if x := &f.Actors[i]; x.Is(sim.FlagPlayer) {
				note(x.Body.Character, x.Body.Level, x.Body.XP)
			}
		}
		for i := range f.Events {
			if e := &f.Events[i]; e.Kind == sim.EventDeparted {
				note(e.Record.ID, e.Record.Level, e.Record.XP)
			}
			if e := &f.Events[i]; e.Kind == sim.EventRefused && e.Reason.String() == "arrival_gap" {
				r.t.Fatalf("area %d tick %d: player %d arrived after a gap: %v instead of %v", id, f.Tick, e.Who, e.Asked, e.Allowed)
			}
		}
		if l := r.logs[id]; r.random.IntN(6) == 0 || l.asked && r.random.IntN(3) == 0 {
			l.finishSync()
		}
	}
}

// play submits random intents of the players: they change areas, drop items and pick them up, and attack.
func (r *crashRig) play() {
	for id, a := range r.world.areas {
		if a.last == nil {
			continue
		}
		f := a.last.frame
		for i := range f.Actors {
			x := &f.Actors[i]
			if !x.Is(sim.FlagPlayer) {
				continue
			}
			in := sim.Intent{Who: x.ID, SlotA: uint8(sim.SlotBackpack + r.random.IntN(2*crashItems)), Amount: 1}
			switch r.random.IntN(12) {
			case 0, 1:
				in.Kind, in.To, in.Join = sim.IntentTeleport, sim.AreaID(r.random.IntN(crashAreas)), &sim.Join{Portal: -1}
			case 2:
				in.Kind = sim.IntentDrop
			case 3, 4, 5:
				if len(f.Ground) == 0 {
					continue
				}
				in.Kind, in.Ground = sim.IntentPickUp, f.Ground[r.random.IntN(len(f.Ground))].Handle
			case 6, 7, 8:
				in.Kind, in.Target = sim.IntentAttack, f.Actors[r.random.IntN(len(f.Actors))].ID
			default:
				continue
			}
			submit(r.t, r.world, sim.AreaID(id), in)
		}
	}
}

// crash ends the world without a stop and starts a new world from the ticks that are left in the logs. Each log keeps a
// random number of the ticks that were not durable, or all of them if only the process dies.
func (r *crashRig) crash() {
	power := r.random.IntN(4) > 0
	if a := r.world.areas[r.random.IntN(crashAreas)]; r.random.IntN(2) == 0 { // the crash happens while this area steps
		a.intents = a.inbox.drain(a.intents[:0], true)
		a.record()
	}
	states := make([]*sim.Area, crashAreas)
	for i, l := range r.logs {
		kept := l.sealed
		if power {
			kept = l.durable + sim.Tick(r.random.Uint64N(uint64(l.sealed-l.durable)+1))
		}
		if r.gaps {
			kept = l.snapshots[0].tick + sim.Tick(r.random.Uint64N(uint64(l.sealed-l.snapshots[0].tick)+1))
		}
		states[i] = l.restore(r.t, r.def, sim.AreaID(i), kept)
	}
	for c, list := range r.history {
		r.history[c] = slices.DeleteFunc(list, func(at characterAt) bool { return at.tick > states[at.area].Now() })
	}
	r.open(states)
}

// onTheWay returns the number of players who have left an area and are not in the next one yet.
func (r *crashRig) onTheWay() (n int) {
	for _, a := range r.world.areas {
		n += a.travellers() + a.inbox.joins()
	}
	return n
}

// check runs the world until no player has been on its way between areas for 10 rounds, and compares players and items with the
// expected ones.
func (r *crashRig) check() {
	r.t.Helper()
	for rounds, quiet := 0, 0; rounds < 60 && quiet < 10; rounds++ {
		r.round()
		if quiet++; r.onTheWay() > 0 {
			quiet = 0
		}
	}
	items, where := map[int16]int{}, map[sim.CharacterID][]sim.AreaID{}
	for id, a := range r.world.areas {
		if n := a.travellers() + a.inbox.joins(); n > 0 {
			r.t.Fatalf("%d players are still on their way from or to area %d", n, id)
		}
		var state sim.Area
		a.sim.CloneInto(&state)
		state.Outbox(func(to sim.AreaID, who sim.EntityID, j *sim.Join) {
			if r.world.areas[to].sim.Arrived(sim.AreaID(id)) < j.Seq {
				r.t.Errorf("player %d waits in the outbox of area %d for area %d", who, id, to)
			}
		})
		f := a.last.frame
		for i := range f.Ground {
			items[f.Ground[i].Stack.Attr[0]]++
		}
		for i := range f.Actors {
			if x := &f.Actors[i]; x.Is(sim.FlagPlayer) {
				where[x.Body.Character] = append(where[x.Body.Character], sim.AreaID(id))
				if !r.gaps {
					r.checkProgress(x.Body)
				}
			}
		}
		for _, c := range r.records(a) {
			for slot := range c.Inventory {
				if s := &c.Inventory[slot]; !s.Empty() {
					items[s.Attr[0]] += int(s.Amount)
				}
			}
		}
	}
	if r.gaps {
		r.checkNotDoubled(where)
		return
	}
	for c := range sim.CharacterID(crashPlayers) {
		if in := where[c+1]; len(in) != 1 && len(r.history[c+1]) > 0 {
			r.t.Errorf("character %d is in areas %v, want exactly one", c+1, in)
		}
	}
	for _, number := range slices.Sorted(maps.Keys(r.items)) {
		owner := sim.CharacterID((number-1)/crashItems + 1)
		if n := items[number]; n != 1 && len(r.history[owner]) > 0 {
			r.t.Errorf("item %d is there %d times, want once", number, n)
		}
	}
}

func (r *crashRig) checkNotDoubled(where map[sim.CharacterID][]sim.AreaID) {
	r.t.Helper()
	for c, in := range where {
		if len(in) > 1 {
			r.t.Errorf("character %d is in areas %v", c, in)
		}
	}
}

// checkProgress compares the experience of a character with the newest frame that is left in the logs.
func (r *crashRig) checkProgress(b *sim.Body) {
	r.t.Helper()
	want := int64(0)
	for _, at := range r.history[b.Character] {
		want = max(want, at.progress)
	}
	if got := progress(b.Level, b.XP); got != want {
		r.t.Errorf("character %d has level %d and experience %d, progress %d instead of %d", b.Character, b.Level, b.XP, got, want)
	}
}

// records returns the records of the players in an area, as they would be saved if all players left.
func (r *crashRig) records(a *runner) (list []*sim.Character) {
	var state sim.Area
	a.sim.CloneInto(&state)
	var leaves []sim.Intent
	state.Players(func(id sim.EntityID, _ sim.CharacterID) {
		leaves = append(leaves, sim.Intent{Kind: sim.IntentLeave, Who: id})
	})
	f := state.Step(leaves)
	for i := range f.Events {
		if e := &f.Events[i]; e.Kind == sim.EventLeft {
			list = append(list, e.Record)
		}
	}
	return list
}

// After any crash, also if each area loses a different number of ticks, every character is in exactly one area with
// its experience, and every item exists once.
func TestCrashesNeitherLoseNorDuplicateCharactersAndItems(t *testing.T) {
	seeds := uint64(60)
	switch {
	case race.Enabled:
		seeds = 3
	case testing.Short():
		seeds = 6
	}
	crossings := 0
	for seed := range seeds {
		r := newCrashRig(t, seed)
		for range 10 {
			r.round()
		}
		for crash := range 8 {
			for range 5 + r.random.IntN(60) {
				r.play()
				r.round()
			}
			r.crash()
			r.check()
			if t.Failed() {
				t.Fatalf("seed %d, crash %d", seed, crash)
			}
		}
		for from := range r.world.areas {
			for _, to := range r.world.areas {
				crossings += int(to.sim.Arrived(sim.AreaID(from)))
			}
		}
	}
	if crossings < int(seeds)*100 {
		t.Errorf("only %d crossings in %d runs", crossings, seeds)
	}
}

// If a failing disk loses ticks that were already synced to it, players and items can be lost. No character is duplicated, and
// every player that was changing areas still arrives.
func TestCharactersAreNotDuplicatedIfDiskLosesSyncedTicks(t *testing.T) {
	seeds := uint64(20)
	if race.Enabled || testing.Short() {
		seeds = 3
	}
	for seed := range seeds {
		r := newCrashRig(t, seed)
		r.gaps = true
		for crash := range 8 {
			for range 5 + r.random.IntN(60) {
				r.play()
				r.round()
			}
			r.crash()
			r.check()
			if t.Failed() {
				t.Fatalf("seed %d, crash %d", seed, crash)
			}
		}
	}
}
