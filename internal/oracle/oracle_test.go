package oracle

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// actors are the actors of the tests, with ids from 1 on. Bob walks; all others stand still, 10 units apart.
var actors = []Actor{
	{1, "Ann", "rcce", true}, {2, "Rob", "rs", true}, {3, "Bea", "bedrock", true},
	{4, "Rat", "", false}, {5, "Rat", "", false}, {6, "Bob", "rcce", true}, {7, "Bill", "bedrock", true},
}

// viewers are the actors whose clients are observed.
var viewers = map[string]string{"rcce": "Ann", "rs": "Rob", "bedrock": "Bea"}

const (
	bob       = 5                // index of Bob in actors
	clockSkew = 40 * time.Second // this process's clock minus the server's
)

// bench is a test setup: a Truth of one area with actors, and an Oracle.
type bench struct {
	truth  *Truth
	oracle *Oracle
	began  time.Time
	tick   int
	gone   map[int]bool // indices of the actors that have left
}

func newBench() *bench {
	b := &bench{truth: NewTruth(1, 20, 10*time.Second), began: time.UnixMilli(1_700_000_000_000), gone: map[int]bool{}}
	protocols := Protocols()
	delays := map[string][]Band{
		"rcce": {{Radius: 500, EveryMS: 200}, {Radius: 1000, EveryMS: 400}}, "rs": {{Radius: 108.5, EveryMS: 600}},
		"bedrock": {{Radius: 168, EveryMS: 100}, {Radius: 336, EveryMS: 200}},
	}
	cycles := map[string]int{"rcce": 200, "rs": 600, "bedrock": 100}
	for i := range protocols {
		protocols[i].CycleMS, protocols[i].Bands = cycles[protocols[i].Name], delays[protocols[i].Name]
	}
	area := AreaUnits{
		Tiles:  terrain.TileGrid{UnitsPerTile: 7, BaseX: 3222, BaseZ: 3218},
		Blocks: terrain.BlockGrid{UnitsPerBlock: 3.5, Origin: [3]int32{0, 64, 0}, Height: 2},
	}
	b.oracle = New(b.truth, []AreaUnits{area}, protocols, 250*time.Millisecond)
	for _, a := range actors {
		b.truth.Identify(0, a)
	}
	return b
}

// position returns the position of an actor at a tick. Bob walks three units per tick to the east.
func position(i, tick int) geom.Vec {
	if i == bob {
		return geom.Vec{X: 3 * float32(tick), Y: 2, Z: 40}
	}
	return geom.Vec{X: float32(10 * i), Y: 2, Z: 4}
}

// now returns the current time by the server's clock.
func (b *bench) now() time.Time { return b.began.Add(time.Duration(b.tick) * 50 * time.Millisecond) }

// run records frames of the given number of ticks.
func (b *bench) run(ticks int) {
	for range ticks {
		b.tick++
		b.truth.Frame(0, sim.Tick(b.tick), unixMS(b.now()), b.now().Add(clockSkew), b.positions())
	}
}

func (b *bench) positions() (list []Position) {
	for i := range actors {
		if !b.gone[i] {
			list = append(list, Position{actors[i].ID, position(i, b.tick)})
		}
	}
	return list
}

// observe returns the observation of a correct client. Bob is at the position that it had a number of ticks ago, given by late.
func (b *bench) observe(protocol string, late int) *Observation {
	obs := &Observation{Protocol: protocol, Viewer: viewers[protocol], At: b.now().Add(clockSkew)}
	a := &b.oracle.areas[0]
	for i := range actors {
		pos := position(i, b.tick)
		if i == bob {
			pos = position(i, b.tick-late)
		}
		s := Sighting{Name: actors[i].Name, Pos: pos}
		switch protocol {
		case "rs":
			t, _ := a.Tiles.ToTile(pos)
			s.Pos = geom.Vec{X: float32(t.X), Z: float32(t.Z)}
		case "bedrock":
			s.Pos, s.HasHeight = a.Blocks.ToBlocks(pos), true
		}
		if s.Name != obs.Viewer && !b.gone[i] {
			obs.Actors = append(obs.Actors, s)
		}
	}
	return obs
}

// find returns the first sighting of a name.
func (obs *Observation) find(name string) *Sighting {
	for i := range obs.Actors {
		if obs.Actors[i].Name == name {
			return &obs.Actors[i]
		}
	}
	return nil
}

