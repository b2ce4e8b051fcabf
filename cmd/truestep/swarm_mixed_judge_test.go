package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

const mixedWorldJSON = `{"tickRate": 20, "doors": [
	{"name": "rcce", "cycleMs": 200, "bands": [{"radius": 500, "radii": [500], "everyMs": 200}, {"radius": 1000, "radii": [1000], "everyMs": 400}]},
	{"name": "rs", "cycleMs": 600, "bands": [{"radius": 108.5, "everyMs": 600}]},
	{"name": "bedrock", "cycleMs": 100, "bands": [{"radius": 168, "everyMs": 100}, {"radius": 336, "everyMs": 200}]}],
	"areas": [{"id": 0, "name": "Vale", "portals": [{"name": "Gate", "x": 9, "y": 2, "z": 9, "to": 0}, {"name": "Green", "x": 1, "y": 2, "z": 3, "to": null}],
	"solids": [{"min": {"x": 10, "y": 0, "z": -5}, "max": {"x": 20, "y": 9, "z": 5}}],
	"tiles": {"unitsPerTile": 7, "baseX": 3222, "baseZ": 3218, "plane": 0},
	"blocks": {"unitsPerBlock": 3.5, "origin": {"x": 0, "y": 64, "z": 0}, "height": 2}}]}`

// mixedRig is a truth of one area in which a few actors go about, and a judge.
type mixedRig struct {
	t     *testing.T
	world *mixedWorld
	truth *mixedTruth
	judge *mixedJudge
	began time.Time
	ticks int
	gone  map[string]bool
}

// mixedCast are the actors of the rig, by id from 1 on.
var mixedCast = []struct{ name, door string }{{"mixc0001", "rcce"}, {"mixr0001", "rs"}, {"mixb0001", "bedrock"}, {"Rat", ""}, {"Rat", ""}, {"Bob", "rcce"}, {"mixb0002", "bedrock"}}

func newMixedRig(t *testing.T) *mixedRig {
	t.Helper()
	w := new(mixedWorld)
	if err := jsonInto(mixedWorldJSON, w); err != nil {
		t.Fatal(err)
	}
	r := &mixedRig{t: t, world: w, truth: newMixedTruth(1, 20), began: time.UnixMilli(1_700_000_000_000), gone: map[string]bool{}}
	r.judge = newMixedJudge(w, r.truth, 250*time.Millisecond)
	roster := &mixedRoster{Type: "actors"}
	for i, a := range mixedCast {
		who := struct {
			ID     sim.EntityID
			Name   string
			Door   *string
			Player bool
		}{ID: sim.EntityID(i + 1), Name: a.name, Player: a.door != ""}
		if a.door != "" {
			who.Door = &a.door
		}
		roster.Add = append(roster.Add, who)
	}
	r.truth.roster(0, roster)
	return r
}

// key tells the actors of one name apart.
func mixedKey(i int) string { return fmt.Sprint(i, mixedCast[i].name) }

// walk is where Bob, the one who moves, is at a tick: three units a tick, eastward.
func walk(tick int) geom.Vec { return geom.Vec{X: 3 * float32(tick), Y: 2, Z: 40} }

// step lets so many ticks pass.
func (r *mixedRig) step(n int) {
	for range n {
		r.ticks++
		f := &console.LiveFrame{Tick: sim.Tick(r.ticks), At: msOf(r.now()), Actors: r.here()}
		r.truth.frame(0, f, r.now().Add(40*time.Second)) // our clock is ahead
	}
}

// here is where everybody is in this tick.
func (r *mixedRig) here() (list []console.LiveActor) {
	for i := range mixedCast {
		pos := geom.Vec{X: float32(10 * i), Y: 2, Z: 4}
		if mixedCast[i].name == "Bob" {
			pos = walk(r.ticks)
		}
		if !r.gone[mixedKey(i)] {
			list = append(list, console.LiveActor{ID: sim.EntityID(i + 1), Pos: pos})
		}
	}
	return list
}

// now is the server's clock.
func (r *mixedRig) now() time.Time {
	return r.began.Add(time.Duration(r.ticks) * 50 * time.Millisecond)
}

