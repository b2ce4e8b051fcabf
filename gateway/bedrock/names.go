package bedrock

import (
	"strings"
	"sync"
)

// names are the accounts that are logged in through this door, over all workers: a second login of one is refused, or
// takes the place of the first where it is proven who comes.
type names struct {
	mu sync.Mutex
	by map[string]*conn // lower case
}

func newNames() *names { return &names{by: map[string]*conn{}} }

// take gives the name to c unless somebody has it. It returns who.
func (n *names) take(name string, c *conn) (holder *conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	key := strings.ToLower(name)
	if holder = n.by[key]; holder == nil {
		n.by[key] = c
	}
	return holder
}

// has tells whether somebody has the name.
func (n *names) has(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.by[strings.ToLower(name)] != nil
}

// free gives back what c took.
func (n *names) free(name string, c *conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if key := strings.ToLower(name); n.by[key] == c {
		delete(n.by, key)
	}
}
