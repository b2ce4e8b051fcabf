package tape

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

const (
	maxQueue     = 64 << 20                // maximum size in bytes of the records that wait for the disk
	firstRetry   = time.Second             // pause before the first retry after an error
	longestRetry = 10 * time.Second        // maximum pause between retries
	loudGap      = time.Second             // a longer gap is logged, and Durable no longer waits for the disk
	hungSync     = 2 * time.Second         // while an fsync takes longer, Durable does not wait for the disk
	closeTimeout = 1500 * time.Millisecond // maximum time for which Close waits for the disk
)

var errRedefined = errors.New("the world file was reloaded while the disk of the tape did not answer; recording stops until the next snapshot")

var errQueueFull = errors.New("the disk of the tape does not answer and the queue of unwritten ticks is full")

// Log writes the tape of one area. It implements area.Log. Only the goroutine of the area may call Seal, Commit,
// SnapshotBuffer and Snapshot; the other methods are safe for concurrent use.
type Log struct {
	tape *Tape
	id   sim.AreaID
	name string
	dir  string // folder of the area

	// The following fields are used by the goroutine of the area only. A tick is sealed when its intents have been passed
	// to Seal.
	wall  int64 // wall-clock time of the last sealed tick, ms since 1970
	timer *time.Timer
	inGap bool // the last tick was published before it was stored
	loud  bool // the current gap has been logged

	sealed  atomic.Uint64 // last sealed tick
	stored  atomic.Uint64 // newest tick up to which all ticks are written to the operating system
	durable atomic.Uint64 // newest tick that survives a loss of power
	saved   atomic.Uint64 // newest tick up to which the store has all player records, see area.Log.Saved
	broken  atomic.Bool   // writing has failed: no record is written until the next retry
	digest  atomic.Uint64 // sim.World.Digest of the world to which the ticks of the next segment belong
	ahead   atomic.Uint64 // newest tick up to which player records may be stored although it is not durable
	baseDue atomic.Uint64 // number of the segment after a gap whose snapshot is not on disk yet; 0 for none
	syncing atomic.Int64  // time at which the running fsync began, ns since 1970; 0 if none runs
	gap     gapCounts

	wake      chan struct{} // signals work for the writer
	storedNow chan struct{} // signals that stored or broken has changed
	syncNow   chan struct{} // signals work for the syncer
	written   chan struct{} // closed when the writer has ended
	synced    chan struct{} // closed when the syncer has ended

	mu       sync.Mutex
	queue    []byte        // records that wait for the writer; their chain values and CRCs are not set yet
	spare    []byte        // memory that becomes the next queue
	rotation rotation      // start of the next segment
	ticks    int           // ticks since the current segment was begun
	waiting  bool          // the log continues a restored area and must write a snapshot first
	restored uint64        // hash of the restored state; valid while waiting is set
	closing  bool          // the queue is complete: no more records follow
	closed   bool          // Close was called
	retryAt  time.Time     // time of the next retry while broken is set
	retry    time.Duration // pause before the retry after the next error
	err      error         // error of the last attempt while broken is set
	copy     *sim.Area     // memory for a snapshot, passed to the area by SnapshotBuffer
	copyBusy bool          // copy holds a snapshot that is not encoded yet

	// snapshot is the task to write the snapshot with which the current segment starts. The task waits until the earlier
	// segments are durable. Otherwise a loss of power could leave the snapshot without the ticks before it, and a restart would
	// restore a state whose records are not stored.
	snapshot job

	finished []*segmentFile // files that are written completely but not synced
	current  *segmentFile   // file that is being written; nil while broken is set
	newNames bool           // the folder has new names that are not synced
	segments []segmentInfo  // segments on disk, sorted by number
	settled  uint64         // number up to which all segments are closed

	// The following fields are used only by the goroutine that runs the method write, and before its start by begin.
	life   uint64 // number of the first segment since the area was created anew
	serial uint64 // number of the current segment
	chain  uint64 // hash over all written records (chain value), at the last record
}

var _ area.Log = (*Log)(nil)

// gapCounts counts the gaps of a log. A gap begins when the area publishes a tick that is not written to the tape yet.
type gapCounts struct {
	gaps, ticks atomic.Uint64 // gaps, and ticks in all gaps, since the start
	present     atomic.Uint64 // number of ticks in the current gap; 0 if the log is not in a gap
	since       atomic.Int64  // time at which the current gap began, in ns since 1970; 0 if the log is not in a gap
}

