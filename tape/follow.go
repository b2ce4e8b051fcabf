package tape

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// clusterFile is the name of a file in the folder of a tape. It exists if a node of a cluster has recorded the tape. The areas of a
// cluster continue from their Raft logs, so such a tape is never restored.
const clusterFile = "cluster"

// ErrOfCluster is the error of Open if a node of a cluster has recorded the tape. The operator must discard the tape.
var ErrOfCluster = errors.New("tape: a node of a cluster has recorded the tape, so a single server cannot continue it: start with --tape-discard, which renames the folder of the tape")

// ErrNotOfCluster is the error of OpenForClusterNode if a single server has recorded the tape. The operator must discard the tape.
var ErrNotOfCluster = errors.New("tape: a single server has recorded the tape, so a node of a cluster cannot continue it: start with --tape-discard, which renames the folder of the tape")

// OfCluster reports whether a node of a cluster has recorded a tape. Options.Dir or Options.FS must be set.
func OfCluster(o Options) (bool, error) {
	names, err := cmp.Or[FS](o.FS, osFS{o.Dir}).ReadDir(".")
	return slices.Contains(names, clusterFile), err
}

// OpenForClusterNode opens the tape of a cluster node, to append to it. Areas are not restored from such a tape: it is only a
// copy of the cluster's agreed log (area.Source), from which the areas get their intents. The fields Records and Replayed of
// the options must not be set. The folder may be missing or empty.
func OpenForClusterNode(o Options) (*Tape, error) {
	t := newTape(o)
	if err := t.markOfCluster(); err != nil {
		return nil, err
	}
	for i := range t.opt.World.Areas {
		l := t.newLog(sim.AreaID(i))
		r := &recovery{tape: t, log: l, result: &Recovered{}}
		if err := r.list(); err != nil {
			return nil, fmt.Errorf("tape: list the segments of area %q: %w", l.name, err)
		}
		if err := t.fs.MkdirAll(l.dir); err != nil {
			return nil, fmt.Errorf("tape: %w", err)
		}
		l.serial, l.segments = r.result.serial, r.result.segments
		t.areas, t.states = append(t.areas, l), append(t.states, r.result)
		t.follow = append(t.follow, &Follower{log: l, known: r})
	}
	for _, l := range t.areas {
		l.start()
	}
	go t.run()
	close(t.watched)
	return t, nil
}

// markOfCluster creates clusterFile in a new folder. It is an error if the folder has a tape without that file.
func (t *Tape) markOfCluster() error {
	names, err := t.fs.ReadDir(".")
	switch {
	case err != nil:
		return fmt.Errorf("tape: %w", err)
	case slices.Contains(names, clusterFile):
		return nil
	case len(names) > 0:
		return ErrNotOfCluster
	}
	err = t.fs.MkdirAll(".")
	if err == nil {
		var f File
		if f, err = t.fs.Create(clusterFile); err == nil {
			err = errors.Join(f.Sync(), f.Close(), t.fs.SyncDir("."))
		}
	}
	if err != nil {
		return fmt.Errorf("tape: %w", err)
	}
	return nil
}

// Follower returns the tape of an area, for area.Options.Tape. The tape must have been opened with OpenForClusterNode.
func (t *Tape) Follower(id sim.AreaID) area.Tape { return t.follow[id] }

// Follower records an area whose batches come from an area.Source. It implements area.Tape.
//
// After a restart, the process simulates the last ticks of its former run a second time. The follower compares these ticks with
// the tape, and begins to record at the first tick that the tape lacks. The tape gets a gap if it also lacks ticks before that
// one, or if a tick on the tape differs from the one that was simulated again. After a gap the next segment starts from a
// snapshot and does not continue the previous segment.
type Follower struct {
	log    *Log
	known  *recovery // segments on the tape at the start; nil after the first call of Continue
	mode   followMode
	tick   sim.Tick // the tick that was last passed to Seal (the sealed tick)
	atMS   int64    // time of the sealed tick, ms since 1970
	count  int      // number of intents of the sealed tick
	record []byte   // record of the sealed tick, which Commit queues; in the mode followCompare it lacks times, see appendUntimed

	stored     uint64    // Log.stored when noteProgress last saw it change
	progressAt time.Time // time of the last call of noteProgress at which Log.stored had changed or no tick waited for the disk

	recorded map[sim.Tick]uint64 // digests of the newest ticks that the tape had at the start; nil once they are no longer needed
	last     sim.Tick            // last tick that the tape had at the start
	lastMS   int64               // time of that last tick, ms since 1970
}

