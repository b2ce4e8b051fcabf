// Package rs is the door for RuneScape clients of revision 667: TCP, the login, and the player updating procedure.
//
//	bytes -> handshake.go -> login.go -> session.Hub
//	bytes -> reader.go -> sim.Intent -> session.Session -> area
//	area -> frame -> worker.go -> crowd.go, show.go -> proto/rs Scene -> cycle.go -> outlet.go -> bytes
//
// Each connection has a goroutine that reads and one that writes. A player belongs to a worker, which reads the frames
// of all areas, and once per cycle of 600 ms brings its Scene up to date and encodes a packet for each of its players.
// What is appended to an outlet is sent: only then is a viewer's mirror moved. A client that does not read misses
// cycles, and is told the difference later; one that falls far behind is cut off.
//
// Everybody in an area is a player to these clients, NPCs and the players of other doors too: index space is per viewer.
package rs
