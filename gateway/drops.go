package gateway

import "github.com/truestep-io/truestep/telemetry"

// dropsEvery is how many ms lie between two looks at what a transport has dropped.
const dropsEvery = 1000

// Dropped is how often a transport has turned something away for one reason, since it began.
type Dropped struct {
	Kind string
	N    uint64
}

// Drops passes on to a door's counters what its transport has turned away. Most of a flood never becomes a message, and an
// operator is to see it where he sees everything else that was refused. It belongs to one goroutine; the zero value is ready.
type Drops struct {
	looked uint32 // ms, which begin anew after 49 days
	seen   map[string]uint64
}

// Due tells whether it is time to look again, once in a second.
func (d *Drops) Due(nowMS uint32) bool {
	if nowMS-d.looked < dropsEvery {
		return false
	}
	d.looked = nowMS
	return true
}

// Count counts what has been dropped since the last look.
func (d *Drops) Count(bad *telemetry.Counters, list []Dropped) {
	if d.seen == nil {
		d.seen = make(map[string]uint64, len(list))
	}
	for _, k := range list {
		if more := k.N - d.seen[k.Kind]; more > 0 {
			bad.With(k.Kind).Add(int(more))
			d.seen[k.Kind] = k.N
		}
	}
}
