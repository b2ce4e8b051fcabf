package tape

import (
	"cmp"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// Stretch is a part of a tape that can be replayed on its own: a segment that begins with a readable snapshot or with a new area, and
// the segments that continue it, up to the next one that has a readable snapshot.
type Stretch struct {
	Area    sim.AreaID // area whose ticks these are
	Segment uint64     // number of the first segment
	Path    string     // path of the first segment's file, relative to the folder of the tape
	Start   time.Time  // wall-clock time at which the first segment was begun
	part    stretch
}

// Step is one replayed tick of a Stretch. It is valid until the callback that received it returns.
type Step struct {
	Tick     sim.Tick   // number of the tick
	Time     time.Time  // wall-clock time at which the tick was played
	Before   uint64     // recorded hash of the state before the tick
	Frame    *sim.Frame // result of the tick; nil if its simulation panicked
	Panicked error      // error that describes the panic; nil if there was none
	Area     *sim.Area  // state after the tick; undefined after a panic
}

// Stretches returns the stretches of a tape, sorted by their start. The result problems has one line for each part of the
// tape that cannot be replayed. Options.World must be set, and Options.Dir or Options.FS. A server may be writing the tape.
func Stretches(o Options) (list []Stretch, problems []string, err error) {
	o.setDefaults()
	o.Replayed = nil
	var v Verification
	parts, err := v.plan(&o)
	for _, p := range parts {
		s := p.recovery.segments[p.from]
		list = append(list, Stretch{p.recovery.log.id, s.Serial, s.path, time.UnixMilli(s.WallMS), p})
	}
	slices.SortFunc(list, func(a, b Stretch) int { return a.Compare(&b) })
	return list, v.Problems, err
}

// Compare orders stretches by start, area and segment number.
func (s *Stretch) Compare(t *Stretch) int {
	return cmp.Or(s.Start.Compare(t.Start), cmp.Compare(s.Area, t.Area), cmp.Compare(s.Segment, t.Segment))
}

// Play replays the stretch from its start and calls visit after each tick. It does not compare states with the recorded
// hashes. It ends with an error after a tick that panics, or when visit returns an error.
func (s *Stretch) Play(visit func(*Step) error) error {
	_, _, err := s.part.step(newPacker(), func(*sim.Area, *Tick) error { return nil },
		func(a *sim.Area, t *Tick, f *sim.Frame, panicked error) error {
			return visit(&Step{t.Tick, time.UnixMilli(t.WallMS), t.PrevHash, f, panicked, a})
		})
	return err
}
