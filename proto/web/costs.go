package web

import "math"

// Costs sums what the parts of snapshots take, in bits, and why actors were in them. Teller.Measure fills it.
type Costs struct {
	Snapshots int
	Headers   float64              // headers of snapshots, and what the last byte of a body leaves unused
	List      float64              // which actors a snapshot contains
	Fields    [MaxFields]float64   // by index of the field in its kind
	Actors    int                  // actors in snapshots, counted in each
	Last      int                  // those of Actors that were coded against the last state that was sent
	Repeated  int                  // those of Actors that the acknowledged state predicts within the tolerance, but not every state on the way
	Ages      [maxSpeedAge + 2]int // Actors by the age in ticks of the state that they were coded against; the last: older, or of an Enter
}

// Measure adds the costs of all further snapshots to c, until it is called with nil. Append then takes about twice as long.
func (t *Teller) Measure(c *Costs) { t.costs = c }

// measure adds the costs of the snapshot of the chosen actors, which is length bytes long.
func (t *Teller) measure(h *SnapshotHeader, length int) {
	c := t.costs
	c.Snapshots++
	t.meter = &meter{costs: c}
	t.scratch = t.encode(t.scratch[:0], h)
	c.Headers += float64(8*length) - t.meter.sum
	t.meter = nil
	for _, handle := range t.chosen {
		a := &t.actors[handle]
		base, how := t.against(a, handle, h)
		c.Actors++
		c.Last += how
		c.Ages[base.age(h.Tick)]++
		if t.within(a, a.base, h.Tick) {
			c.Repeated++
		}
	}
}

// meter attributes the bits that an encoder has coded since the last call to a part of a snapshot. A nil meter does nothing.
type meter struct {
	costs *Costs
	at    float64 // bits that the encoder had coded
	sum   float64 // bits that were attributed
}

func (m *meter) begin(e *encoder) {
	if m != nil {
		m.at = e.bits()
	}
}

func (m *meter) list(e *encoder) {
	if m != nil {
		m.add(&m.costs.List, e)
	}
}

func (m *meter) field(e *encoder, i int) {
	if m != nil {
		m.add(&m.costs.Fields[i], e)
	}
}

func (m *meter) add(part *float64, e *encoder) {
	d := e.bits() - m.at
	*part += d
	m.sum += d
	m.at += d
}

// bits returns the information that was coded so far, in bits, but for a constant.
func (e *encoder) bits() float64 { return float64(8*(len(e.out)+e.size)) - math.Log2(float64(e.rng)) }
