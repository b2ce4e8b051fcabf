// Package rcce is the gateway for RealmCrafter Community Edition clients: UDP, ENet 1.1, the packets of docs/wire/rcce.md.
//
// A Gateway reads one socket and dispatches the datagrams to a fixed set of workers. A worker is one goroutine with its
// own ENet host. It owns its connections, parses their messages into intents, reads the frames of the areas in which its clients
// are or are expected (gateway.Scenes), and encodes the packets for its clients:
//
//	socket -> reader -> worker: enet.Host.Receive -> conn.handleMessage -> session.Submit -> area
//	socket <- enet.Host.Flush     <- conn.send           <- scene.Show      <- worker <- frame <- area: actors and events
//	socket <- enet.Host.FlushPeer <- Peer.SendUnreliable <- scene.Broadcast <- worker <- frame <- area: positions
//
// login.go answers account packets, catalogue.go sends the tables that an original client loads before its menu,
// arrival.go enters players into the world, play.go converts packets to intents, events.go sends events, and
// broadcast.go sends positions.
//
// Work that may block, such as checking passwords and reading the database, runs in other goroutines. Each passes its result to
// the worker as a function, which the worker runs. A connection is used only by its worker, so only the table of runtime ids,
// which all workers share, needs a lock.
package rcce
