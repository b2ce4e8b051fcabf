package bedrock

import (
	"strings"
	"sync"
)

// names are the accounts that are logged in through this door, over all workers: a second login of one is refused, or
// takes the place of the first where it is proven who comes.
type accountTable struct {
	mu sync.Mutex
	by map[string]*conn // lower case
}

func newAccountTable() *accountTable { return &accountTable{by: map[string]*conn{}} }

// take gives the name to c unless somebody has it. It returns who.
func (tab *accountTable) claim(name string, c *conn) (holder *conn) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	key := strings.ToLower(name)
	if holder = tab.by[key]; holder == nil {
		tab.by[key] = c
	}
	return holder
}

// has tells whether somebody has the name.
func (tab *accountTable) held(name string) bool {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return tab.by[strings.ToLower(name)] != nil
}

// free gives back what c took.
func (tab *accountTable) release(name string, c *conn) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	if key := strings.ToLower(name); tab.by[key] == c {
		delete(tab.by, key)
	}
}
