package bedrock

import (
	"strings"
	"sync"
)

// names are who is logged in through this door, over all workers: a second login of a name is refused, or takes the
// place of the first where the name is proven.
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

// free gives back what c took.
func (n *names) free(name string, c *conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if key := strings.ToLower(name); n.by[key] == c {
		delete(n.by, key)
	}
}
