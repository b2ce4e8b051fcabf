package tape

import (
	"errors"
	"fmt"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// Recovered describes what was restored of one area.
type Recovered struct {
	Area   *sim.Area // state after the last tick; nil if nothing was restored and a new area must be created
	Saved  sim.Tick  // tick up to which the store has the records of all frames
	Ticks  int       // number of ticks that were replayed
	Report []string  // messages for the operator, one line each

	life, serial uint64 // of the last segment
	chain        uint64 // chain value after the last tick
	wallMS       int64  // wall-clock time of the last tick
	segments     []segmentInfo
}

func (r *Recovered) say(format string, args ...any) {
	r.Report = append(r.Report, fmt.Sprintf(format, args...))
}

// RefusedError is the error of Open for an area that was not stopped cleanly and that this program or world file cannot
// restore.
type RefusedError struct {
	What string // why the area cannot be restored, without a remedy
}

// Error returns why the area cannot be restored and what the operator can do.
func (e *RefusedError) Error() string {
	return e.What + "; start the server once with that build and world file and stop it with Ctrl-C, or start with --tape-discard, which renames the folder of the tape and continues from the stored records"
}

// recovery restores one area.
type recovery struct {
	tape     *Tape
	log      *Log
	result   *Recovered
	segments []*scanned // sorted by number; their headers are read
	readOnly bool       // do not delete unfinished or replaced files
}

// recover restores the area of a log from the log's folder. It deletes only unfinished files, replaced files, and the
// segment of an incomplete reload of the world file.
func (t *Tape) recover(l *Log) (*Recovered, error) {
	r := &recovery{tape: t, log: l, result: &Recovered{}}
	if err := r.list(); err != nil {
		return nil, err
	}
	if len(r.segments) == 0 {
		return r.result, nil
	}
	for end := len(r.segments) - 1; end >= 0; end-- {
		s := r.segments[end]
		if s.Life != r.segments[len(r.segments)-1].Life {
			break
		}
		if err := r.walk(s); err != nil {
			return nil, err
		}
		if s.closed {
			if end < len(r.segments)-1 {
				break // the area was closed cleanly, but a later segment exists that cannot be used
			}
			return r.result, nil
		}
		if s.Start == startNew && len(s.chains) == 1 {
			return r.result, nil // the area is new: no tick was ever recorded
		}
		if undone, err := r.undoReload(end); undone || err != nil {
			if err != nil {
				return nil, err
			}
			continue
		}
		if err := r.check(s); err != nil {
			return nil, err
		}
		if done, err := r.restore(end); done || err != nil {
			return r.result, err
		}
	}
	r.result.say("nothing on the tape can be restored: the area begins anew, and players return as they were last stored")
	return r.result, nil
}

// check returns a *RefusedError if a segment was written with another world, other rules or another program.
func (r *recovery) check(s *scanned) error {
	o := &r.tape.opt
	switch {
	case s.World != o.World.Name:
		return &RefusedError{fmt.Sprintf("the server did not stop cleanly, and its tape is of the world %q, but the loaded world is %q", s.World, o.World.Name)}
	case s.Name != r.log.name || s.Digest != r.tape.digest || s.TicksPerSecond != uint32(o.World.TicksPerSecond):
		return &RefusedError{"the server did not stop cleanly, and its tape was recorded with another world file or other rules"}
	case s.Program != o.Program:
		return &RefusedError{fmt.Sprintf("the server did not stop cleanly, and its tape was recorded by the build %q, but this program is the build %q", s.Program, o.Program)}
	}
	return nil
}

// undoReload removes the last segment if it belongs to a reload of the world file that was not completed. The parameter end is
// the index of that segment. A reload was not completed if (1) the process ended before the first tick in the new world and (2)
// this process has loaded the former world.
func (r *recovery) undoReload(end int) (undone bool, err error) {
	if !r.isReload(end) || len(r.segments[end].chains) > 1 || r.segments[end].Digest == r.tape.digest {
		return false, nil
	}
	s := r.segments[end]
	r.result.say("the last reload of the world file was not completed: the area continues in the former world")
	for _, path := range []string{r.log.path(s.Serial, suffixSnapshot), s.path} {
		if err := r.tape.fs.Remove(path); err != nil && !isMissing(err) {
			return false, err
		}
	}
	r.segments, r.result.segments = r.segments[:end], r.result.segments[:end]
	return true, nil
}

// isReload reports whether segment i begins with a reload of the world file.
func (r *recovery) isReload(i int) bool {
	return i > 0 && r.segments[i].isReloadOf(&r.segments[i-1].header)
}

// reloadedInto reports whether the world was reloaded after segment i into one that the caller accepts: whether fits(s) is true
// for a later segment s of the same life of the area. A life lasts until the area is created anew; within one life, only a
// reload of the world file changes the world.
func (r *recovery) reloadedInto(i int, fits func(*scanned) bool) bool {
	for j := i + 1; j < len(r.segments) && r.segments[j].Life == r.segments[i].Life; j++ {
		if fits(r.segments[j]) {
			return true
		}
	}
	return false
}

// joined reports whether segment i continues segment i-1, that is, starts with the state after a tick of segment i-1.
func (r *recovery) joined(i int) (bool, error) {
	s, before := r.segments[i], r.segments[i-1]
	if s.Start != startNext || before.Life != s.Life || before.Serial >= s.Serial || before.First > s.First {
		return false, nil
	}
	if err := r.walk(before); err != nil {
		return false, err
	}
	n := uint64(s.First - before.First)
	return n < uint64(len(before.chains)) && before.chains[n] == s.Chain, nil
}

// restore restores the area as it was at the end of the segment with index end. The result done is false if no state can be
// read from which the ticks up to the end of that segment can be replayed.
func (r *recovery) restore(end int) (done bool, err error) {
	saved, err := r.savedBefore(end)
	if err != nil {
		return false, err
	}
	// Prefer the newest snapshot from which a replay emits all unsaved records again. Without one, use the oldest
	// readable snapshot.
	var candidates []int
	for i := end; ; i-- {
		candidates = append([]int{i}, candidates...)
		if r.segments[i].First <= saved {
			a, err := r.base(i)
			if err != nil {
				return false, err
			}
			if a != nil {
				return r.finish(a, i, end, saved)
			}
		}
		if i == 0 {
			break
		}
		if ok, err := r.joined(i); !ok || err != nil {
			if err != nil {
				return false, err
			}
			break
		}
	}
	for _, i := range candidates {
		a, err := r.base(i)
		if err != nil {
			return false, err
		}
		if a != nil {
			if first := r.segments[i].First; first > saved {
				r.result.say("records of ticks %d to %d may be missing in the store, because no snapshot before them can be read", saved+1, first)
			}
			return r.finish(a, i, end, saved)
		}
	}
	s := r.segments[end]
	r.result.say("%s cannot be used: it has no readable snapshot and does not continue the previous segment; %d ticks are lost", s.path, len(s.chains)-1)
	return false, nil
}

// savedBefore returns the newest tick up to which the store had all records, according to the segments up to the index end.
func (r *recovery) savedBefore(end int) (saved sim.Tick, err error) {
	for i := end; i >= 0 && r.segments[i].Life == r.segments[end].Life; i-- {
		if err := r.walk(r.segments[i]); err != nil {
			return 0, err
		}
		if saved = r.segments[i].saved; len(r.segments[i].chains) > 1 {
			break
		}
		if r.isReload(i) {
			return r.segments[i].First, nil // a reload waits until the records of all ticks before it are stored
		}
	}
	return saved, nil
}

// base returns the state from which segment i starts. It returns nil if the segment has no state that can be read.
func (r *recovery) base(i int) (*sim.Area, error) {
	s := r.segments[i]
	if s.Start == startNew {
		return sim.NewArea(r.tape.opt.World, r.log.id, s.Seed), nil
	}
	snapshot, err := r.tape.snapshotOf(r.log, s)
	if err == nil {
		var a *sim.Area
		if a, err = sim.Restore(r.tape.opt.World, snapshot); err == nil && (a.Now() != s.First || a.ID() != r.log.id) {
			err = errDamaged
		}
		if err == nil {
			return a, nil
		}
	}
	if failed, ok := errors.AsType[*readError](err); ok {
		return nil, failed
	}
	if s.Start == startNext && !errors.Is(err, errNoSnapshot) {
		r.result.say("the snapshot of %s cannot be read (%v): using the end of the previous segment instead", s.path, err)
	}
	return nil, nil
}

var errNoSnapshot = errors.New("the tape segment has no snapshot")

// snapshotOf reads the snapshot of a segment. The error is errNoSnapshot, an error about the file's content, or a
// *readError.
func (t *Tape) snapshotOf(l *Log, s *scanned) ([]byte, error) {
	if s.suffix == suffixRaw {
		h, snapshot, err := readSnapshotFile(t.fs, l.path(s.Serial, suffixSnapshot), t.pack)
		switch {
		case isMissing(err):
			return t.snapshotOfCompressed(l, s)
		case err == nil && h != s.header:
			return nil, errDamaged
		}
		return snapshot, err
	}
	in, err := openSegment(t.fs, s.path, t.pack)
	if err != nil {
		return nil, err
	}
	defer in.close()
	if in.snapshot == nil {
		return nil, errNoSnapshot
	}
	return in.snapshot, nil
}

// snapshotOfCompressed reads the snapshot of a raw segment that has no snapshot file, because it was compressed since its file was
// opened. The error is errNoSnapshot if there is no such compressed segment.
func (t *Tape) snapshotOfCompressed(l *Log, s *scanned) ([]byte, error) {
	in, err := openSegment(t.fs, l.path(s.Serial, suffixTape), t.pack)
	if err != nil {
		return nil, errNoSnapshot
	}
	defer in.close()
	if in.snapshot == nil || in.header != s.header {
		return nil, errNoSnapshot
	}
	return in.snapshot, nil
}

// finish completes the restore of an area: it replays the ticks of the segments from index base to index end. The
// parameter a is the state at the start of the first of these segments. If a tick panics or results in a state other
// than the recorded one, finish starts again and stops before that tick.
func (r *recovery) finish(a *sim.Area, base, end int, saved sim.Tick) (done bool, err error) {
	began := time.Now()
	limit := ^sim.Tick(0)
	for {
		again := false
		if limit, again, err = r.step(a, base, end, limit); err != nil {
			return false, err
		}
		if !again {
			break
		}
		if a, err = r.base(base); err != nil || a == nil {
			return false, err
		}
	}
	res, s := r.result, r.segments[end]
	res.Area, res.Saved, res.life = a, min(saved, a.Now()), s.Life
	for i := end; i >= base; i-- {
		if seg := r.segments[i]; a.Now() >= seg.First {
			res.chain = seg.chains[min(int(a.Now()-seg.First), len(seg.chains)-1)]
			break
		}
	}
	res.wallMS = s.wallMS
	r.reportEnd(s, a.Now())
	res.say("restored to tick %d of %s: %d ticks stepped in %d ms from the snapshot of tick %d",
		a.Now(), time.UnixMilli(res.wallMS).UTC().Format("2006-01-02 15:04:05.000"), res.Ticks, time.Since(began).Milliseconds(), r.segments[base].First)
	if ahead := res.wallMS - time.Now().UnixMilli(); ahead > 1000 {
		res.say("the system clock is %v behind the tape: times on the tape stand still until it catches up", time.Duration(ahead)*time.Millisecond)
	}
	for i := base; i <= end; i++ { // new ticks depend on these segments, so make them durable
		if err := r.tape.fs.SyncFile(r.segments[i].path); err != nil {
			return false, err
		}
	}
	return true, r.tape.fs.SyncDir(r.log.dir)
}

// reportEnd reports how the last segment ended, if it is incomplete or damaged.
func (r *recovery) reportEnd(s *scanned, tick sim.Tick) {
	switch {
	case s.err == nil || tick != s.last():
	case errors.Is(s.err, errShort):
		r.result.say("the last write was not completed: %d bytes after tick %d are cut off", s.size-s.at, tick)
	default:
		r.result.say("%s is damaged after tick %d (%v): what followed is lost, at most %d bytes", s.path, tick, s.err, s.size-s.at)
	}
}

// step replays the ticks of the segments from index base to index end, up to the tick limit, and compares each state with the
// recorded hash. It returns limit if all ticks succeed. If a tick panics or results in another state, step returns the number
// of the tick before it, and again is true; the caller must then replay from the start again, up to the returned tick.
func (r *recovery) step(a *sim.Area, base, end int, limit sim.Tick) (_ sim.Tick, again bool, err error) {
	var hash uint64
	var frame *sim.Frame
	r.result.Ticks = 0
	for i := base; i <= end; i++ {
		until := limit
		if i < end {
			until = min(until, r.segments[i+1].First)
		}
		in, err := openSegment(r.tape.fs, r.segments[i].path, r.tape.pack)
		if err != nil {
			return 0, false, err
		}
		var t Tick
		for a.Now() < until && in.next(&t) == nil {
			if frame != nil && t.PrevHash != hash {
				r.result.say("tick %d gives another state than the one recorded: the area is restored to the tick before it", t.Tick-1)
				return t.Tick - 2, true, in.close()
			}
			a.Recycle(frame)
			if frame, err = stepSafely(r.tape.step, a, t.Intents); err != nil {
				r.result.say("tick %d stops the area (%v): it is left out", t.Tick, err)
				return t.Tick - 1, true, in.close()
			}
			hash = frame.Hash
			r.result.Ticks++
			if r.tape.opt.Replayed != nil {
				r.tape.opt.Replayed(frame)
			}
		}
		if err := in.close(); err != nil {
			return 0, false, err
		}
	}
	a.Recycle(frame)
	return limit, false, nil
}

// stepLimit is the maximum duration of one tick of an area that has a game, because the game's rules may contain an
// endless loop.
const stepLimit = 10 * time.Second

// stepSafely simulates a tick of an area and returns a panic as an error. For an area with a game, it also returns an error if
// the tick does not end within stepLimit. The area must not be used after an error.
func stepSafely(step func(*sim.Area, []sim.Intent) *sim.Frame, a *sim.Area, intents []sim.Intent) (f *sim.Frame, err error) {
	if !a.HasGame() {
		return stepRecovering(step, a, intents)
	}
	type result struct {
		f   *sim.Frame
		err error
	}
	done := make(chan result, 1)
	go func() {
		f, err := stepRecovering(step, a, intents)
		done <- result{f, err}
	}()
	limit := time.NewTimer(stepLimit)
	defer limit.Stop()
	select {
	case r := <-done:
		return r.f, r.err
	case <-limit.C:
		return nil, fmt.Errorf("the tick did not end within %v: the rules of the game may have an endless loop", stepLimit)
	}
}

// stepRecovering simulates a tick of an area and returns a panic as an error.
func stepRecovering(step func(*sim.Area, []sim.Intent) *sim.Frame, a *sim.Area, intents []sim.Intent) (f *sim.Frame, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the simulation of the tick panicked: %v", v)
		}
	}()
	return step(a, intents), nil
}
