package server

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/logbuf"
)

// brokenLog is a log whose Sync returns err.
type brokenLog struct{ err error }

func (l *brokenLog) Sync() error { return l.err }

func TestFailureToSyncLogsIsLoggedOnceThenEachMinute(t *testing.T) {
	lines := new(logbuf.Buffer)
	s := logSyncer{log: slog.New(slog.NewTextHandler(lines, nil))}
	broken := make([]brokenLog, 20)
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
