package area

import (
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
)

func TestLatenessIsMaximumDelayOfTicksInLastSecond(t *testing.T) {
	const period = 50 * time.Millisecond
	start := time.Unix(1000, 0)
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	var l lateness
	for _, c := range []struct{ due, now, want int }{
		{0, 10, 0},        // on time
		{50, 99, 0},       // less than a period late
		{100, 400, 300},   // a stall
		{150, 402, 300},   // the next ticks catch up and are less late, but the stall counts for a second
		{1350, 1352, 300}, // just before the stall is a second old
		{1400, 1402, 0},   // when the stall is more than a second old
		{1450, 1510, 60},
	} {
		if got := l.update(at(c.due), at(c.now), period); got != time.Duration(c.want)*time.Millisecond {
			t.Errorf("a tick due at %d and published at %d: %v late, want %d ms", c.due, c.now, got, c.want)
		}
	}
	if got := l.update(time.Time{}, at(1520), period); got != 60*time.Millisecond {
		t.Errorf("a tick that is not scheduled: %v late, want 60ms", got)
	}
}

func TestFramesReportDelayOfStalledTickForOneSecond(t *testing.T) {
	running(t, 1, Options{}, func(t *testing.T, w *World, fakes []*fake) {
		feed := w.Subscribe("test", 100, All)
		submit(t, w, 0, join(1))
		ticks(2)
		submit(t, w, 0, say(1, "slow 400"))
		ticks(9) // tick 3 is due at 150 ms and ends at 550 ms; until 590 ms three ticks catch up, and five are skipped
		ticks(40)
		const stalled = 3
		late := map[sim.Tick]time.Duration{}
		for len(feed.C()) > 0 {
			p := <-feed.C()
			late[p.Frame.Tick] = p.Late
			p.Release()
		}
		feed.Close()
		for tick, want := range map[sim.Tick]time.Duration{
			stalled - 1: 0, stalled: 400 * time.Millisecond, stalled + 1: 400 * time.Millisecond, stalled + 10: 400 * time.Millisecond, stalled + 30: 0,
		} {
			if got, ok := late[tick]; got != want || !ok {
				t.Errorf("tick %d: %v late, want %v", tick, got, want)
			}
		}
	})
}
