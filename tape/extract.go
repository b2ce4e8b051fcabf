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

// Extract returns the ticks of an area between two wall-clock times, both inclusive, together with the state before the
// first of these ticks. The result ends early where ticks are missing on the tape or where the area was created anew.
// Options.World must be set, and Options.Dir or Options.FS. A server may be writing the tape.
func Extract(o Options, id sim.AreaID, from, to time.Time) (*area.Replay, error) {
	p, err := OpenPlayback(o, id)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	p.lenient, p.kept.limit = true, 0
	if err := p.position(from.UnixMilli()-1, 0); err != nil {
		return nil, err
	}
	l := &p.line
	r := &area.Replay{World: o.World.Name, Digest: l.tape.digest, Area: l.log.name}
	for {
		err := p.peek()
		if gap, ok := errors.AsType[*GapError](err); ok && (gap.continues || len(r.Ticks) == 0) {
			continue
		} else if ok || errors.Is(err, io.EOF) || err == nil && p.next.WallMS > to.UnixMilli() {
			break
		} else if err != nil {
			return nil, err
		}
		n := len(r.Ticks)
		switch n {
		case MaxExtract:
			return nil, fmt.Errorf("tape: the chosen period has more than %d ticks; choose a shorter one", MaxExtract)
		case 0:
			r.Snapshot, r.Seed = p.area.Snapshot(nil), p.in.header.Seed
		default:
			r.Ticks[n-1].Hash = p.next.PrevHash
		}
		r.Ticks = append(r.Ticks, area.ReplayTick{Intents: slices.Clone(p.next.Intents)})
		if err := p.step(); err != nil {
			return nil, err
		}
		r.Ticks[n].Hash = p.hash // computed hash, until the next tick provides the recorded one
	}
	if len(r.Ticks) == 0 {
		return nil, fmt.Errorf("tape: area %q has no ticks from %s to %s; its tape has %s", l.log.name, from.Format(time.DateTime), to.Format(time.DateTime), l.describe())
	}
	return r, nil
}

// describe returns the times of the first and the last recorded tick as text for error messages.
func (l *timeline) describe() string {
	spans := l.spans()
	if len(spans) == 0 {
		return "none"
	}
	return spans[0].From.Format(time.DateTime) + " to " + spans[len(spans)-1].To.Format(time.DateTime)
}
