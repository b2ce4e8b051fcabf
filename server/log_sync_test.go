package server

import (
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/internal/logbuf"
)

// brokenLog is a log whose Sync returns err.
type brokenLog struct{ err error }

func (l *brokenLog) Sync() error { return l.err }

func TestFailureToSyncLogsIsLoggedOnceThenEachMinute(t *testing.T) {
	lines := new(logbuf.Buffer)
	broken := make([]brokenLog, 20)
	s := logSyncer{log: slog.New(slog.NewTextHandler(lines, nil)), ages: newLogAges(len(broken))}
	for i := range broken {
		s.logs = append(s.logs, areaLog{fmt.Sprint("Field ", i), &broken[i]})
	}
	now := time.Unix(1e9, 0)
	run := func(d time.Duration) {
		for end := now.Add(d); now.Before(end); now = now.Add(syncEvery) {
			s.sync(now)
		}
	}
	count := func(when string, want map[string]int) {
		t.Helper()
		for text, n := range want {
			if got := lines.Count(text); got != n {
				t.Errorf("%s: %d lines with %q, want %d:\n%s", when, got, text, n, lines)
			}
		}
	}
	run(time.Minute)
	count("without a failure", map[string]int{"logs of": 0})
	for i := range broken[5:] {
		broken[5+i].err = errors.New("make the log in /data/cluster/005 durable: input/output error; restart this node")
	}
	run(50 * time.Second)
	count("in the first minute", map[string]int{
		"logs of": 1, "cannot sync": 1, "logs=15": 1, `area="Field 5"`: 1, "/data/cluster/005": 1, "restart this node": 1, "level=ERROR": 1,
	})
	run(150 * time.Second)
	count("after 200 s", map[string]int{"logs of": 4, "still cannot sync": 3, "/data/cluster/005": 4, "restart this node": 4})
}

// stallingLog is a log whose next Sync takes as long as stall says, in ns.
type stallingLog struct{ stall atomic.Int64 }

func (l *stallingLog) Sync() error {
	time.Sleep(time.Duration(l.stall.Swap(0)))
	return nil
}

func TestLogsThatAreSyncedLateAreMeasuredAndLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines := new(logbuf.Buffer)
		slow := make([]stallingLog, 3)
		s := logSyncer{log: slog.New(slog.NewTextHandler(lines, nil)), ages: newLogAges(len(slow))}
		for i := range slow {
			s.logs = append(s.logs, areaLog{fmt.Sprint("Field ", i), &slow[i]})
		}
		var syncs, checks periodic
		var age atomic.Int64 // ns
		syncs.start(syncEvery, s.sync)
		checks.start(time.Second, func(time.Time) { age.Store(int64(s.ages.check(s.log))) })
		defer func() { syncs.stop(); checks.stop() }()
		after := func(d time.Duration, want time.Duration, late, again int) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if n, m := lines.Count("reach the disk late"), lines.Count("reach the disk in time again"); time.Duration(age.Load()) != want || n != late || m != again {
				t.Errorf("%v: the age is %v, want %v; %d lines about late logs and %d about their end, want %d and %d:\n%s", time.Since(s.ages.opened), time.Duration(age.Load()), want, n, m, late, again, lines)
			}
		}
		after(3*time.Second+time.Millisecond, syncEvery, 0, 0)
		slow[1].stall.Store(int64(700 * time.Millisecond)) // less than the limit; the sync begins 199 ms later, 200 ms after the one before
		after(time.Second, 900*time.Millisecond, 0, 0)
		after(time.Second, syncEvery, 0, 0)
		slow[1].stall.Store(int64(5 * time.Second))
		after(2*time.Second, 2*time.Second, 1, 0) // while the sync does not return
		after(3*time.Second, 5*time.Second, 1, 0)
		after(time.Second, 5200*time.Millisecond, 1, 0)
		slow[2].stall.Store(int64(3 * time.Second))
		after(4*time.Second, 3200*time.Millisecond, 1, 0) // the logs are still late, so no further line
		after(8*time.Second, syncEvery, 1, 0)
		after(3*time.Second, syncEvery, 1, 1)
		if n := lines.Count("oldest=5.2s"); n != 1 {
			t.Errorf("the line about the end does not have the greatest age:\n%s", lines)
		}
	})
}

// A disk stands still for 5 s each minute. The alert is evaluated every 15 s and must see that each time.
func TestGreatestAgeOfLogsIsSeenFor30Seconds(t *testing.T) {
	var r recentAges
	for second := range 180 {
		age := 200 * time.Millisecond
		if second%60 < 5 {
			age = time.Duration(second%60+1) * time.Second
		}
		want := 200 * time.Millisecond
		if in := second % 60; in < 5 {
			want = age
		} else if in < 34 {
			want = 5 * time.Second
		}
		if got := r.greatest(age); got != want {
			t.Fatalf("in second %d the greatest age is %v, want %v", second, got, want)
		}
	}
}
