// Package session is the way of a player into the world and out of it, the same for every door: accounts, logins,
// characters, the budget of what he may ask for, and the records that stay when he has left.
//
//	gateway --Login, Enter--> Hub ----join----> area.World
//	gateway --Submit--> Session --intents-----> area.World --+
//	                     Hub <------- records in frames -----+
//	                      +--> store, in batches
//
// Nothing here blocks an area. A gateway calls the Hub from its own goroutines; calls that may wait for the store, for
// a hash or for a record on its way take a context.
//
//	hub := session.NewHub(world, st, session.Options{})
//	login, err := hub.Login(ctx, peer, name, secret)
//	...
//	s, err := hub.Enter(ctx, login, 0)
//	...
//	s.Submit(sim.Intent{Kind: sim.IntentAttack, Target: 7})
//	s.Leave()
//
// The Hub owns two goroutines: one reads the frames of the world for records, one writes them to the store. Close ends
// both, after the world has stopped.
package session

import "errors"

// What a door branches on. Any other error is the host's trouble (store, context); the client is told of a failure.
var (
	ErrAccountsClosed = errors.New("the world takes no new accounts")
	ErrAccountExists  = errors.New("the account exists")
	ErrInvalid        = errors.New("not allowed")
	ErrDenied         = errors.New("unknown account or wrong secret")
	ErrThrottled      = errors.New("too many attempts")
	ErrBanned         = errors.New("the account is banned")
	ErrOnline         = errors.New("the account is in the world")
	ErrBusy           = errors.New("the last change is not over yet")
	ErrNoCharacter    = errors.New("no such character")
	ErrName           = errors.New("the name is not allowed")
	ErrNameTaken      = errors.New("the name is taken")
	ErrTooMany        = errors.New("the account has as many characters as it may")
	ErrTemplate       = errors.New("nobody plays that template")
	ErrPoints         = errors.New("the attribute points do not fit")
	ErrBudget         = errors.New("the player asks for too much")
	ErrLeft           = errors.New("the player has left")
	ErrClosed         = errors.New("the hub is closed")
	ErrNobody         = errors.New("no such player is in the world")
	ErrDead           = errors.New("the player is dead")
	ErrUnheard        = errors.New("nobody has said in time whether it was done")
)
