package tape

import (
	"cmp"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// Stretch is a part of a tape that can be stepped independently of the others: a segment with a state to start from, and the
// following segments that have no snapshot.
type Stretch struct {
	Area    sim.AreaID
	Segment uint64    // number of its first segment
	Path    string    // file of that segment, in the folder of the tape
	Start   time.Time // wall-clock time at which that segment was begun
	part    stretch
}

// Step is one tick of a stretch, valid until the callback returns.
type Step struct {
	Tick     sim.Tick
	Time     time.Time  // wall-clock time at which the tick was played
	Before   uint64     // recorded hash of the state before the tick
	Frame    *sim.Frame // nil if the step panicked
	Panicked error      // value that the step panicked with
	Area     *sim.Area  // state after the tick; undefined after a panic
}

// Stretches returns the stretches of a tape in the order of their starts. o must have World, and Dir or FS. A server may be
// writing the tape. problems has a line for each part that cannot be stepped.
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

// Compare orders stretches by start, area and number.
func (s *Stretch) Compare(t *Stretch) int {
	return cmp.Or(s.Start.Compare(t.Start), cmp.Compare(s.Area, t.Area), cmp.Compare(s.Segment, t.Segment))
}

// Play steps the stretch from the state at its start, and calls visit after each tick. It does not compare states with recorded hashes. It ends
// after a step that panics, with an error, and if visit returns an error.
func (s *Stretch) Play(visit func(*Step) error) error {
	_, _, err := s.part.step(newPacker(), func(*sim.Area, *Tick) error { return nil },
		func(a *sim.Area, t *Tick, f *sim.Frame, panicked error) error {
			return visit(&Step{t.Tick, time.UnixMilli(t.WallMS), t.PrevHash, f, panicked, a})
		})
	return err
}
