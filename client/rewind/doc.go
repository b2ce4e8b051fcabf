// Package rewind is the memory of a client that predicts its own movement while a server has the last word: a rolling
// history of ticks into which late news is put where it belongs, and from which the present is worked out again. It
// knows nothing of any game or wire; the state, the input and the packet are type parameters.
//
//	type State struct{ X, V float32 }
//	type Input struct{ Forward float32 }
//	type Packet struct{ X, V float32 } // "after your tick t you were here"
//
//	h := rewind.New(40,
//		func(s State, in Input) State { ... one tick ... },
//		func(s State, p Packet) State { return State{p.X, p.V} },
//		rewind.Equal[State])
//	h.Reset(0, State{})
//
//	// whenever something arrives
//	h.File(packet.Tick, Packet{...})
//
//	// every tick
//	h.Settle()              // what arrived takes effect: rewind, apply, replay
//	in := read(h.State())   // decide on the corrected state
//	s := h.Step(in)         // tick + 1, remembered
//	send(h.Tick(), in, s)
//
// # What happens to news
//
//	ticks      96    97    98    99   100      now = 100, size 5
//	           |     |     *     |     |       news for tick 98 waits in its entry
//	           |     |     o---->o---->o       Settle: state after 98, news applied, inputs 99 and 100 again
//
// News that names a remembered tick waits until the next Settle or Step; several wait together and cost one replay, from
// the oldest. News without a tick (0), or with one that is not remembered any more or not yet, changes the present at
// once. All of it stays in the history where it took effect, so that a later rewind to an older tick meets it again.
//
// The rules are those of the seed PlayerMovementOverview ("End to end from client perspective"), written out as CL-1 to
// CL-7 in docs/wire/bedrock.md; any other protocol whose server answers with the client's own ticks is served as well.
//
// # What is asked of the functions
//
// step and apply are pure: equal arguments give equal results, and neither keeps or changes what it was given. A replay
// that is told nothing new then gives the same states bit for bit, and nothing is to be seen of it. Values that a game
// draws but does not predict with, such as a name, are better kept outside the state and set when they come.
//
// A History starts no goroutine and takes no lock; it belongs to one goroutine at a time. In steady use it allocates
// nothing.
package rewind
