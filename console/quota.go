package console

import "sync"

// quota limits how many of some resource, such as live maps, are in use: in total, and per holder. It is safe for concurrent use.
// In the zero value none is in use.
type quota[Who comparable] struct {
	mu     sync.Mutex
	used   int         // number of resources in use
	usedBy map[Who]int // the same by holder
}

// acquire counts one more resource for a holder, the parameter who. It counts nothing and returns false if that would exceed a
// limit: most is the limit for all holders together, each is the limit for one holder.
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
