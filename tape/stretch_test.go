package tape

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/truestep-io/truestep/sim"
)

func TestReplayOfEachTapeStretchReachesRecordedState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDisk()
		p := start(t, options(d), 1)
		p.run(50)
		p.stop(t, false)
		p = start(t, options(d), 2)
		p.run(15)
		list, problems, err := Stretches(options(d))
		if err != nil || len(problems) > 0 || len(list) < 4 {
			t.Fatal(list, problems, err)
		}
		last, hash := sim.Tick(0), uint64(0)
		at := list[0].Start
		for i := range list {
			if i > 0 && list[i-1].Compare(&list[i]) >= 0 {
				t.Errorf("stretch %d begins before the one before it", i)
			}
			err := list[i].Play(func(s *Step) error {
				if s.Tick != last+1 || s.Before != hash || s.Panicked != nil || s.Time.Before(at) {
					t.Errorf("after tick %d at %v: %+v, want hash %#x before it", last, at, s, hash)
				}
				if got := s.Area.Hash(); got != s.Frame.Hash {
					t.Errorf("tick %d: area with hash %#x, frame with %#x", s.Tick, got, s.Frame.Hash)
				}
				last, hash, at = s.Tick, s.Frame.Hash, s.Time
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		}
		if last != 65 {
			t.Errorf("the last tick is %d, want 65", last)
		}
		stop := errors.New("enough")
		if err := list[0].Play(func(*Step) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("a visit that ends the stretch: %v", err)
		}
		p.stop(t, true)
	})
}

func TestSegmentsOfOtherWorldAreReportedAsProblems(t *testing.T) {
	o := options(nil)
	d, _ := recorded(t, o, 30)
	o.FS, o.World.Name = d, "elsewhere"
	list, problems, err := Stretches(o)
	if err != nil || len(list) > 0 || len(problems) != 2 {
		t.Errorf("%v, %q, %v; want a problem for each of two segments", list, problems, err)
	}
}