// look is an honest look of a client of a door: everybody else, Bob as he was some ticks ago.
func (r *mixedRig) look(door string, late int) *mixedLook {
	look := &mixedLook{door: door, viewer: map[string]string{"rcce": "mixc0001", "rs": "mixr0001", "bedrock": "mixb0001"}[door], at: r.now().Add(40 * time.Second)}
	a := &r.world.Areas[0]
	grid := a.tiles()
	for i := range mixedCast {
		pos := geom.Vec{X: float32(10 * i), Y: 2, Z: 4}
		if mixedCast[i].name == "Bob" {
			pos = walk(r.ticks - late)
		}
		s := mixedShown{name: mixedCast[i].name, raw: pos}
		switch door {
		case "rs":
			t, _ := grid.ToTile(pos)
			s.raw = geom.Vec{X: float32(t.X), Z: float32(t.Z)}
		case "bedrock":
			blocks := a.blocks()
			s.raw, s.high = blocks.ToBlocks(pos), true
		}
		if s.name != look.viewer && !r.gone[mixedKey(i)] {
			look.shown = append(look.shown, s)
		}
	}
	return look
}

// of is somebody in a look.
func (l *mixedLook) of(name string) *mixedShown {
	for i := range l.shown {
		if l.shown[i].name == name {
			return &l.shown[i]
		}
	}
	return nil
}

func TestTheJudgeAcceptsWhatIsTrueWithinRoundingAndDelay(t *testing.T) {
	for _, c := range []struct {
		door string
		late int // ticks
	}{{"rcce", 0}, {"rcce", 4}, {"rcce", 8}, {"rs", 0}, {"rs", 12}, {"rs", 16}, {"bedrock", 0}, {"bedrock", 2}, {"bedrock", 6}} {
		r := newMixedRig(t)
		r.step(100)
		look := r.look(c.door, c.late)
		r.step(30)
		r.judge.judge(look)
		if v := r.judge.doors[c.door]; v.mismatches() != 0 || v.compared != 6 || v.skipped != 0 || v.present == 0 {
			t.Errorf("%s, %d ticks late: %+v %v", c.door, c.late, *v, r.judge.first)
		}
		if v := r.judge.doors[c.door]; c.late > 0 && c.door != "rs" {
			if age := spreadOf(v.ages).Max; age < float64(50*c.late)-30 || age > float64(50*c.late)+30 {
				t.Errorf("%s: %d ticks late were found to be %v ms", c.door, c.late, age)
			}
		}
	}
}

// Each mutation of an honest look must be found, and called what it is.
func TestTheJudgeFindsEveryKindOfUntruth(t *testing.T) {
	shift := func(name string, d geom.Vec) func(*mixedLook) {
		return func(l *mixedLook) { s := l.of(name); s.raw = s.raw.Add(d) }
	}
	for _, c := range []struct {
		name, door, want string
		mutate           func(*mixedLook)
	}{
		{"half a unit beside", "rcce", "wrong", shift("Bob", geom.Vec{Z: 0.5})},
		{"a hundredth of a block beside", "bedrock", "wrong", shift("Bob", geom.Vec{X: 0.01, Z: 0.01})},
		{"a tile beside", "rs", "wrong", shift("Bob", geom.Vec{Z: 1})},
		{"ahead of the truth", "rcce", "wrong", shift("Bob", geom.Vec{X: 30})},
		{"above the ground", "bedrock", "wrong", shift("mixb0002", geom.Vec{Y: 0.02})},
		{"an NPC elsewhere", "rcce", "wrong", shift("Rat", geom.Vec{X: 5})},
		{"an NPC not shown", "rcce", "missing", func(l *mixedLook) { l.of("Rat").name = "mixr0002" }},
		{"a player not shown", "bedrock", "missing", func(l *mixedLook) { l.shown = l.shown[1:] }},
		{"a player not shown to walkers on tiles", "rs", "missing", func(l *mixedLook) { l.shown = l.shown[1:] }},
		{"somebody who never was", "rcce", "left", func(l *mixedLook) { l.shown = append(l.shown, mixedShown{name: "Ghost"}) }},
		{"somebody twice", "bedrock", "left", func(l *mixedLook) { l.shown = append(l.shown, *l.of("mixc0001")) }},
	} {
		r := newMixedRig(t)
		r.step(100)
		look := r.look(c.door, 1)
		c.mutate(look)
		r.step(30)
		r.judge.judge(look)
		kinds := ""
		for _, m := range r.judge.first {
			kinds += m.Kind + " "
		}
		if !strings.Contains(kinds, c.want) {
			t.Errorf("%s, %s: found %q, want %s", c.door, c.name, kinds, c.want)
		}
	}
	for door, late := range map[string]int{"rcce": 14, "bedrock": 10, "rs": 24} {
		r := newMixedRig(t)
		r.step(100)
		look := r.look(door, late)
		r.step(30)
		r.judge.judge(look)
		if v := r.judge.doors[door]; v.late != 1 || v.mismatches() != 1 {
			t.Errorf("%s, %d ticks late: %+v", door, late, *v)
		}
	}
}

