// Package replica keeps the copies of one area on several nodes equal. The input of every tick, a batch, is an entry of a
// Raft log (go.etcd.io/raft/v3): it is committed when a majority of the area's replicas has written it, and a committed
// batch is never lost or replaced while a majority keeps its files. Each replica steps the committed batches in order;
// the leader seals them and releases what follows from them.
//
// The package is pure: it has no clock, sockets, files or goroutines. Messages and time go in, and Ready returns what is
// to be written, sent and stepped:
//
//	Tick, Receive, LinkLost, Propose -> Ready -> send Early, write, send Messages, step Committed -> Advance
//
// A leader is replaced when its replicas hear nothing from it for Config.SilenceTicks, or at once when the transport
// reports that the link to it broke. A replica forgets its leader for one of these reasons only, and refuses a vote while
// it has one, so a node that returns after a pause or was cut off does not disturb a working group.
package replica
