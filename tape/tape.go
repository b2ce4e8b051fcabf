package tape

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Options configures a tape.
type Options struct {
	Dir   string     // folder of the tape
	FS    FS         // file system whose root is Dir; nil selects that of the operating system
	World *sim.World // world of the areas

	// WorldOf returns the world with the given sim.World.Digest, or nil if that world is unknown. A Playback uses it to replay
	// the segments that lie before or after a reload of the world file. WorldOf may be called by any goroutine. If it is nil,
	// only segments of World are replayed.
	WorldOf func(digest uint64) *sim.World

	Program string       // build of the program; Open refuses a tape that another build did not stop cleanly
	Seed    uint64       // random seed of new areas
	Log     *slog.Logger // nil selects slog.Default()
	Metrics *Metrics     // nil selects metrics that are counted but not exported

	SyncEvery    time.Duration // interval of fsyncs; a loss of power loses at most the ticks of this time; 0 selects 200 ms
	Deadline     time.Duration // maximum time for which Log.Commit waits; 0 selects 5 ms
	SegmentTicks int           // number of ticks per segment; 0 selects the ticks of 30 s
	Retain       Retain        // how long segments are kept after recovery no longer needs them
	Records      bool          // the area calls Log.Saved; if false, every tick counts as saved

	// Replayed, unless nil, is called with each frame that is computed again while an area is restored, before OpenArea
	// returns the area. The frame is valid during the call.
	Replayed func(f *sim.Frame)
}

// Retain limits the segments that are kept although recovery does not need them. The oldest of them are deleted until both limits are
// met, so if one of the fields is 0, all of them are deleted.
type Retain struct {
	Age   time.Duration // maximum age: segments that ended longer ago are deleted
	Bytes int64         // maximum size of all segments, those that recovery needs included; while it is exceeded, the oldest is deleted
}

// Metrics counts what the logs of a tape write, and the ticks that they could not write in time.
type Metrics struct {
	Gaps     *telemetry.Counter // gaps: periods in which ticks were published before they were written
	GapTicks *telemetry.Counter // ticks that were published before they were written
	Bytes    *telemetry.Counter // bytes of records that were written
	Disk     *telemetry.Gauge   // bytes of all segments on disk
}

// Tape holds the logs of all areas of a world, and the goroutine that writes their snapshots and compresses their
// segments.
type Tape struct {
	opt    Options
	fs     FS
	digest uint64       // sim.World.Digest of the world
	areas  []*Log       // by AreaID
	states []*Recovered // by AreaID
	follow []*Follower  // followers by AreaID; nil if a single server records the tape
	done   chan struct{}
	step   func(*sim.Area, []sim.Intent) *sim.Frame // (*sim.Area).Step; tests replace it

	behind       atomic.Bool   // behindFile exists and is durable
	behindMu     sync.Mutex    // held while behindFile is written or removed
	behindFailed bool          // the last attempt to write or remove behindFile failed; accessed by watchBehind only
	watched      chan struct{} // closed when watchBehind has returned

	mu     sync.Mutex
	jobs   []job
	work   chan struct{}
	ending bool

	// The following fields are used only by the goroutine that runs the method run.
	pack     *packer
	buf, out []byte
	failed   map[string]bool // operations whose failure was logged
}

// job is a task of the goroutine run: to write the snapshot with which a segment starts. If the field log is nil, there is no
// snapshot to write. After each job the goroutine also compresses and deletes segments.
type job struct {
	log    *Log
	header header
	state  *sim.Area
}

