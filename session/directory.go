package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// Directory records through which process of a cluster an account is in the world. A hub claims an account before its
// player enters, and releases the account after the player's last record is stored. A claim ends with the process: once
// the cluster has declared a process dead, other processes can claim its accounts. The methods are safe for concurrent
// use.
type Directory interface {
	// Claim claims an account for this process. It does nothing if this process already holds the account. Errors: ErrOnline
	// if another process holds the account and that process is not known to be dead; store.ErrNotFound; ErrBusy and ErrNoLead while
	// this process must not claim accounts. After one of these errors this process does not hold the account. After any other error
	// it may hold the account, because the answer of the store may be lost.
	Claim(ctx context.Context, id store.AccountID) error

	// Release ends the claims of this process on accounts. It ignores accounts that this process does not hold. After an
	// error the claims may have ended or not.
	Release(ctx context.Context, ids []store.AccountID) error

	// Holder returns this process as the holder of the accounts that it has claimed. Changes of stored records are made in its name,
	// so that the store refuses them if another process has claimed the account since.
	Holder() store.SessionHolder

	// Serials reserves the serial numbers first to last for the ids of new players (sim.PlayerID). No process of this
	// node has reserved any of them before.
	Serials(ctx context.Context) (first, last uint64, err error)
}

// serialsAtOnce is the number of serial numbers that one call of Serials reserves. When a process ends, its unused numbers are
// lost. That is harmless, because a node has 2^30 of them.
const serialsAtOnce = 1000

// storedDirectory is a Directory that is kept in a store shared by the processes of a cluster.
type storedDirectory struct {
	store store.Sessions
	self  func() store.SessionHolder
	gone  func(store.SessionHolder) bool
}

// NewDirectory returns a Directory in a store that the processes of a cluster share. The function self returns the identity of
// this process. Its incarnation may grow while the process runs; claims of earlier incarnations then count as those of another
// process. While the incarnation changes, or not all areas know it yet, it is 0, and Claim waits for at most claimWait. The function
// gone reports whether the cluster has declared a process dead. The accounts of such a process can be claimed, because no area accepts
// its intents any more. The function gone must not block.
func NewDirectory(st store.Sessions, self func() store.SessionHolder, gone func(store.SessionHolder) bool) Directory {
	return &storedDirectory{st, self, gone}
}

// A claim waits for at most claimWait until this process has an incarnation that all areas know, and asks every claimPoll. Usually a node
// that has just started has one after some tenths of a second.
const (
	claimWait = 3 * time.Second
	claimPoll = 20 * time.Millisecond
)

// Claim implements Directory.
func (d *storedDirectory) Claim(ctx context.Context, id store.AccountID) error {
	by := d.self()
	for began := time.Now(); by.Incarnation == 0; by = d.self() {
		if time.Since(began) >= claimWait {
			return ErrNoLead
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(claimPoll):
		}
	}
	var holder store.SessionHolder
	err := d.store.ClaimSession(ctx, id, by, func(h store.SessionHolder) bool {
		holder = h
		return d.gone(h)
	})
	if err == nil && d.self() != by {
		return ErrBusy // this process got a new incarnation during the call, so the claim counts for the former one
	}
	if errors.Is(err, store.ErrSessionHeld) {
		return &heldError{err, func() bool { return d.gone(holder) }}
	}
	return err
}

// Release implements Directory.
func (d *storedDirectory) Release(ctx context.Context, ids []store.AccountID) error {
	return d.store.ReleaseSessions(ctx, ids, d.self())
}

// Holder implements Directory.
func (d *storedDirectory) Holder() store.SessionHolder { return d.self() }

// Serials implements Directory.
func (d *storedDirectory) Serials(ctx context.Context) (first, last uint64, err error) {
	last, err = d.store.ReserveSerials(ctx, d.self().Node, serialsAtOnce)
	if err == nil && last > sim.MaxSerial {
		err = fmt.Errorf("node %s has assigned all of its %d player ids: give the node another name and number", d.self().Node, uint64(sim.MaxSerial))
	}
	return last - serialsAtOnce + 1, last, err
}

// claims are the accounts that a hub has claimed in its directory, so that no other process lets players of these accounts
// enter the world. An account stays claimed while it has users: presences, or operators who change its stored records. The
// account is not released when the last user is removed, but later, by releaseUnused. An account that soon enters again thus
// needs no call to the directory. The methods are safe for concurrent use. Without a directory they do nothing.
type claims struct {
	dir Directory // nil for a single server

	mu       sync.Mutex
	accounts map[store.AccountID]*claim
}

// claim says whether this process holds an account in the directory, and how many users the account has in this
// process. claims.mu guards users, state, known and characters.
type claim struct {
	account    store.AccountID
	turn       chan struct{}     // has capacity 1 and is full while a call to the directory for this account runs
	users      int               // reference count: presences and calls of operators that use the claim
	state      claimState        // whether this process holds the account in the directory
	known      bool              // the hub knows the newest records and the actors of the account: see Hub.findActor
	characters []sim.CharacterID // characters whose records must be stored before the release
}

// claimState is what a process knows about its claim on an account in the directory.
type claimState uint8

const (
	notHeld   claimState = iota // this process does not hold the account
	maybeHeld                   // a call to the directory runs or has failed: before the account enters, this process must claim it again
	held                        // this process holds the account
)