// rotation is the request to start a new segment. It says at which record of the queue the segment starts, and has what the segment's
// header and snapshot need.
type rotation struct {
	due   bool // a new segment must be started
	at    int  // offset of the new segment's first record in the queue
	first sim.Tick
	start startKind
	state *sim.Area // state to write as the snapshot; nil for none
	atMS  int64     // wall-clock time at which the segment begins, ms since 1970; 0 selects the time at which it is written
}

// segmentFile is the file of a raw segment that is being written, or has been written but not synced.
type segmentFile struct {
	File
	serial uint64
	failed bool // an error ended the segment, so its last bytes do not matter
}

// segmentInfo is what a log remembers of a segment on disk. It decides from these facts when the segment is deleted.
type segmentInfo struct {
	serial, life uint64
	first        sim.Tick
	wallMS       int64 // time at which the segment was begun, ms since 1970
	bytes        int64 // size of all its files
	base         bool  // recovery can start from the segment: it has a snapshot, or is the first of a new area
	compressed   bool
}

// start starts the goroutines of the log: write and syncLoop.
func (l *Log) start() {
	l.wake, l.storedNow, l.syncNow = make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{}, 1)
	l.written, l.synced = make(chan struct{}), make(chan struct{})
	l.timer = time.NewTimer(time.Hour)
	l.timer.Stop()
	l.retry = firstRetry
	l.copy = new(sim.Area)
	go l.write()
	go l.syncLoop()
}

// notify sends a signal to a channel with capacity 1, unless a signal is already waiting.
func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Seal implements area.Log: it queues the intents of the next tick for writing.
func (l *Log) Seal(b area.Batch) {
	now := time.Now()
	l.wall = max(l.wall, now.UnixMilli())
	t := Tick{Tick: b.Tick, WallMS: l.wall, PrevHash: b.PrevHash, Saved: l.savedUpTo(b.Tick), Intents: b.Intents}
	l.mu.Lock()
	l.sealed.Store(uint64(b.Tick))
	if !l.broken.Load() {
		l.seal(&t, now)
	}
	l.mu.Unlock()
	notify(l.wake)
}

// seal appends the record of a tick to the queue of the writer. The caller holds l.mu.
func (l *Log) seal(t *Tick, now time.Time) {
	from := len(l.queue)
	l.queue = appendRecord(l.queue, recordTick, t)
	l.queued(from, t.Tick, len(t.Intents), now)
}

// queued completes the last record of the queue, which begins at the given offset (the parameter from) and has the given tick and
// number of intents. The caller holds l.mu.
func (l *Log) queued(from int, tick sim.Tick, intents int, now time.Time) {
	size := len(l.queue) - from
	l.ticks++
	switch {
	case size > maxRecord || intents > maxIntents:
		l.fail(fmt.Errorf("tick %d has %d intents in %d bytes; a record of the tape holds at most %d intents in %d bytes", tick, intents, size, maxIntents, maxRecord), now)
	case len(l.queue) > maxQueue:
		l.fail(errQueueFull, now)
	default:
		setRecordLength(l.queue[from:])
	}
}

// savedUpTo returns the newest tick before the parameter next up to which the store has all records; next is the tick that is written
// next. If Options.Records is false, the records of all these ticks count as stored.
func (l *Log) savedUpTo(next sim.Tick) sim.Tick {
	if !l.tape.opt.Records {
		return next - 1
	}
	return min(sim.Tick(l.saved.Load()), next-1)
}

// Commit implements area.Log: it waits until all ticks that were passed to Seal are written, at most for Options.Deadline.
// If they are not written by then, a gap begins or continues.
func (l *Log) Commit() {
	// Usually wait for the disk. During a gap the disk is too slow, and ticks are published before they are written. Then wait
	// only if the disk has written everything before this tick, because otherwise every tick of the gap would be delayed.
	if !l.isStored() && !l.broken.Load() && (!l.inGap || l.stored.Load()+1 >= l.sealed.Load() && l.baseDue.Load() == 0) {
		l.waitStored()
	}
	if l.isStored() {
		l.endGap()
		return
	}
	l.addToGap()
}

// isStored reports whether the operating system has all ticks that were passed to Seal, in a form from which they can be
// restored.
func (l *Log) isStored() bool {
	return !l.broken.Load() && l.baseDue.Load() == 0 && l.stored.Load() >= l.sealed.Load()
}