// Open restores the areas of a world from the tape in a folder and prepares to continue the tape. The folder may be
// missing or empty. Open fails if the tape has a newer format, or if the tape was not stopped cleanly and was written by
// another program or with another world or rules. After such an error, no recorded tick is lost.
func Open(o Options) (*Tape, error) {
	t := newTape(o)
	for _, bad := range []struct {
		is  func(Options) (bool, error)
		err error
	}{{Behind, ErrBehind}, {OfCluster, ErrOfCluster}} {
		if is, err := bad.is(t.opt); err != nil {
			return nil, fmt.Errorf("tape: %w", err)
		} else if is {
			return nil, bad.err
		}
	}
	for i := range t.opt.World.Areas {
		l := t.newLog(sim.AreaID(i))
		r, err := t.recover(l)
		if err != nil {
			return nil, fmt.Errorf("tape: restore area %q: %w", l.name, err)
		}
		t.areas, t.states = append(t.areas, l), append(t.states, r)
	}
	for i, l := range t.areas {
		if err := t.fs.MkdirAll(l.dir); err != nil {
			return nil, fmt.Errorf("tape: %w", err)
		}
		l.begin(t.states[i])
	}
	for _, l := range t.areas {
		l.start()
		notify(l.wake)
	}
	go t.run()
	go t.watchBehind()
	t.add(job{})
	return t, nil
}

// newTape returns a tape without logs and goroutines.
func newTape(o Options) *Tape {
	o.setDefaults()
	return &Tape{opt: o, fs: o.FS, digest: o.World.Digest(), work: make(chan struct{}, 1), done: make(chan struct{}), watched: make(chan struct{}),
		step: (*sim.Area).Step, pack: newPacker(), failed: map[string]bool{}}
}

// newLog returns the log of an area, without goroutines.
func (t *Tape) newLog(id sim.AreaID) *Log {
	name := t.opt.World.Areas[id].Name
	l := &Log{tape: t, id: id, name: name, dir: areaDir(int(id), name)}
	l.digest.Store(t.digest)
	return l
}

func (o *Options) setDefaults() {
	o.FS = cmp.Or[FS](o.FS, osFS{o.Dir})
	o.Log = cmp.Or(o.Log, slog.Default())
	o.SyncEvery = cmp.Or(o.SyncEvery, 200*time.Millisecond)
	o.Deadline = cmp.Or(o.Deadline, 5*time.Millisecond)
	o.SegmentTicks = cmp.Or(o.SegmentTicks, 30*o.World.TicksPerSecond)
	if o.Metrics == nil {
		o.Metrics = &Metrics{new(telemetry.Counter), new(telemetry.Counter), new(telemetry.Counter), new(telemetry.Gauge)}
	}
}

// areaDir returns the name of an area's folder, such as "000-west_field": the area's index, and up to 32 bytes of its name
// in lower case. Bytes other than ASCII letters and digits become "_".
func areaDir(index int, name string) string {
	safe := make([]byte, 0, 32)
	for i := 0; i < len(name) && len(safe) < cap(safe); i++ {
		c := name[i]
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		default:
			c = '_'
		}
		safe = append(safe, c)
	}
	return fmt.Sprintf("%03d-%s", index, safe)
}

// begin prepares a log to continue after the ticks that were restored, which the parameter r describes.
func (l *Log) begin(r *Recovered) {
	l.serial, l.life, l.chain, l.segments = r.serial, r.life, r.chain, r.segments
	l.settled = r.serial
	l.wall = r.wallMS
	l.saved.Store(uint64(r.Saved))
	if r.Area == nil {
		l.wall = 0
		l.rotation = rotation{due: true, start: startNew}
		return
	}
	l.waiting, l.restored = true, r.Area.Hash()
	for _, tick := range []interface{ Store(uint64) }{&l.sealed, &l.stored, &l.durable} {
		tick.Store(uint64(r.Area.Now()))
	}
}

// OpenArea returns the log of an area and its restored state, which is nil for a new area. It can be used as
// area.Options.Open.
func (t *Tape) OpenArea(id sim.AreaID) (area.Log, *sim.Area) { return t.areas[id], t.states[id].Area }

// Recovered returns what was restored of an area, and what was lost.
func (t *Tape) Recovered(id sim.AreaID) *Recovered { return t.states[id] }

// Status is the state of a tape for operators.
type Status struct {
	Gaps, MissedTicks uint64             // gaps since the start of the server, and ticks in them
	Failure           *telemetry.Failure // not nil while an area has not been recorded for some time
}

