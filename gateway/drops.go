package gateway

import "github.com/truestep-io/truestep/telemetry"

// dropInterval is the time between two readings of the drop counts of a transport.
const dropInterval = 1000 // in ms

// DropCount is the number of datagrams, commands or messages that a transport has dropped for one reason since the transport
// was created.
type DropCount struct {
	Kind string // reason, which is the label of the metric
	N    uint64 // number of inputs dropped
}

// InputDropMeter counts dropped input in the metrics of a door: datagrams and commands that the transport has dropped before they
// became messages, such as most datagrams of a flood. It is not safe for concurrent use. The zero value is ready to use.
type InputDropMeter struct {
	readAt uint32            // time at which Due last returned true, in ms; wraps around after 49 days
	seen   map[string]uint64 // counts at the last Update, by kind
}

// Due returns true once per second. The caller must then read the transport's drop counts and call Update.
func (d *InputDropMeter) Due(nowMS uint32) bool {
	if nowMS-d.readAt < dropInterval {
		return false
	}
	d.readAt = nowMS
	return true
}

// Update adds the inputs that were dropped since the last call of Update to bad, the door's counters of rejected input. The parameter
// counts contains the numbers of all inputs dropped since the transport was created.
func (d *InputDropMeter) Update(bad *telemetry.Counters, counts []DropCount) {
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