func TestTheJudgeGivesTheGoneTheirTimeAndNoMore(t *testing.T) {
	for _, c := range []struct {
		door  string
		after int // ticks from the end to the look
		left  uint64
	}{{"rcce", 4, 0}, {"rcce", 20, 1}, {"rs", 60, 0}, {"rs", 90, 1}, {"bedrock", 30, 0}, {"bedrock", 80, 1}} {
		r := newMixedRig(t)
		r.step(100)
		r.gone[mixedKey(5)] = true
		r.step(c.after)
		look := r.look(c.door, 0)
		r.gone[mixedKey(5)] = false
		stale := r.look(c.door, c.after+1) // with Bob where he was last
		look.shown = append(look.shown, *stale.of("Bob"))
		r.gone[mixedKey(5)] = true
		r.step(30)
		r.judge.judge(look)
		if v := r.judge.doors[c.door]; v.left != c.left || v.wrong+v.late+v.missing != 0 {
			t.Errorf("%s, %d ticks after: %+v %v", c.door, c.after, *v, r.judge.first)
		}
	}
}

func TestTheJudgeWaitsForNewcomers(t *testing.T) {
	r := newMixedRig(t)
	r.step(40) // two seconds
	look := r.look("rcce", 0)
	look.shown = nil
	r.step(30)
	r.judge.judge(look)
	if v := r.judge.doors["rcce"]; v.skipped != 1 || v.mismatches() != 0 {
		t.Errorf("%+v", *v)
	}
}

// Between the two ends of a jump nobody ever was; between two places of a walk, of which a frame was lost, he was.
func TestPlacesBetweenTicks(t *testing.T) {
	for _, c := range []struct {
		far   float32
		ticks sim.Tick
		want  bool
	}{{8, 1, true}, {30, 1, false}, {30, 4, true}} {
		x := &mixedTrack{}
		x.put(1000, 1, geom.Vec{})
		x.put(1050, 1+c.ticks, geom.Vec{X: c.far})
		if _, _, ok := x.meets(geom.Vec{X: c.far / 2}, 0.01, false, 1100, 500); ok != c.want {
			t.Errorf("%g units in %d ticks: the middle is on the way: %v", c.far, c.ticks, ok)
		}
	}
}

func TestTheRingOfATrackForgetsTheOldest(t *testing.T) {
	x := &mixedTrack{}
	for i := range 3 * truthSteps {
		x.put(float64(i), sim.Tick(i), geom.Vec{X: float32(i)})
	}
	if p, ok := x.at(3*truthSteps - 10); !ok || p.X != 3*truthSteps-10 || x.len() != truthSteps {
		t.Errorf("%v %v, %d places", p, ok, x.len())
	}
	if _, ok := x.at(truthSteps); ok {
		t.Error("it remembers what it cannot")
	}
}

func TestWaysOfTheSwarmKeepAwayFromSolids(t *testing.T) {
	a := &newMixedRig(t).world.Areas[0]
	for _, c := range []struct {
		from, to geom.Vec
		want     bool
	}{
		{geom.Vec{}, geom.Vec{X: 30}, false},
		{geom.Vec{Z: 7}, geom.Vec{X: 30, Z: 7}, false},
		{geom.Vec{Z: 9}, geom.Vec{X: 30, Z: 9}, true},
		{geom.Vec{X: 15}, geom.Vec{X: 30}, true}, // out of it
		{geom.Vec{X: 15, Z: -20}, geom.Vec{X: 15, Z: 20}, false},
		{geom.Vec{X: 40, Z: -20}, geom.Vec{X: 40, Z: 20}, true},
	} {
		if got := a.clear(c.from, c.to); got != c.want {
			t.Errorf("%v to %v is clear: %v", c.from, c.to, got)
		}
	}
}

func TestTheSwarmsWorldIsReadAsTheConsoleTellsIt(t *testing.T) {
	w := newMixedRig(t).world
	a, home := w.home()
	if home != (geom.Vec{X: 1, Y: 2, Z: 3}) || a.tiles() != (terrain.TileGrid{UnitsPerTile: 7, BaseX: 3222, BaseZ: 3218}) ||
		a.blocks() != (terrain.BlockGrid{UnitsPerBlock: 3.5, Origin: [3]int32{0, 64, 0}, Height: 2}) {
		t.Errorf("%v, %+v", home, a)
	}
	j := newMixedRig(t).judge
	if got := j.door("bedrock").stated(); got != "100 ms up to 168 units, 200 ms up to 336 units" {
		t.Errorf("%q", got)
	}
	if ms, ok := j.door("rcce").delay(0, 700); !ok || ms != 400 {
		t.Errorf("%v, %v", ms, ok)
	}
	if _, ok := j.door("rcce").delay(0, 1001); ok {
		t.Error("it is told of those beyond")
	}
}

