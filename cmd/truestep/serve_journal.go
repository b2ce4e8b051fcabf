package main

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim"
)

const (
	mostKept   = 10_000_000 // guess: 3 GB
	leastKept  = 100        // guess: less tells nothing
	mostRetain = 10 * 365 * 24 * time.Hour
)

func (s *serveCmd) checkJournal(refuse func(bad bool, format string, args ...any)) {
	refuse(s.JournalKeep < leastKept || s.JournalKeep > mostKept, "journal-keep %d: must be %d..%d", s.JournalKeep, leastKept, mostKept)
	refuse(s.JournalRetain < time.Minute || s.JournalRetain > mostRetain, "journal-retain %v: must be 1m..87600h", s.JournalRetain)
}

// openJournal opens the journal and lets it watch the world.
func (s *serveCmd) openJournal(r *running) error {
	hub := r.hub
	j, err := journal.Open(journal.Options{
		Path: filepath.Join(s.DataDir, journal.FileName), Keep: s.JournalKeep, Retain: s.JournalRetain,
		Text: content.Display, Log: r.log, Metrics: r.metrics,
		Who: func(id sim.EntityID) (journal.Who, bool) {
			p, ok := hub.Player(id)
			return journal.Who{Name: p.Name, Account: p.Account, Door: p.Door, RTT: p.Link.RTT}, ok
		},
	})
	if err != nil {
		return err
	}
	r.journal = j
	j.Watch(r.world)
	return nil
}

// closeJournal closes it before the world has begun. The world must have ended, for the journal reads it to the end.
func (r *running) closeJournal() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return errors.Join(r.world.Stop(ctx), r.journal.Close(ctx))
}
