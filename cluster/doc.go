// Package cluster runs one world on several nodes. Every node has a copy of every area. The input of an area for one tick, a
// batch, is an entry of the area's Raft log (package cluster/replica), and each node steps the committed batches. So every node
// has all frames for its own doors, session hub, journal and console. Only intents travel to the node that leads an area:
//
//	session -> Host.Submit -> inbox of the area on this node -> chunk ---------+ link
//	                                                                           v
//	leader of the area: chunks of all nodes -> batch -> Raft log, most nodes -> committed
//	every node: committed batch -> sim.Area.Step -> frame -> feeds of this node
//
// A chunk is a numbered group of intents of one node. A batch names the newest chunk of each node that it contains, and these
// numbers are part of the state of every copy. So each node sees in its own copy which of its chunks are applied, and sends the
// others to a new leader. A leader accepts each number once. A change of the leader therefore loses no intent and repeats none.
//
// An incarnation is one run of a node, as the other nodes see it. An incarnation that a leader has not heard from for
// Options.SuspectAfter is marked as gone in the log of the area: its players there lose their connection, and no leader accepts
// its chunks any more. When the node returns it reads the mark, ends its sessions and continues as a new incarnation. The decisions
// are in docs/decisions/0016-raft-per-area.md and 0017-every-node-steps-every-area.md.
//
// Files: host.go (what the rest of the server uses), nodes.go (the other nodes: which are up, which should lead), fence.go (a
// node that was declared dead), group.go (the copy of one area and its loop), receive.go (messages of other nodes), lead.go
// (what only a leader does), takeover.go (to which nodes an area may be handed over), load.go and balance.go (loads of areas,
// and at which nodes they are placed), chunk.go (intents of this node on their way), serials.go (numbers that a node has used),
// origins.go and homes.go (what the log knows of nodes and of players' connections), crossing.go and verify.go (players between
// areas), search.go (where a player is), state.go (snapshots), message.go, batch.go and news.go (encodings), missed.go (ticks
// whose records a node lacks), skipped.go (batches whose step panicked), pause.go (why no area is placed by load), status.go,
// transfers.go and move.go (what operators see and do), ask.go (questions to another node), dispute.go (nodes whose states
// differ).
package cluster
