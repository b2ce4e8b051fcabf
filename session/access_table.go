package session

import (
	"iter"
	"net/netip"
	"sync"
	"time"

	"github.com/truestep-io/truestep/store"
)

// accessTable holds the access rules in memory. Its methods are safe for concurrent use.
type accessTable struct {
	mu        sync.RWMutex
	loaded    bool                              // the rules have been read from the store; until then all logins are refused
	accounts  map[accessKey]store.AccessRule    // rules of accounts
	networks  map[netip.Prefix]store.AccessRule // bans by network
	lengths   map[int]int                       // number of banned networks by lengthKey, which identifies the prefix length and the IP version
	whitelist bool                              // only whitelisted accounts may log in
	timer     *time.Timer                       // deletes expired rules; nil if no rule has an expiry time
	closed    bool                              // true: the table is closed, and no new timer is started
}

// accessKey is the key in accessTable of a rule about an account: the kind of the rule and the name of the account.
type accessKey struct {
	kind store.AccessKind
	name string // folded
}

func newAccessTable() *accessTable {
	return &accessTable{accounts: map[accessKey]store.AccessRule{}, networks: map[netip.Prefix]store.AccessRule{}, lengths: map[int]int{}}
}

// lengthKey returns the key of a network in accessTable.lengths: the prefix length of the network, plus 64 for IPv6. An IPv4
// network and an IPv6 network of the same prefix length thus have different keys.
func lengthKey(p netip.Prefix) int {
	if p.Addr().Is4() {
		return p.Bits()
	}
	return addrBitsV6 + p.Bits()
}

// set adds a rule. It replaces a rule with the same kind, account and network. The caller holds mu.
func (t *accessTable) set(r store.AccessRule) {
	switch {
	case r.Kind == store.AccessWhitelist:
		t.whitelist = true
	case r.Network.IsValid():
		if _, again := t.networks[r.Network]; !again {
			t.lengths[lengthKey(r.Network)]++
		}
		t.networks[r.Network] = r
	default:
		t.accounts[accessKey{r.Kind, foldName(r.Account)}] = r
	}
}

// remove removes a rule and reports whether there was one. The caller holds mu.
func (t *accessTable) remove(r store.AccessRule) (had bool) {
	switch {
	case r.Kind == store.AccessWhitelist:
		had, t.whitelist = t.whitelist, false
	case r.Network.IsValid():
		if _, had = t.networks[r.Network]; !had {
			return false
		}
		delete(t.networks, r.Network)
		if t.lengths[lengthKey(r.Network)]--; t.lengths[lengthKey(r.Network)] == 0 {
			delete(t.lengths, lengthKey(r.Network))
		}
	default:
		key := accessKey{r.Kind, foldName(r.Account)}
		_, had = t.accounts[key]
		delete(t.accounts, key)
	}
	return had
}

// replace replaces all rules by those of list. It returns the rules of list that may have to be applied to players: those that
// are new, or that had another expiry time or reason before. The caller holds mu.
func (t *accessTable) replace(list []store.AccessRule) (added []store.AccessRule) {
	old := newAccessTable()
	old.accounts, old.networks, old.whitelist = t.accounts, t.networks, t.whitelist
	t.accounts, t.networks = map[accessKey]store.AccessRule{}, map[netip.Prefix]store.AccessRule{}
	t.lengths, t.whitelist = map[int]int{}, false
	for i := range list {
		t.set(list[i])
		have, ok := old.networks[list[i].Network]
		switch {
		case list[i].Kind == store.AccessWhitelist:
			have, ok = list[i], old.whitelist
		case !list[i].Network.IsValid():
			have, ok = old.accounts[accessKey{list[i].Kind, foldName(list[i].Account)}]
		}
		if !ok || !have.Until.Equal(list[i].Until) || have.Reason != list[i].Reason {
			added = append(added, list[i])
		}
	}
	return added
}

// account returns the rule of a kind for an account. The result exists is true if there is such a rule. The result holds is true
// if there is such a rule and it has not expired.
func (t *accessTable) account(kind store.AccessKind, name string, now time.Time) (r store.AccessRule, holds, exists bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	r, exists = t.accounts[accessKey{kind, foldName(name)}]
	return r, exists && r.Holds(now), exists
}

// network returns the ban that applies to an address. If several banned networks contain the address, that is the ban of the widest
// network. Bans that have expired are ignored.
func (t *accessTable) network(addr netip.Addr, now time.Time) (store.AccessRule, bool) {
	addr = addr.Unmap().WithZone("")
	t.mu.RLock()
	defer t.mu.RUnlock()
	if len(t.networks) == 0 || !addr.IsValid() {
		return store.AccessRule{}, false
	}
	for bits := range addr.BitLen() + 1 {
		p, err := addr.Prefix(bits)
		if err != nil || t.lengths[lengthKey(p)] == 0 {
			continue
		}
		if r, ok := t.networks[p]; ok && r.Holds(now) {
			return r, true
		}
	}
	return store.AccessRule{}, false
}

// all returns all rules about accounts and networks, in no particular order. It omits the rule that turns the whitelist on, because
// that rule is about no account or network. The caller holds mu.
func (t *accessTable) all() iter.Seq[store.AccessRule] {
	return func(yield func(store.AccessRule) bool) {
		for _, r := range t.accounts {
			if !yield(r) {
				return
			}
		}
		for _, r := range t.networks {
			if !yield(r) {
				return
			}
		}
	}
}
