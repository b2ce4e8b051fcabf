package session

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// AccessError is the error of a login that is refused because of a ban or the whitelist. It wraps ErrBanned or
// ErrNotWhitelisted.
type AccessError struct {
	Rule store.AccessRule // the ban; if an older version of the server stored the ban, only Account is set; zero for ErrNotWhitelisted
	err  error            // ErrBanned or ErrNotWhitelisted
}

// Error returns the reason, for logs.
func (e *AccessError) Error() string { return e.err.Error() }

// Unwrap returns ErrBanned or ErrNotWhitelisted.
func (e *AccessError) Unwrap() error { return e.err }

// Text returns a sentence that tells the player why the login is refused.
func (e *AccessError) Text() string {
	if errors.Is(e.err, ErrNotWhitelisted) {
		return "You are not on the whitelist of this server."
	}
	return playerText("You are banned", &e.Rule)
}

// playerText returns a sentence for a player who is banned or muted. It begins with the parameter what, such as "You are
// banned", followed by the time at which the rule expires and the reason, if the rule has them.
func playerText(what string, r *store.AccessRule) string {
	if !r.Until.IsZero() {
		what += " until " + r.Until.UTC().Format("2 January 2006 15:04 UTC")
	}
	if r.Reason == "" {
		return what + "."
	}
	return what + ": " + r.Reason
}

// AccessText returns a text for a client whose login a door refuses: if err is an AccessError, the text of err, otherwise
// the parameter other.
func AccessText(err error, other string) string {
	if e, ok := errors.AsType[*AccessError](err); ok {
		return e.Text()
	}
	return other
}

const (
	sweepEvery   = time.Minute     // interval at which expired rules are deleted
	accessLimit  = 5 * time.Second // maximum duration of one store call that reads the rules or deletes expired rules
	minBanBitsV4 = 8               // minimum prefix length of a banned IPv4 network (chosen so that shorter ones count as typing errors)
	minBanBitsV6 = 16              // minimum prefix length of a banned IPv6 network (chosen so that shorter ones count as typing errors)
	addrBitsV6   = 64              // prefix length to which a single banned IPv6 address is widened: the /64 of a household
)

// loadAccess reads the access rules from the store, once. Logins are refused until it has succeeded, because otherwise
// banned players could enter while the store cannot be read.
func (h *Hub) loadAccess(ctx context.Context) error {
	h.access.mu.RLock()
	done := h.access.loaded
	h.access.mu.RUnlock()
	if done {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, accessLimit)
	defer cancel()
	list, err := h.store.AccessRules(ctx)
	if err != nil {
		return err
	}
	h.access.mu.Lock()
	defer h.access.mu.Unlock()
	if !h.access.loaded {
		for i := range list {
			h.access.set(list[i])
		}
		h.access.loaded = true
		h.scheduleSweep()
	}
	return nil
}

// RefreshAccess reads the access rules from the store again, because another process that shares the store may have
// changed them. It applies new rules to the players of this process.
func (h *Hub) RefreshAccess(ctx context.Context) error {
	done, err := h.lockAccess(ctx)
	if err != nil {
		return err
	}
	defer done()
	list, err := h.store.AccessRules(ctx)
	if err != nil {
		return err
	}
	h.access.mu.Lock()
	added := h.access.replace(list)
	h.scheduleSweep()
	h.access.mu.Unlock()
	for i := range added {
		h.applyRule(&added[i])
	}
	return nil
}

// checkAddr returns an AccessError if the address addr is banned.
func (h *Hub) checkAddr(addr netip.Addr) error {
	if r, banned := h.access.network(addr, time.Now()); banned {
		return &AccessError{r, ErrBanned}
	}
	return nil
}

// checkName returns an AccessError if the account is banned or not on the whitelist. The parameter flagged is
// store.Account.Banned: a flagged account without a ban rule is banned too.
func (h *Hub) checkName(name string, flagged bool) error {
	now := time.Now()
	r, banned, exists := h.access.account(store.AccessBan, name, now)
	switch {
	case banned:
		return &AccessError{r, ErrBanned}
	case flagged && !exists:
		return &AccessError{store.AccessRule{Kind: store.AccessBan, Account: name}, ErrBanned}
	case !h.Whitelist():
		return nil
	}
	if _, listed, _ := h.access.account(store.AccessWhitelisted, name, now); !listed {
		return &AccessError{store.AccessRule{}, ErrNotWhitelisted}
	}
	return nil
}

// checkAccess checks a login again: it returns an AccessError if the account or the address was banned after the login, or if the
// account is no longer on the whitelist.
func (h *Hub) checkAccess(l *Login) error {
	if err := h.checkAddr(l.Addr); err != nil {
		return err
	}
	return h.checkName(l.Name, false)
}

// checkBanned returns an AccessError if the account or the address of a login was banned after the login. Unlike checkAccess it
// ignores the whitelist, because a change of the whitelist removes no player from the world.
func (h *Hub) checkBanned(l *Login) error {
	if err := h.checkAccess(l); errors.Is(err, ErrBanned) {
		return err
	}
	return nil
}

