package oneworld

import (
	"fmt"
	"testing"
	"time"

	rsproto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// longest is how old what a client of each door shows may be by the door's own clock: what waits for its turn, and a
// tick until a frame is made.
var longest = map[string]time.Duration{
	rcce:    150 * time.Millisecond,
	rs:      600 * time.Millisecond,
	bedrock: 50 * time.Millisecond,
}

// Where one player is, every other sees him: standing, and walking to and fro by the rule of his own door, near the
// origin and where an area ends. Each place that a client ever shows was true, and not long ago.
func TestEverybodyIsSeenWhereHeIs(t *testing.T) {
	t.Parallel()
	overLine(t, "perfect", theTestWorld, func(t *testing.T, r *rig) {
		var places []*place
		var seats []seat
		for i, at := range []geom.Vec{{}, {X: 56_000, Z: -56_000}, {X: -56_000, Z: 56_000}} {
			places = append(places, &place{r: r, middle: at, number: i})
			seats = append(seats, places[i].seats()...)
		}
		all := r.join(seats...)
		for i, p := range places {
			p.movers, p.viewers = all[6*i:6*i+3], all[6*i+3:6*i+6]
			p.stand()
		}
		walkAbout(places)
		for _, p := range places {
			p.judge()
		}
		honest(t, all...)
	})
}

// place is where three players walk and three others look on, one of each door.
type place struct {
	r               *rig
	middle          geom.Vec
	number          int
	movers, viewers []*player
	sightings       []sighting
}

// sighting is where a viewer had a mover at a time.
type sighting struct {
	viewer, mover *player
	at            spot
	when          time.Time
}

func (p *place) seats() (all []seat) {
	for i, door := range doors {
		at := p.middle.Add(geom.Vec{X: float32(-21 * i), Z: float32(14 * i)})
		all = append(all, seat{door: door, name: fmt.Sprintf("Mov%s%d", door[:2], p.number), area: "Field", at: at})
	}
	for i, door := range doors {
		at := p.middle.Add(geom.Vec{X: float32(-14 * i), Z: -21})
		all = append(all, seat{door: door, name: fmt.Sprintf("See%s%d", door[:2], p.number), area: "Field", at: at})
	}
	return all
}

// stand checks that all see all where they stand.
func (p *place) stand() {
	id, def := p.r.area("Field")
	everybody := append(append([]*player(nil), p.movers...), p.viewers...)
	for _, v := range everybody {
		for _, o := range everybody {
			if v == o {
				continue
			}
			soon(p.r.t, fmt.Sprintf("%s sees %s where he stands", v.name, o.name), func() bool {
				s, ok := v.look(o.name)
				if !ok {
					return false
				}
				d, so := stale(v.door, def, p.r.truth.since(id, time.Now().Add(-2*time.Second)), p.r.truth.id(o.name), s.at, time.Now())
				return so && d == 0
			})
		}
	}
}

// walkAbout lets the movers of all places go to and fro, and notes where the viewers see them.
func walkAbout(places []*place) {
	const legs, legMost = 3, 15 * time.Second
	for leg := range legs {
		to := map[*player]geom.Vec{}
		for _, p := range places {
			for i, m := range p.movers {
				there := (leg + 1) % 2
				to[m] = p.middle.Add(geom.Vec{X: float32(-21*i + 40*there), Z: float32(14*i + 10*there)})
				m.goes(to[m])
			}
		}
		within(legMost, func() bool {
			for _, p := range places {
				p.glance()
			}
			for m := range to {
				if flat(m.at(), to[m]) > 8 {
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

// glance notes where every viewer has every mover.
func (p *place) glance() {
	for _, v := range p.viewers {
		for _, m := range p.movers {
			if s, ok := v.look(m.name); ok {
				p.sightings = append(p.sightings, sighting{v, m, s.at, time.Now()})
			}
		}
	}
}

// judge compares what was seen with the truth.
func (p *place) judge() {
	t := p.r.t
	id, def := p.r.area("Field")
	moments := p.r.truth.since(id, p.sightings[0].when.Add(-5*time.Second))
	for _, v := range p.viewers {
		for _, m := range p.movers {
			var delays []time.Duration
			spots := map[spot]bool{}
			for _, s := range p.sightings {
				if s.viewer != v || s.mover != m {
					continue
				}
				spots[s.at] = true
				d, ok := stale(v.door, def, moments, p.r.truth.id(m.name), s.at, s.when)
				if !ok {
					t.Errorf("%s saw %s at %v, where he never was", v.name, m.name, s.at)
					break
				}
				delays = append(delays, d)
			}
			if len(spots) < 3 {
				t.Errorf("%s saw %s at %d places only", v.name, m.name, len(spots))
			}
			half, worst := quantile(delays, .5), quantile(delays, 1)
			t.Logf("%s sees %s: delay %v, at most %v, %d places", v.name, m.name, half.Round(time.Millisecond), worst.Round(time.Millisecond), len(spots))
			if worst > longest[v.door] {
				t.Errorf("%s saw %s where it had been %v ago, more than %v", v.name, m.name, worst, longest[v.door])
			}
		}
	}
	p.smooth(moments, def)
	p.onTiles(moments, def)
}

// smooth checks that who steps from tile to tile does not jump for those who see positions.
func (p *place) smooth(moments []moment, def *sim.AreaDef) {
	step := 1.5 * 2 * float64(def.Tiles.UnitsPerTile) / cycle // two tiles in a cycle, aslant
	for _, m := range through(rs, p.movers) {
		id := p.r.truth.id(m.name)
		for i := 1; i < len(moments); i++ {
			a, b := moments[i-1].find(id), moments[i].find(id)
			if a == nil || b == nil {
				continue // before he came
			}
			if d := float64(flat(a.Pos, b.Pos)); d > step*float64(moments[i].tick-moments[i-1].tick) {
				p.r.t.Errorf("%s went %.2f units from tick %d to %d", m.name, d, moments[i-1].tick, moments[i].tick)
				break
			}
		}
	}
}

// onTiles checks that clients on tiles were shown steps, and jumps only of movers that went farther than two tiles between
// two cycles.
func (p *place) onTiles(moments []moment, def *sim.AreaDef) {
	for _, v := range through(rs, p.viewers) {
		for _, m := range p.movers {
			x := v.client.(*rsClient)
			leaps, last := 0, (*spot)(nil)
			for i := range moments {
				a := moments[i].find(p.r.truth.id(m.name))
				if a == nil {
					continue
				}
				at, told := expected(rs, def, &moments[i], a)
				if !told {
					continue
				}
				if last != nil && tiles(*last, at) > 2 {
					leaps++
				}
				last = &at
			}
			steps := x.moved(m.name, rsproto.ChangeWalk) + x.moved(m.name, rsproto.ChangeRun)
			if jumps := x.moved(m.name, rsproto.ChangeTeleport); steps < 2 || jumps > 2*leaps {
				p.r.t.Errorf("%s was shown %d steps and %d jumps of %s, who leapt %d times", v.name, steps, jumps, m.name, leaps)
			}
		}
	}
}
