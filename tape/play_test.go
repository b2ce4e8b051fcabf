package tape

import (
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/leaktest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

func TestMain(m *testing.M) { leaktest.VerifyTestMain(m) }

// field returns a world of one area with cows.
func field() *sim.World {
	beast := sim.Template{ID: 1, Race: "Cow", Radius: 1}
	beast.Attr[0], beast.Attr[1] = combat.Attribute{Value: 100, Max: 100}, combat.Attribute{Value: 100, Max: 100}
	human := beast
	human.ID, human.Race, human.Playable = 2, "Human", true
	return &sim.World{
		Name: "fields", TicksPerSecond: 20,
		Roles: combat.AttributeRoles{Health: 0, Speed: 1, Strength: 1, Energy: -1, Breath: -1, Toughness: -1},
		Rules: sim.Rules{
			Combat: combat.DefaultRules(), Claim: move.OriginalClaimPolicy(), Step: move.Euclidean,
			RespawnArea: sim.NoArea, RespawnPortal: -1, RespawnDelayMS: 2000, RespawnHealth: 50,
			PortalLockMS: 35_000, SaveEveryMS: 30_000, MaxActors: 1000,
		},
		Templates:     []sim.Template{beast, human},
		NewCharacters: sim.NewCharacterRules{Pet: sim.NoTemplate},
		Areas: []sim.AreaDef{{
			Name:      "West Field",
			Waypoints: []sim.Waypoint{{Used: true, NextA: -1, NextB: -1, Prev: -1}},
			Spawns:    []sim.Spawn{{Template: 1, Size: 50, Range: 40, Max: 5, PeriodMS: 100}},
		}},
	}
}

func enter(w *sim.World, who sim.EntityID, x float32) sim.Intent {
	return sim.Intent{Kind: sim.IntentJoin, Who: who, Join: &sim.Join{
		Character: &sim.Character{ID: sim.CharacterID(who), Name: fmt.Sprint("P", who), Template: 2, Level: 1, Attr: w.Template(2).Attr},
		Portal:    -1, Pos: geom.Vec{X: x}, Login: true,
	}}
}

// options returns options of a tape for tests: log output is discarded, and segments are short.
func options(fsys FS) Options {
	return Options{FS: fsys, World: field(), Program: "test", Seed: 7, SegmentTicks: 20, Retain: Retain{Age: time.Hour, Bytes: 1 << 30},
		Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
}

// play simulates an area and writes its ticks to a tape, as the area's goroutine does.
type play struct {
	tape   *Tape
	log    area.Log
	area   *sim.Area
	hash   uint64
	random *rand.Rand
	states map[sim.Tick]uint64 // digest of the state after each tick
	ms     int64
	after  func() // called after each commit; may be nil
}

// start opens the tape and returns a play of the restored area, or of a new area if the tape has none.
func start(t *testing.T, o Options, seed uint64) *play {
	t.Helper()
	tape, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	p := &play{tape: tape, random: rand.New(rand.NewPCG(seed, 1)), states: map[sim.Tick]uint64{}}
	p.log, p.area = tape.OpenArea(0)
	if p.area == nil {
		p.area = sim.NewArea(o.World, 0, o.Seed)
	} else {
		p.hash = p.area.Hash()
	}
	p.states[p.area.Now()] = stateOf(p.area)
	p.snapshot()
	return p
}

func (p *play) snapshot() {
	if memory := p.log.SnapshotBuffer(); memory != nil {
		p.area.CloneInto(memory)
		p.log.Snapshot(memory)
	}
}

// stateOf returns a digest of the whole state.
func stateOf(a *sim.Area) uint64 {
	h := fnv.New64a()
	h.Write(a.Snapshot(nil))
	return h.Sum64()
}

// intents returns the intents of the next tick: joins in the first tick, then mostly claims.
func (p *play) intents() (list []sim.Intent) {
	next := p.area.Now() + 1
	p.ms = int64(next) * 50
	if next < 4 {
		list = append(list, enter(p.tape.opt.World, sim.EntityID(next), float32(next)*10))
	}
	for range p.random.IntN(4) {
		in := sim.Intent{Kind: sim.IntentClaim, Who: sim.EntityID(1 + p.random.IntN(3)), AtMS: p.ms}
		in.Claim = move.Claim{X: p.random.Float32() * 50, Z: p.random.Float32() * 50, DestX: 20, Running: p.random.IntN(2) == 0}
		switch p.random.IntN(8) {
		case 0:
			in = sim.Intent{Kind: sim.IntentChat, Who: in.Who, AtMS: p.ms, Text: "hello"}
		case 1:
			in = sim.Intent{Kind: sim.IntentAttack, Who: in.Who, AtMS: p.ms, Target: in.Who%3 + 1}
		case 2:
			in.Kind, in.Input.Tick = sim.IntentInput, p.random.Uint64()
		}
		list = append(list, in)
	}
	return list
}

// step simulates one tick of the area.
func (p *play) step(intents []sim.Intent) {
	p.log.Seal(area.Batch{Tick: p.area.Now() + 1, PrevHash: p.hash, Intents: intents})
	f := p.area.Step(intents)
	p.hash = f.Hash
	p.log.Commit()
	p.states[f.Tick] = stateOf(p.area)
	if p.after != nil {
		p.after()
	}
	p.area.Recycle(f)
	p.snapshot()
}

// run simulates n ticks of the area, 50 ms apart.
func (p *play) run(n int) {
	for range n {
		time.Sleep(50 * time.Millisecond)
		p.step(p.intents())
	}
}

// stop closes the log and the tape.
func (p *play) stop(t *testing.T, clean bool) {
	t.Helper()
	if err := p.log.Close(clean); err != nil {
		t.Error(err)
	}
	if err := p.tape.Close(); err != nil {
		t.Error(err)
	}
}
