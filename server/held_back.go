package server

import (
	"context"
	"time"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/telemetry"
)

const (
	heldBackInterval = time.Minute     // interval of the journal entries
	heldBackRows     = 20              // maximum number of journal entries per interval; one more entry sums up the rest
	heldBackBacklog  = 1000            // maximum number of entries that are retained while the journal cannot be written
	heldBackTimeout  = 5 * time.Second // maximum duration of a write
)

// heldBackRecorder writes to the journal, once a minute, how many connections and logins the doors and the console have
// refused or displaced.
type heldBackRecorder struct {
	backlog []journal.HeldBack // entries that could not be written yet
	loop    periodic
}

func (r *heldBackRecorder) start(s *Server) {
	failing := false
	r.loop.start(heldBackInterval, func(time.Time) {
		err := r.record(context.Background(), s)
		if err != nil && !failing {
			s.log.Error("cannot write the counts of refused connections and logins to the journal, retrying", telemetry.FieldErr, err)
		}
		failing = err != nil
	})
}

// record writes to the journal how many connections and logins were refused or displaced since the last call. It also writes the
// numbers of earlier calls that could not be written then.
func (r *heldBackRecorder) record(ctx context.Context, s *Server) error {
	now := time.Now()
	list, rest := s.hub.Gate().TakeCounts(heldBackRows)
	for _, h := range list {
		e := journal.HeldBack{At: h.Last, Since: h.First, Kind: h.Budget.Kind(), Door: h.Door, Budget: string(h.Budget), Account: h.Account, Times: h.Count}
		if h.Network.IsValid() {
			e.Network = h.Network.String()
		}
		r.backlog = append(r.backlog, e)
	}
	if rest > 0 {
		r.backlog = append(r.backlog, journal.HeldBack{At: now, Since: now.Add(-heldBackInterval), Times: rest})
	}
	if len(r.backlog) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, heldBackTimeout)
	defer cancel()
	if err := s.journal.RecordHeldBack(ctx, r.backlog); err != nil {
		r.backlog = r.backlog[max(0, len(r.backlog)-heldBackBacklog):]
		return err
	}
	r.backlog = nil
	return nil
}

// close writes the remaining counts to the journal, which must still be open.
func (r *heldBackRecorder) close(ctx context.Context, s *Server) error {
	if !r.loop.stop() {
		return nil
	}
	return r.record(ctx, s)
}
