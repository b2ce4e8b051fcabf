package console

import "sync"

// seats are places of which there are so many, and of which nobody gets more than a share. Safe for any goroutine; the zero
// value is empty.
type seats[Who comparable] struct {
	mu    sync.Mutex
	taken int
	by    map[Who]int
}

// take tells whether there is a place for somebody: of most in all, and of each for him.
func (s *seats[Who]) take(who Who, most, each int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken >= most || s.by[who] >= each {
		return false
	}
	if s.by == nil {
		s.by = map[Who]int{}
	}
	s.taken++
	s.by[who]++
	return true
}

// leave gives a place back.
func (s *seats[Who]) leave(who Who) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken--
	if s.by[who]--; s.by[who] == 0 {
		delete(s.by, who)
	}
}
