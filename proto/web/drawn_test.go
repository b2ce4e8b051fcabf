package web

import (
	"math"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/internal/crowd"
)

// picture draws the actors of a scene as a client does: at a time before the newest snapshot, interpolated between the received
// states, or predicted from the newest state (client/ts/src/clock.ts and motion.ts). It compares each drawn position with the true one.
type picture struct {
	run    *sceneRun
	unit   float64        // length of a unit of coordinates in blocks
	truth  [][][3]float64 // positions in units, by tick and actor
	states [][]pictured   // received states by actor, oldest first
	errors []float64      // distances of drawn positions from true ones, in blocks
}

// pictured is a received state: a position in units and a speed in units per tick.
type pictured struct {
	tick      int
	at, speed [3]float64
}

// Values of the client. Interpolation toward a state begins curveTicks ticks before it. Prediction ends aheadSeconds seconds after the
// newest snapshot.
const (
	curveTicks   = 3
	aheadSeconds = 0.25
)

func newPicture(r *sceneRun) *picture {
	p := &picture{run: r, unit: r.crowd.Scene.Unit, states: make([][]pictured, len(r.crowd.Members))}
	if p.unit == 0 {
		p.unit = 1. / 64
	}
	return p
}

// step records the states that have arrived in a tick, and compares the positions that the client then draws with the true ones.
func (p *picture) step(tick int) {
	r := p.run
	places := make([][3]float64, len(r.crowd.Members))
	for i := range places {
		valuesOf(r.values, &r.crowd.Scene, &r.crowd.Members[i])
		places[i] = [3]float64{float64(r.values[0]), float64(r.values[1]), float64(r.values[2])}
	}
	p.truth = append(p.truth, places)
	newest := tick - r.sim.down.delay
	delay := drawDelayMS / 1000.
	if float64(r.sim.teller.refresh+1)*r.crowd.Scene.Tick > delay+1e-9 {
		delay += 0.05
	}
	at := float64(newest) - delay/r.crowd.Scene.Tick
	for i := range places {
		p.receive(i, tick)
		if at < 60 || len(p.states[i]) == 0 { // skips the beginning of the run and actors without a state
			continue
		}
		drawn, first, d := p.draw(i, at, newest), int(at), 0.
		for k := range 3 {
			a, b := p.truth[first][i][k], p.truth[first+1][i][k]
			d += (drawn[k] - a - (b-a)*(at-float64(first))) * (drawn[k] - a - (b-a)*(at-float64(first)))
		}
		p.errors = append(p.errors, math.Sqrt(d)*p.unit)
	}
}

// receive records the newest state that the client has of an actor. Ticks of the crowd begin at 0; ticks of snapshots begin at another
// number.
func (p *picture) receive(i, tick int) {
	a, layout := &p.run.sim.reader.actors[i], &p.run.sim.reader.layout
	if len(a.states) == 0 {
		return
	}
	s := state(a.states[len(a.states)-layout.stateLen():])
	n := pictured{tick: tick - int(uint16(p.run.sim.tick)-uint16(s[0]))}
	if all := p.states[i]; len(all) > 0 && all[len(all)-1].tick == n.tick {
		return
	}
	for k := range 3 {
		n.at[k], n.speed[k] = float64(s.values(layout.fields)[k]), float64(s.speeds(layout.fields)[k])/16
	}
	p.states[i] = append(p.states[i], n)
}

// draw returns where a client draws an actor at a fractional tick.
func (p *picture) draw(i int, at float64, newest int) (place [3]float64) {
	all := p.states[i]
	j := len(all) - 1
	for j > 0 && float64(all[j].tick) > at {
		j--
	}
	a := all[j]
	along := func(ticks float64) (p [3]float64) {
		for k := range p {
			p[k] = a.at[k] + a.speed[k]*ticks
		}
		return p
	}
	if j+1 == len(all) || float64(a.tick) > at {
		return along(max(0, min(at, float64(newest)+aheadSeconds/p.run.crowd.Scene.Tick)-float64(a.tick)))
	}
	b := all[j+1]
	from := float64(max(a.tick, b.tick-curveTicks))
	if at < from {
		return along(at - float64(a.tick))
	}
	span := float64(b.tick) - from
	start, u := along(from-float64(a.tick)), (at-from)/span
	for k := range place {
		u2, u3 := u*u, u*u*u
		place[k] = (2*u3-3*u2+1)*start[k] + (u3-2*u2+u)*a.speed[k]*span + (3*u2-2*u3)*b.at[k] + (u3-u2)*b.speed[k]*span
	}
	return place
}

// drawnErrors runs a scene at a round trip of 100 ms and returns the distances of drawn positions from true ones, sorted. If the
// parameter refresh is 0, the Teller chooses the refresh.
func drawnErrors(t *testing.T, name string, loss float64, refresh uint8, ticks int) []float64 {
	t.Helper()
	scene, _ := crowd.Named(name)
	r := newSceneRun(scene, 77, int(math.Round(0.1/scene.Tick)), loss)
	r.sim.teller.rate = int(math.Round(1 / scene.Tick))
	p := newPicture(r)
	for tick := range ticks {
		if refresh > 0 {
			r.sim.teller.refresh = refresh
		}
		if err := r.step(); err != nil {
			t.Fatal(err)
		}
		p.step(tick)
	}
	slices.Sort(p.errors)
	return p.errors
}

// A loss of 5 % hardly changes what clients draw, although after a lost snapshot some actors cannot be decoded in the next ones: clients
// draw late enough to interpolate over these gaps.
func TestDrawnPositionsStayAccurateDespiteFivePercentLoss(t *testing.T) {
	for name, limit := range map[string]float64{"vale": 0.14, "asteroids": 0.06, "wander": 0.075, "stinkysteak": 0.04} {
		e := drawnErrors(t, name, 0.05, 0, 400)
		p99 := e[len(e)*99/100]
		t.Logf("%s: drawn wrongly by %.4f blocks in 99 %% of all pictures, at most by %.3f", name, p99, e[len(e)-1])
		if p99 > limit {
			t.Errorf("%s: drawn wrongly by %.3f blocks in 99 %% of all pictures, want at most %.3f", name, p99, limit)
		}
	}
}
