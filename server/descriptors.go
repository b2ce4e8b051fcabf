package server

import (
	"github.com/truestep-io/truestep/console"
)

// reservedDescriptors is how many file descriptors connections of doors and console leave for everything else: the store, the
// journal, logs, sockets of doors, and metrics.
const reservedDescriptors = 256

// descriptors divides the file descriptors of the process. Each door over TCP takes its share of doors (gateway.Host).
type descriptors struct {
	doors   int
	console int
}

// divideDescriptors returns the shares for a limit of open files. The console gets at most an eighth, so that neither it nor
// the doors can use up what the other needs.
func divideDescriptors(limit int) descriptors {
	d := descriptors{console: max(min(limit/8, console.DefaultMaxConns), 8)}
	d.doors = max(limit-reservedDescriptors-d.console, 1)
	return d
}
