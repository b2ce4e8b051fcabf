package server

import (
	"path/filepath"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim"
)

// openJournal opens the journal and subscribes it to the frames of the world, from which it records holds, corrections and
// refusals.
func (s *Server) openJournal() (*journal.Journal, error) {
	j, err := journal.Open(journal.Options{
		Path: filepath.Join(s.cfg.DataDir, journal.FileName), MaxEntries: s.cfg.JournalKeep, MaxAge: s.cfg.JournalRetain,
		OfCluster: s.cluster != nil, FeedDepth: s.cfg.journalDepth, Log: s.log, Metrics: s.metrics,
		Identify: func(id sim.EntityID) (journal.Identity, bool) {
			p, ok := s.hub.Player(id)
			return journal.Identity{Name: p.Name, Account: p.Account, Door: p.Door, RTT: p.Link.RTT}, ok
		},
	})
	if err != nil {
		return nil, err
	}
	j.Watch(s.world)
	return j, nil
}
