// Package link connects the nodes of a cluster: one TLS connection per pair of nodes, which carries the frames of both
// directions in order, is closed when it is silent and is dialled again. The package does not know areas and players.
//
//	keys, err := link.LoadKeys("node-a")       // ca.crt, node.crt, node.key
//	mesh, err := link.New(link.Config{...})    // checks the configuration and opens the listener
//	mesh.Start()                               // Handler.Up, Receive and Down are called from now on
//	mesh.Send(2, kind, body)
//	mesh.Close()
//
// # A link
//
// The node with the smaller ID dials. After the mutual TLS 1.3 handshake, in which each node proves its name, both
// exchange:
//
//	dialling node              accepting node
//	hello                ->
//	                     <-    hello
//	accept               ->
//	                     <-    accept            both call Handler.Up
//	frames               <->   frames            ping every 100 ms in both directions, answered with pong
//
// Either may answer with a refusal and a text instead. A node refuses another cluster, list of nodes, program or world, an
// unknown node, a clock that is more than 500 ms off, and an older incarnation of a node that is connected; a newer or the
// same incarnation replaces the existing link. Both nodes log the reason, at most once in half a minute. The dialling node tries again
// after 50 ms, and doubles the wait after each failure, up to a second.
//
// A link on which nothing arrives for 600 ms, or nothing can be written for 1.5 s, is closed. Frames in the queue of a link
// that is closed are lost, also those written but not read by the peer: the caller repeats what matters after the next Up.
//
// # Bytes
//
// Everything is sent within TLS. Integers are big-endian.
//
//	off  size  field   unit and range
//	0    4     length  of the body in bytes; at most 4 KiB before the first accept and for kinds below 16, at most 64 MiB after it
//	4    1     kind    0 hello, 1 accept, 2 refuse, 3 ping, 4 pong; 16..255 are frames of the caller
//	5    -     body
//
// The bodies of kinds 0 to 4 are described at their types. A peer that sends something else is disconnected. Frames are
// sent in the order of Send, so a large body delays those behind it; pings and pongs pass the queue, but not a frame that is
// being written.
//
// # Goroutines
//
// A mesh has one goroutine that accepts connections, one for each handshake of an accepted connection (at most 64), one
// for each peer, which calls the Handler, and one writer for each link. Close ends them all.
package link
