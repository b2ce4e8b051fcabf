package session

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// sharedStore is the store of a node of a testCluster. Like store/postgres, it refuses a change of stored records by a process that
// does not hold the accounts concerned.
type sharedStore struct {
	store.Store
	c *testCluster
}

// check returns store.ErrNotHolder if the process by does not hold all accounts. Before, it pauses the process if the test says so.
func (s *sharedStore) check(by store.SessionHolder, accounts ...store.AccountID) error {
	if by == (store.SessionHolder{}) {
		s.c.t.Error("a node of a cluster changes stored records without saying who it is")
	}
	s.c.mu.Lock()
	pause := s.c.pause
	s.c.pause = nil
	s.c.mu.Unlock()
	if pause != nil {
		pause()
	}
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	for _, id := range accounts {
		if s.c.claims[id] != by {
			return store.ErrNotHolder
		}
	}
	return nil
}

// owner returns the account of a character, or 0.
func (s *sharedStore) owner(ctx context.Context, c sim.CharacterID) store.AccountID {
	id, _ := s.Owner(ctx, c)
	return id
}

func (s *sharedStore) EditCharacter(ctx context.Context, by store.SessionHolder, c *sim.Character) error {
	if err := s.check(by, s.owner(ctx, c.ID)); err != nil {
		return err
	}
	return s.Store.EditCharacter(ctx, by, c)
}

func (s *sharedStore) MoveCharacter(ctx context.Context, by store.SessionHolder, c sim.CharacterID, to store.AccountID) error {
	if err := s.check(by, s.owner(ctx, c), to); err != nil {
		return err
	}
	return s.Store.MoveCharacter(ctx, by, c, to)
}

func (s *sharedStore) MergeAccounts(ctx context.Context, by store.SessionHolder, from, into store.AccountID) error {
	if err := s.check(by, from, into); err != nil {
		return err
	}
	return s.Store.MergeAccounts(ctx, by, from, into)
}

func (s *sharedStore) DeleteAccount(ctx context.Context, by store.SessionHolder, id store.AccountID, folded string) error {
	if err := s.check(by, id); err != nil {
		return err
	}
	return s.Store.DeleteAccount(ctx, by, id, folded)
}

func (s *sharedStore) DeleteCharacter(ctx context.Context, by store.SessionHolder, id store.AccountID, c sim.CharacterID) error {
	if err := s.check(by, id); err != nil {
		return err
	}
	return s.Store.DeleteCharacter(ctx, by, id, c)
}

// A process that changes the stored records of an account is paused just before the change. The cluster declares it dead, and the
// account's player enters through the other node, plays and leaves, before the process continues.
func TestChangeOfStoredRecordsByPausedNodeIsRefusedAfterAccountPlaysElsewhere(t *testing.T) {
	gold := int32(1234)
	edit := &CharacterChange{Gold: &gold}
	for name, change := range map[string]func(n *testNode, l *Login) error{
		"edit": func(n *testNode, _ *Login) error {
			_, err := n.Keeper().EditCharacter(n.ctx, "Ada", "Ada", edit, false)
			return err
		},
		"move":                      func(n *testNode, _ *Login) error { return n.Keeper().MoveCharacter(n.ctx, "Ada", "Ada", "Bea", false) },
		"merge":                     func(n *testNode, _ *Login) error { return n.Keeper().Merge(n.ctx, "Ada", "Bea", false) },
		"merge into":                func(n *testNode, _ *Login) error { return n.Keeper().Merge(n.ctx, "Bea", "Ada", false) },
		"deletion":                  func(n *testNode, _ *Login) error { _, err := n.Keeper().Delete(n.ctx, "Ada", false); return err },
		"deletion of the character": func(n *testNode, _ *Login) error { return n.Keeper().DeleteCharacter(n.ctx, "Ada", "Ada", false) },
		"deletion by the player":    func(n *testNode, l *Login) error { return n.deleteCharacter(l, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			withCluster(t, twoFields(), Options{}, func(c *testCluster) {
				paused, other := c.nodes[1], c.nodes[0]
				l := paused.player("Ada")
				paused.player("Bea")
				var s *Session
				c.pause = func() {
					c.giveUp(1)
					s = other.enters(l)
				}
				if err := change(paused, l); !errors.Is(err, ErrBusy) {
					t.Errorf("the change: %v", err)
				}
				if s == nil {
					t.Fatal("the process was not paused")
				}
				ticks(20)
				other.walk(s, 80)
				ticks(100)
				s.Leave()
				time.Sleep(5 * time.Second)
				if got := other.stored(l); got.Pos.X != 80 || got.Gold == gold {
					t.Errorf("after the player has left, stored is %+v", got)
				}
				if err := change(paused, l); err != nil { // repeated, the change is made
					t.Errorf("the repeated change: %v", err)
				}
			})
		})
	}
}
