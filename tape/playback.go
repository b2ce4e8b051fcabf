package tape

import (
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// Playback replays an area from its tape: it simulates the recorded ticks again. The tape may be written at the same time: Playback
// reads the ticks that are completely written. It is not safe for concurrent use. A new Playback has no current tick: Seek
// selects one, and a Step before any Seek selects the first.
//
// Seek restores the newest snapshot before the wanted tick and replays the ticks after the snapshot. If every segment has its
// snapshot, these are at most the ticks of one segment. While it replays, it caches a state every two seconds, at most
// keptBytes in all, so that a later Seek to a nearby time has few ticks to replay.
type Playback struct {
	line    timeline
	lenient bool // a state that differs from the recorded one is not an error

	area      *sim.Area      // nil before the first Seek or Step and after an error
	frame     *sim.Frame     // frame of the last tick; nil if no tick was replayed since the state was restored
	hash      uint64         // PrevHash of the next tick
	chain     uint64         // chain value after the last tick
	wallMS    int64          // wall-clock time of the last tick
	serial    uint64         // number of the segment of the last tick, or of the restored state
	now, next Tick           // the last tick; the next tick, valid if ahead is set
	ahead     bool           // the next tick has been read
	in        *segmentReader // open file, read up to the tick now, or up to next if ahead is set; nil if none is open
	readable  sim.Tick       // last tick that the file contained when it was opened
	gap       uint64         // number of the segment that follows the gap which Step has already reported
	kept      keptStates
	from, to  int64 // limits of the playback in ms since 1970, see Limit
	err       error // returned by Step until the next Seek
}

// GapError is the error of Step (1) at a period of time for which the tape has no ticks, and (2) at a reload of the world
// file. The next Step continues with the first tick after the gap or the reload.
type GapError struct {
	From, To  time.Time // times of the last tick before the gap and of the first tick after it
	Reloaded  bool      // no tick is missing: the world file was reloaded, and the next ticks belong to the new world
	continues bool      // no tick is missing: the server was down, and then restored the area
}

// Error returns the times between which nothing was recorded, or the time at which the world file was reloaded.
func (e *GapError) Error() string {
	if e.Reloaded {
		return fmt.Sprintf("tape: the world file was reloaded at %s", e.To.Format(time.DateTime))
	}
	return fmt.Sprintf("tape: nothing was recorded from %s to %s", e.From.Format(time.DateTime), e.To.Format(time.DateTime))
}

// MaxSeek is the maximum number of ticks that Seek replays: an hour at 20 ticks a second. Seek returns an error if the
// wanted tick is more than MaxSeek ticks after the nearest earlier state that can be read from the tape.
const MaxSeek = 72_000

var errNoSegments = errors.New("the tape has no segment that can be played back")

// OpenPlayback returns a Playback of an area's tape. Options.World must be set, and Options.Dir or Options.FS. The folder
// may be empty or missing.
func OpenPlayback(o Options, id sim.AreaID) (*Playback, error) {
	if id < 0 || int(id) >= len(o.World.Areas) {
		return nil, fmt.Errorf("tape: the world has no area %d", id)
	}
	p := &Playback{line: newTimeline(o, id), kept: keptStates{limit: keptBytes}, from: math.MinInt64, to: math.MaxInt64}
	return p, p.line.refresh()
}

// Close closes the files of the playback.
func (p *Playback) Close() { p.unset(nil) }

// Limit restricts the playback to the time between from and to, as if the tape had no other ticks. The playback then begins
// with the last tick at or before from, or with the first tick after from if from is in a gap of the recording. It ends with
// the last tick at or before to.
func (p *Playback) Limit(from, to time.Time) { p.from, p.to = from.UnixMilli(), to.UnixMilli() }

// Spans returns the recorded periods that can be replayed, oldest first. Of a period that extends beyond the times passed to
// Limit, only the ticks between these times can be replayed. From and To are then these times, but First and Last are still the
// first and the last tick of the whole period. Spans reads only headers and indexes.
func (p *Playback) Spans() ([]Span, error) {
	err := p.line.refresh()
	return p.limitedSpans(), err
}

func (p *Playback) limitedSpans() []Span {
	list := p.line.spans()
	list = slices.DeleteFunc(list, func(s Span) bool { return s.To.UnixMilli() < p.from || s.From.UnixMilli() > p.to })
	for i := range list {
		if s := &list[i]; s.From.UnixMilli() < p.from {
			s.From = time.UnixMilli(p.from)
		}
		if s := &list[i]; s.To.UnixMilli() > p.to {
			s.To = time.UnixMilli(p.to)
		}
	}
	return list
}

// Tick returns the number of the current tick, 0 before the first Seek or Step.
func (p *Playback) Tick() sim.Tick {
	if p.area == nil {
		return 0
	}
	return p.area.Now()
}

// Time returns the wall-clock time of the current tick.
func (p *Playback) Time() time.Time { return time.UnixMilli(p.wallMS) }

// Frame returns the frame of the current tick, valid until the next call of Seek or Step. It is nil after an error
// other than io.EOF and *GapError.
func (p *Playback) Frame() *sim.Frame { return p.frame }

// Area returns the state of the area after the current tick. It is nil when Frame returns nil. The caller must not change
// the state, which is valid until the next call of Seek or Step.
func (p *Playback) Area() *sim.Area { return p.area }

// Intents returns the intents of the current tick, valid until the next call of Seek or Step.
func (p *Playback) Intents() []sim.Intent { return p.now.Intents }

// Seek selects the last tick at or before a wall-clock time. In a gap, and before the start of the tape, it selects the
// first tick after that time.
func (p *Playback) Seek(at time.Time) error {
	if err := p.position(min(max(at.UnixMilli(), p.from), p.to), 1); err != nil {
		return err
	}
	if p.wallMS > p.to { // the selected tick is after the limit, because the limit is in a gap
		if spans := p.limitedSpans(); len(spans) > 0 {
			if err := p.position(spans[len(spans)-1].To.UnixMilli(), 1); err != nil {
				return err
			}
		}
	}
	if p.frame == nil || p.wallMS > p.to {
		return p.unset(fmt.Errorf("tape: area %q has no readable tick at %s or near that time", p.line.log.name, at.Format(time.DateTime)))
	}
	return nil
}

// Step replays the next tick. At a gap it returns a *GapError. After the last written tick it returns io.EOF; it may be
// called again later to replay ticks that have been written since.
func (p *Playback) Step() error {
	if p.err != nil {
		return p.err
	}
	if p.area == nil {
		err := p.position(p.from, 1)
		if errors.Is(err, errNoSegments) {
			return io.EOF
		}
		return err
	}
	err := p.peek()
	if gap, ok := errors.AsType[*GapError](err); ok && gap.To.UnixMilli() > p.to || err == nil && p.next.WallMS > p.to {
		return io.EOF
	}
	if err != nil {
		return err
	}
	return p.step()
}

// position selects the last tick at or before a wall-clock time. If that time is in a gap or before the start of the tape, the
// parameter first decides: if it is 0, position selects the state with which the tape continues; otherwise it selects the tick
// that is first ticks after that state. p.frame is nil if the state was restored and no tick was replayed.
func (p *Playback) position(atMS int64, first sim.Tick) error {
	if err := p.line.refresh(); err != nil {
		return p.unset(err)
	}
	for {
		g, ok := p.line.find(atMS, first)
		if !ok {
			p.unset(nil)
			return fmt.Errorf("tape: area %q, folder %s: %w", p.line.log.name, p.line.log.dir, errNoSegments)
		}
		again, err := p.start(&g)
		if err != nil {
			return p.unset(err)
		}
		if again {
			continue
		}
		return p.run(&g)
	}
}

// run replays ticks until the playback has reached the goal g.
func (p *Playback) run(g *goal) error {
	p.err, p.gap = nil, 0
	path := p.line.parts[g.part].path
	for n := 0; ; n++ {
		err := p.peek()
		if gap, ok := errors.AsType[*GapError](err); ok && gap.continues {
			continue
		} else if ok || errors.Is(err, io.EOF) {
			p.gap = 0 // reset, so that the next Step returns the gap
			return nil
		} else if err != nil {
			return err
		}
		if p.next.Tick > g.limit || p.next.WallMS > g.atMS {
			return nil
		}
		if n == MaxSeek {
			return p.unset(fmt.Errorf("tape: %s: the requested tick is more than %d ticks after the last readable snapshot", path, MaxSeek))
		}
		if err := p.step(); err != nil {
			return err
		}
	}
}

// start selects a state before the goal g, from which the playback then replays. It selects the nearest one that is available
// without a replay: the present state, a cached state, or the state from which a segment starts. The result again is true if a
// snapshot could not be read, so that the caller must compute the goal again.
func (p *Playback) start(g *goal) (again bool, err error) {
	for i := g.part; ; i-- {
		s := p.line.parts[i]
		limit := min(g.limit, s.until)
		k := p.kept.find(s.Serial, limit, g.atMS)
		present := p.area != nil && p.frame != nil && p.serial == s.Serial && p.area.Now() <= limit && p.wallMS <= g.atMS
		switch {
		case present && (k == nil || k.tick <= p.area.Now()):
			return false, nil
		case k != nil:
			return false, p.restore(k.data, &k.state, p.line.worldOf(s))
		case s.base:
			return p.startFrom(s)
		case !s.joined:
			panic("tape: a segment without a state was found") // find returns segments with a state
		}
	}
}

// startFrom makes the state from which segment s starts the current state of the playback. If the segment's snapshot cannot be
// read, startFrom marks the segment as having none. The result again is true if the caller must try again: with an earlier
// state, or because the files have been replaced since they were listed.
func (p *Playback) startFrom(s *part) (again bool, err error) {
	l := &p.line
	world := l.worldOf(s)
	if world == nil {
		return false, fmt.Errorf("tape: %s was written with another world file or other rules; use the world file and the rules with which the server ran", s.path)
	}
	at := state{serial: s.Serial, tick: s.First, chain: s.Chain, wallMS: s.WallMS}
	if s.Start == startNew {
		p.set(sim.NewArea(world, l.id, s.Seed), &at)
		return false, nil
	}
	snapshot, err := l.snapshot(s)
	if err == nil {
		at.hash = hashOfState
		err = p.restore(snapshot, &at, world)
	}
	missing := isMissing(err) || errors.Is(err, errNoSnapshot)
	if err == nil || isFatal(err) && !missing {
		return false, err
	}
	if missing {
		if replaced, err := p.replaced(s); replaced || err != nil {
			return true, err
		}
	}
	s.base, s.unreadableSnapshot = false, err
	if err := l.join(); err != nil {
		return false, err
	}
	if s.based {
		return true, nil
	}
	return false, fmt.Errorf("tape: the snapshot of %s cannot be read: %w", s.path, err)
}

// replaced reports whether the files of a segment were deleted or replaced since they were listed.
func (p *Playback) replaced(s *part) (bool, error) {
	err := p.line.refresh()
	return p.line.part(s.Serial) != s, err
}

// restore makes the state of a snapshot the current state of the playback. The parameter world is the world of the
// snapshot's segment. The parameter at describes the tick to which the state belongs.
func (p *Playback) restore(snapshot []byte, at *state, world *sim.World) error {
	a, err := sim.Restore(world, snapshot)
	if err == nil && (a.Now() != at.tick || a.ID() != p.line.id) {
		err = errDamaged
	}
	if err != nil {
		return err
	}
	p.set(a, at)
	return nil
}

// set makes an area the current state of the playback. The parameter at describes the tick to which the state belongs.
func (p *Playback) set(a *sim.Area, at *state) {
	p.unset(nil)
	p.area, p.serial, p.chain, p.wallMS, p.hash = a, at.serial, at.chain, at.wallMS, at.hash
	if at.hash == hashOfState {
		p.hash = a.Hash()
	}
}

// unset discards the current state and closes the file. Until the next Seek, Step returns err. If err is nil, Step begins with
// the first tick of the tape instead. unset returns err.
func (p *Playback) unset(err error) error {
	p.closeFile()
	p.area, p.frame, p.ahead, p.err = nil, nil, false, err
	p.now.Intents = p.now.Intents[:0]
	return err
}

func (p *Playback) closeFile() {
	if p.in != nil {
		p.in.close()
		p.in = nil
	}
}

// peek reads the next tick into p.next, unless that was done already. Its errors are those of Step.
func (p *Playback) peek() error {
	for !p.ahead {
		now := p.area.Now()
		s := p.line.part(p.serial)
		if s != nil && now >= p.readable {
			p.closeFile()
		}
		if p.in == nil && s != nil && now < s.until {
			var err error
			p.readable = s.until
			if p.in, err = s.openAfter(p.line.tape, now); isMissing(err) {
				if replaced, failed := p.replaced(s); failed != nil {
					return p.unset(failed)
				} else if replaced {
					continue
				}
			}
			if err != nil {
				return p.failed(s.path, err)
			}
		}
		if p.in == nil || s != nil && now >= s.until {
			if err := p.advance(); err != nil {
				return err
			}
			continue
		}
		err := p.in.next(&p.next)
		switch {
		case err == nil:
			p.ahead = true
		case s == nil && (errors.Is(err, io.EOF) || errors.Is(err, errShort)): // the end of a segment that was deleted while it was read
			p.closeFile()
		default:
			return p.failed(p.line.log.path(p.serial, p.in.suffix), err)
		}
	}
	return nil
}

// failed is called if the next tick cannot be read. It discards the current state and returns the error that Step must return.
func (p *Playback) failed(path string, err error) error {
	if errors.Is(err, io.EOF) {
		err = errDamaged
	}
	return p.unset(fmt.Errorf("tape: read from %s the tick after tick %d: %w", path, p.area.Now(), err))
}

// advance makes the playback continue after the last known tick of a segment: with ticks that were written since, or with the
// next segment.
func (p *Playback) advance() error {
	if err := p.line.refresh(); err != nil {
		return p.unset(err)
	}
	now := p.area.Now()
	before := p.line.part(p.serial)
	if before != nil && now < before.until {
		p.closeFile()
		return nil
	}
	for _, s := range p.line.parts {
		if s.Serial <= p.serial {
			continue
		}
		continues := s.Start == startNext && s.First == now && s.Chain == p.chain && (before == nil || s.Life == before.Life)
		if !continues && !(s.base && s.canStep()) {
			continue
		}
		if gap := s.canStep() && (!continues || s.fromMS()-p.wallMS > pause.Milliseconds()); gap && p.gap != s.Serial {
			p.gap = s.Serial
			return &GapError{From: time.UnixMilli(p.wallMS), To: time.UnixMilli(s.fromMS()),
				Reloaded: before != nil && s.reloadedAfter(before), continues: continues}
		}
		p.closeFile()
		if continues {
			p.serial = s.Serial
			if s.until > s.First {
				return nil
			}
			continue // the segment has no ticks
		}
		if _, err := p.startFrom(s); err != nil {
			return p.unset(err)
		}
		return nil
	}
	return io.EOF
}

// step replays the tick that peek has read into p.next.
func (p *Playback) step() error {
	t, l := &p.next, &p.line
	if t.PrevHash != p.hash && !p.lenient {
		return p.unset(fmt.Errorf("tape: area %q: the replay of tick %d resulted in another state than the recorded one; use the program that recorded the tape", l.log.name, t.Tick-1))
	}
	p.keep()
	p.area.Recycle(p.frame)
	p.frame, p.ahead = nil, false
	f, err := stepSafely(l.tape.step, p.area, t.Intents)
	if err != nil {
		return p.unset(fmt.Errorf("tape: replay tick %d of area %q: %w", t.Tick, l.log.name, err))
	}
	p.frame, p.hash, p.chain, p.wallMS = f, f.Hash, t.chain, t.WallMS
	p.now, p.next = p.next, p.now
	// Let other goroutines run: an area of a running world whose tick is due must not wait for the end of a time slice,
	// which is 10 ms.
	runtime.Gosched()
	return nil
}

// keep adds the current state to the cache, but only once per keptSeconds seconds of ticks.
func (p *Playback) keep() {
	if every := sim.Tick(keptSeconds * p.line.tape.opt.World.TicksPerSecond); p.area.Now()%every == 0 {
		p.kept.add(p.area, &state{serial: p.serial, tick: p.area.Now(), hash: p.hash, chain: p.chain, wallMS: p.wallMS}, p.next.WallMS)
	}
}

// snapshot reads the snapshot from which segment s starts.
func (l *timeline) snapshot(s *part) ([]byte, error) {
	return l.tape.snapshotOf(l.log, &scanned{header: s.header, path: s.path, suffix: s.suffix})
}
