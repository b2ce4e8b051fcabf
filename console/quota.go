package console

import "sync"

// quota limits the number of places in use, in total and per holder. It is safe for concurrent use; the zero value is empty.
type quota[Who comparable] struct {
	mu     sync.Mutex
	used   int
	usedBy map[Who]int
}

// acquire takes a place for a holder unless most places in total or each places of that holder are in use. It reports success.
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

// release frees a place of a holder.
func (s *quota[Who]) release(who Who) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used--
	if s.usedBy[who]--; s.usedBy[who] == 0 {
		delete(s.usedBy, who)
	}
}
