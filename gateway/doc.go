// Package gateway defines what a door is (Door) and holds what doors share, whatever their protocols say: sockets and
// datagrams, the loop of a worker, scenes and arriving clients, calls that may wait, counters of dropped input, first
// characters, text encodings, and descriptions of a door for people. Each door is a folder below.
//
// A gateway over UDP has one goroutine that reads its Socket (Serve) and a fixed number of workers (Loop), each of which
// owns a share of the connections:
//
//	socket -> Datagram -> Transport.Receive -+
//	area   -> Feed     -> Transport.Show    -+-> Transport.Flush -> socket
//	Calls  -> Results  ----------------------+
package gateway
