package web

import "math"

// Costs holds statistics of snapshots: how many bits their parts take, and against which states the actors in them were coded. A Teller
// adds to it after a call of Measure.
type Costs struct {
	Snapshots int                  // number of snapshots
	Headers   float64              // bits of the headers, and unused bits in the last byte of the bodies
	List      float64              // bits of the lists of the actors in the snapshots
	Fields    [MaxFields]float64   // bits of the fields, by index of the field in ActorKind.Fields
	Actors    int                  // number of states of actors in the snapshots: one for each actor in each snapshot
	Last      int                  // number of states that were coded against the last state sent, acknowledged or not
	Repeated  int                  // number of states that the acknowledged state, but not a later one in flight, predicts within the tolerance
	Ages      [maxSpeedAge + 2]int // number of states by the age in ticks of the state they were coded against; last: older, or of an Enter
}

// Measure adds the costs of all further snapshots to c, until it is called with nil. Append then takes about twice as long.
func (t *Teller) Measure(c *Costs) { t.costs = c }

// measure adds the costs of a snapshot of the chosen actors. The parameter length is the length of the snapshot in
// bytes.
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

// meter attributes the bits of a snapshot to its parts: the methods list and field add the bits that the encoder has coded since
// the previous call to a field of Costs. A nil meter does nothing.
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

// bits returns the amount of information coded so far, in bits, plus a constant. Therefore only the difference of two
// results has a meaning.
func (e *encoder) bits() float64 { return float64(8*(len(e.out)+e.size)) - math.Log2(float64(e.rng)) }