// waitStored waits until the operating system has all ticks that were passed to Seal, at most for Options.Deadline.
func (l *Log) waitStored() {
	l.timer.Reset(l.tape.opt.Deadline)
	defer l.timer.Stop()
	for !l.isStored() && !l.broken.Load() {
		select {
		case <-l.storedNow:
		case <-l.timer.C:
			return
		}
	}
}

func (l *Log) addToGap() {
	now := time.Now()
	l.gap.ticks.Add(1)
	l.tape.opt.Metrics.GapTicks.Inc()
	l.gap.present.Add(1)
	if !l.inGap {
		l.inGap = true
		l.gap.gaps.Add(1)
		l.tape.opt.Metrics.Gaps.Inc()
		l.gap.since.Store(now.UnixNano())
	}
	if !l.loud && (l.broken.Load() || now.Sub(time.Unix(0, l.gap.since.Load())) > loudGap) {
		l.loud = true
		what := "tape cannot be written: the area continues, but a crash would lose the ticks played since"
		if l.tape.follow != nil {
			what = "tape cannot be written: the area continues, but the past that this node shows will lack the ticks played since"
		}
		l.tape.opt.Log.Error(what, telemetry.FieldArea, l.name, telemetry.FieldErr, l.lastError())
	}
}

func (l *Log) endGap() {
	if !l.inGap {
		return
	}
	if l.loud {
		l.tape.opt.Log.Info("the tape is being written again after a gap", telemetry.FieldArea, l.name, "missed_ticks", l.gap.present.Load())
	}
	l.inGap, l.loud = false, false
	l.gap.present.Store(0)
	l.gap.since.Store(0)
}

// lastError returns the error that prevents writing, or an error about the slow disk if no write has failed.
func (l *Log) lastError() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	return errors.New("the disk of the tape does not answer")
}

// SnapshotBuffer implements area.Log: if a new segment is due, it returns memory for the snapshot with which the segment
// starts, else nil.
func (l *Log) SnapshotBuffer() *sim.Area {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.copyBusy || l.rotation.due || l.closed:
		return nil
	case l.broken.Load():
		if time.Now().Before(l.retryAt) {
			return nil
		}
	case !l.waiting && l.ticks < l.tape.opt.SegmentTicks:
		return nil
	}
	return l.copy
}

// Snapshot implements area.Log: it begins a new segment, which starts with the snapshot a.
func (l *Log) Snapshot(a *sim.Area) {
	l.mu.Lock()
	start := startNext
	if l.waiting && a.Hash() != l.restored { // sim.Reconcile has changed the restored state: the tape gets a gap
		start = startAfterGap
	}
	l.mu.Unlock()
	l.snapshotAs(a, start, 0)
}

// snapshotAs begins a new segment, which starts with the snapshot a at the time atMS; see rotation. After an error, the parameter
// start is ignored, and the segment begins after a gap.
func (l *Log) snapshotAs(a *sim.Area, start startKind, atMS int64) {
	l.mu.Lock()
	if l.broken.Load() {
		start = startAfterGap
		l.queue = l.queue[:0]
		l.broken.Store(false)
	}
	l.beginSegment(a, start)
	l.rotation.atMS = atMS
	l.mu.Unlock()
	notify(l.wake)
}

// beginSegment makes the writer begin a segment with the snapshot a. The log owns a from then on. The caller holds l.mu.
func (l *Log) beginSegment(a *sim.Area, start startKind) {
	l.copy, l.copyBusy, l.waiting, l.ticks = a, true, false, 0
	l.rotation = rotation{due: true, at: len(l.queue), first: a.Now(), start: start, state: a}
}

const redefinePoll = time.Millisecond // interval at which Redefine checks whether the snapshot is on disk

// Redefine implements area.Log. It is called when the world file was reloaded. It begins a segment for the new world w,
// with a snapshot of the area a. Recovery of this segment starts from the snapshot, because the ticks before it can be
// replayed only in the former world.
func (l *Log) Redefine(ctx context.Context, w *sim.World, a *sim.Area) {
	ready := func(condition func() bool) bool {
		for !condition() {
			select {
			case <-ctx.Done():
				return false
			case <-time.After(redefinePoll):
			}
		}
		return true
	}
	idle := func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.broken.Load() || !l.copyBusy && !l.rotation.due
	}
	idleInTime := ready(idle)
	l.mu.Lock()
	l.digest.Store(w.Digest())
	before := l.newestSegment()
	switch {
	case l.broken.Load() || l.closed: // the log is broken or closed: the next segment begins with a snapshot anyway
		l.mu.Unlock()
		return
	case !idleInTime:
		l.fail(errRedefined, time.Now())
		l.mu.Unlock()
		return
	}
	l.beginSegment(a, startAfterGap)
	l.mu.Unlock()
	notify(l.wake)
	ready(func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		n := len(l.segments)
		return l.broken.Load() || l.newestSegment() > before && l.segments[n-1].base
	})
}

