package area

import "github.com/truestep-io/truestep/sim"

// Batch is what one tick of an area processes. Together with the state before it determines the state after.
type Batch struct {
	Tick     sim.Tick     // the tick that the batch leads to
	PrevHash uint64       // Frame.Hash of the tick before; of a new area 0
	Intents  []sim.Intent // in order; borrowed until Seal returns
}

// Log stores the batches of one area, so that the area can be restored after a crash. Seal, Commit, WantsSnapshot and Snapshot are called by the
// goroutine of the area; the other methods by any goroutine, also while these run.
//
//	Seal -> sim.Area.Step, while the log writes -> Commit -> the frame is published -> WantsSnapshot
type Log interface {
	// Seal hands the batch of the next tick over. It copies what it keeps and does not wait.
	Seal(b Batch)
	// Commit returns when the sealed batch survives the end of the process, or when the log's deadline has passed.
	Commit()
	// WantsSnapshot returns the memory for a copy of the area, made with sim.Area.CloneInto, or nil if the log needs none. It is
	// called before the first tick, and after every tick.
	WantsSnapshot() *sim.Area
	// Snapshot hands that copy over. From then on it belongs to the log.
	Snapshot(a *sim.Area)
	// Durable returns the newest tick that survives a loss of power. A log that cannot write returns the newest sealed tick, because
	// there is nothing to wait for.
	Durable() sim.Tick
	// Storable returns the newest tick whose records may be stored. It is the newest tick that survives a loss of power, or a later one if the log
	// cannot write and has noted that the stored records will be newer than what it restores.
	Storable() sim.Tick
	// Sync asks the log to make its batches durable soon. It does not wait, and may be called again while it is at work.
	Sync()
	// Saved tells the log that the store has all records of the frames up to tick.
	Saved(tick sim.Tick)
	// Close ends the log. clean says that every player has left and every record is saved, so that nothing needs to be
	// restored.
	Close(clean bool) error
}
