// Package session manages players from login to logout, for every gateway in the same way: accounts, logins,
// characters, rate limits of intents, and the records that are stored while a player is in the world and after it has
// left.
//
//	gateway --Login, Enter--> Hub ----join----> area.World
//	gateway --Submit--> Session --intents-----> area.World --+
//	                     Hub <------- records in frames -----+
//	                      +--> store, in batches
//
// Nothing in this package blocks an area. A gateway calls the Hub from its own goroutines. Calls that may wait take a
// context: they wait for the store, for a password hash, or for a record that is not stored yet.
//
//	hub := session.NewHub(world, st, session.Options{})
//	login, err := hub.Login(ctx, peer, name, secret)
//	...
//	s, err := hub.Enter(ctx, login, 0)
//	...
//	s.Submit(sim.Intent{Kind: sim.IntentAttack, Target: 7})
//	s.Leave()
//
// In a cluster each process has a hub, and every hub reads the frames of all areas. Options.Directory records through
// which process an account is in the world. A hub takes over the actors that a failed process has left in the world
// (cluster_actors.go), and stores the records of the areas that its process owns (owned_records.go). Hub.EndAll ends all
// sessions of a process that the cluster has declared dead.
//
// The Hub owns two goroutines: one reads records from the frames of the world, one writes them to the store. Close ends both,
// after the world has stopped.
package session

import (
	"errors"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/store"
)

// Errors that gateways can test with errors.Is. Any other error is a failure outside the package, of the store or of a
// context.
var (
	ErrAccountsClosed = errors.New("the world does not allow new accounts")
	ErrAccountExists  = errors.New("an account with this name exists already")
	ErrInvalid        = errors.New("a value of the request is missing or not allowed")
	ErrDenied         = errors.New("unknown account or wrong secret")
	ErrThrottled      = errors.New("too many login, registration or password change attempts")
	ErrOverloaded     = errors.New("the server is too busy to check the login; the client may try again")
	ErrBanned         = errors.New("the account or its address is banned")
	ErrNotWhitelisted = errors.New("the account is not on the whitelist")
	ErrOnline         = errors.New("the account is already in the world")
	ErrBusy           = errors.New("the account is still being saved, or a change of its characters is not finished")
	ErrNoCharacter    = errors.New("the account has no such character")
	ErrName           = errors.New("the character name is not allowed")
	ErrNameTaken      = errors.New("the character name is taken")
	ErrTooMany        = errors.New("the account has the maximum number of characters")
	ErrTemplate       = errors.New("players cannot use this actor template")
	ErrPoints         = errors.New("the attribute points exceed what the world allows")
	ErrBudget         = errors.New("the player exceeded the rate limit of its intents")
	ErrLeft           = errors.New("the player has left the world")
	ErrClosed         = errors.New("the session hub is closed")
	ErrNotInWorld     = errors.New("the player is not in the world")
	ErrDead           = errors.New("the player is dead")
	ErrNoRoom         = errors.New("the inventory has no room for the items")
	ErrNotCarried     = errors.New("the player does not carry so many items of this kind")
	ErrNoNPC          = errors.New("no such NPC is in the world")
	ErrNPCLimit       = errors.New("the area has reached the maximum number of NPCs created by operators")
	ErrAreaFull       = errors.New("the area has reached its maximum number of actors")
	ErrNoLead         = area.ErrNoLead       // an area of the cluster has no leader at present; the client may try again
	ErrUnavailable    = store.ErrUnavailable // stored data cannot be read or written at present; the client may try again
	ErrOrderTimeout   = errors.New("the area did not confirm the operator's action in time; it may still take effect, so look before you repeat it")
)
