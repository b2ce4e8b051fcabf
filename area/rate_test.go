package area

import (
	"testing"
	"testing/synctest"
	"time"
)

// after runs areas for the time wait and returns the number of ticks of each area. The parameter every is how long a tick takes.
func after(t *testing.T, areas int, every, wait time.Duration) (steps []int, stats AreaStats) {
	synctest.Test(t, func(t *testing.T) {
		w, fakes := newFakes(areas, Options{})
		for _, a := range fakes {
			a.every = every
		}
		w.Start(t.Context())
		time.Sleep(wait + 49*time.Millisecond) // the last tick may run up to one period after it is due
		synctest.Wait()
		stats = Sum(w.Stats())
		w.halt()
		for _, r := range w.areas {
			<-r.ended
		}
		for _, a := range fakes {
			steps = append(steps, len(a.took))
		}
		_ = w.Stop(t.Context())
	})
	return steps, stats
}

func TestAreasStepTwentyTimesPerSecond(t *testing.T) {
	for _, every := range []time.Duration{0, 30 * time.Millisecond, 49 * time.Millisecond} {
		steps, stats := after(t, 3, every, 60*time.Second)
		for id, n := range steps {
			if n < 1199 || n > 1200 {
				t.Errorf("ticks of %v: area %d stepped %d times in 60 s, want 1200", every, id, n)
			}
		}
		if stats.Overruns != 0 || stats.Skipped != 0 {
			t.Errorf("ticks of %v: %d overruns, %d skipped", every, stats.Overruns, stats.Skipped)
		}
	}
}

func TestSlowAreaSkipsTicksAndCountsThem(t *testing.T) {
	steps, stats := after(t, 1, 100*time.Millisecond, 10*time.Second)
	if n := steps[0]; n < 99 || n > 101 {
		t.Errorf("stepped %d times in 10 s with ticks of 100 ms", n)
	}
	if stats.Overruns < 98 || stats.Skipped < 95 {
		t.Errorf("%d overruns, %d skipped", stats.Overruns, stats.Skipped)
	}
}

func TestAtMostThreeCatchUpTicksFollowStall(t *testing.T) {
	running(t, 1, Options{}, func(t *testing.T, w *World, fakes []*fake) {
		submit(t, w, 0, join(1))
		ticks(2)
		before := w.Stats()[0]
		submit(t, w, 0, say(1, "slow 400"))
		ticks(9) // until 590 ms: the tick due at 150 ms ends at 550 ms, and those due from 200 to 550 ms are overdue
		s := w.Stats()[0]
		if s.Tick-before.Tick != 4 || s.Skipped != 5 || s.Overruns != 1 {
			t.Errorf("%d ticks, %d skipped, %d overruns; want 4, 5, 1", s.Tick-before.Tick, s.Skipped, s.Overruns)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if n := w.Stats()[0].Tick - s.Tick; n != 20 {
			t.Errorf("%d ticks in the second after the stall, want 20", n)
		}
	})
}

func TestWorldClockIsZeroBeforeStartAndCountsMilliseconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := newFakes(1, Options{})
		time.Sleep(time.Second)
		if w.NowMS() != 0 {
			t.Errorf("clock before Start is %d", w.NowMS())
		}
		w.Start(t.Context())
		time.Sleep(1234 * time.Millisecond)
		if w.NowMS() != 1234 {
			t.Errorf("clock is %d, want 1234", w.NowMS())
		}
		_ = w.Stop(t.Context())
	})
}
