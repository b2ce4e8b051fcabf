package server

import (
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/telemetry"
)

// Limits of logAges.check: logs are late from syncLate on, and no longer if they were younger than syncInTime for syncCalm.
const (
	syncLate   = time.Second
	syncInTime = 500 * time.Millisecond
	syncCalm   = 10 * time.Second
)

// recentAges has the ages of the Raft logs of the last seconds, one for each call of greatest. An alert that is evaluated every 15 s
// sees their maximum, and so also a disk that stands still for a few seconds.
type recentAges struct {
	list [30]time.Duration
	next int
}

// greatest adds an age and returns the greatest of the last 30.
func (r *recentAges) greatest(age time.Duration) time.Duration {
	r.list[r.next] = age
	r.next = (r.next + 1) % len(r.list)
	return slices.Max(r.list[:])
}

// logAges measures how old the oldest bytes of the Raft logs are that may not be on disk: what most nodes lose if they lose power at
// once. The goroutine that syncs calls synced; any one other goroutine calls check, also while a sync does not return.
type logAges struct {
	opened time.Time
	begun  []atomic.Int64 // for each log: start of its newest finished sync, in ns since opened; all bytes from before it are on disk
	worst  atomic.Int64   // greatest age at the end of a sync since the last call of check, in ns

	// Used by check only.
	late   bool          // the logs are late
	oldest time.Duration // greatest age while they have been late
	calm   time.Time     // since when the ages have been below syncInTime; zero if they are not
}

func newLogAges(logs int) *logAges {
	return &logAges{opened: time.Now(), begun: make([]atomic.Int64, logs)}
}

// synced notes that a sync of a log, which began at the given time, has ended without an error.
func (a *logAges) synced(i int, began time.Time) {
	age := int64(time.Since(a.opened)) - a.begun[i].Swap(int64(began.Sub(a.opened)))
	for have := a.worst.Load(); age > have && !a.worst.CompareAndSwap(have, age); have = a.worst.Load() {
	}
}

// check returns the greatest age since the last call. It logs when the logs become late, and when they no longer are.
func (a *logAges) check(log *slog.Logger) time.Duration {
	now := time.Now()
	age := time.Duration(a.worst.Swap(0))
	for i := range a.begun {
		age = max(age, now.Sub(a.opened)-time.Duration(a.begun[i].Load()))
	}
	switch {
	case age >= syncLate && !a.late:
		a.late, a.oldest, a.calm = true, 0, time.Time{}
		log.Warn("the Raft logs reach the disk late: if most machines of the cluster lose power now, they lose the ticks of this time; look at the disk", telemetry.FieldDuration, age)
	case age >= syncInTime:
		a.calm = time.Time{}
	case a.calm.IsZero():
		a.calm = now
	case a.late && now.Sub(a.calm) >= syncCalm:
		a.late = false
		log.Info("the Raft logs reach the disk in time again", "oldest", max(a.oldest, age))
	}
	a.oldest = max(a.oldest, age)
	return age
}
