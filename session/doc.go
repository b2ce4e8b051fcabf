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
	ErrAccountsClosed = errors.New("the world does not allow new accounts")
	ErrAccountExists  = errors.New("the account exists")
	ErrInvalid        = errors.New("invalid value")
	ErrDenied         = errors.New("unknown account or wrong secret")
	ErrThrottled      = errors.New("too many attempts")
	ErrBanned         = errors.New("the account is banned")
	ErrOnline         = errors.New("the account is in the world")
	ErrBusy           = errors.New("another change of the account is not finished")
	ErrNoCharacter    = errors.New("no such character")
	ErrName           = errors.New("the name is not allowed")
	ErrNameTaken      = errors.New("the name is taken")
	ErrTooMany        = errors.New("the account has the maximum number of characters")
	ErrTemplate       = errors.New("players cannot use this template")
	ErrPoints         = errors.New("the attribute points exceed what the world allows")
	ErrBudget         = errors.New("rate limit exceeded")
	ErrLeft           = errors.New("the player has left")
	ErrClosed         = errors.New("the hub is closed")
	ErrNotInWorld     = errors.New("the player is not in the world")
	ErrDead           = errors.New("the player is dead")
	ErrOrderTimeout   = errors.New("operator order not confirmed in time")
)
