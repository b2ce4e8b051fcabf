// Package rs is a RuneScape client of revision 667 without a screen: one player that logs in over real TCP, decodes
// every byte of player info as the game's client would, and walks, fights and talks by its methods or by a Behaviour.
// Load tests, end-to-end tests and bots are made of it.
//
//	c, err := rs.Dial(ctx, rs.Config{Addr: "127.0.0.1:43594", Key: key, User: "bot0001", Password: "secret"})
//	err = c.Walk(3222, 3218, false)
//	c.Look(func(w *rs.World) { fmt.Println(w.Tile(), w.LocalCount()) })
//	err = c.Logout(ctx)
//	c.Close()
//
// A Client has one goroutine, which reads, answers what a client answers by itself (maps, pings, silence), and lets the
// Behaviour act once for each PLAYER_INFO. Everything else may be called from any goroutine; Close ends the one.
//
// It is not forgiving. A packet that the game's client would give up on ends the connection with a MismatchError, which
// says where in which packet, and stays to be read. What is well framed and cannot be parsed is counted.
//
// What it lacks is what needs the game's cache: maps, so it does not know where walls are and clicks anywhere; and
// interfaces, whose buttons it presses unseen. It loads maps in no time, where real clients stop reading for a while.
// The wire document is docs/wire/rs.md.
package rs