func TestOracleAcceptsPositionsWithinRoundingErrorAndAllowedDelay(t *testing.T) {
	for _, c := range []struct {
		protocol string
		late     int // ticks by which the client is late
	}{{"rcce", 0}, {"rcce", 4}, {"rcce", 8}, {"rs", 0}, {"rs", 12}, {"rs", 16}, {"bedrock", 0}, {"bedrock", 2}, {"bedrock", 6}} {
		b := newBench()
		b.run(100)
		obs := b.observe(c.protocol, c.late)
		b.run(30)
		oldest := time.Duration(0)
		b.oracle.Result(c.protocol).OnAge = func(d time.Duration) { oldest = max(oldest, d) }
		b.oracle.Check(obs)
		r := b.oracle.Result(c.protocol)
		if r.Mismatches() != 0 || r.Compared != 6 || r.Newcomers != 0 || r.Expected == 0 {
			t.Errorf("%s, %d ticks late: %+v %v", c.protocol, c.late, *r, b.oracle.Findings)
		}
		if want := time.Duration(50*c.late) * time.Millisecond; c.late > 0 && c.protocol != "rs" && (oldest-want).Abs() > 30*time.Millisecond {
			t.Errorf("%s: age of a position %d ticks old is %v", c.protocol, c.late, oldest)
		}
	}
}

// Each change to a correct observation must be found and reported with the right verdict and a reason.
func TestOracleReportsEachWrongObservationWithVerdictAndReason(t *testing.T) {
	move := func(name string, d geom.Vec) func(*Observation) {
		return func(obs *Observation) { s := obs.find(name); s.Pos = s.Pos.Add(d) }
	}
	dropFirst := func(obs *Observation) { obs.Actors = obs.Actors[1:] }
	for _, c := range []struct {
		name, protocol string
		want           Verdict
		change         func(*Observation)
	}{
		{"half a unit off", "rcce", Wrong, move("Bob", geom.Vec{Z: 0.5})},
		{"a hundredth of a block off", "bedrock", Wrong, move("Bob", geom.Vec{X: 0.01, Z: 0.01})},
		{"a tile off", "rs", Wrong, move("Bob", geom.Vec{Z: 1})},
		{"ahead of the server", "rcce", Wrong, move("Bob", geom.Vec{X: 30})},
		{"above the ground", "bedrock", Wrong, move("Bill", geom.Vec{Y: 0.02})},
		{"an NPC elsewhere", "rcce", Wrong, move("Rat", geom.Vec{X: 5})},
		{"an NPC not shown", "rcce", Missing, func(obs *Observation) { obs.find("Rat").Name = "Nobody" }},
		{"a player not shown", "bedrock", Missing, dropFirst},
		{"a player not shown on tiles", "rs", Missing, dropFirst},
		{"an actor that never existed", "rcce", Ghost, func(obs *Observation) { obs.Actors = append(obs.Actors, Sighting{Name: "Ghost"}) }},
		{"an actor shown twice", "bedrock", Ghost, func(obs *Observation) { obs.Actors = append(obs.Actors, *obs.find("Ann")) }},
	} {
		b := newBench()
		b.run(100)
		obs := b.observe(c.protocol, 1)
		c.change(obs)
		b.run(30)
		b.oracle.Check(obs)
		found := ""
		for _, f := range b.oracle.Findings {
			found += string(f.Verdict) + " "
			if f.Reason == "" || f.Viewer != viewers[c.protocol] || f.Protocol != c.protocol {
				t.Errorf("%s, %s: incomplete finding %+v", c.protocol, c.name, f)
			}
		}
		if !strings.Contains(found, string(c.want)) {
			t.Errorf("%s, %s: found %q, want %s", c.protocol, c.name, found, c.want)
		}
	}
}

func TestOracleReportsPositionBeyondAllowedDelayAsLate(t *testing.T) {
	for protocol, late := range map[string]int{"rcce": 14, "bedrock": 10, "rs": 24} {
		b := newBench()
		b.run(100)
		obs := b.observe(protocol, late)
		b.run(30)
		b.oracle.Check(obs)
		if r := b.oracle.Result(protocol); r.Late != 1 || r.Mismatches() != 1 || b.oracle.Findings[0].Verdict != Late {
			t.Errorf("%s, %d ticks late: %+v", protocol, late, *r)
		}
	}
}

