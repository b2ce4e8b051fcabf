// Package rewind implements the history of client-side prediction with server reconciliation. A history holds the inputs and
// states of recent ticks. It inserts a server packet at the tick to which the packet belongs, and replays the later inputs to
// compute the present state. The package is independent of any game or protocol: state, input and packet are type parameters.
//
//	type State struct{ X, V float32 }
//	type Input struct{ Forward float32 }
//	type Packet struct{ X, V float32 } // state after the client's tick t
//
//	h := rewind.New(40,
//		func(s *State, in Input) { ... one tick ... },
//		func(s State, p Packet) State { return State{p.X, p.V} },
//		rewind.Equal[State])
//	h.Reset(0, State{})
//
//	// when a packet arrives
//	h.Add(packet.Tick, Packet{...})
//
//	// every tick
//	h.Reconcile()           // rewind, apply packets, replay
//	in := read(h.State())   // choose input on the corrected state
//	s := h.Step(in)         // simulates and stores tick + 1
//	send(h.Tick(), in, *s)
//
// # How packets take effect
//
//	ticks      96    97    98    99   100      now = 100, size 5
//	           |     |     *     |     |       packet for tick 98 is queued in its entry
//	           |     |     o---->o---->o       Reconcile: state after 98, apply packet, replay inputs 99 and 100
//
// A packet for a tick in the history is queued until the next Reconcile or Step; several queued packets cost one replay, which
// starts at the oldest of their ticks. A packet without a tick (0), or with one that is not in the history, changes the present
// immediately. All packets stay in the history where they took effect, so that a later rewind to an older tick applies them
// again.
//
// The rules are those of the specification PlayerMovementOverview ("End to end from client perspective"), listed as CL-1 to
// CL-7 in docs/wire/bedrock.md; the package suits any protocol whose server packets contain the client's ticks.
//
// # Requirements on step and apply
//
// step and apply must be pure: equal arguments give equal results, and arguments are not kept or modified, except for the state
// that step advances. A replay without changes then gives bit-identical states and is invisible. Values that are not needed for
// prediction, such as a name, are better kept outside the state.
//
// A History starts no goroutine and is not safe for concurrent use. In steady use it does not allocate.
package rewind
