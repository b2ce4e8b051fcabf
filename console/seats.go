package console

import "sync"

// seats are the places at live maps. Nobody gets more than three of four, so that no operator, whose token may have been
// stolen, can keep all others from looking.
type seats struct {
	mu    sync.Mutex
	taken int
	by    map[string]int // by operator
}

// take tells whether there is a place for an operator, of most in all.
func (s *seats) take(name string, most int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken >= most || s.by[name] >= most-most/4 {
		return false
	}
	if s.by == nil {
		s.by = map[string]int{}
	}
	s.taken++
	s.by[name]++
	return true
}

// leave gives a place back.
func (s *seats) leave(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken--
	if s.by[name]--; s.by[name] == 0 {
		delete(s.by, name)
	}
}
