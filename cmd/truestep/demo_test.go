package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

func TestNamesOfDemoBotsFitEveryDoorAndAreTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for k := range demoDoors {
		for i := range mostDemoBots {
			for retry := range mostRetries + 1 {
				name := demoDoors[k].account(i, retry)
				if seen[name] {
					t.Fatalf("%s twice: %s, bot %d, retry %d", name, demoDoors[k].name, i, retry)
				}
				seen[name] = true
				if len(name) > rsNameMost || !isDemoBot(name) || !isDemoBot(strings.ReplaceAll(name, "_", " ")) {
					t.Errorf("%s is no name for a bot", name)
				}
			}
		}
	}
}

func TestTheDemosAtlasKnowsRoadsWallsAndFoes(t *testing.T) {
	a := newDemoAtlas(content.DefaultWorld())
	vale, moor, ring, lake := a.world.AreaNamed("Truestep Vale"), a.world.AreaNamed("Windmoor"), a.world.AreaNamed("The Ring"), a.world.AreaNamed("Mirror Lake")
	if a.home != vale || a.start != (geom.Vec{Y: 2}) {
		t.Errorf("home is %d, %v", a.home, a.start)
	}
	if at, ok := a.arena(moor); !ok || at != ring {
		t.Errorf("the arena is %d", at)
	}
	for _, c := range []struct {
		from, to sim.AreaID
		want     string
	}{{vale, ring, "Ring gate"}, {moor, ring, "South gate"}, {ring, lake, "Way out"}, {vale, vale, ""}} {
		if p, ok := a.exit(c.from, c.to); p.Name != c.want || ok != (c.want != "") {
			t.Errorf("from %d to %d through %q", c.from, c.to, p.Name)
		}
	}
	for _, c := range []struct {
		in       sim.AreaID
		from, to geom.Vec
		want     bool
	}{
		{vale, geom.Vec{}, geom.Vec{X: 40}, true},
		{vale, geom.Vec{X: -35, Z: -30}, geom.Vec{X: -35, Z: -80}, false},   // the miller's house
		{vale, geom.Vec{X: -190, Z: 110}, geom.Vec{X: -100, Z: 110}, false}, // his pond
		{vale, geom.Vec{X: -150, Z: 110}, geom.Vec{X: -100, Z: 110}, true},  // out of it
		{lake, geom.Vec{X: 195}, geom.Vec{X: 215}, true},
	} {
		if got := a.clear(c.in, c.from, c.to); got != c.want {
			t.Errorf("%v to %v is clear: %v", c.from, c.to, got)
		}
	}
	for _, c := range []struct {
		in   sim.AreaID
		name string
		want bool
	}{{vale, "Rat", true}, {vale, "Guard", false}, {vale, "Merchant", false}, {vale, "Ann", false}, {ring, "Ann", true}, {ring, "Training Dummy", false}} {
		if got := a.mayFight(c.in, c.name); got != c.want {
			t.Errorf("in %d a bot may fight %s: %v", c.in, c.name, got)
		}
	}
}

// demoWalk lets a mind live for so long in a world without others, and calls see after each step.
func demoWalk(t *testing.T, role demoRole, seed uint64, d time.Duration, see func(area sim.AreaID, pos geom.Vec, w demoWish)) {
	t.Helper()
	a := newDemoAtlas(content.DefaultWorld())
	m := &demoMind{
		atlas: a, role: role, rng: rand.New(rand.NewPCG(seed, 1)), greet: func(string) bool { return true }, stray: 60, reach: 2,
	}
	const step, pace = 50 * time.Millisecond, 15 // units per second
	now, area, pos, locked := time.Unix(1000, 0), a.home, a.start, time.Time{}
	for end := now.Add(d); now.Before(end); now = now.Add(step) {
		w := m.think(now, area, pos)
		if w.leg != 0 {
			if far := geom.DistXZ(pos, w.goal); far > 0 {
				share := min(1, float32(pace*step.Seconds())/far)
				pos.X += (w.goal.X - pos.X) * share
				pos.Z += (w.goal.Z - pos.Z) * share
			}
		}
		see(area, pos, w)
		for _, p := range a.world.Areas[area].Portals {
			if p.ToArea >= 0 && geom.DistXZ(pos, p.Pos) < p.Radius && now.After(locked) {
				area, pos, locked = p.ToArea, a.world.Areas[p.ToArea].Portals[p.ToPortal].Pos, now.Add(35*time.Second)
				break
			}
		}
	}
}

func TestDemoBotsWalkAroundWallsAndRestNowAndThen(t *testing.T) {
	a := newDemoAtlas(content.DefaultWorld())
	for seed := range uint64(5) {
		stood, walked, legs, last := 0, 0, map[int]bool{}, -1
		demoWalk(t, demoHunter, seed, 10*time.Minute, func(area sim.AreaID, pos geom.Vec, w demoWish) {
			def := &a.world.Areas[area]
			if at, ok := def.Tiles.ToTile(pos); !ok || def.Ground.Blocked(at.X, at.Z) || wet(def, pos) {
				t.Fatalf("seed %d: it is at %v, where nobody can be", seed, pos)
			}
			if area != a.home || geom.DistXZ(pos, a.start) > 150 {
				t.Fatalf("seed %d: it strayed to %v of area %d", seed, pos, area)
			}
			if w.leg == 0 {
				stood++
			} else {
				walked++
			}
			if w.leg != last && w.leg != 0 && legs[w.leg] {
				t.Fatalf("seed %d: way %d twice", seed, w.leg)
			}
			legs[w.leg], last = true, w.leg
		})
		if stood < walked/10 || walked < stood/3 {
			t.Errorf("seed %d: it stood %d steps and walked %d", seed, stood, walked)
		}
	}
}

