// Package rcce is the gateway for RealmCrafter Community Edition clients: UDP, ENet 1.1, the packets of docs/wire/rcce.md.
//
// A Gateway reads one socket and dispatches the datagrams to a fixed set of workers. A worker is one goroutine with its
// own ENet host. It owns its connections, parses their messages into intents, reads the frames of all areas, and encodes
// the packets for its clients:
//
//	socket -> reader -> worker: enet.Host.Receive -> conn.handleMessage -> session.Submit -> area
//	socket <- worker: enet.Host.Flush <- conn.send <- scene.Show <- frame <- area
//
// login.go answers account packets, catalogue.go sends the tables that an original client loads before its menu,
// arrival.go enters players into the world, play.go converts packets to intents, events.go sends events, and
// broadcast.go sends positions.
//
// Blocking work (passwords, the database) runs in other goroutines, which pass their results to the worker as functions.
// Only the worker uses its connections, so no lock is needed except for the table of runtime ids.
package rcce
