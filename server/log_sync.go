package server

import (
	"log/slog"
	"time"

	"github.com/truestep-io/truestep/telemetry"
)

// syncEvery is the interval at which the Raft logs of the areas are synced to disk. If most nodes lose power at once, the cluster
// loses at most the ticks since the last sync.
const syncEvery = 200 * time.Millisecond

// syncFailureEvery is the interval at which a lasting failure to sync logs is logged again.
const syncFailureEvery = time.Minute

// logSyncer syncs the Raft logs of the areas. It logs the first failure, a summary at intervals while it lasts, and its end.
type logSyncer struct {
	log   *slog.Logger
	logs  []areaLog // by area id
	since time.Time // time of the first failure; zero while all logs can be synced
	noted time.Time // time of the last line about the failure
}

// areaLog is the Raft log of an area.
type areaLog struct {
	area string // name of the area
	log  interface{ Sync() error }
}

// sync syncs all logs. An error of a log has its path and what to do.
func (s *logSyncer) sync(now time.Time) {
	failed, area, first := 0, "", error(nil)
	for _, l := range s.logs {
		if err := l.log.Sync(); err != nil {
			if failed++; first == nil {
				area, first = l.area, err
			}
		}
	}
	switch {
	case first == nil && !s.since.IsZero():
		s.log.Info("the logs of all areas are synced to disk again", telemetry.FieldDuration, now.Sub(s.since))
		s.since = time.Time{}
	case first != nil && s.since.IsZero():
		s.since, s.noted = now, now
		s.log.Error("cannot sync the logs of areas to disk; what they do not have on disk would be lost in a loss of power", "logs", failed,
			telemetry.FieldArea, area, telemetry.FieldErr, first)
	case first != nil && now.Sub(s.noted) >= syncFailureEvery:
		s.noted = now
		s.log.Error("still cannot sync the logs of areas to disk", "logs", failed, telemetry.FieldDuration, now.Sub(s.since),
			telemetry.FieldArea, area, telemetry.FieldErr, first)
	}
}
