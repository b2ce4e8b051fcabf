// Package sim is the world itself: actors, intents and frames.
//
// An Area is one zone. Each tick it takes the intents that players submitted, in inbox order, and returns a Frame:
// what is true now, and what happened, in order.
//
//	area := sim.NewArea(world, 0, seed)
//	frame := area.Step([]sim.Intent{{Kind: sim.IntentJoin, Who: 7, Join: &sim.Join{Character: c, Portal: 0}}})
//
// The package is deterministic: the same snapshot and the same intents per tick give the same frames, byte for byte,
// on every CPU. There is no clock, no global luck, no map order and no I/O inside. Times are ticks of the area;
// elapsed milliseconds between two claims come in with the intents.
//
// An Area belongs to one goroutine. Frames are immutable and may be read by any number of goroutines until they are
// given back with Recycle. Package area runs areas and moves players between them.
package sim
