package demo

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

func TestBotNamesFitEveryDoorAndAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for k := range protocols {
		for i := range MaxBotsPerDoor {
			for renames := range maxRenames + 1 {
				name := protocols[k].account(i, renames)
				if seen[name] {
					t.Fatalf("%s twice: %s, bot %d, rename %d", name, protocols[k].name, i, renames)
				}
				seen[name] = true
				if len(name) > maxNameLength || !isBotName(name) || !isBotName(strings.ReplaceAll(name, "_", " ")) {
					t.Errorf("%s is not a valid bot name", name)
				}
			}
		}
	}
}

func TestBotsFindPortalsAvoidWallsAndWaterAndFightOnlyEnemies(t *testing.T) {
	m := newWorldMap(content.DefaultWorld().World)
	vale, moor, ring, lake := m.world.AreaNamed("Truestep Vale"), m.world.AreaNamed("Windmoor"), m.world.AreaNamed("The Ring"), m.world.AreaNamed("Mirror Lake")
	if m.startArea != vale || m.startPos != (geom.Vec{Y: 2}) {
		t.Errorf("start is %v in area %d", m.startPos, m.startArea)
	}
	if at, ok := m.nearestPvP(moor); !ok || at != ring {
		t.Errorf("nearest PvP area of Windmoor is %d, want %d", at, ring)
	}
	for _, c := range []struct {
		from, to sim.AreaID
		want     string
	}{{vale, ring, "Ring gate"}, {moor, ring, "South gate"}, {ring, lake, "Way out"}, {vale, vale, ""}} {
		if p, ok := m.portalToward(c.from, c.to); p.Name != c.want || ok != (c.want != "") {
			t.Errorf("portal from %d toward %d is %q, want %q", c.from, c.to, p.Name, c.want)
		}
	}
	for _, c := range []struct {
		in       sim.AreaID
		from, to geom.Vec
		want     bool
	}{
		{vale, geom.Vec{}, geom.Vec{X: 40}, true},
		{vale, geom.Vec{X: -35, Z: -30}, geom.Vec{X: -35, Z: -80}, false},   // the line crosses the miller's house
		{vale, geom.Vec{X: -190, Z: 110}, geom.Vec{X: -100, Z: 110}, false}, // the line crosses the pond
		{vale, geom.Vec{X: -150, Z: 110}, geom.Vec{X: -100, Z: 110}, true},  // the line leads out of the pond
		{lake, geom.Vec{X: 195}, geom.Vec{X: 215}, true},
	} {
		if got := m.canWalk(c.in, c.from, c.to); got != c.want {
			t.Errorf("canWalk from %v to %v: %v", c.from, c.to, got)
		}
	}
	for _, c := range []struct {
		in   sim.AreaID
		name string
		want bool
	}{{vale, "Rat", true}, {vale, "Guard", false}, {vale, "Merchant", false}, {vale, "Ann", false}, {ring, "Ann", true}, {ring, "Training Dummy", false}} {
		if got := m.mayFight(c.in, c.name); got != c.want {
			t.Errorf("mayFight %s in area %d: %v", c.name, c.in, got)
		}
	}
}

// A world may have arbitrary template ids and only one playable template.
func TestBotsChoosePlayableTemplatesInAnyWorld(t *testing.T) {
	world := func(templates ...sim.Template) *worldMap {
		return newWorldMap(&sim.World{Templates: templates, Areas: make([]sim.AreaDef, 1)})
	}
	for _, c := range []struct {
		m    *worldMap
		want [4]uint16 // expected templates of bots 0..3
	}{
		{world(sim.Template{ID: 7, Playable: true}), [4]uint16{7, 7, 7, 7}},
		{world(sim.Template{ID: 0, Race: "Rat"}, sim.Template{ID: 300, Playable: true}, sim.Template{ID: 12, Playable: true}), [4]uint16{300, 12, 300, 12}},
		{world(sim.Template{ID: 3, Race: "Rat"}), [4]uint16{}},
	} {
		for i, want := range c.want {
			if got := c.m.template(i); got != want {
				t.Errorf("playable %v: bot %d gets template %d, want %d", c.m.playable, i, got, want)
			}
		}
	}
}

