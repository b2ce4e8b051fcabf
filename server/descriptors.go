package server

import (
	"github.com/truestep-io/truestep/console"
)

// reservedDescriptors is the number of file descriptors that connections must not use, because the store, the journal,
// logs and listening sockets need them.
const reservedDescriptors = 256

// descriptors says how many file descriptors the connections of the doors, the console and the metrics endpoint may use. The
// number in the field doors is for all TCP doors together (gateway.Host.ReserveDescriptors).
type descriptors struct {
	doors   int // maximum number of connections of all TCP doors together
	console int // maximum number of connections of the console
	metrics int // maximum number of connections of the metrics endpoint
}

// divideDescriptors divides the maximum number of open files among connections. The console gets at most an eighth and the
// metrics endpoint at most a sixteenth, but each at least 8, so that neither can use up the descriptors that the doors need.
func divideDescriptors(limit int) descriptors {
	d := descriptors{console: max(min(limit/8, console.DefaultMaxConns), 8)}
	d.metrics = max(min(limit/16, maxMetricsConns), 8)
	d.doors = max(limit-reservedDescriptors-d.console-d.metrics, 1)
	return d
}
