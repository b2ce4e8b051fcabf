package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// demoMind decides what a bot does, whatever door it came through: it takes places and gives wishes, both in world
// units. It belongs to one goroutine.
type demoMind struct {
	atlas *demoAtlas
	role  demoRole
	rng   *rand.Rand
	greet func(name string) bool // whether this bot is to greet a player; shared by all
	stray float32                // units around home in which it strolls
	reach float32                // units from a goal at which it has come there

	area  sim.AreaID
	home  geom.Vec // the middle of its strolls
	mood  demoMood
	until time.Time // it thinks of something else then
	bound sim.AreaID

	goal  geom.Vec
	leg   int // number of the way to goal; 0 none
	run   bool
	gone  time.Time // the way is given up then
	rests time.Time // it stands until then

	speaks time.Time // it says something then
	known  map[string]bool
	hails  string // a greeting that it is about to say
	hailed time.Time
}

type demoMood uint8

const (
	demoStrolls demoMood = iota
	demoStands
	demoFights
	demoTravels
)

// demoWish is what a bot wants at the moment.
type demoWish struct {
	fight bool     // to fight whoever is near and may be fought, before anything else
	leg   int      // 0: to stand; else the number of its way, which changes with the goal
	goal  geom.Vec // Y means nothing
	run   bool
	say   string
}

// What bots take their time for.
const (
	demoStroll  = 25 * time.Second
	demoStand   = 6 * time.Second
	demoFight   = 40 * time.Second
	demoTravel  = 45 * time.Second
	demoLeg     = 15 * time.Second // a way that takes longer leads nowhere
	demoPause   = 5 * time.Second  // between two ways, at most
	demoGate    = time.Second      // at an entrance, which may be locked for a while
	demoSilence = 3 * time.Minute  // between two lines, on average
	demoAnswer  = 1500 * time.Millisecond

	demoPauses = 0.6 // share of the ways after which they pause
	demoRuns   = 0.3 // share of the strolls on which they run
	demoTries  = 24  // places that they think of until one can be walked to
)

// think decides. The clock may stand still, but does not run back.
func (m *demoMind) think(now time.Time, area sim.AreaID, pos geom.Vec) demoWish {
	if m.until.IsZero() || area != m.area {
		m.arrive(now, area, pos)
	}
	if now.After(m.until) {
		m.choose(now)
	}
	w := demoWish{say: m.speech(now), fight: m.mood == demoFights}
	if m.mood == demoStands {
		m.leg = -max(m.leg, -m.leg) // the next way has another number
		return w
	}
	m.walk(now, pos)
	if m.leg > 0 {
		w.leg, w.goal, w.run = m.leg, m.goal, m.run
	}
	return w
}

// arrive takes a new area in.
func (m *demoMind) arrive(now time.Time, area sim.AreaID, pos geom.Vec) {
	if m.speaks.IsZero() {
		m.speaks = now.Add(m.spell(demoSilence / 2))
	}
	m.area, m.home, m.leg = area, pos, -max(m.leg, -m.leg)
	if area == m.atlas.home {
		m.home = m.atlas.start
	}
	m.until = now // it looks round
	m.rests = now.Add(m.spell(demoPause / 2))
}

// spell is about d: half of it at least, half as much again at most.
func (m *demoMind) spell(d time.Duration) time.Duration {
	return d/2 + time.Duration(m.rng.Int64N(int64(d)))
}

// choose finds something to do.
func (m *demoMind) choose(now time.Time) {
	if to, ok := m.elsewhere(); ok {
		m.mood, m.bound, m.until = demoTravels, to, now.Add(m.spell(demoTravel))
		return
	}
	luck := m.rng.Float32()
	fights := map[demoRole]float32{demoHunter: 0.5, demoGladiator: 0.75, demoCheat: 0.2, demoTraveller: 0.25}[m.role]
	switch {
	case luck < fights:
		m.mood, m.until = demoFights, now.Add(m.spell(demoFight))
	case luck < fights+0.1:
		m.mood, m.until = demoStands, now.Add(m.spell(demoStand))
	default:
		m.mood, m.until = demoStrolls, now.Add(m.spell(demoStroll))
	}
}

const demoRoams = 0.35 // share of a traveller's decisions