func TestOracleReportsDepartedActorStillShownAfterGracePeriod(t *testing.T) {
	for _, c := range []struct {
		protocol string
		after    int // ticks between the departure and the observation
		ghosts   uint64
	}{{"rcce", 4, 0}, {"rcce", 20, 1}, {"rs", 60, 0}, {"rs", 90, 1}, {"bedrock", 30, 0}, {"bedrock", 80, 1}} {
		b := newBench()
		b.run(100)
		b.gone[bob] = true
		b.run(c.after)
		obs := b.observe(c.protocol, 0)
		b.gone[bob] = false
		obs.Actors = append(obs.Actors, *b.observe(c.protocol, c.after+1).find("Bob")) // the client still shows Bob at its last position
		b.gone[bob] = true
		b.run(30)
		b.oracle.Check(obs)
		if r := b.oracle.Result(c.protocol); r.Ghosts != c.ghosts || r.Wrong+r.Late+r.Missing != 0 {
			t.Errorf("%s, %d ticks after: %+v %v", c.protocol, c.after, *r, b.oracle.Findings)
		}
	}
}

func TestOracleDoesNotCompareActorsOfViewerThatJustEntered(t *testing.T) {
	b := newBench()
	b.run(40) // 40 ticks are two seconds
	obs := b.observe("rcce", 0)
	obs.Actors = nil
	b.run(30)
	b.oracle.Check(obs)
	if r := b.oracle.Result("rcce"); r.Newcomers != 1 || r.Mismatches() != 0 {
		t.Errorf("%+v", *r)
	}
}

func TestAgeOfShownPositionIsTimeSinceActorWasThere(t *testing.T) {
	b := newBench()
	b.run(150)
	for _, c := range []struct {
		late int
		ok   bool
	}{{0, true}, {40, true}, {500, false}} {
		age, ok := b.oracle.Age("rcce", 0, Sighting{Name: "Bob", Pos: position(bob, b.tick-c.late)}, b.now().Add(clockSkew))
		if want := time.Duration(50*c.late) * time.Millisecond; ok != c.ok || ok && (age-want).Abs() > time.Millisecond {
			t.Errorf("%d ticks ago: %v, %v", c.late, age, ok)
		}
	}
}

// In a stepwise protocol an actor counts as being at a position until its next step, so the age counts from that step.
func TestAgeOfPositionInStepwiseProtocolCountsFromNextStepOfActor(t *testing.T) {
	x := &track{}
	for i := range 5 {
		x.record(step{float64(1000 + 100*i), sim.Tick(i), geom.Vec{X: float32(min(i, 3))}}, 100) // Bob stands still from step 3 to step 4
	}
	for _, c := range []struct {
		x, atMS, age float64
		ok           bool
	}{{3, 1450, 0, true}, {2, 1450, 150, true}, {0, 1450, 350, true}, {2, 1250, 0, true}, {3, 1250, 0, false}, {7, 1450, 0, false}} {
		age, _, ok := x.find(query{pos: geom.Vec{X: float32(c.x)}, atMS: c.atMS, stepwise: true}, 500)
		if ok != c.ok || age != c.age {
			t.Errorf("x %g at %g ms: age %g, %v", c.x, c.atMS, age, ok)
		}
	}
}

// If an actor walks, positions between two ticks are right, even if frames between these ticks are missing. If it
// teleports, positions in between are wrong. In a stepwise protocol, only the positions at ticks are right.
func TestOracleAcceptsInterpolationOfWalkButNotOfTeleport(t *testing.T) {
	for _, c := range []struct {
		far      float32
		ticks    sim.Tick
		stepwise bool
		want     bool
	}{{8, 1, false, true}, {30, 1, false, false}, {30, 4, false, true}, {8, 1, true, false}} {
		x := &track{}
		x.record(step{1000, 1, geom.Vec{}}, 100)
		x.record(step{1050, 1 + c.ticks, geom.Vec{X: c.far}}, 100)
		q := query{pos: geom.Vec{X: c.far / 2}, slack: 0.01, atMS: 1100, leadMS: defaultLeadMS, stepwise: c.stepwise}
		if _, _, ok := x.find(q, 500); ok != c.want {
			t.Errorf("%g units in %d ticks: the middle is on the path: %v", c.far, c.ticks, ok)
		}
	}
}

func TestTrackOfActorForgetsOldestPositionsBeyondCapacity(t *testing.T) {
	const capacity = 256
	x := &track{}
	for i := range 3 * capacity {
		x.record(step{float64(i), sim.Tick(i), geom.Vec{X: float32(i)}}, capacity)
	}
	if p, ok := x.at(3*capacity - 10); !ok || p.X != 3*capacity-10 || x.len() != capacity {
		t.Errorf("%v %v, %d steps", p, ok, x.len())
	}
	if _, ok := x.at(capacity); ok {
		t.Error("a step is remembered that is older than the capacity")
	}
}