func TestDemoGladiatorsGoToTheRingAndTravellersSeeTheWorld(t *testing.T) {
	a := newDemoAtlas(content.DefaultWorld())
	ring := a.world.AreaNamed("The Ring")
	for seed := range uint64(5) {
		fought := 0
		demoWalk(t, demoGladiator, seed, 5*time.Minute, func(area sim.AreaID, _ geom.Vec, w demoWish) {
			if area == ring && w.fight {
				fought++
			}
		})
		if fought < 1000 {
			t.Errorf("seed %d: it wanted to fight in the Ring for %d steps of 6000", seed, fought)
		}
	}
	seen := map[sim.AreaID]bool{}
	for seed := range uint64(3) {
		demoWalk(t, demoTraveller, seed, 15*time.Minute, func(area sim.AreaID, _ geom.Vec, _ demoWish) { seen[area] = true })
	}
	if len(seen) < 3 {
		t.Errorf("they have seen the areas %v", seen)
	}
}

func TestDemoBotsGreetNewcomersAndNotEachOther(t *testing.T) {
	m := &demoMind{
		atlas: newDemoAtlas(content.DefaultWorld()), rng: rand.New(rand.NewPCG(1, 2)), stray: 60, reach: 2,
		greet: func(name string) bool { return name != "Third" },
	}
	now := time.Unix(1000, 0)
	said := func() (text string) {
		for range 100 {
			now = now.Add(50 * time.Millisecond)
			if w := m.think(now, m.atlas.home, geom.Vec{}); w.say != "" && text == "" {
				text = w.say
			}
		}
		return text
	}
	m.speaks = now.Add(time.Hour)
	for name, want := range map[string]bool{"Ann": true, "Bruno Bot": false, "Ivy_Bot": false, "Rat": false, "Third": false} {
		m.meet(now, name)
		m.meet(now, name)
		if text := said(); strings.Contains(text, name) != want {
			t.Errorf("it met %s and said %q", name, text)
		}
	}
	if m.meet(now, "Ann"); said() != "" {
		t.Error("it greets the same player again")
	}
}

var playersOf = regexp.MustCompile(`truestep_players\{[^}]*\} (\d+)`)

// awaitPlayers waits until so many are in the world.
func awaitPlayers(t *testing.T, metrics string, want int) {
	t.Helper()
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		_, text := get(t, metrics)
		n := 0
		for _, m := range playersOf.FindAllStringSubmatch(text, -1) {
			in, _ := strconv.Atoi(m[1])
			n += in
		}
		if n == want {
			return
		}
		if time.Since(start) > patience {
			t.Fatalf("%d players, want %d", n, want)
		}
	}
}

func TestServeDemoLetsBotsInAtEachDoorAgainAndAgain(t *testing.T) {
	t.Setenv("TRUESTEP_CONSOLE", "off")
	data := t.TempDir()
	var secret string
	for visit := range 2 {
		p := launch(t, "serve", "--demo", "--demo-bots", "2", "--data-dir", data, "--rcce", "127.0.0.1:0", "--rs", "127.0.0.1:0",
			"--bedrock", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--no-status")
		lines := p.until("ready")
		if note := strings.Join(lines, "\n"); !strings.Contains(note, "2 bots at each door") || !strings.Contains(note, "_Bot") {
			t.Errorf("the start does not tell of bots:\n%s", note)
		}
		awaitPlayers(t, field(t, lines, "metrics", 1), 6)
		p.signal(syscall.SIGINT)
		code, _, took := p.end()
		if log := p.errs.String(); code != 0 || took > stopsWithin || !strings.Contains(log, "every record is saved") || strings.Contains(log, `"level":"ERROR"`) {
			t.Errorf("exit status %d after %v\n%s", code, took, log)
		} else if strings.Contains(log, "_Bot") || strings.Contains(log, "_bot") {
			t.Errorf("the log is full of bots:\n%s", log)
		}
		text, err := os.ReadFile(filepath.Join(data, demoSecretFile))
		if err != nil || visit > 0 && string(text) != secret {
			t.Errorf("the password was %q and is %q, %v", secret, text, err)
		}
		secret = string(text)
	}
	if info, err := os.Stat(filepath.Join(data, demoSecretFile)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the password: %v, %v", info, err)
	}
}

func TestADemoLeavesClosedDoorsAlone(t *testing.T) {
	t.Setenv("TRUESTEP_CONSOLE", "off")
	p := launch(t, "serve", "--demo", "--demo-bots", "1", "--rcce", "off", "--rs", "127.0.0.1:0", "--bedrock", "127.0.0.1:0", "--bedrock-online",
		"--metrics", "127.0.0.1:0", "--no-status")
	lines := p.until("ready")
	awaitPlayers(t, field(t, lines, "metrics", 1), 1)
	p.signal(syscall.SIGINT)
	if code, _, _ := p.end(); code != 0 || !strings.Contains(p.errs.String(), "the bedrock door gets no bots") {
		t.Errorf("exit status %d\n%s", code, &p.errs)
	}
}

func TestAWrongNumberOfDemoBotsIsRefused(t *testing.T) {
	here(t)
	for _, n := range []int{0, -1, mostDemoBots + 1} {
		code, _, errs := truestep("serve", "--demo", fmt.Sprintf("--demo-bots=%d", n))
		if want := fmt.Sprintf("truestep: demo-bots %d: must be 1..50\n", n); code != exitUsage || errs != want {
			t.Errorf("exit status %d, %q", code, errs)
		}
	}
}
