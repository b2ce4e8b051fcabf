// Package gateway defines the interface of a door (Door) and contains what doors of all protocols share: sockets and
// datagrams, the loop of a worker, scenes and arriving clients, blocking calls, counters of dropped input, first characters
// and descriptions of a door for display. The door of each protocol is a subpackage.
//
// A gateway over UDP has one goroutine that reads its Socket (Serve) and a fixed number of workers (Loop), each of which
// owns a share of the connections:
//
//	socket -> Datagram -> Transport.Receive -+
//	area   -> Feed     -> Transport.Show    -+-> Transport.Flush -> socket
//	BlockingCalls.Results -------------------+
package gateway
