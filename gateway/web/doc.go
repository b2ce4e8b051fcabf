// Package web is the door for browsers and for programs that speak the web protocol (docs/wire/web.md). One TCP port serves the
// page, tickets and WebSocket; the UDP port of the same number serves WebTransport.
//
//	socket -> link (WebSocket or WebTransport) -> player.handle... -> session -> area inbox
//	area   -> feed -> worker -> scene -> web.Teller of each player -> link -> socket
//
// Each connection has goroutines that read and write its socket. A worker owns the scenes of its players and encodes their
// packets.
package web
