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
	AtMS     int64        // time of the tick in ms since 1970 UTC, if the processes that step it have agreed on it; else 0
}

// Log stores the batches of one area, so that the area can be restored after a crash. Seal, Commit, SnapshotBuffer and
// Snapshot are called by the goroutine of the area; the other methods by any goroutine, also while these run.
//
//	Seal -> sim.Area.Step, while the log writes -> Commit -> the frame is published -> SnapshotBuffer
type Log interface {
	// Seal passes the batch of the next tick to the log, which copies it and begins to write it. Seal does not block.
	Seal(b Batch)
	// Commit blocks until the sealed batch would survive the end of the process. If the log cannot write it in time, Commit
	// returns at a deadline that the log has set.
	Commit()
	// SnapshotBuffer returns an area into which the caller copies the current state with sim.Area.CloneInto. It returns
	// nil if the log needs no snapshot now. It is called before the first tick and after every tick.
	SnapshotBuffer() *sim.Area
	// Snapshot passes to the log the area that SnapshotBuffer returned and the caller has filled. From then on the log owns that area.
	Snapshot(a *sim.Area)
	// Durable returns the newest tick that survives a loss of power. If the log cannot write, it returns the newest sealed tick,
	// so that nothing waits for the log.
	Durable() sim.Tick
	// Storable returns the newest tick up to which records may be stored. Normally that is the newest tick that survives a
	// loss of power. While the log cannot write, it may be a later tick, so that records are stored nevertheless; first the
	// log notes that the stored records can be newer than the areas that a restart will restore.
	Storable() sim.Tick
	// Sync asks the log to make its batches durable soon. It does not block, and may be called again before the log has
	// done so.
	Sync()
	// Redefine makes the log continue under another definition of the world, the parameter w. The parameter a is the state after
	// the tick that was sealed last; the log owns it from then on. Redefine returns when that state is durable, or when ctx ends.
	// Later ticks become durable only after that state. Redefine is called while the area is paused between two ticks.
	Redefine(ctx context.Context, w *sim.World, a *sim.Area)
	// Saved tells the log that the store has the records of all frames up to this tick.
	Saved(tick sim.Tick)
	// Close ends the log. The parameter clean is true if every player has left and every record is saved, so that nothing needs
	// to be restored.
	Close(clean bool) error
}

// Tape records the ticks of an area that has a Source, only so that operators can look at the past. A restart restores the area
// from the batches of the Source, not from the tape, so a frame is published without waiting for the tape. The goroutine of the
// area calls all methods except Close.
//
//	Seal -> sim.Area.Step -> the frame is published -> Commit -> SnapshotBuffer
type Tape interface {
	// Continue tells the tape from which tick the area continues. It is called before the first batch, and when another state
	// replaces that of the area.
	Continue(tick sim.Tick)
	// Seal passes the batch of the next tick to the tape, which copies it. If the step panics, the area skips the batch: Commit is
	// not called, and the next call of Seal has another batch of the same tick.
	Seal(b Batch)
	// Commit makes the tape record the sealed batch, which has been stepped. It does not block.
	Commit()
	// SnapshotBuffer returns an area into which the caller copies the current state with sim.Area.CloneInto, or nil if the tape needs
	// no snapshot now. It is called after Continue and after Commit.
	SnapshotBuffer() *sim.Area
	// Snapshot passes to the tape the area that SnapshotBuffer returned and the caller has filled. From then on the tape owns that area.
	Snapshot(a *sim.Area)
	// Close ends the recording. Any goroutine may call it after the last call of the other methods.
	Close() error
}
