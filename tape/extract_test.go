package tape

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestReplayOfExtractedTicksHasRecordedHashes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDisk()
		p := start(t, options(d), 1)
		p.run(33)
		from := time.Now().Add(time.Millisecond)
		p.run(50) // two further segments begin during this time
		to := time.Now()
		p.run(10)
		for _, state := range []string{"while it is written", "after a stop"} {
			r, err := Extract(options(d), 0, from, to)
			if err != nil {
				t.Fatal(state, err)
			}
			if err := r.Verify(field()); err != nil {
				t.Error(state, err)
			}
			playback, err := r.Play(field())
			if err != nil {
				t.Fatal(state, err)
			}
			if first := playback.Area().Now(); first != 33 || len(r.Ticks) != 50 {
				t.Errorf("%s: %d ticks after tick %d, want 50 after 33", state, len(r.Ticks), first)
			}
			if state == "while it is written" {
				p.stop(t, true)
			}
		}
	})
}

func TestExtractedTicksEndWhereAreaWasCreatedAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDisk()
		began := time.Now()
		p := start(t, options(d), 2)
		p.run(30)
		p.stop(t, false)
		killed := time.Now()
		p = start(t, options(d), 3) // continues with tick 31
		p.run(30)
		p.stop(t, true)
		p = start(t, options(d), 4)               // begins anew with tick 1
		again := time.Now().Add(time.Millisecond) // after tick 60
		p.run(30)
		p.stop(t, true)
		for _, c := range []struct {
			name        string
			from        time.Time
			first, last int
		}{
			{"over a restart, to where the area began anew", began, 0, 60},
			{"from the restart", killed.Add(time.Millisecond), 30, 60},
			{"from where the area began anew", again, 0, 30},
		} {
			r, err := Extract(options(d), 0, c.from, time.Now())
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			playback, err := r.Play(field())
			if err != nil {
				t.Fatal(err)
			}
			if first := int(playback.Area().Now()); first != c.first || first+len(r.Ticks) != c.last {
				t.Errorf("%s: ticks %d to %d, want %d to %d", c.name, first, first+len(r.Ticks), c.first, c.last)
			}
			if err := r.Verify(field()); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		_, err := Extract(options(d), 0, time.Now().Add(time.Hour), time.Now().Add(2*time.Hour))
		if err == nil || !strings.Contains(err.Error(), `area "West Field" has no ticks from`) {
			t.Errorf("future: %v", err)
		}
	})
}
