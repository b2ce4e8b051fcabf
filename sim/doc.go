// Package sim simulates one area of the world: actors, intents and frames.
//
// Each tick, an Area takes the intents that players submitted, in inbox order, and returns a Frame: the state of every
// actor after the tick, and the events of the tick in order.
//
//	area := sim.NewArea(world, 0, seed)
//	frame := area.Step([]sim.Intent{{Kind: sim.IntentJoin, Who: 7, Join: &sim.Join{Character: c, Portal: 0}}})
//
// The package is deterministic: the same snapshot and the same intents per tick give the same frames, byte for byte, on
// every CPU. It uses no clock, no global random source, no map order and no I/O. Times are ticks of the area; intents
// contain the milliseconds at which their packets arrived.
//
// An Area belongs to one goroutine. Frames are immutable. Any number of goroutines may read a frame until it is returned
// to its area with Recycle. Package area runs areas and moves players between them.
package sim
