package session

import (
	"context"
	"fmt"
	"sync"

	"github.com/truestep-io/truestep/sim"
)

// serials assigns the serial numbers of new players' EntityIDs, each once.
type serials struct {
	mu         sync.Mutex
	used, last uint64 // used: last assigned number; last: in a cluster, last number reserved for this process
}

// next returns the next serial number on a single server, where numbers need not be reserved.
func (s *serials) next() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used++
	return s.used
}

// skip marks the number of a restored player as used. On a single server, all numbers assigned later are greater.
func (s *serials) skip(used uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = max(s.used, used)
}

// forget drops the reserved numbers that are not assigned yet.
func (s *serials) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = s.last
}

// nextReserved returns the next serial number in a cluster. When the reserved numbers are used up, it reserves more with
// Directory.Serials, so that no other process of the cluster assigns them. Errors: those of Directory.Serials.
func (s *serials) nextReserved(ctx context.Context, d Directory) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used == s.last {
		first, last, err := d.Serials(ctx)
		if err == nil && (first == 0 || first > last || last > sim.MaxSerial) {
			err = fmt.Errorf("the database reserved the serial numbers %d to %d for player ids, but serial numbers must be between 1 and %d", first, last, uint64(sim.MaxSerial))
		}
		if err != nil {
			return 0, fmt.Errorf("reserve serial numbers for the ids of new players: %w", err)
		}
		s.used, s.last = first-1, last
	}
	s.used++
	return s.used, nil
}