// acquire claims an account for this process and counts one more user of the claim. The result must be passed to release.
// Errors: those of Directory.Claim.
func (s *claims) acquire(ctx context.Context, id store.AccountID) (*claim, error) {
	if s.dir == nil {
		return nil, nil
	}
	for {
		c := s.addUser(id)
		err := s.claim(ctx, c)
		s.mu.Lock()
		current := s.accounts[id] == c
		if current && err != nil {
			s.removeUser(c)
		}
		s.mu.Unlock()
		if err != nil {
			return nil, err
		}
		if current {
			return c, nil
		}
		// The method forget has dropped all claims during this call. Try again, so that the account is claimed for the new
		// incarnation of this process.
	}
}

// holder returns this process as the holder of the accounts that it has claimed, or the zero value without a directory.
func (s *claims) holder() store.SessionHolder {
	if s.dir == nil {
		return store.SessionHolder{}
	}
	return s.dir.Holder()
}

// addUser counts one more user (a presence or an operator) of the claim of an account. It creates the claim if there is
// none.
func (s *claims) addUser(id store.AccountID) *claim {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.accounts[id]
	if c == nil {
		c = &claim{account: id, turn: make(chan struct{}, 1)}
		s.accounts[id] = c
	}
	c.users++
	return c
}

// removeUser reduces the number of users of a claim by one. With the last user it drops the claim if this process does not hold the
// account. A claim that this process may hold stays until releaseUnused has released it: otherwise the account could not enter
// through other processes as long as this one runs. The caller holds s.mu.
func (s *claims) removeUser(c *claim) {
	if c.users--; c.users == 0 && c.state == notHeld && s.accounts[c.account] == c {
		delete(s.accounts, c.account)
	}
}

// claim claims the account of c in the directory, unless this process already holds the account.
func (s *claims) claim(ctx context.Context, c *claim) error {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	s.mu.Lock()
	if c.state == held {
		s.mu.Unlock()
		return nil
	}
	c.state = maybeHeld
	s.mu.Unlock()
	err := s.dir.Claim(ctx, c.account)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil:
		c.state = held
	case errors.Is(err, ErrOnline), errors.Is(err, store.ErrNotFound), errors.Is(err, ErrBusy), errors.Is(err, ErrNoLead):
		c.state = notHeld
	}
	return err
}

// isKnown reports whether the hub knows the newest records and the actors of the account. It does from the call of setKnown on, for
// as long as this process holds the account, because then no other process can change them.
func (s *claims) isKnown(c *claim) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return c.known
}

// setKnown marks the claim c: from now on the hub knows the newest records and the actors of its account.
func (s *claims) setKnown(c *claim) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.known = true
}

// isCurrent reports whether the claim is still valid: forget has not dropped it.
func (s *claims) isCurrent(c *claim) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accounts[c.account] == c
}

// share adds one user to the claim c, which must already have a user, and returns c. If c is nil, share only returns nil.
func (s *claims) share(c *claim) *claim {
	if c != nil {
		s.mu.Lock()
		c.users++
		s.mu.Unlock()
	}
	return c
}

// release ends one use of this process's claim to an account. The claim keeps other processes from logging the account in. The
// parameter character is the character whose player has left, or 0 if an operator's request used the claim. The parameter c may
// be nil.
func (s *claims) release(c *claim, character sim.CharacterID) {
	if c == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if character != 0 && !slices.Contains(c.characters, character) {
		c.characters = append(c.characters, character)
	}
	s.removeUser(c)
}

// forget drops all claims without calling the directory, because they belong to an incarnation of this process that the
// cluster has declared dead.
func (s *claims) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accounts = map[store.AccountID]*claim{}
}

// releaseUnused releases the claims that have no users and whose players' records are all stored. The function
// isUnstored reports whether the newest record of a character is not stored yet. After an error a later call tries again.
// Only one goroutine may call it.
func (s *claims) releaseUnused(ctx context.Context, isUnstored func(sim.CharacterID) bool) error {
	if s.dir == nil {
		return nil
	}
	list := s.beginRelease(isUnstored)
	if len(list) == 0 {
		return nil
	}
	ids := make([]store.AccountID, len(list))
	for i, c := range list {
		ids[i] = c.account
	}
	err := s.dir.Release(ctx, ids)
	s.endRelease(list, err == nil)
	if err != nil {
		return fmt.Errorf("release %d accounts for logins through other nodes: %w", len(ids), err)
	}
	return nil
}

// beginRelease returns the claims to release, sorted by account, and takes their turns. The release may take effect although its
// answer is lost. So from now on this process no longer counts as the holder of these accounts.
func (s *claims) beginRelease(isUnstored func(sim.CharacterID) bool) (list []*claim) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.accounts {
		if c.users > 0 || slices.ContainsFunc(c.characters, isUnstored) {
			continue
		}
		c.turn <- struct{}{} // never blocks: each call to the directory has a user, and no other release runs
		c.state, c.known = maybeHeld, false
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *claim) int { return cmp.Compare(a.account, b.account) })
	return list
}

// endRelease ends the turns of claims, and drops the claims that were released. A user that was added meanwhile has waited for the
// turn, and claims the account again.
func (s *claims) endRelease(list []*claim, released bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range list {
		if released {
			c.state, c.characters = notHeld, nil
			if c.users == 0 && s.accounts[c.account] == c {
				delete(s.accounts, c.account)
			}
		}
		<-c.turn
	}
}