// newestSegment returns the number of the newest segment on disk, or 0 if there is none. The caller holds l.mu.
func (l *Log) newestSegment() uint64 {
	if len(l.segments) == 0 {
		return 0
	}
	return l.segments[len(l.segments)-1].serial
}

// Durable implements area.Log: it returns the newest tick that would survive a loss of power. While the log cannot write,
// it returns the newest tick that was passed to Seal.
func (l *Log) Durable() sim.Tick {
	if l.failing() {
		return sim.Tick(l.sealed.Load())
	}
	return sim.Tick(l.durable.Load())
}

// failing reports whether the log cannot write at present, because of an error, a long gap or a hanging fsync. Callers then need
// not wait for the disk.
func (l *Log) failing() bool {
	since, sync := l.gap.since.Load(), l.syncing.Load()
	return l.broken.Load() ||
		since != 0 && time.Since(time.Unix(0, since)) > loudGap ||
		sync != 0 && time.Since(time.Unix(0, sync)) > hungSync
}

// Sync implements area.Log: it makes the written ticks survive a loss of power soon, and does not wait for that.
func (l *Log) Sync() { notify(l.syncNow) }

// Saved implements area.Log: it notes that the store has all records up to this tick.
func (l *Log) Saved(tick sim.Tick) {
	for {
		old := l.saved.Load()
		if uint64(tick) <= old || l.saved.CompareAndSwap(old, uint64(tick)) {
			return
		}
	}
}

// fail ends the current segment because of an error and discards the queued records. A later segment begins with a snapshot. The
// caller holds l.mu.
func (l *Log) fail(err error, now time.Time) {
	if l.rotation.due {
		l.copyBusy = false
	}
	l.queue, l.rotation = l.queue[:0], rotation{}
	if l.current != nil {
		l.current.failed = true
		l.endCurrent()
	}
	if !l.broken.Load() {
		l.retryAt = now.Add(l.retry)
		l.retry = min(2*l.retry, longestRetry)
	}
	l.err = err
	l.broken.Store(true)
	notify(l.storedNow)
}

// Close implements area.Log: it writes what is queued and closes the files. It waits for the disk at most for
// closeTimeout.
func (l *Log) Close(clean bool) error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return nil
	}
	l.closed = true
	if clean {
		l.appendEnd()
	}
	l.closing = true
	l.mu.Unlock()
	notify(l.wake)
	err := l.waitClosed()
	if err != nil && clean { // the records are stored, but the tape lacks its end record and would restore an older state
		err = errors.Join(err, l.tape.setBehind(true))
	}
	return err
}

// waitClosed waits until the goroutines of the log have returned.
func (l *Log) waitClosed() error {
	timeout := time.After(closeTimeout)
	for _, done := range []chan struct{}{l.written, l.synced} {
		select {
		case <-done:
		case <-timeout:
			return fmt.Errorf("close the tape of area %q: the disk does not answer; the last ticks may be lost", l.name)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken.Load() {
		return fmt.Errorf("close the tape of area %q: %w", l.name, l.err)
	}
	return nil
}

// appendEnd queues the record that marks a clean stop. If an error has ended the current segment, the record goes to a new
// segment: without it, the next start would restore a state from before the error, although the area was stopped cleanly. The
// caller holds l.mu.
func (l *Log) appendEnd() {
	tick := sim.Tick(l.sealed.Load())
	if l.broken.Load() {
		l.queue = l.queue[:0]
		l.rotation = rotation{due: true, first: tick, start: startAfterGap}
		l.broken.Store(false)
	}
	if l.waiting {
		return // nothing has been written since the area was restored
	}
	from := len(l.queue)
	l.queue = appendRecord(l.queue, recordEnd, &Tick{Tick: tick, WallMS: l.wall, Saved: tick})
	setRecordLength(l.queue[from:])
}
