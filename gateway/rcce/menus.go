package rcce

import (
	"slices"
	"sync"

	"github.com/truestep-io/truestep/store"
)

// maxMenus is the maximum number of connections of one account that are logged in without a player in the world. A client needs one
// such connection. The second allows for an older connection that the client has left without closing it, or for another client of
// the account.
const maxMenus = 2

// menus holds the connections of each account that are logged in and have no player in the world, such as those of players who choose
// a character. Places counts them as connections of players, which are never displaced, and an account may log in on any number of
// connections until it is in the world. Without a limit per account, one account could therefore take all places of the door. All
// workers share the table.
type menus struct {
	mu   sync.Mutex
	open map[store.AccountID][]*conn // oldest first
}

// add adds a connection of an account. If the account has more than maxMenus now, add removes the oldest one and returns it, for
// the caller to close.
func (m *menus) add(a store.AccountID, c *conn) (oldest *conn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.open == nil {
		m.open = map[store.AccountID][]*conn{}
	}
	list := append(m.open[a], c)
	if len(list) > maxMenus {
		oldest = list[0]
		list = slices.Delete(list, 0, 1)
	}
	m.open[a] = list
	return oldest
}

// remove removes a connection from the connections of an account. It does nothing if add has already removed the connection.
func (m *menus) remove(a store.AccountID, c *conn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := slices.DeleteFunc(m.open[a], func(other *conn) bool { return other == c })
	if len(list) > 0 {
		m.open[a] = list
	} else {
		delete(m.open, a)
	}
}
