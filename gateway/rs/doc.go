// Package rs is the gateway for RuneScape clients of revision 667: TCP, the login, and the player updating procedure.
//
//	bytes -> handshake.go -> login.go -> session.Hub
//	bytes -> link.go -> sim.Intent -> session.Session -> area
//	area -> frame -> worker.go -> area_scene.go, events.go -> proto/rs Scene -> cycle.go -> client_stream.go -> bytes
//
// Each connection has one goroutine that reads and one that writes. A player belongs to a worker. The worker reads the
// frames of all areas; once per cycle of 600 ms it updates its Scene and encodes a packet for each of its players. A
// viewer's state is committed only when its packet was appended to the client's stream. A client that does not read misses
// cycles and is sent the difference later; a client that has missed too many cycles is disconnected.
//
// These clients are sent every actor as a player, including NPCs and players of other doors. Each client has its own numbering
// of players.
package rs
