package server

import (
	"github.com/truestep-io/truestep/console"
)

// reservedDescriptors is how many file descriptors connections of doors, console and metrics leave for everything else: the store,
// the journal, logs and sockets of doors.
const reservedDescriptors = 256

// descriptors divides the file descriptors of the process. Each door over TCP takes its share of doors (gateway.Host).
type descriptors struct {
	doors   int
	console int
	metrics int
}

// divideDescriptors returns the shares for a limit of open files. The console gets at most an eighth and the metrics a sixteenth, so
// that none can use up what the others need.
func divideDescriptors(limit int) descriptors {
	d := descriptors{console: max(min(limit/8, console.DefaultMaxConns), 8)}
	d.metrics = max(min(limit/16, maxMetricsConns), 8)
	d.doors = max(limit-reservedDescriptors-d.console-d.metrics, 1)
	return d
}
