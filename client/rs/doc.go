// Package rs is a headless RuneScape client of revision 667: one player that logs in over TCP, decodes player info exactly
// as the game client does, and walks, fights and chats through its methods or a Behaviour. Load tests, end-to-end tests
// and bots use it.
//
//	c, err := rs.Dial(ctx, rs.Config{Addr: "127.0.0.1:43594", Key: key, User: "bot0001", Password: "secret"})
//	err = c.Walk(3222, 3218, false)
//	c.Inspect(func(w *rs.World) { fmt.Println(w.Tile(), w.LocalCount()) })
//	err = c.Logout(ctx)
//	c.Close()
//
// A Client has one goroutine. It reads, sends the automatic answers (maps, pings, keep-alives) and calls the Behaviour once
// per PLAYER_INFO. All methods may be called from any goroutine. Close ends the client's goroutine.
//
// Decoding is strict. A PLAYER_INFO packet on which the game client would fail ends the connection with a MismatchError that
// contains the packet and the bit position. Other packets that cannot be parsed are counted.
//
// The client has no game cache, so it does not know walls and clicks on any tile, and it presses interface buttons by
// number. It builds maps instantly, while real clients stop reading for a while. The protocol is described in docs/wire/rs.md.
package rs
