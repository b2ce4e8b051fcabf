package bedrock

import (
	"strings"
	"sync"
)

// accountTable maps account names to their connections, over all workers of the door. A second login with the same
// account is refused, or replaces the first one if the login is verified (online mode).
type accountTable struct {
	mu sync.Mutex
	by map[string]*conn // by account name in lower case: its connection
}

func newAccountTable() *accountTable { return &accountTable{by: map[string]*conn{}} }

// claim assigns an account name to c and returns nil, or returns the connection that holds the name already.
func (tab *accountTable) claim(name string, c *conn) (holder *conn) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	key := strings.ToLower(name)
	if holder = tab.by[key]; holder == nil {
		tab.by[key] = c
	}
	return holder
}

// held reports whether a connection holds the name.
func (tab *accountTable) held(name string) bool {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return tab.by[strings.ToLower(name)] != nil
}

// release removes the account name from the table if c holds it.
func (tab *accountTable) release(name string, c *conn) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	if key := strings.ToLower(name); tab.by[key] == c {
		delete(tab.by, key)
	}
}
