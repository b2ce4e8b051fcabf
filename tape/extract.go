package tape

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
)

// MaxExtract is the maximum number of ticks that Extract returns: an hour at 20 ticks a second.
const MaxExtract = 72_000

// Extract returns the ticks of an area that were played from one wall-clock time to another, both inclusive, with the state before them. o
// has World and Dir or FS. A stretch ends early where the tape has a gap, or where the area began anew. The tape may be in use.
func Extract(o Options, id sim.AreaID, from, to time.Time) (*area.Replay, error) {
	o.setDefaults()
	t := &Tape{opt: o, fs: o.FS, digest: o.World.Digest(), pack: newPacker()}
	name := o.World.Areas[id].Name
	l := &Log{tape: t, id: id, name: name, dir: areaDir(int(id), name)}
	r := &recovery{tape: t, log: l, result: &Recovered{}, readOnly: true}
	if err := r.list(); err != nil {
		return nil, fmt.Errorf("tape: area %q: %w", name, err)
	}
	if len(r.segments) == 0 {
		return nil, fmt.Errorf("tape: area %q has no segments in %s", name, l.dir)
	}
	first := r.segmentAt(from.UnixMilli())
	if s := r.segments[first]; s.World != o.World.Name || s.Digest != t.digest {
		return nil, fmt.Errorf("tape: %s was written with another world file or other rules; load those with which the server ran", s.path)
	}
	for first > 0 && !r.result.segments[first].base {
		if ok, err := r.joined(first); !ok || err != nil {
			return nil, errors.Join(fmt.Errorf("tape: no snapshot before %s can be read", r.segments[first].path), err)
		}
		first--
	}
	x := extraction{recovery: r, from: from.UnixMilli(), to: to.UnixMilli()}
	if err := x.run(first); err != nil {
		return nil, err
	}
	if len(x.ticks) == 0 {
		return nil, fmt.Errorf("tape: area %q has no ticks from %s to %s; its tape has %s", name, from.Format(time.DateTime), to.Format(time.DateTime), r.span())
	}
	return &area.Replay{World: o.World.Name, Digest: t.digest, Area: name, Seed: r.segments[first].Seed, Snapshot: x.snapshot, Ticks: x.ticks}, nil
}

// segmentAt returns the index of the last segment that was started at or before a wall-clock time, or 0 if all were started later.
func (r *recovery) segmentAt(wallMS int64) (i int) {
	for i = len(r.segments) - 1; i > 0 && r.segments[i].WallMS > wallMS; i-- {
	}
	return i
}

// span describes the time from the start of the first segment to that of the last one.
func (r *recovery) span() string {
	at := func(s *scanned) string { return time.UnixMilli(s.WallMS).Format(time.DateTime) }
	return at(r.segments[0]) + " to at least " + at(r.segments[len(r.segments)-1])
}

// extraction collects the ticks of a stretch.
type extraction struct {
	*recovery
	from, to int64 // ms since 1970, inclusive
	area     *sim.Area
	frame    *sim.Frame
	snapshot []byte // state before the first collected tick
	ticks    []area.ReplayTick
}

// run steps from the state at the start of a segment and collects the ticks of the stretch.
func (x *extraction) run(first int) (err error) {
	if x.area, err = x.base(first); err != nil || x.area == nil {
		return errors.Join(fmt.Errorf("tape: the snapshot of %s cannot be read", x.segments[first].path), err)
	}
	for i := first; i < len(x.segments); i++ {
		if i > first {
			ok, err := x.joined(i)
			ok = ok && x.segments[i].First == x.area.Now()
			switch {
			case err != nil:
				return err
			case !ok && len(x.ticks) > 0:
				return nil
			case !ok: // the stretch begins behind a gap
				if x.area, err = x.base(i); err != nil || x.area == nil {
					return errors.Join(fmt.Errorf("tape: the snapshot of %s cannot be read", x.segments[i].path), err)
				}
				x.frame = nil
			}
		}
		if done, err := x.step(x.segments[i].path); done || err != nil {
			return err
		}
	}
	return nil
}

// step steps the ticks of a segment, and reports whether the stretch has ended.
func (x *extraction) step(path string) (done bool, err error) {
	in, err := openSegment(x.tape.fs, path, x.tape.pack)
	if err != nil {
		return true, fmt.Errorf("tape: %s: %w", path, err)
	}
	defer in.close()
	var t Tick
	for {
		switch err := in.next(&t); {
		case errors.Is(err, io.EOF), errors.Is(err, errShort) && in.suffix == suffixRaw:
			return false, nil
		case err != nil:
			return true, fmt.Errorf("tape: %s: after tick %d: %w", path, x.area.Now(), err)
		case t.Tick <= x.area.Now():
			continue
		case t.WallMS > x.to || t.Tick != x.area.Now()+1:
			return true, nil
		}
		if n := len(x.ticks); n == MaxExtract {
			return true, fmt.Errorf("tape: more than %d ticks; choose a shorter time", MaxExtract)
		} else if n > 0 {
			x.ticks[n-1].Hash = t.PrevHash
		}
		if t.WallMS >= x.from {
			if x.snapshot == nil {
				x.snapshot = x.area.Snapshot(nil)
			}
			x.ticks = append(x.ticks, area.ReplayTick{Intents: slices.Clone(t.Intents)})
		}
		x.area.Recycle(x.frame)
		if x.frame, err = stepSafely((*sim.Area).Step, x.area, t.Intents); err != nil {
			return true, fmt.Errorf("tape: %s: tick %d: %w", path, t.Tick, err)
		}
		if n := len(x.ticks); n > 0 {
			x.ticks[n-1].Hash = x.frame.Hash // until the next tick gives the recorded one
		}
	}
}