// simulate runs a behaviour for the time d in a world without other actors, and calls visit after each step.
func simulate(t *testing.T, r role, seed uint64, d time.Duration, visit func(area sim.AreaID, pos geom.Vec, d decision)) {
	t.Helper()
	m := newWorldMap(content.DefaultWorld().World)
	b := &behaviour{
		worldMap: m, role: r, rng: rand.New(rand.NewPCG(seed, 1)), allowGreeting: func(string) bool { return true }, strollRadius: 60, arrival: 2,
	}
	const step, pace = 50 * time.Millisecond, 15 // time of one step, and walking speed in units per second
	now, area, pos, locked := time.Unix(1000, 0), m.startArea, m.startPos, time.Time{}
	for end := now.Add(d); now.Before(end); now = now.Add(step) {
		d := b.decide(now, area, pos)
		if d.leg != 0 {
			if far := geom.DistXZ(pos, d.goal); far > 0 {
				share := min(1, float32(pace*step.Seconds())/far)
				pos.X += (d.goal.X - pos.X) * share
				pos.Z += (d.goal.Z - pos.Z) * share
			}
		}
		visit(area, pos, d)
		for _, p := range m.world.Areas[area].Portals {
			if p.ToArea >= 0 && geom.DistXZ(pos, p.Pos) < p.Radius && now.After(locked) {
				area, pos, locked = p.ToArea, m.world.Areas[p.ToArea].Portals[p.ToPortal].Pos, now.Add(35*time.Second)
				break
			}
		}
	}
}

func TestBotsAvoidWallsAndRestBetweenWalks(t *testing.T) {
	m := newWorldMap(content.DefaultWorld().World)
	for seed := range uint64(5) {
		stood, walked, legs, last := 0, 0, map[int]bool{}, -1
		simulate(t, hunter, seed, 10*time.Minute, func(area sim.AreaID, pos geom.Vec, d decision) {
			def := &m.world.Areas[area]
			if at, ok := def.Tiles.ToTile(pos); !ok || def.Ground.Blocked(at.X, at.Z) || inWater(def, pos) {
				t.Fatalf("seed %d: bot is at %v, which is blocked", seed, pos)
			}
			if area != m.startArea || geom.DistXZ(pos, m.startPos) > 150 {
				t.Fatalf("seed %d: bot strayed to %v of area %d", seed, pos, area)
			}
			if d.leg == 0 {
				stood++
			} else {
				walked++
			}
			if d.leg != last && d.leg != 0 && legs[d.leg] {
				t.Fatalf("seed %d: leg %d used twice", seed, d.leg)
			}
			legs[d.leg], last = true, d.leg
		})
		if stood < walked/10 || walked < stood/3 {
			t.Errorf("seed %d: stood %d steps and walked %d", seed, stood, walked)
		}
	}
}

func TestGladiatorBotsTravelToPvPAreaAndTravellerBotsVisitSeveralAreas(t *testing.T) {
	m := newWorldMap(content.DefaultWorld().World)
	ring := m.world.AreaNamed("The Ring")
	for seed := range uint64(5) {
		fought := 0
		simulate(t, gladiator, seed, 5*time.Minute, func(area sim.AreaID, _ geom.Vec, d decision) {
			if area == ring && d.fight {
				fought++
			}
		})
		if fought < 1000 {
			t.Errorf("seed %d: decided to fight in the Ring in %d steps of 6000", seed, fought)
		}
	}
	seen := map[sim.AreaID]bool{}
	for seed := range uint64(3) {
		simulate(t, traveller, seed, 15*time.Minute, func(area sim.AreaID, _ geom.Vec, _ decision) { seen[area] = true })
	}
	if len(seen) < 3 {
		t.Errorf("travellers visited %v, want 3 areas or more", seen)
	}
}

func TestBotsGreetEachHumanPlayerOnce(t *testing.T) {
	b := &behaviour{
		worldMap: newWorldMap(content.DefaultWorld().World), rng: rand.New(rand.NewPCG(1, 2)), strollRadius: 60, arrival: 2,
		allowGreeting: func(name string) bool { return name != "Third" },
	}
	now := time.Unix(1000, 0)
	said := func() (text string) {
		for range 100 {
			now = now.Add(50 * time.Millisecond)
			if d := b.decide(now, b.worldMap.startArea, geom.Vec{}); d.say != "" && text == "" {
				text = d.say
			}
		}
		return text
	}
	b.nextLine = now.Add(time.Hour)
	for name, want := range map[string]bool{"Ann": true, "Bruno Bot": false, "Ivy_Bot": false, "Rat": false, "Third": false} {
		b.seePlayer(now, name)
		b.seePlayer(now, name)
		if text := said(); strings.Contains(text, name) != want {
			t.Errorf("after seeing %s it said %q", name, text)
		}
	}
	if b.seePlayer(now, "Ann"); said() != "" {
		t.Error("the same player is greeted again")
	}
}
