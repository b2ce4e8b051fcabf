package bedrock

import (
	"strings"
	"sync"
)

// accountTable contains the accounts that are logged in through the Bedrock door, each with the connection that plays with
// it. All workers share the table. A second login with the same account is refused, except in online mode: there a verified
// login replaces the older connection.
type accountTable struct {
	mu sync.Mutex
	by map[string]*conn // connection by account name in lower case
}

func newAccountTable() *accountTable { return &accountTable{by: map[string]*conn{}} }

// claim assigns an account name to c and returns nil. If another connection already has the name, claim changes nothing and
// returns that connection.
func (tab *accountTable) claim(name string, c *conn) (holder *conn) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	key := strings.ToLower(name)
	if holder = tab.by[key]; holder == nil {
		tab.by[key] = c
	}
	return holder
}

// held reports whether a connection uses the account with this name.
func (tab *accountTable) held(name string) bool {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return tab.by[strings.ToLower(name)] != nil
}

// release removes the account name from the table if it is assigned to the connection c.
func (tab *accountTable) release(name string, c *conn) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	if key := strings.ToLower(name); tab.by[key] == c {
		delete(tab.by, key)
	}
}
