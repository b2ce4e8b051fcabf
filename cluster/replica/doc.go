// Package replica keeps the copies of one area on several nodes equal. The input of every tick, a batch, is an entry of a
// Raft log (go.etcd.io/raft/v3): it is committed when a majority of the area's replicas has written it, and a committed
// batch is never lost or replaced while a majority keeps its files. Each replica steps the committed batches in order. The
// leader makes the batches.
//
// The package is pure: it has no clock, sockets, files or goroutines. Messages and ticks of time go in, and Ready returns what
// the caller has to write, send and step:
//
//	Tick, Receive, LinkLost, Propose -> Ready -> send Early, write, send Messages, step Committed -> Advance
//
// A leader is replaced when the other replicas hear nothing from it for Config.SilenceTicks, or at once when the transport
// reports that the link to it broke. A replica forgets its leader for these two reasons only, and refuses a vote while it has
// a leader. So a node that returns after a pause or was cut off does not disturb a working group.
package replica