var _ area.Tape = (*Follower)(nil)

// followMode says what a Follower does with the next tick.
type followMode uint8

const (
	followLost      followMode = iota // do not record the tick; the next snapshot begins a segment after a gap
	followNext                        // do not record the tick, unless a snapshot is taken before it; that snapshot begins a segment without a gap
	followCompare                     // compare the tick with the tape, which should have it already
	followRecording                   // record the tick
)

// Continue implements area.Tape: it tells the follower that the area continues after the given tick. The first call looks up which
// later ticks are already on the tape, so that they are compared instead of recorded again. If the area is new (tick 0), it begins a
// segment without a snapshot. In all other cases the next snapshot begins a segment after a gap.
func (f *Follower) Continue(tick sim.Tick) {
	l, first := f.log, f.known != nil
	if first {
		f.load(tick)
	}
	switch {
	case tick < f.last && f.recorded != nil:
		f.mode = followCompare
	case tick == 0 && first:
		f.beginNew()
	default:
		f.await(followLost)
		if !first {
			l.tape.opt.Log.Warn("the tape has a gap, because the area continues from a state of the leader", telemetry.FieldArea, l.name, telemetry.FieldTick, tick)
		}
	}
}

// beginNew begins a segment without snapshot, for the first tick of a new area.
func (f *Follower) beginNew() {
	l := f.log
	l.mu.Lock()
	l.life = 0 // a new life of the area begins with this segment
	l.rotation = rotation{due: true, start: startNew}
	l.mu.Unlock()
	f.mode, f.recorded = followRecording, nil
	notify(l.wake)
}

// await sets the mode followLost or followNext, in which the follower waits for a snapshot.
func (f *Follower) await(mode followMode) {
	f.mode = mode
	f.log.mu.Lock()
	f.log.waiting = true
	f.log.mu.Unlock()
}

// load reads the ticks that the tape has after the given tick, and prepares the log to continue the tape. If the tape is of another
// world, load reads nothing.
func (f *Follower) load(from sim.Tick) {
	l, r := f.log, f.known
	f.known = nil
	if end := len(r.segments) - 1; end >= 0 && r.segments[end].Digest == l.tape.digest && r.segments[end].World == l.tape.opt.World.Name {
		first := end
		for first > 0 && r.segments[first].First > from && r.segments[first-1].Life == r.segments[end].Life {
			first--
		}
		l.mu.Lock()
		l.life = r.segments[end].Life
		l.mu.Unlock()
		f.recorded = map[sim.Tick]uint64{}
		for _, s := range r.segments[first:] {
			if err := f.loadSegment(s); err != nil {
				l.tape.opt.Log.Warn("the tape has a gap, because its last ticks cannot be read", telemetry.FieldArea, l.name, telemetry.FieldErr, err)
				f.recorded = nil
				break
			}
		}
	}
	l.wall = f.lastMS
	l.mu.Lock()
	l.settled = l.serial // from now on the segments up to this one may be compressed
	l.mu.Unlock()
	l.tape.add(job{})
}

// loadSegment adds the digests of a segment's ticks to f.recorded, up to the first tick that cannot be decoded. It returns only errors
// of the file system.
func (f *Follower) loadSegment(s *scanned) error {
	l := f.log
	in, err := openSegment(l.tape.fs, s.path, newPacker())
	if err != nil {
		return err
	}
	defer in.close()
	maps.DeleteFunc(f.recorded, func(tick sim.Tick, _ uint64) bool { return tick > s.First }) // a restart has discarded later ticks
	var t Tick
	for err = in.next(&t); err == nil; err = in.next(&t) {
		f.lastMS = max(f.lastMS, t.WallMS)
		f.record = t.appendUntimed(f.record[:0])
		f.recorded[t.Tick] = digestOf(f.record)
	}
	if failed, ok := errors.AsType[*readError](err); ok {
		return failed
	}
	f.last = in.last.Tick
	l.mu.Lock()
	l.chain = in.last.chain
	l.mu.Unlock()
	return nil
}

// appendUntimed appends a tick's record to b. It omits the fields that differ when the tick is simulated a second time.
func (t Tick) appendUntimed(b []byte) []byte {
	t.WallMS, t.Saved = 0, 0
	return appendRecord(b, recordTick, &t)
}

func digestOf(b []byte) uint64 {
	sum := sha256.Sum256(b)
	return binary.LittleEndian.Uint64(sum[:])
}