// elsewhere is the area to which it wants to go now.
func (m *demoMind) elsewhere() (sim.AreaID, bool) {
	switch m.role {
	case demoGladiator:
		if m.atlas.world.Areas[m.area].PvP {
			return 0, false
		}
		return m.atlas.arena(m.area)
	case demoTraveller:
		if near := m.atlas.neighbours(m.area); len(near) > 0 && m.rng.Float32() < demoRoams {
			return near[m.rng.IntN(len(near))], true
		}
		return 0, false
	}
	_, way := m.atlas.exit(m.area, m.atlas.home)
	return m.atlas.home, way
}

// walk keeps the way, or finds the next one.
func (m *demoMind) walk(now time.Time, pos geom.Vec) {
	switch {
	case m.leg > 0 && geom.DistXZ(pos, m.goal) > m.reach && now.Before(m.gone):
		return
	case m.leg > 0:
		m.leg = -m.leg
		switch {
		case m.mood == demoTravels:
			m.rests = now.Add(demoGate)
		case m.rng.Float32() < demoPauses:
			m.rests = now.Add(m.spell(demoPause / 2))
		}
	}
	if now.Before(m.rests) {
		return
	}
	goal, ok := m.next(pos)
	if !ok {
		m.rests = now.Add(time.Second)
		return
	}
	m.goal, m.leg, m.gone = goal, 1-m.leg, now.Add(demoLeg)
	m.run = m.mood == demoTravels || m.rng.Float32() < demoRuns
}

// next is where to go: toward the entrance if it travels, else anywhere around home.
func (m *demoMind) next(pos geom.Vec) (geom.Vec, bool) {
	if m.mood == demoTravels {
		if p, ok := m.atlas.exit(m.area, m.bound); ok {
			return m.toward(pos, p.Pos)
		}
	}
	for range demoTries {
		if to := m.around(m.home, m.stray); m.atlas.clear(m.area, pos, to) {
			return to, true
		}
	}
	return m.detour(pos, m.home)
}

// toward is the goal, or a place on the way round what stands before it.
func (m *demoMind) toward(pos, goal geom.Vec) (geom.Vec, bool) {
	if m.atlas.clear(m.area, pos, goal) {
		return goal, true
	}
	return m.detour(pos, goal)
}

// detour is a place from which the goal can be walked to, or else any place that can be walked to.
func (m *demoMind) detour(pos, goal geom.Vec) (to geom.Vec, ok bool) {
	for range demoTries {
		try := m.around(pos, m.stray)
		if !m.atlas.clear(m.area, pos, try) {
			continue
		}
		to, ok = try, true
		if m.atlas.clear(m.area, try, goal) {
			break
		}
	}
	return to, ok
}

// around is a place in a circle, evenly spread.
func (m *demoMind) around(middle geom.Vec, radius float32) geom.Vec {
	far := float64(radius) * math.Sqrt(m.rng.Float64())
	sin, cos := math.Sincos(2 * math.Pi * m.rng.Float64())
	return geom.Vec{X: middle.X + float32(far*cos), Y: middle.Y, Z: middle.Z + float32(far*sin)}
}

// speech is what it says now, mostly nothing.
func (m *demoMind) speech(now time.Time) string {
	if m.hails != "" && now.After(m.hailed) {
		text := m.hails
		m.hails = ""
		return text
	}
	if now.Before(m.speaks) {
		return ""
	}
	m.speaks = now.Add(m.spell(demoSilence))
	lines := demoLinesOf[m.role]
	if m.rng.IntN(2) == 0 {
		lines = demoLines
	}
	return lines[m.rng.IntN(len(lines))]
}

const mostKnown = 1024 // names that a bot remembers; then it forgets them all

// meet is told of a player in sight. Bots greet those whom they have not seen yet, but for each other.
func (m *demoMind) meet(now time.Time, name string) {
	if name == "" || m.known[name] || isDemoBot(name) {
		return
	}
	if _, npc := m.atlas.foes[name]; npc {
		return
	}
	if m.known == nil || len(m.known) >= mostKnown {
		m.known = map[string]bool{}
	}
	m.known[name] = true
	if m.hails == "" && m.greet(name) {
		m.hails = fmt.Sprintf(demoGreetings[m.rng.IntN(len(demoGreetings))], name)
		m.hailed = now.Add(m.spell(demoAnswer))
	}
}
