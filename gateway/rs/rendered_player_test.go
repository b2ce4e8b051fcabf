package rs

import (
	"math"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// renderedPlayer simulates the position at which a client of revision 667 draws a player between two cycles
// (docs/wire/rs.md, motion of others). A tile has 512 fine units, and a client tick takes 20 ms.
type renderedPlayer struct {
	x, z     int
	lastTile proto.Tile // tile of the last packet
	queue    []waypoint // steps that the drawn player has not walked yet
	x1, z1   int        // corner of the forced movement in fine units
	x2, z2   int        // end of the forced movement in fine units
	t1, t2   int        // client ticks at which the corner and the end of the forced movement are reached
	now      int        // current client tick
}

type waypoint struct {
	x, z int
	run  bool
}

const fine = 512 // fine units per tile

func fineUnits(tile uint16) int { return int(tile)*fine + fine/2 }

// packet applies the update that one packet contains for the player.
func (d *renderedPlayer) packet(m *playerUpdate) {
	moved := m.change.From != m.change.To
	if m.info.Has.Has(proto.KindExactMove) {
		e := m.info.ExactMove
		d.queue = d.queue[:0]
		d.x1, d.z1 = fineUnits(m.change.To.X)+int(e.X1)*fine, fineUnits(m.change.To.Z)+int(e.Z1)*fine
		d.x2, d.z2 = fineUnits(m.change.To.X)+int(e.X2)*fine, fineUnits(m.change.To.Z)+int(e.Z2)*fine
		d.t1, d.t2 = d.now+int(e.T1), d.now+int(e.T2)
	}
	d.lastTile = m.change.To
	switch {
	case !moved:
	case m.change.Speed == proto.SpeedInstant:
		d.queue = d.queue[:0]
		d.x, d.z = fineUnits(m.change.To.X), fineUnits(m.change.To.Z)
	default:
		d.queue = append(d.queue, waypoint{fineUnits(m.change.To.X), fineUnits(m.change.To.Z), m.change.Speed == speedRun})
		if len(d.queue) > 9 {
			d.queue = d.queue[1:]
		}
	}
}

// tick advances by 20 ms.
func (d *renderedPlayer) tick() {
	d.now++
	switch {
	case d.t1 > d.now:
		left := d.t1 - d.now
		d.x += (d.x1 - d.x) / left
		d.z += (d.z1 - d.z) / left
	case d.t2 >= d.now && d.t2 > 0:
		total, done := d.t2-d.t1, d.now-d.t1
		d.x = (d.x2*done + d.x1*(total-done)) / total
		d.z = (d.z2*done + d.z1*(total-done)) / total
	case len(d.queue) > 0:
		d.walk()
	}
}

func (d *renderedPlayer) walk() {
	p := d.queue[0]
	if max(p.x-d.x, d.x-p.x, p.z-d.z, d.z-p.z) > 2*fine {
		d.x, d.z = p.x, p.z
		d.queue = d.queue[1:]
		return
	}
	step := 16
	if len(d.queue) > 2 {
		step = 24
	}
	if len(d.queue) > 3 {
		step = 32
	}
	if p.run {
		step *= 2
	}
	d.x += min(max(p.x-d.x, -step), step)
	d.z += min(max(p.z-d.z, -step), step)
	if d.x == p.x && d.z == p.z {
		d.queue = d.queue[1:]
	}
}

// at returns the drawn position in tiles.
func (d *renderedPlayer) at() (x, z float64) { return float64(d.x) / fine, float64(d.z) / fine }

// path is a sequence of positions, one per client tick, in tiles.
type path struct{ x, z []float64 }

func (t *path) add(x, z float64) { t.x, t.z = append(t.x, x), append(t.z, z) }

// largestStep returns the largest distance between the positions of two consecutive client ticks.
func (t *path) largestStep() float64 {
	most := 0.0
	for i := 1; i < len(t.x); i++ {
		most = max(most, math.Hypot(t.x[i]-t.x[i-1], t.z[i]-t.z[i-1]))
	}
	return most
}

// delayBehind returns the delay in ms at which t matches the path truth best, and the mean distance in tiles between t and
// truth at that delay.
func (t *path) delayBehind(truth *path) (ms int, apart float64) {
	apart = math.Inf(1)
	for lag := range 100 {
		sum, n := 0.0, 0
		for i := 100; i < len(t.x); i++ {
			sum += math.Hypot(t.x[i]-truth.x[i-lag], t.z[i]-truth.z[i-lag])
			n++
		}
		if mean := sum / float64(n); mean < apart {
			ms, apart = lag*20, mean
		}
	}
	return ms, apart
}
