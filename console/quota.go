package console

import "sync"

// quota limits how many units of some resource, such as live maps, are in use: in total, and per holder. It is safe for
// concurrent use. The zero value means that nothing is in use.
type quota[Who comparable] struct {
	mu     sync.Mutex
	used   int         // number of resources in use
	usedBy map[Who]int // the same by holder
}

// acquire counts one more unit of the resource for the holder that the parameter who names. It counts nothing and returns false if a
// limit would be exceeded: most is the limit for all holders together, each is the limit for one holder.
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

// release reduces by one the number of units that the holder has. The parameter who names the holder.
func (s *quota[Who]) release(who Who) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used--
	if s.usedBy[who]--; s.usedBy[who] == 0 {
		delete(s.usedBy, who)
	}
}
