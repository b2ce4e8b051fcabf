package admission

import (
	"cmp"
	"math"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// Budget is a limit on clients, such as the connections of one address. Its text is also a label value of the metrics about
// refused clients.
type Budget string

// The limits of connections, logins and new accounts. A connection, login or new account beyond one of these limits is
// refused, or displaces an older one.
const (
	BudgetAddress  Budget = "address"  // limit of concurrent connections per address
	BudgetNetwork  Budget = "network"  // limit of connections per network that are not logged in (see NetworkOf)
	BudgetDoor     Budget = "door"     // limit of concurrent connections per door
	BudgetAccount  Budget = "account"  // limit of wrong secrets per address and account
	BudgetGuessed  Budget = "guessed"  // limit of wrong secrets per account, from all networks from which the account has never logged in
	BudgetClient   Budget = "client"   // limit of wrong secrets that one connection may send
	BudgetAccounts Budget = "accounts" // limit of new accounts per address
	BudgetQueue    Budget = "queue"    // limit of logins that wait for a secret to be hashed or a signature to be verified
)

// Kind returns what the budget limits: "connection", "login", or "account" for new accounts.
func (b Budget) Kind() string {
	switch b {
	case BudgetAddress, BudgetNetwork, BudgetDoor:
		return "connection"
	case BudgetAccounts:
		return "account"
	}
	return "login"
}

// Held counts the connections and logins of one network that one door has refused or displaced because of one limit (Budget).
// It is an entry of a Gate.
type Held struct {
	Door    string       // name of the door, such as "rs"
	Budget  Budget       // exceeded limit
	Network netip.Prefix // network of the clients
	Account string       // account that was tried, for BudgetAccount and BudgetGuessed; otherwise ""
	Count   uint64       // number of refused or displaced connections and logins
	First   time.Time    // time of the first counted connection or login
	Last    time.Time    // time of the last counted connection or login
}

// Limits of the entries of a Gate, which count refused and displaced clients: the number of entries, and the age up to which
// Report returns them.
const (
	maxHeld  = 256              // maximum number of entries; beyond it the entry with the oldest Last is replaced
	heldTime = 10 * time.Minute // time after Held.Last at which an entry is no longer reported
)

// heldKey identifies an entry of a Gate: refused and displaced clients are counted by door, budget, network and account.
type heldKey struct {
	door    string
	budget  Budget
	network netip.Prefix
	account string
}

// Gate counts the connections and logins that all doors of a process have refused or displaced, by network and budget. A nil
// Gate counts nothing.
type Gate struct {
	onHold func(door string, b Budget) // called by each call of Hold, for metrics; may be nil

	mu     sync.Mutex
	held   map[heldKey]*Held // entries for Report, at most maxHeld
	recent map[heldKey]*Held // entries since the last TakeCounts, at most maxHeld
	rest   uint64            // refusals and displacements since the last TakeCounts for which recent had no room
}

// NewGate returns a gate. The gate calls the function onHold, which may be nil, for each connection or login that is refused
// or displaced. onHold must not block.
func NewGate(onHold func(door string, b Budget)) *Gate {
	return &Gate{onHold: onHold, held: map[heldKey]*Held{}, recent: map[heldKey]*Held{}}
}

// Hold counts one connection, login or new account from addr that a door has refused or displaced because of the limit b. The
// parameter account is the account that the client tried if b is a limit per account, otherwise "".
func (g *Gate) Hold(door string, b Budget, addr netip.Addr, account string) {
	if g == nil {
		return
	}
	if g.onHold != nil {
		g.onHold(door, b)
	}
	now := time.Now()
	k := heldKey{door, b, NetworkOf(addr), account}
	g.mu.Lock()
	defer g.mu.Unlock()
	h := g.held[k]
	if h == nil || now.Sub(h.Last) >= heldTime {
		if h == nil && len(g.held) >= maxHeld {
			g.forgetOldest()
		}
		h = &Held{Door: door, Budget: b, Network: k.network, Account: account, First: now}
		g.held[k] = h
	}
	h.Count++
	h.Last = now
	last := g.recent[k]
	switch {
	case last != nil:
		last.Count++
		last.Last = now
	default:
		if len(g.recent) >= maxHeld {
			g.forgetRarest()
		}
		recent := *h
		recent.Count = 1
		g.recent[k] = &recent
	}
}

// forgetRarest removes one entry from the map recent, which is full: the entry with the lowest count, so that many networks with
// few attempts do not displace a network with many. The count is added to rest. The caller holds mu.
func (g *Gate) forgetRarest() {
	var rarest heldKey
	count := uint64(math.MaxUint64)
	for k, h := range g.recent {
		if h.Count < count {
			rarest, count = k, h.Count
		}
	}
	delete(g.recent, rarest)
	g.rest += count
}

// TakeCounts returns how many connections and logins were refused or displaced since its previous call, and resets these counts
// to 0. The result list has at most limit entries, the most frequent first. The result rest is the sum of the counts of all other
// entries. Held.First may be earlier than the previous call: it is the time of the first refusal of a series, which ends after
// ten minutes without a refusal.
func (g *Gate) TakeCounts(limit int) (list []Held, rest uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, h := range g.recent {
		list = append(list, *h)
	}
	sortHeld(list)
	rest = g.rest
	for _, h := range list[min(limit, len(list)):] {
		rest += h.Count
	}
	clear(g.recent)
	g.rest = 0
	return list[:min(limit, len(list))], rest
}

// forgetOldest removes one entry from the map held: the one whose last refusal (Held.Last) is the oldest. The caller holds mu.
func (g *Gate) forgetOldest() {
	var oldest heldKey
	var last time.Time
	for k, h := range g.held {
		if last.IsZero() || h.Last.Before(last) {
			oldest, last = k, h.Last
		}
	}
	delete(g.held, oldest)
}

// Report returns how many connections and logins the doors have refused or displaced lately: one entry for each door, limit,
// network and account, the highest count first. Entries whose last refusal or displacement is ten minutes old or older are left
// out. The counts continue, unlike those of TakeCounts, which start again at 0. The result of a nil Gate is nil.
func (g *Gate) Report() []Held {
	if g == nil {
		return nil
	}
	now := time.Now()
	g.mu.Lock()
	list := make([]Held, 0, len(g.held))
	for k, h := range g.held {
		if now.Sub(h.Last) >= heldTime {
			delete(g.held, k)
			continue
		}
		list = append(list, *h)
	}
	g.mu.Unlock()
	sortHeld(list)
	return list
}

// sortHeld sorts entries by count, the most frequent first.
func sortHeld(list []Held) {
	slices.SortFunc(list, func(a, b Held) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Door, b.Door), cmp.Compare(a.Budget, b.Budget),
			a.Network.Addr().Compare(b.Network.Addr()), strings.Compare(a.Account, b.Account))
	})
}
