package area

import (
	"context"

	"github.com/truestep-io/truestep/sim"
)

// Batch is the input of one tick of an area. Together with the state before the tick it determines the state after the tick.
type Batch struct {
	Tick     sim.Tick     // number of the tick that the batch is the input of
	PrevHash uint64       // Frame.Hash of the previous tick; 0 for a new area
	Intents  []sim.Intent // intents in order of processing; valid until Seal returns
}

// Log stores the batches of one area, so that the area can be restored after a crash. Seal, Commit, SnapshotBuffer and
// Snapshot are called by the goroutine of the area; the other methods by any goroutine, also while these run.
//
//	Seal -> sim.Area.Step, while the log writes -> Commit -> the frame is published -> SnapshotBuffer
type Log interface {
	// Seal passes the batch of the next tick to the log, which copies it. Seal does not block.
	Seal(b Batch)
	// Commit returns when the sealed batch would survive the end of the process, or when a deadline of the log has
	// passed.
	Commit()
	// SnapshotBuffer returns an area into which the caller copies the current state with sim.Area.CloneInto. It returns
	// nil if the log needs no snapshot now. It is called before the first tick and after every tick.
	SnapshotBuffer() *sim.Area
	// Snapshot passes the filled SnapshotBuffer to the log, which owns it from then on.
	Snapshot(a *sim.Area)
	// Durable returns the newest tick that survives a loss of power. A log that cannot write returns the newest sealed tick,
	// so that nothing waits for it.
	Durable() sim.Tick
	// Storable returns the newest tick whose records may be stored: the newest tick that survives a loss of power. While
	// the log cannot write, it may return a later tick, but only after it has recorded that the store can be newer than
	// the areas that the log restores.
	Storable() sim.Tick
	// Sync asks the log to make its batches durable soon. It does not block, and may be called again before the log has
	// done so.
	Sync()
	// Redefine informs the log that the area continues under the definition w of the world, from the state a of the tick
	// that was sealed last. The log owns a from then on. Redefine returns when the state is durable, or when ctx ends. Later
	// ticks are durable only after the state is. Redefine is called while the area stands still.
	Redefine(ctx context.Context, w *sim.World, a *sim.Area)
	// Saved informs the log that the store has all records of the frames up to tick.
	Saved(tick sim.Tick)
	// Close ends the log. clean is true if every player has left and every record is saved, so that nothing needs to be
	// restored.
	Close(clean bool) error
}
