// Package cluster runs one world on several nodes. Every node has a copy of every area: the batches of an area are the entries of
// a Raft log (package cluster/replica), and each node steps the committed ones. So every node has all frames for its own doors,
// session hub, journal and console, and only intents travel to the node that leads an area:
//
//	session -> Host.Submit -> inbox of the area on this node -> chunk -------+ link
//	                                                                         v
//	lead of the area: chunks of all nodes -> batch -> Raft log, most nodes -> committed
//	every node: committed batch -> sim.Area.Step -> frame -> feeds of this node
//
// A chunk is numbered by its node, and a batch names the last chunk of each node that it has. That is part of the state of every
// copy: a node sees from its own copy which of its chunks are applied, sends the others to a new lead, and a lead takes each number
// once. So a change of the lead loses no intent and repeats none.
//
// A node that a lead has not heard for Options.SuspectAfter is marked as gone in the log of the area, its players there lose their
// connection, and no lead takes anything of that incarnation of the node any more. The node itself reads the mark when it comes back,
// ends its sessions, and goes on as a new incarnation. The decisions are in docs/decisions/0016-raft-per-area.md and
// 0017-every-node-steps-every-area.md.
//
// Files: host.go (what the rest of the server uses), nodes.go (the other nodes: which are there, which should lead), fence.go (a node that was
// taken for dead), group.go (the copy of one area and its loop), lead.go (what only a lead does),
// chunk.go (intents of this node on their way), origins.go (what the log knows of the nodes), crossing.go (players between areas),
// state.go (snapshots), message.go, batch.go and news.go (encodings), status.go and move.go (what operators see and do).
package cluster