// While more than Crowd.Max actors are near, and for Crowd.RecoverMS afterwards, a RuneScape client need not show all of them.
func TestOracleAcceptsThatClientInCrowdDoesNotShowAllActors(t *testing.T) {
	b := newBench()
	var crowd []Actor
	var positions []Position
	for i := range rsCrowdMax + 1 {
		a := Actor{ID: sim.EntityID(1000 + i), Name: fmt.Sprint("Extra", i)}
		crowd = append(crowd, a)
		positions = append(positions, Position{a.ID, geom.Vec{X: 20, Z: 20}})
	}
	b.run(100)
	for _, a := range crowd {
		b.truth.Identify(0, a)
	}
	for n, c := range []struct {
		crowd   bool
		ticks   int
		crowded uint64
		missing bool
	}{{false, 20, 0, false}, {true, 20, 1, false}, {false, 100, 2, false}, {false, 500, 2, true}} {
		if c.crowd {
			b.truth.Frame(0, sim.Tick(b.tick), unixMS(b.now())+1, b.now().Add(clockSkew), append(positions, b.positions()...))
			obs := b.observe("rs", 0)
			obs.At = obs.At.Add(time.Millisecond)
			b.oracle.Check(obs)
		}
		b.run(c.ticks)
		obs := b.observe("rs", 0)
		if n == 3 {
			obs.Actors = obs.Actors[1:]
		}
		b.run(5)
		b.oracle.Check(obs)
		if r := b.oracle.Result("rs"); r.Crowded < c.crowded || r.Missing > 0 != c.missing {
			t.Errorf("case %d: %+v %v", n, *r, b.oracle.Findings)
		}
	}
}

// A position is neither right nor wrong if the actor may have been there in a tick whose frame is missing.
func TestOracleIgnoresPositionsInTicksWithoutFrame(t *testing.T) {
	for _, c := range []struct {
		off     float32
		blurred uint64
		wrong   uint64
	}{{6, 1, 0}, {60, 0, 1}} {
		b := newBench()
		b.run(100)
		b.tick += 2 // two ticks pass without frames
		b.run(1)
		obs := b.observe("rcce", 0)
		obs.find("Bob").Pos.Z += c.off
		b.run(30)
		b.oracle.Check(obs)
		if r := b.oracle.Result("rcce"); r.Blurred != c.blurred || r.Wrong != c.wrong {
			t.Errorf("%g units off: %+v", c.off, *r)
		}
		if _, lost := b.truth.Counts(); lost != 2 {
			t.Errorf("%d frames lost, want 2", lost)
		}
	}
}

// A stall of the machine delays clients by its duration, also for some time afterwards.
func TestOracleExtendsAllowedDelayAfterStall(t *testing.T) {
	for _, c := range []struct {
		stall time.Duration
		ago   int // ticks between the stall and the observation
		late  uint64
	}{{0, 0, 1}, {400 * time.Millisecond, 5, 0}, {20 * time.Millisecond, 5, 1}, {400 * time.Millisecond, 60, 1}} {
		b := newBench()
		b.run(200 - c.ago)
		b.truth.Stall(b.now().Add(clockSkew), c.stall)
		b.run(c.ago)
		obs := b.observe("rcce", 14)
		b.run(30)
		b.oracle.Check(obs)
		if r := b.oracle.Result("rcce"); r.Late != c.late || r.Wrong != 0 || r.Stalled != 1-c.late {
			t.Errorf("%v, %d ticks ago: %+v", c.stall, c.ago, *r)
		}
	}
	var s stalls
	for i := range 3 * maxStalls {
		s.add(float64(i), 30+float64(i))
	}
	if len(s.list) != maxStalls || s.worstMS != 30+3*maxStalls-1 {
		t.Errorf("%d stalls, the worst %g ms", len(s.list), s.worstMS)
	}
}

func TestAllowedDelayOfPositionDependsOnDistanceFromViewer(t *testing.T) {
	p := newBench().oracle.Protocol("rcce")
	if ms, ok := p.delayMS(0, 700); !ok || ms != 400 {
		t.Errorf("at 700 units: %v, %v", ms, ok)
	}
	for _, far := range []float32{951, 1001} {
		if _, ok := p.delayMS(0, far); ok {
			t.Errorf("positions at %g units are compared", far)
		}
	}
}
