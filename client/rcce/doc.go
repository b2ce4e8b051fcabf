// Package rcce is a headless RealmCrafter client: one player that logs in over ENet, tracks the same state as the game
// client, and walks and fights with a Behaviour. Load tests, end-to-end tests and bots use it.
//
//	c, err := rcce.Dial(ctx, addr, rcce.Options{User: "bot0001", Password: "secret"})
//	err = c.Join(ctx)                        // account, login, character, world; the steps can be called one by one
//	err = c.Play(ctx, &rcce.Wander{Radius: 150}) // until ctx ends or the connection does
//	c.Close()
//
// A Client starts no goroutine. Its methods serve the socket in the caller's goroutine and must be called by one goroutine
// at a time; only Inspect may be called from others meanwhile.
//
// A Client behaves like the original clients of the game (docs/wire/rcce.md, section 4): it has one socket per connection, sends
// CreateAccount before VerifyAccount, and opens a second connection for StartGame. While it moves, it sends its position at most
// every 200 ms. It predicts this position from the speed that the server sent, so a correct server never refuses it.
//
// On Linux, intervals between updates are measured with the kernel's receive times, so that a busy load generator does not
// distort them. Round-trip times are measured from the datagram that requests an acknowledgement to the datagram that contains
// the acknowledgement.
package rcce
