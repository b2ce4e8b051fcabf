package gateway

import "github.com/truestep-io/truestep/telemetry"

// dropInterval is the time between two reads of a transport's drop counts.
const dropInterval = 1000 // ms

// DropCount is how often a transport has dropped something for one reason since it was created.
type DropCount struct {
	Kind string // label of the metric
	N    uint64
}

// DropMeter adds to a door's metrics what its transport drops before it becomes a message, as most of a flood is. It
// belongs to one goroutine; the zero value is ready.
type DropMeter struct {
	readAt uint32 // ms; wraps around after 49 days
	seen   map[string]uint64
}

// Due reports, once a second, that it is time to call Add.
func (d *DropMeter) Due(nowMS uint32) bool {
	if nowMS-d.readAt < dropInterval {
		return false
	}
	d.readAt = nowMS
	return true
}

// Add adds what has been dropped since the last call.
func (d *DropMeter) Add(bad *telemetry.Counters, counts []DropCount) {
	if d.seen == nil {
		d.seen = make(map[string]uint64, len(counts))
	}
	for _, k := range counts {
		if more := k.N - d.seen[k.Kind]; more > 0 {
			bad.With(k.Kind).Add(int(more))
			d.seen[k.Kind] = k.N
		}
	}
}