// Status returns the state of all areas together. Failure.What contains the number of ticks missed in the current gaps.
func (t *Tape) Status() (s Status) {
	var missed uint64
	for _, l := range t.areas {
		s.Gaps += l.gap.gaps.Load()
		s.MissedTicks += l.gap.ticks.Load()
		since := l.gap.since.Load()
		if since == 0 || !l.failing() {
			continue
		}
		missed += l.gap.present.Load()
		if began := time.Unix(0, since); s.Failure == nil || began.Before(s.Failure.Since) {
			s.Failure = &telemetry.Failure{Since: began, Err: l.lastError()}
		}
	}
	if s.Failure != nil {
		s.Failure.What = fmt.Sprintf("TAPE NOT WRITTEN (%d ticks missed)", missed)
	}
	return s
}

// Close stops the goroutines of the tape. The caller must have closed all logs. Only the logs of followers may still be open;
// Close closes them.
func (t *Tape) Close() error {
	var err error
	for _, f := range t.follow {
		err = errors.Join(err, f.Close())
	}
	t.mu.Lock()
	t.ending = true
	t.mu.Unlock()
	notify(t.work)
	<-t.done
	<-t.watched
	return err
}

func (t *Tape) add(j job) {
	t.mu.Lock()
	t.jobs = append(t.jobs, j)
	t.mu.Unlock()
	notify(t.work)
}

// run is the goroutine of the tape. It writes snapshots, compresses closed segments, and deletes segments that need not
// be kept.
func (t *Tape) run() {
	defer close(t.done)
	for range t.work {
		for {
			t.mu.Lock()
			if t.ending {
				t.mu.Unlock()
				return
			}
			if len(t.jobs) == 0 {
				t.jobs = nil
				t.mu.Unlock()
				break
			}
			j := t.jobs[0]
			t.jobs = t.jobs[1:]
			t.mu.Unlock()
			if j.log != nil {
				t.writeSnapshot(&j)
			}
			t.compressClosed()
			t.retain(time.Now())
		}
	}
}

// writeSnapshot writes the snapshot with which a segment starts.
func (t *Tape) writeSnapshot(j *job) {
	l := j.log
	t.buf = j.state.Snapshot(t.buf[:0])
	l.mu.Lock()
	l.copyBusy = false
	l.mu.Unlock()
	t.out = t.pack.appendSnapshotFile(t.out[:0], &j.header, t.buf)
	err := t.writeFile(l, l.path(j.header.Serial, suffixSnapshot), t.out)
	if len(t.buf) > maxSnapshot {
		err = fmt.Errorf("the snapshot has %d bytes, more than the tape format allows", len(t.buf))
	}
	t.note(l, "tape: cannot write a snapshot", err)
	l.snapshotDone(j.header.Serial, int64(len(t.out)), err)
}

// writeFile writes a whole file. After a loss of power the file is either complete or missing.
func (t *Tape) writeFile(l *Log, path string, b []byte) (err error) {
	temp := path + suffixTemp
	f, err := t.fs.Create(temp)
	if errors.Is(err, os.ErrExist) {
		if err = t.fs.Remove(temp); err == nil {
			f, err = t.fs.Create(temp)
		}
	}
	if err != nil {
		return err
	}
	err = writeAll(f, b)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, t.fs.Remove(temp))
	}
	if err := t.fs.Rename(temp, path); err != nil {
		return err
	}
	return t.fs.SyncDir(l.dir)
}

// note logs the error err of an attempt with the message what. Of consecutive errors with the same message in the same area it
// logs only the first. A nil err means that the attempt succeeded, so that the next error is logged again.
func (t *Tape) note(l *Log, what string, err error) {
	key := what + l.name
	if err != nil && !t.failed[key] {
		t.opt.Log.Error(what, telemetry.FieldArea, l.name, telemetry.FieldErr, err)
	}
	t.failed[key] = err != nil
}