// Whitelist reports whether only whitelisted accounts may log in.
func (h *Hub) Whitelist() bool {
	h.access.mu.RLock()
	defer h.access.mu.RUnlock()
	return h.access.whitelist
}

// Restrict stores an access rule and applies it: a ban ends the sessions of the players concerned, and a muted player
// is sent a message. The rule replaces a rule with the same kind, account and network. Restrict clears the host bits of
// a banned network, widens a single IPv6 address to its /64, and returns the rule as stored. Banned or muted accounts
// must exist. Errors: ErrInvalid, store.ErrNotFound for an unknown account, store.ErrTooManyRules, and those of the
// store.
func (h *Hub) Restrict(ctx context.Context, r store.AccessRule) (store.AccessRule, error) {
	now := time.Now()
	r.Since = now.UTC().Truncate(time.Millisecond)
	if !r.Until.IsZero() {
		r.Until = r.Until.UTC().Truncate(time.Millisecond)
	}
	if !isPrintable(r.Reason, 0, maxOperatorText) || !isPrintable(r.By, 0, maxOperatorText) || !r.Holds(now) {
		return r, ErrInvalid
	}
	done, err := h.lockAccess(ctx)
	if err != nil {
		return r, err
	}
	defer done()
	if err := h.resolve(ctx, &r, r.Kind != store.AccessWhitelisted); err != nil {
		return r, err
	}
	if err := h.store.SetAccessRule(ctx, r); err != nil {
		return r, err
	}
	h.access.mu.Lock()
	h.access.set(r)
	h.scheduleSweep()
	h.access.mu.Unlock()
	h.log.Info("access rule set", "kind", r.Kind, telemetry.FieldAccount, r.Account, "network", r.NetworkText(), telemetry.FieldReason, r.Reason, "operator", r.By, "until", r.Until)
	h.applyRule(&r)
	return r, nil
}

