// Package web is the door for browsers and for programs that speak the web protocol (docs/wire/web.md). One TCP port serves the
// web page, tickets for connections, and WebSocket. The UDP port with the same number serves WebTransport.
//
//	socket -> link (WebSocket or WebTransport) -> player.handle... -> session -> area inbox
//	area   -> feed -> worker -> scene -> web.Teller of each player -> link -> socket
//
// Each connection has its own goroutines for reading and writing. Each player belongs to one worker, whose goroutine encodes the
// player's packets. The worker has a scene, its copy of an area, for each area with players of this worker.
package web
