package oneworld

import (
	"fmt"
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/oracle"
	rsproto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// maxStaleness is, by door, the maximum age of a position that a client shows: the door's update interval minus one tick.
// For RuneScape clients it is a whole cycle, because they show movement of other doors' players with a delay.
var maxStaleness = map[string]time.Duration{
	rcce:    150 * time.Millisecond,
	rs:      600 * time.Millisecond,
	bedrock: 50 * time.Millisecond,
	web:     50 * time.Millisecond,
}

// Every client shows every player at the server's position, standing and walking, near the origin and at the edges of an
// area. Each shown position was the player's true position at most maxStaleness ago.
func TestClientsShowMovingPlayersAtServerPosition(t *testing.T) {
	t.Parallel()
	overLine(t, "perfect", newTestWorld, func(t *testing.T, r *rig) {
		var places []*place
		var entrants []entrant
		for i, at := range []geom.Vec{{}, {X: 56_000, Z: -56_000}, {X: -56_000, Z: 56_000}} {
			places = append(places, &place{r: r, middle: at, number: i})
			entrants = append(entrants, places[i].entrants()...)
		}
		all := r.join(entrants...)
		for i, p := range places {
			n := len(doors)
			p.movers, p.viewers = all[2*n*i:2*n*i+n], all[2*n*i+n:2*n*(i+1)]
			p.checkStanding()
		}
		walkAround(places)
		for _, p := range places {
			p.checkSightings()
		}
		checkHonest(t, all...)
	})
}

// place is a part of the world with two players of each door. One of them, the mover, walks back and forth. The other, the
// viewer, observes the movers.
type place struct {
	r               *rig
	middle          geom.Vec
	number          int
	movers, viewers []*player
	sightings       []sighting
	observations    []*oracle.Observation
}

// sighting is the position at which a viewer shows a mover at one time.
type sighting struct {
	viewer, mover *player
	at            position
	when          time.Time
}

func (p *place) entrants() (all []entrant) {
	for i, door := range doors {
		at := p.middle.Add(geom.Vec{X: float32(-21 * i), Z: float32(14 * i)})
		all = append(all, entrant{door: door, name: fmt.Sprintf("Mov%s%d", door[:2], p.number), area: "Field", at: at})
	}
	for i, door := range doors {
		at := p.middle.Add(geom.Vec{X: float32(-14 * i), Z: -21})
		all = append(all, entrant{door: door, name: fmt.Sprintf("See%s%d", door[:2], p.number), area: "Field", at: at})
	}
	return all
}

// checkStanding checks that all players see all others where they stand.
func (p *place) checkStanding() {
	id, _ := p.r.area("Field")
	all := append(append([]*player(nil), p.movers...), p.viewers...)
	for _, v := range all {
		for _, o := range all {
			if v == o {
				continue
			}
			waitFor(p.r.t, fmt.Sprintf("%s sees %s where it stands", v.name, o.name), func() bool {
				s, ok := v.actor(o.name)
				if !ok {
					return false
				}
				d, so := p.r.staleness(v.door, id, o.name, s.at, time.Now())
				return so && d == 0
			})
		}
	}
}

// walkAround makes the movers of all places walk back and forth, and records the positions at which the viewers show them.
func walkAround(places []*place) {
	const legs, legMost = 3, 15 * time.Second
	for leg := range legs {
		to := map[*player]geom.Vec{}
		for _, p := range places {
			for i, m := range p.movers {
				there := (leg + 1) % 2
				to[m] = p.middle.Add(geom.Vec{X: float32(-21*i + 40*there), Z: float32(14*i + 10*there)})
				m.walkTo(to[m])
			}
		}
		happensWithin(legMost, func() bool {
			for _, p := range places {
				p.recordSightings()
			}
			for m := range to {
				if distance(m.pos(), to[m]) > 8 {
					return false
				}
			}
			return true
		})
	}
	for _, p := range places {
		for _, m := range p.movers {
			m.halt()
		}
	}
}

// recordSightings records the position of every mover for every viewer, and every 100 ms all players that a viewer shows.
func (p *place) recordSightings() {
	whole := len(p.observations) == 0 || time.Since(p.observations[len(p.observations)-1].At) >= 100*time.Millisecond
	for _, v := range p.viewers {
		if whole {
			p.observations = append(p.observations, observe(v))
		}
		for _, m := range p.movers {
			if s, ok := v.actor(m.name); ok {
				p.sightings = append(p.sightings, sighting{v, m, s.at, time.Now()})
			}
		}
	}
}

// observe returns all players that a viewer shows.
func observe(v *player) *oracle.Observation {
	obs := &oracle.Observation{Protocol: v.door, Viewer: v.name, At: time.Now()}
	for _, name := range v.names() {
		if s, ok := v.actor(name); ok && v.r.truth.id(name) != 0 {
			obs.Actors = append(obs.Actors, oracle.Sighting{Name: name, Pos: s.at.vec(), HasHeight: true})
		}
	}
	return obs
}

// checkObservations checks that each viewer shows all players in its view, no player that has left, and each at its position.
func (p *place) checkObservations() {
	for _, door := range doors {
		o := p.r.newOracle(door)
		for _, obs := range p.observations {
			if obs.Protocol == door {
				o.Check(obs)
			}
		}
		for _, f := range o.Findings {
			p.r.t.Errorf("%s at %v: %s is %s: %s", f.Viewer, f.At.Format("15:04:05.000"), f.Actor, f.Verdict, f.Reason)
		}
		if r := o.Result(door); r.Compared == 0 || r.Expected == 0 {
			p.r.t.Errorf("%s: %d positions compared, %d actors expected", door, r.Compared, r.Expected)
		}
	}
}

// checkSightings compares the sightings with the frames.
func (p *place) checkSightings() {
	t := p.r.t
	id, def := p.r.area("Field")
	frames := p.r.truth.since(id, p.sightings[0].when.Add(-5*time.Second))
	p.checkObservations()
	for _, v := range p.viewers {
		o := p.r.newOracle(v.door)
		for _, m := range p.movers {
			var delays []time.Duration
			spots := map[position]bool{}
			for _, s := range p.sightings {
				if s.viewer != v || s.mover != m {
					continue
				}
				spots[s.at] = true
				d, ok := o.Age(v.door, id, oracle.Sighting{Name: m.name, Pos: s.at.vec(), HasHeight: true}, s.when)
				if !ok {
					t.Errorf("%s was shown %s at %v, which was never its position", v.name, m.name, s.at)
					break
				}
				delays = append(delays, d)
			}
			if len(spots) < 3 {
				t.Errorf("%s was shown %s at %d positions only", v.name, m.name, len(spots))
			}
			half, worst := quantile(delays, .5), quantile(delays, 1)
			t.Logf("%s sees %s: delay %v, at most %v, %d places", v.name, m.name, half.Round(time.Millisecond), worst.Round(time.Millisecond), len(spots))
			if worst > maxStaleness[v.door] {
				t.Errorf("%s was shown %s at a position outdated by %v, more than %v", v.name, m.name, worst, maxStaleness[v.door])
			}
		}
	}
	p.checkSmoothSteps(frames, def)
	p.checkTileSteps(frames, def)
}

// checkSmoothSteps checks that the position of a RuneScape player in frames moves evenly instead of jumping from tile to tile.
func (p *place) checkSmoothSteps(frames []savedFrame, def *sim.AreaDef) {
	step := 1.5 * 2 * float64(def.Tiles.UnitsPerTile) / cycle // units per tick: two tiles per cycle, diagonally
	for _, m := range playersOf(rs, p.movers) {
		id := p.r.truth.id(m.name)
		for i := 1; i < len(frames); i++ {
			a, b := frames[i-1].find(id), frames[i].find(id)
			if a == nil || b == nil {
				continue // the player had not joined yet
			}
			if d := float64(distance(a.Pos, b.Pos)); d > step*float64(frames[i].tick-frames[i-1].tick) {
				p.r.t.Errorf("%s went %.2f units from tick %d to %d", m.name, d, frames[i-1].tick, frames[i].tick)
				break
			}
		}
	}
}

// checkTileSteps checks that RuneScape clients were sent teleports only for movements of more than two tiles per cycle, else steps.
func (p *place) checkTileSteps(frames []savedFrame, def *sim.AreaDef) {
	for _, v := range playersOf(rs, p.viewers) {
		for _, m := range p.movers {
			x := v.client.(*rsClient)
			leaps, last := 0, (*position)(nil)
			for i := range frames {
				a := frames[i].find(p.r.truth.id(m.name))
				if a == nil {
					continue
				}
				at, told := expectedPosition(rs, def, &frames[i], a)
				if !told {
					continue
				}
				if last != nil && tileDistance(*last, at) > 2 {
					leaps++
				}
				last = &at
			}
			steps := x.movesSeen(m.name, rsproto.ChangeWalk) + x.movesSeen(m.name, rsproto.ChangeRun)
			if jumps := x.movesSeen(m.name, rsproto.ChangeTeleport); steps < 2 || jumps > 2*leaps {
				p.r.t.Errorf("%s was shown %d steps and %d jumps of %s, which moved by more than two tiles %d times", v.name, steps, jumps, m.name, leaps)
			}
		}
	}
}
