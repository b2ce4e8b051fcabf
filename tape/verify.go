package tape

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// Verification is the result of replaying a tape and comparing the states with the recorded hashes.
type Verification struct {
	Areas, Segments, Ticks int           // numbers of areas, segments and replayed ticks
	Former                 int           // number of segments that were not replayed because they are from before a reload of the world file
	Intents                IntentCount   // numbers of replayed intents by kind
	Played                 time.Duration // game time of the replayed ticks
	Problems               []string      // differences and unreadable parts, one line each
}

// IntentCount counts the replayed intents: claims, paths and inputs, which the three movement authorities judge, and all other
// intents.
type IntentCount struct{ Claims, Paths, Inputs, Others int }

func (c *IntentCount) count(intents []sim.Intent) {
	for i := range intents {
		switch intents[i].Kind {
		case sim.IntentClaim:
			c.Claims++
		case sim.IntentPath:
			c.Paths++
		case sim.IntentInput:
			c.Inputs++
		default:
			c.Others++
		}
	}
}

func (c *IntentCount) add(d IntentCount) {
	c.Claims += d.Claims
	c.Paths += d.Paths
	c.Inputs += d.Inputs
	c.Others += d.Others
}

// Print writes one line for each problem and then a summary. The parameter took is the duration of the verification. Print
// returns an error if there are problems.
func (v *Verification) Print(w io.Writer, took time.Duration) error {
	for _, problem := range v.Problems {
		if _, err := fmt.Fprintln(w, problem); err != nil {
			return err
		}
	}
	n := &v.Intents
	_, err := fmt.Fprintf(w, "areas %d, segments %d, ticks %d with %d claims, %d paths, %d inputs and %d other intents: %v of play stepped in %v\n",
		v.Areas, v.Segments, v.Ticks, n.Claims, n.Paths, n.Inputs, n.Others, v.Played, took.Round(time.Millisecond))
	if err == nil && v.Former > 0 {
		_, err = fmt.Fprintf(w, "%d segments are from before the world file was reloaded and are not stepped: step them with the former world file\n", v.Former)
	}
	if n := len(v.Problems); n > 0 {
		return fmt.Errorf("the tape has %d problems: segments cannot be read, or ticks do not result in the recorded states", n)
	}
	return err
}

// stretch is a part of a tape that is replayed on its own: consecutive segments, the first of which has a state to start
// from. If the next segment continues the stretch, the state at the end is compared with that segment's snapshot.
type stretch struct {
	recovery *recovery
	from, to int         // indices of the segments in recovery.segments; to is exclusive
	ticks    int         // number of ticks replayed
	intents  IntentCount // intents in the ticks replayed
}

// Verify replays every tick of a tape and compares each state with the recorded hash and with the snapshots. It uses
// all processors. Options.World must be set, and Options.Dir or Options.FS. A server may be writing the tape: Verify reads
// the ticks that are completely written.
func Verify(o Options) (v Verification, err error) {
	o.setDefaults()
	o.Replayed = nil
	stretches, err := v.plan(&o)
	if err != nil {
		return v, err
	}
	work := make(chan stretch)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), max(len(stretches), 1)) {
		wg.Go(func() {
			pack := newPacker()
			for s := range work {
				problem := s.verify(pack)
				mu.Lock()
				v.Ticks += s.ticks
				v.Intents.add(s.intents)
				if problem != "" {
					v.Problems = append(v.Problems, problem)
				}
				mu.Unlock()
			}
		})
	}
	for _, s := range stretches {
		work <- s
	}
	close(work)
	wg.Wait()
	v.Played = time.Duration(v.Ticks) * time.Second / time.Duration(o.World.TicksPerSecond)
	return v, nil
}

// plan divides the tapes of all areas into stretches, which are replayed and verified independently of each other.
func (v *Verification) plan(o *Options) (stretches []stretch, err error) {
	t := &Tape{opt: *o, fs: o.FS, digest: o.World.Digest(), pack: newPacker()}
	for i := range o.World.Areas {
		l := &Log{tape: t, id: sim.AreaID(i), name: o.World.Areas[i].Name, dir: areaDir(i, o.World.Areas[i].Name)}
		r := &recovery{tape: t, log: l, result: &Recovered{}, readOnly: true}
		if err := r.list(); err != nil {
			return nil, fmt.Errorf("tape: list the segments of area %q: %w", l.name, err)
		}
		v.Problems = append(v.Problems, r.result.Report...)
		if len(r.segments) > 0 {
			v.Areas++
		}
		v.Segments += len(r.segments)
		list, err := v.planArea(r)
		if err != nil {
			return nil, err
		}
		stretches = append(stretches, list...)
	}
	return stretches, nil
}