func TestWhichCorrectionsAreFalse(t *testing.T) {
	r := &swarmMixedReport{Rcce: &swarmReport{Snaps: 1}, Bedrock: &swarmBedrockReport{False: 2}}
	r.judgeCorrections([]mixedEntry{
		{Door: "rcce", Verdict: "held", Reason: "too_fast", Times: 3}, {Door: "rcce", Verdict: "held", Reason: "warping", Times: 9},
		{Door: "rcce", Verdict: "held", Reason: "too_fast"}, {Door: "rs", Verdict: "held", Reason: "no_path"},
		{Door: "bedrock", Verdict: "corrected", Reason: "mispredicted"}, {Door: "rs", Verdict: "refused", Reason: "out_of_range", Times: 7},
	})
	if r.False != 4+1+2 || len(r.Corrections) != 5 || r.Corrections[1].Reason != "warping" && r.Corrections[2].Reason != "warping" {
		t.Errorf("%d false: %+v", r.False, r.Corrections)
	}
}

// In a crowd of which a client on tiles is not shown all, nobody can say who is missing, nor for a while after.
func TestTheJudgeAsksNobodyForAllOfACrowd(t *testing.T) {
	r := newMixedRig(t)
	roster, crowd := &mixedRoster{Type: "actors"}, []console.LiveActor{}
	for i := range rsMany + 1 {
		id := sim.EntityID(1000 + i)
		roster.Add = append(roster.Add, struct {
			ID     sim.EntityID
			Name   string
			Door   *string
			Player bool
		}{ID: id, Name: fmt.Sprint("Extra", i)})
		crowd = append(crowd, console.LiveActor{ID: id, Pos: geom.Vec{X: 20, Z: 20}})
	}
	r.step(100)
	r.truth.roster(0, roster)
	for n, c := range []struct {
		crowd   bool
		ticks   int
		crowded uint64
		missing bool
	}{{false, 20, 0, false}, {true, 20, 1, false}, {false, 100, 2, false}, {false, 500, 2, true}} {
		if c.crowd {
			r.truth.frame(0, &console.LiveFrame{Tick: sim.Tick(r.ticks), At: msOf(r.now()) + 1, Actors: append(crowd, r.here()...)}, r.now().Add(40*time.Second))
			look := r.look("rs", 0)
			look.at = look.at.Add(time.Millisecond)
			r.judge.judge(look)
		}
		r.step(c.ticks)
		look := r.look("rs", 0)
		if n == 3 {
			look.shown = look.shown[1:]
		}
		r.step(5)
		r.judge.judge(look)
		if v := r.judge.doors["rs"]; v.crowded < c.crowded || v.missing > 0 != c.missing {
			t.Errorf("case %d: %+v %v", n, *v, r.judge.first)
		}
	}
}

// What happened in ticks that the live map has left out nobody can say; what cannot have happened in them stays wrong.
func TestTheJudgeLeavesLostFramesAlone(t *testing.T) {
	for _, c := range []struct {
		off     float32
		blurred uint64
		wrong   uint64
	}{{6, 1, 0}, {60, 0, 1}} {
		r := newMixedRig(t)
		r.step(100)
		r.ticks += 2 // lost
		r.step(1)
		look := r.look("rcce", 0)
		look.of("Bob").raw.Z += c.off
		r.step(30)
		r.judge.judge(look)
		if v := r.judge.doors["rcce"]; v.blurred != c.blurred || v.wrong != c.wrong || r.truth.lost != 2 {
			t.Errorf("%g units off: %+v, %d lost", c.off, *v, r.truth.lost)
		}
	}
}

// A machine that stands still makes clients late, for as long as it did and for a while.
func TestTheJudgeForgivesStallsAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		stall float64
		ago   int // ticks before the look
		late  uint64
	}{{0, 0, 1}, {400, 5, 0}, {20, 5, 1}, {400, 60, 1}} {
		r := newMixedRig(t)
		r.step(200 - c.ago)
		r.truth.stalled(r.now().Add(40*time.Second), c.stall)
		r.step(c.ago)
		look := r.look("rcce", 14)
		r.step(30)
		r.judge.judge(look)
		if v := r.judge.doors["rcce"]; v.late != c.late || v.wrong != 0 || v.stalled != 1-c.late {
			t.Errorf("%g ms, %d ticks ago: %+v", c.stall, c.ago, *v)
		}
	}
	var s mixedStalls
	for i := range 3 * stallKept {
		s.add(float64(i), 30+float64(i))
	}
	if len(s.list) != stallKept || s.worst != 30+3*stallKept-1 {
		t.Errorf("%d stalls, the worst %g", len(s.list), s.worst)
	}
}
