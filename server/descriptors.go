package server

import (
	"github.com/truestep-io/truestep/console"
)

// reservedDescriptors is the number of file descriptors that connections must not use: they are for the store, the journal,
// logs and listening sockets.
const reservedDescriptors = 256

// descriptors holds the numbers of file descriptors that the parts of a server may use. All TCP doors share the number in the
// field doors (gateway.Host.ReserveDescriptors).
type descriptors struct {
	doors   int
	console int
	metrics int
}

// divideDescriptors returns the shares for a limit of open files. The console gets at most an eighth and the metrics a
// sixteenth, so that none of them can use up the descriptors that the others need.
func divideDescriptors(limit int) descriptors {
	d := descriptors{console: max(min(limit/8, console.DefaultMaxConns), 8)}
	d.metrics = max(min(limit/16, maxMetricsConns), 8)
	d.doors = max(limit-reservedDescriptors-d.console-d.metrics, 1)
	return d
}