// Seal implements area.Tape: it encodes the batch of the next tick, for comparison with the tape or for recording.
func (f *Follower) Seal(b area.Batch) {
	f.tick, f.atMS, f.count = b.Tick, b.AtMS, len(b.Intents)
	if f.mode == followCompare && b.Tick == 1 && !f.isAgain() {
		f.log.tape.opt.Log.Info("the area has begun anew, and so has its tape", telemetry.FieldArea, f.log.name)
		f.beginNew()
	}
	t := Tick{Tick: b.Tick, WallMS: max(f.log.wall, b.AtMS), PrevHash: b.PrevHash, Saved: b.Tick - 1, Intents: b.Intents}
	if t.Tick == 1 {
		t.PrevHash = 0 // the first tick of a new area
	}
	switch f.mode {
	case followCompare:
		f.record = t.appendUntimed(f.record[:0])
	case followRecording:
		f.record = appendRecord(f.record[:0], recordTick, &t)
	}
}

// Commit implements area.Tape: it queues the sealed tick for writing, or compares it with the tape after a restart.
func (f *Follower) Commit() {
	now := time.Now()
	f.noteProgress(now)
	switch f.mode {
	case followCompare:
		f.compare()
		return
	case followNext:
		f.await(followLost)
	case followRecording:
		f.queue(now)
	}
	l := f.log
	if hangs := now.Sub(f.progressAt) > loudGap; f.mode == followLost || l.broken.Load() || hangs {
		l.addToGap()
	} else {
		l.endGap()
	}
}

// noteProgress sets progressAt if the disk has written a tick since the previous call, or has none to write. It must be called
// before a tick is queued. The disk counts as hanging by the age of progressAt, not by the number of unwritten ticks, because a
// node simulates many ticks within milliseconds after a restart.
func (f *Follower) noteProgress(now time.Time) {
	if stored := f.log.stored.Load(); stored != f.stored || stored >= f.log.sealed.Load() {
		f.stored, f.progressAt = stored, now
	}
}

// queue queues the record of the sealed tick for writing at the time now, unless an error has ended the current segment.
func (f *Follower) queue(now time.Time) {
	l := f.log
	l.wall = max(l.wall, f.atMS)
	l.mu.Lock()
	l.sealed.Store(uint64(f.tick))
	if !l.broken.Load() {
		from := len(l.queue)
		l.queue = append(l.queue, f.record...)
		l.queued(from, f.tick, f.count, now)
	}
	l.mu.Unlock()
	notify(l.wake)
}

// isAgain reports whether the sealed tick may be simulated for the second time: its agreed time is then not after the end of
// the tape. The time is needed to recognize an area that was created anew: it begins with the same state, so its ticks may
// equal those on the tape in everything except the time.
func (f *Follower) isAgain() bool { return f.atMS <= f.lastMS }

// compare compares the sealed tick with the tick of the same number on the tape, and sets the mode for the following ticks.
func (f *Follower) compare() {
	digest, has := f.recorded[f.tick]
	switch {
	case has && f.isAgain() && digest == digestOf(f.record):
		if f.tick == f.last {
			f.await(followNext)
		}
	case !has && f.isAgain() && f.tick < f.last: // the tape lacks the tick, for example because it was deleted for its age
	default:
		f.log.tape.opt.Log.Warn("the tape has a gap, because its last ticks are not those of the cluster: most nodes lost power, or the areas began anew",
			telemetry.FieldArea, f.log.name, telemetry.FieldTick, f.tick)
		f.await(followLost)
	}
}

// SnapshotBuffer implements area.Tape: it returns memory for a snapshot if a new segment is due, else nil.
func (f *Follower) SnapshotBuffer() *sim.Area {
	if f.mode == followCompare {
		return nil
	}
	return f.log.SnapshotBuffer()
}

// Snapshot implements area.Tape: it begins a segment, which starts with the snapshot a.
func (f *Follower) Snapshot(a *sim.Area) {
	start := startNext
	if f.mode == followLost {
		start = startAfterGap
	}
	f.mode, f.recorded = followRecording, nil
	f.noteProgress(time.Now())
	f.log.sealed.Store(uint64(a.Now()))
	f.log.snapshotAs(a, start, f.log.wall)
}

// Close implements area.Tape: it writes what is queued and closes the files. It writes no end record, because the area continues
// on other nodes of the cluster.
func (f *Follower) Close() error { return f.log.Close(false) }