// Lift deletes the access rule with the kind, account and network of r; other fields are ignored. It also lifts the ban
// of an account that an older version stored without a rule. Errors: store.ErrNotFound if there is no such rule,
// ErrInvalid.
func (h *Hub) Lift(ctx context.Context, r store.AccessRule) error {
	done, err := h.lockAccess(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := h.resolve(ctx, &r, false); err != nil {
		return err
	}
	err = h.store.DeleteAccessRule(ctx, r)
	if errors.Is(err, store.ErrNotFound) && r.Kind == store.AccessBan && r.Account != "" {
		err = h.liftFlag(ctx, r.Account)
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	// The store may have no such rule although this process has it: if it did not get the answer to an earlier deletion, or if another
	// node has lifted the rule. Then it must forget the rule as well.
	h.access.mu.Lock()
	had := h.access.remove(r)
	h.access.mu.Unlock()
	if err != nil && !had {
		return err
	}
	h.log.Info("access rule lifted", "kind", r.Kind, telemetry.FieldAccount, r.Account, "network", r.NetworkText())
	if r.Kind == store.AccessMute {
		h.tellAccount(r.Account, "You can talk again.")
	}
	return nil
}

// liftFlag lifts the ban of an account that was banned without a rule. Errors: store.ErrNotFound if the account is not
// banned.
func (h *Hub) liftFlag(ctx context.Context, account string) error {
	a, err := h.store.Account(ctx, account)
	if err != nil {
		return err
	}
	if !a.Banned {
		return store.ErrNotFound
	}
	return h.store.SetBanned(ctx, a.ID, false)
}

// Rules returns the rules of a kind that have not expired, in the order of store.CompareAccessRules. For accounts that
// an older version or an import has banned without a rule, it returns rules with only the kind and the account.
func (h *Hub) Rules(ctx context.Context, kind store.AccessKind) ([]store.AccessRule, error) {
	if err := h.loadAccess(ctx); err != nil {
		return nil, err
	}
	var flagged []store.Account
	if kind == store.AccessBan {
		var err error
		if flagged, err = h.store.Banned(ctx); err != nil {
			return nil, err
		}
	}
	now := time.Now()
	var list []store.AccessRule
	h.access.mu.RLock()
	for r := range h.access.all() {
		if r.Kind == kind && r.Holds(now) {
			list = append(list, r)
		}
	}
	for i := range flagged {
		if _, exists := h.access.accounts[accessKey{kind, foldName(flagged[i].Name)}]; !exists {
			list = append(list, store.AccessRule{Kind: kind, Account: flagged[i].Name})
		}
	}
	h.access.mu.RUnlock()
	slices.SortFunc(list, store.CompareAccessRules)
	return list, nil
}

// lockAccess waits until no other change of the access rules is running, so that changes reach the store and the memory
// in the same order. The caller must call done after its change.
func (h *Hub) lockAccess(ctx context.Context) (done func(), err error) {
	if err := h.loadAccess(ctx); err != nil {
		return nil, err
	}
	select {
	case h.restricting <- struct{}{}:
		return func() { <-h.restricting }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// resolve validates the account or network of a rule. It replaces the account by its registered spelling and clears the host
// bits of the network. If the parameter mustExist is true, an unknown account is an error.
func (h *Hub) resolve(ctx context.Context, r *store.AccessRule, mustExist bool) error {
	switch {
	case r.Kind == store.AccessWhitelist && r.Account == "" && !r.Network.IsValid():
		return nil
	case r.Kind == store.AccessBan && r.Account == "" && r.Network.IsValid():
		n, err := banNetwork(r.Network)
		r.Network = n
		return err
	case r.Network.IsValid() || !isPrintable(r.Account, 1, maxAccountName):
		return ErrInvalid
	}
	a, err := h.store.Account(ctx, r.Account)
	switch {
	case err == nil:
		r.Account = a.Name
	case !errors.Is(err, store.ErrNotFound) || mustExist:
		return err
	}
	return nil
}

// banNetwork returns the network to ban if an operator bans the network p. It clears the host bits of p, and widens a
// single IPv6 address to its /64. Errors: ErrInvalid if the network is too wide.
func banNetwork(p netip.Prefix) (netip.Prefix, error) {
	addr, bits := p.Addr(), p.Bits()
	if addr.Is4In6() && bits >= 96 {
		addr, bits = addr.Unmap(), bits-96
	}
	least := minBanBitsV4
	if addr.Is6() {
		least = minBanBitsV6
		if bits == addr.BitLen() {
			bits = addrBitsV6
		}
	}
	if bits < least {
		return p, fmt.Errorf("%w: a banned network must have a prefix length of at least %d", ErrInvalid, least)
	}
	return addr.WithZone("").Prefix(bits)
}

// applyRule applies a new access rule, such as a ban, to the players who are in the world.
func (h *Hub) applyRule(r *store.AccessRule) {
	switch r.Kind {
	case store.AccessMute:
		h.tellAccount(r.Account, playerText("You are muted", r))
	case store.AccessBan:
		text := playerText("You are banned", r)
		for _, p := range h.Players() {
			if r.Account != "" && foldName(p.Account) == foldName(r.Account) || r.Network.IsValid() && r.Network.Contains(p.Addr.Unmap().WithZone("")) {
				_ = h.kick(p.Entity, text) // an error only means that the player has just left
			}
		}
	}
}

// tellAccount sends a message to the player of an account, if that player is in the world.
func (h *Hub) tellAccount(account, text string) {
	for _, p := range h.Players() {
		if foldName(p.Account) == foldName(account) {
			_ = h.tell(p.Entity, text, sim.ToneWarning) // a closed area refuses the message, but has no players
		}
	}
}

// scheduleSweep starts the timer that deletes expired rules, if any rule has an expiry time. The caller holds
// access.mu.
func (h *Hub) scheduleSweep() {
	t := h.access
	if t.timer != nil || t.closed {
		return
	}
	for r := range t.all() {
		if !r.Until.IsZero() {
			t.timer = time.AfterFunc(sweepEvery, h.sweepAccess)
			return
		}
	}
}

// sweepAccess deletes expired rules. If the deletion fails, it is repeated later. Expired rules have no effect even before
// they are deleted.
func (h *Hub) sweepAccess() {
	ctx, cancel := context.WithTimeout(context.Background(), accessLimit)
	defer cancel()
	done, err := h.lockAccess(ctx)
	if err == nil {
		defer done()
		now := time.Now()
		var expired []store.AccessRule
		h.access.mu.RLock()
		for r := range h.access.all() {
			if !r.Holds(now) {
				expired = append(expired, r)
			}
		}
		h.access.mu.RUnlock()
		for _, r := range expired {
			// If an operator has renewed the rule through another node, the store keeps it, and RefreshAccess will read it.
			if err := h.store.DeleteExpiredRule(ctx, r, now); err != nil && !errors.Is(err, store.ErrNotFound) {
				break
			}
			h.access.mu.Lock()
			h.access.remove(r)
			h.access.mu.Unlock()
			h.log.Info("access rule expired", "kind", r.Kind, telemetry.FieldAccount, r.Account, "network", r.NetworkText())
		}
	}
	h.access.mu.Lock()
	defer h.access.mu.Unlock()
	h.access.timer = nil
	h.scheduleSweep()
}

// closeAccess stops the timer that starts sweepAccess, and waits for a running call of sweepAccess.
func (h *Hub) closeAccess(ctx context.Context) {
	h.access.mu.Lock()
	h.access.closed = true
	if h.access.timer != nil {
		h.access.timer.Stop()
	}
	h.access.mu.Unlock()
	if done, err := h.lockAccess(ctx); err == nil {
		done()
	}
}

// isMuted reports whether the account of a session is muted. If so, it sends the player a notice, see noticeDue.
func (s *Session) isMuted(nowMS int64) bool {
	r, muted, _ := s.hub.access.account(store.AccessMute, s.Login.Name, time.Now())
	if muted && s.noticeDue(nowMS) {
		s.notify(playerText("You are muted", &r))
	}
	return muted
}
