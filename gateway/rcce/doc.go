// Package rcce is the door for RealmCrafter Community Edition clients: UDP, ENet 1.1, the packets of docs/wire/rcce.md.
//
// A Gateway reads one socket and deals the datagrams to a fixed set of workers. A worker is one goroutine with an ENet
// host of its own; it owns its connections and everything about them, parses what they send into intents, reads the
// frames of all areas, and writes what its clients must be told:
//
//	socket -> reader -> worker: enet.Host.Receive -> conn.message -> session.Submit -> area
//	socket <- worker: enet.Host.Flush <- conn.send <- scene.Show <- frame <- area
//
// The files follow a client through the door: login.go answers account packets, catalogue.go what an original client
// downloads before its menu, arrive.go brings him into the world, play.go takes his wishes, show.go tells him what
// happened, broadcast.go where everybody is.
//
// Whatever blocks (passwords, the database) runs in goroutines of its own and comes back to the worker as a function.
// Nothing outside a worker touches its connections, so there are no locks but the one around runtime ids.
package rcce
