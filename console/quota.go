package console

import "sync"

// quota limits the number of resources in use, such as live maps, in total and per holder. It is safe for concurrent use.
// The zero value has none in use.
type quota[Who comparable] struct {
	mu     sync.Mutex
	used   int         // number of resources in use
	usedBy map[Who]int // the same by holder
}

// acquire counts one more resource for the holder who. It returns false if a limit is reached: most is the limit of all
// holders together, each the limit of one holder.
func (s *quota[Who]) acquire(who Who, most, each int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used >= most || s.usedBy[who] >= each {
		return false
	}
	if s.usedBy == nil {
		s.usedBy = map[Who]int{}
	}
	s.used++
	s.usedBy[who]++
	return true
}

// release counts one resource less for a holder.
func (s *quota[Who]) release(who Who) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used--
	if s.usedBy[who]--; s.usedBy[who] == 0 {
		delete(s.usedBy, who)
	}
}
