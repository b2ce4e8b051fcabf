package server

import (
	"log/slog"
	"time"

	"github.com/truestep-io/truestep/telemetry"
)

// syncEvery is the interval at which the Raft logs of the areas are synced to disk, one after the other; a round that takes longer is
// followed by the next at once. If most nodes lose power at once, the cluster loses the ticks since the last sync; see logAges.
const syncEvery = 200 * time.Millisecond

// syncFailureEvery is the interval at which a lasting failure to sync logs is logged again.
const syncFailureEvery = time.Minute

// logSyncer syncs the Raft logs of the areas. It logs the first failure, and then a summary at intervals until the node stops.
// A log whose sync has failed cannot be synced or written any more, so the node stops at the next batch of that area.
type logSyncer struct {
	log   *slog.Logger
	logs  []areaLog // by area id
	ages  *logAges
	since time.Time // time of the first failure; zero before it
	noted time.Time // time of the last line about the failure
}

// areaLog is the Raft log of an area.
type areaLog struct {
	area string // name of the area
	log  interface{ Sync() error }
}

// sync syncs all logs. The error of a log contains the path of the log and what the operator must do.
func (s *logSyncer) sync(now time.Time) {
	failed, area, first := 0, "", error(nil)
	for i, l := range s.logs {
		began := time.Now()
		if err := l.log.Sync(); err == nil {
			s.ages.synced(i, began)
		} else if failed++; first == nil {
			area, first = l.area, err
		}
	}
	switch {
	case first == nil:
	case first != nil && s.since.IsZero():
		s.since, s.noted = now, now
		s.log.Error("cannot sync the Raft logs of areas to disk; this node hands over its areas and stops", "logs", failed,
			telemetry.FieldArea, area, telemetry.FieldErr, first)
	case first != nil && now.Sub(s.noted) >= syncFailureEvery:
		s.noted = now
		s.log.Error("still cannot sync the Raft logs of areas to disk", "logs", failed, telemetry.FieldDuration, now.Sub(s.since),
			telemetry.FieldArea, area, telemetry.FieldErr, first)
	}
}