// compressClosed compresses the closed segments of all areas. A segment is closed when no more records are written to it.
func (t *Tape) compressClosed() {
	for _, l := range t.areas {
		l.mu.Lock()
		list := slices.Clone(l.segments)
		settled := l.settled
		l.mu.Unlock()
		for _, s := range list {
			if s.compressed || s.serial > settled {
				continue
			}
			size, err := t.compress(l, s.serial)
			t.note(l, "tape: cannot compress a closed segment", err)
			if err != nil {
				break
			}
			l.mu.Lock()
			for i := range l.segments {
				if l.segments[i].serial == s.serial {
					l.segments[i].compressed, l.segments[i].bytes = true, size
				}
			}
			l.mu.Unlock()
		}
	}
}

// compress replaces the raw file and the snapshot of a closed segment by a compressed file, and returns the size of
// that file in bytes. If the raw file contains damaged bytes, it is renamed instead of deleted; an incomplete last
// record does not count as damage. If the disk cannot read a file, compress changes nothing and returns the error.
func (t *Tape) compress(l *Log, serial uint64) (size int64, err error) {
	raw, snap := l.path(serial, suffixRaw), l.path(serial, suffixSnapshot)
	_, snapshot, err := readSnapshotFile(t.fs, snap, t.pack)
	if failed, ok := errors.AsType[*readError](err); ok {
		return 0, failed
	}
	hasSnapshot := err == nil
	s, err := openSegment(t.fs, raw, t.pack)
	if err != nil {
		return 0, err
	}
	out, complete, err := t.pack.compress(nil, s, snapshot)
	if err = errors.Join(err, s.close()); err != nil {
		return 0, err
	}
	if err := t.writeFile(l, l.path(serial, suffixTape), out); err != nil {
		return 0, err
	}
	if complete {
		err = t.fs.Remove(raw)
	} else {
		err = t.fs.Rename(raw, raw+suffixDamaged)
	}
	if hasSnapshot {
		err = errors.Join(err, t.fs.Remove(snap))
	}
	return int64(len(out)), err
}

// retain deletes the oldest segments beyond the limits of Options.Retain, except those that recovery needs.
func (t *Tape) retain(now time.Time) {
	for {
		total := int64(0)
		var oldest *Log
		var oldestEnd int64
		for _, l := range t.areas {
			bytes, end, ok := l.oldest()
			total += bytes
			if ok && (oldest == nil || end < oldestEnd) {
				oldest, oldestEnd = l, end
			}
		}
		t.opt.Metrics.Disk.Set(int(total))
		r := &t.opt.Retain
		if oldest == nil || total <= r.Bytes && now.Sub(time.UnixMilli(oldestEnd)) <= r.Age {
			return
		}
		if err := oldest.deleteOldest(); err != nil {
			t.note(oldest, "tape: cannot delete an old segment", err)
			return
		}
	}
}

// oldest returns two facts that decide whether the oldest segment is deleted: bytes is the total size of all segments, and end
// is the wall-clock time at which the oldest segment ended, in ms since 1970. ok is false if the oldest segment must be kept,
// for example because recovery needs it.
func (l *Log) oldest() (bytes, end int64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.segments {
		bytes += l.segments[i].bytes
	}
	if len(l.segments) < 2 || l.segments[0].serial >= l.neededFrom() || !l.segments[0].compressed {
		return bytes, 0, false
	}
	return bytes, l.segments[1].wallMS, true
}

// neededFrom returns the number of the oldest segment that recovery would need after a crash now. The caller holds l.mu.
func (l *Log) neededFrom() uint64 {
	last := l.segments[len(l.segments)-1]
	saved := l.savedUpTo(sim.Tick(l.stored.Load()) + 1)
	from := last.serial
	for i := len(l.segments) - 1; i >= 0 && l.segments[i].life == last.life; i-- {
		s := &l.segments[i]
		from = s.serial
		if s.base && s.first <= saved && uint64(s.first) <= l.durable.Load() {
			return from
		}
	}
	return from
}

func (l *Log) deleteOldest() error {
	l.mu.Lock()
	serial := l.segments[0].serial
	l.mu.Unlock()
	if err := l.tape.fs.Remove(l.path(serial, suffixTape)); err != nil {
		return err
	}
	l.mu.Lock()
	l.segments = slices.Delete(l.segments, 0, 1)
	l.mu.Unlock()
	return l.tape.fs.SyncDir(l.dir)
}
