package console

import "sync"

// quota counts places in use, in total and per holder, against limits. Safe for concurrent use; the zero value is empty.
type quota[Who comparable] struct {
	mu     sync.Mutex
	used   int
	usedBy map[Who]int
}

// acquire takes a place for a holder and reports success. most bounds the places in total, each those per holder.
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

// release gives a place back.
func (s *quota[Who]) release(who Who) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used--
	if s.usedBy[who]--; s.usedBy[who] == 0 {
		delete(s.usedBy, who)
	}
}