// planArea divides the tape of an area into stretches.
func (v *Verification) planArea(r *recovery) (list []stretch, err error) {
	fits := func(s *scanned) bool { return s.Digest == r.tape.digest && s.World == r.tape.opt.World.Name }
	for i, s := range r.segments {
		if !fits(s) && r.reloadedInto(i, fits) {
			v.Former++
			continue
		}
		if !fits(s) {
			v.Problems = append(v.Problems, fmt.Sprintf("%s was written with another world file or other rules and is not replayed", s.path))
			continue
		}
		if n := len(list); r.result.segments[i].base {
			list = append(list, stretch{recovery: r, from: i, to: i + 1})
		} else if n > 0 && list[n-1].to == i && s.Start == startNext {
			list[n-1].to++
		} else if err := r.walk(s); err != nil {
			return nil, err
		} else if n := len(s.chains) - 1; n > 0 || s.err != nil && !errors.Is(s.err, errShort) {
			// A segment without any tick is no problem, because a crash or a failing disk may leave one behind.
			v.Problems = append(v.Problems, fmt.Sprintf("%s has no snapshot that can be read, so its %d ticks are not replayed", s.path, n))
		}
	}
	return list, nil
}

// verify replays s. The result problem describes the first difference from the recorded states, "" if there is
// none.
func (s *stretch) verify(pack *packer) (problem string) {
	hash := uint64(0) // PrevHash of the first tick of a new area
	r, a, err := s.step(pack, func(a *sim.Area, t *Tick) error {
		if a.Now() > 0 && s.ticks == 0 {
			hash = a.Hash()
		}
		if t.PrevHash != hash {
			return fmt.Errorf("the state after tick %d has the hash %#x, but the tape has recorded the hash %#x", a.Now(), hash, t.PrevHash)
		}
		return nil
	}, func(_ *sim.Area, t *Tick, f *sim.Frame, panicked error) error {
		if panicked == nil {
			hash = f.Hash
			s.ticks++
			s.intents.count(t.Intents)
		}
		return nil
	})
	if isMissing(err) {
		return "" // the server that writes the tape has deleted the segment meanwhile
	}
	if err != nil {
		return err.Error()
	}
	return s.compareEnd(r, a)
}

// missingOr returns an error that says that the file of segment i does not exist, if it does not, and err otherwise.
func (r *recovery) missingOr(i int, err error) error {
	in, openErr := r.open(r.segments[i].path)
	if isMissing(openErr) {
		return openErr
	}
	if openErr == nil {
		in.close()
	}
	return err
}

// step replays s from the state at its start. The function before is called before each tick, with the state and the tick.
// The function after is called after each tick, with the frame of the tick, or with an error if the simulation panicked. If one
// of the functions returns an error, step returns early. The result a is the state at the end.
func (s *stretch) step(pack *packer, before func(*sim.Area, *Tick) error, after func(*sim.Area, *Tick, *sim.Frame, error) error) (r *recovery, a *sim.Area, err error) {
	copied := *s.recovery // each caller needs its own packer and report
	r = &copied
	t := &Tape{opt: r.tape.opt, fs: r.tape.fs, digest: r.tape.digest, pack: pack}
	r.tape, r.result = t, &Recovered{}
	if a, err = r.base(s.from); err == nil && a == nil {
		err = r.missingOr(s.from, errDamaged)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the snapshot of %s cannot be read: %w", r.segments[s.from].path, err)
	}
	var frame *sim.Frame
	for i := s.from; i < s.to; i++ {
		path := r.segments[i].path
		in, err := r.open(path)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		err = stepSegment(a, in, &frame, before, after)
		if err = errors.Join(err, in.close()); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return r, a, nil
}

// stepSegment replays the ticks of one segment. It calls the functions before and after for each tick, as step does.
func stepSegment(a *sim.Area, in *segmentReader, frame **sim.Frame, before func(*sim.Area, *Tick) error, after func(*sim.Area, *Tick, *sim.Frame, error) error) error {
	var t Tick
	for {
		switch err := in.next(&t); {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errShort) && in.suffix == suffixRaw:
			return nil // the end of a raw segment that is being written now, or that a crash has truncated
		case err != nil:
			return fmt.Errorf("read the tick after tick %d: %w", a.Now(), err)
		}
		if t.Tick <= a.Now() {
			continue
		}
		if t.Tick != a.Now()+1 {
			return fmt.Errorf("tick %d is missing on the tape", a.Now()+1)
		}
		if err := before(a, &t); err != nil {
			return err
		}
		a.Recycle(*frame)
		f, err := stepSafely((*sim.Area).Step, a, t.Intents)
		*frame = f
		if stop := after(a, &t, f, err); stop != nil {
			return stop
		}
		if err != nil { // the state after a panic is undefined
			return fmt.Errorf("replay tick %d: %w", t.Tick, err)
		}
	}
}

// compareEnd compares the state at the end of a stretch with the next segment's snapshot. It returns "" if they are
// equal.
func (s *stretch) compareEnd(r *recovery, a *sim.Area) string {
	if s.to >= len(r.segments) {
		return ""
	}
	next := r.segments[s.to]
	if next.Start != startNext || next.Life != r.segments[s.from].Life || next.First != a.Now() {
		return ""
	}
	snapshot, err := r.tape.snapshotOf(r.log, next)
	switch {
	case errors.Is(err, errNoSnapshot):
		return ""
	case err != nil:
		return fmt.Sprintf("the snapshot of %s cannot be read: %v", next.path, err)
	case !bytes.Equal(snapshot, a.Snapshot(nil)):
		return fmt.Sprintf("the snapshot of %s differs from the state that results from the ticks before it", next.path)
	}
	return ""
}
