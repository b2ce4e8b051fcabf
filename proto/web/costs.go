package web

import "math"

// Costs holds statistics about snapshots: how many bits their parts take, and from which earlier states the actors in them are
// predicted. The method Teller.Measure collects them.
type Costs struct {
	Snapshots int                  // number of snapshots
	Headers   float64              // bits of the headers, and unused bits in the last byte of the bodies
	List      float64              // bits of the lists of the actors in the snapshots
	Fields    [MaxFields]float64   // bits of the fields, by index of the field in ActorKind.Fields
	Actors    int                  // number of states of actors in the snapshots: one for each actor in each snapshot
	Last      int                  // number of states that were coded against the last state sent, whether or not it was acknowledged
	Repeated  int                  // number of states that the acknowledged state predicts, but some unacknowledged state does not
	Ages      [maxSpeedAge + 2]int // number of states by the age of their base in ticks; the last element counts older bases and those of an Enter
}

// Measure makes the Teller add statistics about each further snapshot to c, until Measure(nil) is called. Meanwhile, Append
// takes about twice as long.
func (t *Teller) Measure(c *Costs) { t.costs = c }

// measure adds statistics about the current snapshot to t.costs. The parameter length is the length of the snapshot in bytes.
func (t *Teller) measure(h *SnapshotHeader, length int) {
	c := t.costs
	c.Snapshots++
	t.meter = &meter{costs: c}
	t.scratch = t.encode(t.scratch[:0], h)
	c.Headers += float64(8*length) - t.meter.sum
	t.meter = nil
	for _, handle := range t.chosen {
		a := &t.actors[handle]
		base, how := t.predictionBase(a, handle, h)
		c.Actors++
		c.Last += how
		c.Ages[base.age(h.Tick)]++
		if t.within(a, a.base, h.Tick) {
			c.Repeated++
		}
	}
}

// meter counts the bits of each part of a snapshot. Call its method list directly after encoding the list of actors, and its method
// field directly after encoding a field: each adds the bits encoded since the previous call to the counter of this part in Costs. A
// nil meter does nothing.
type meter struct {
	costs *Costs
	at    float64 // bits that the encoder had coded at the previous call
	sum   float64 // bits that were added to all parts so far
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

// bits returns how much was encoded so far, in bits, plus a constant. Only the difference between two results is meaningful.
func (e *encoder) bits() float64 { return float64(8*(len(e.out)+e.size)) - math.Log2(float64(e.rng)) }
