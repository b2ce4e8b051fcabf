package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// Roster returns the characters of an account, oldest first, with their newest known records. The actor of a character
// in the world may be some seconds newer than the record. Items that the character dropped in an earlier run of the
// server, and that no one picked up, are in the backpack again. Other methods identify a character by its index in the
// roster. The records are read-only.
func (h *Hub) Roster(ctx context.Context, l *Login) ([]*sim.Character, error) {
	roster, err := h.newestRecords(ctx, l.Account)
	if err != nil {
		return nil, fmt.Errorf("read the characters of the account: %w", err)
	}
	for i, c := range roster {
		roster[i] = giveBack(c, h.world.Def())
	}
	return roster, nil
}

// CreateCharacter adds a character to the end of the roster. Errors: ErrName, ErrNameTaken, ErrTooMany, ErrTemplate,
// ErrPoints.
func (h *Hub) CreateCharacter(ctx context.Context, l *Login, n NewCharacter) error {
	w := h.world.Def()
	c, err := buildCharacter(w, l.Door, n)
	if err != nil {
		return err
	}
	_, err = h.store.CreateCharacter(ctx, l.Account, c, w.NewCharacters.MaxCharacters)
	switch {
	case errors.Is(err, store.ErrNameTaken):
		return ErrNameTaken
	case errors.Is(err, store.ErrTooMany):
		return ErrTooMany
	case err != nil:
		return err
	}
	h.log.Info("character created", telemetry.FieldAccount, l.Name, telemetry.FieldCharacter, n.Name)
	return nil
}

// DeleteCharacter deletes a character of the account and returns the roster without it. The parameter is an id and not an
// index: deletion moves later characters up by one index, so a repeated call with an index would delete another character.
// After ErrUnavailable or the end of ctx the character may or may not be deleted. Errors: ErrNoCharacter, ErrOnline if the
// character is in the world, ErrBusy while another character of the account is being deleted, or if another node
// has claimed the account during the call.
func (h *Hub) DeleteCharacter(ctx context.Context, l *Login, id sim.CharacterID) ([]*sim.Character, error) {
	if err := h.lockRoster(l.Account); err != nil {
		return nil, err
	}
	defer h.unlockRoster(l.Account)
	claimed, err := h.claimStored(ctx, l.Account)
	if err != nil {
		return nil, err
	}
	defer h.claims.release(claimed, 0)
	by := h.claims.holder()
	roster, err := h.settledRoster(ctx, l)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(roster, func(c *sim.Character) bool { return c.ID == id })
	if i < 0 {
		return nil, ErrNoCharacter
	}
	h.mu.Lock()
	v := h.online[l.Account]
	busy := v != nil && (v.character == 0 || v.character == id)
	h.mu.Unlock()
	if busy {
		return nil, ErrOnline
	}
	if err := busyUnlessHeld(h.store.DeleteCharacter(ctx, by, l.Account, id)); err != nil {
		return nil, err
	}
	h.writer.remove(id)
	h.log.Info("character deleted", telemetry.FieldAccount, l.Name, telemetry.FieldCharacter, roster[i].Name)
	return slices.Delete(roster, i, i+1), nil
}

// lockRoster locks the roster of an account until unlockRoster is called. Meanwhile the hub refuses to let a character of the
// account enter the world, and to change the roster. Errors: ErrClosed, ErrBusy.
func (h *Hub) lockRoster(id store.AccountID) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return ErrClosed
	}
	if h.rosterLocked[id] {
		return ErrBusy
	}
	h.rosterLocked[id] = true
	return nil
}

func (h *Hub) unlockRoster(id store.AccountID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.rosterLocked, id)
}

// Character returns the newest record of the character with the given roster index. If a player of the account has just
// left, it waits for that player's last record, usually a few ticks. The record is read-only. Errors: ErrNoCharacter,
// ErrBusy if the last record does not arrive in time.
func (h *Hub) Character(ctx context.Context, l *Login, index int) (*sim.Character, error) {
	roster, err := h.settledRoster(ctx, l)
	if err != nil {
		return nil, err
	}
	if index < 0 || index >= len(roster) {
		return nil, ErrNoCharacter
	}
	return roster[index], nil
}

// settledRoster returns the roster of an account. If a player of the account is just leaving, it first waits until the hub has that
// player's last record. Errors: ErrBusy.
func (h *Hub) settledRoster(ctx context.Context, l *Login) ([]*sim.Character, error) {
	// Wait before reading, because a record that arrived after the read would be newer than the one that was read.
	if err := h.awaitRecord(ctx, l.Account); err != nil {
		return nil, err
	}
	return h.Roster(ctx, l)
}

// awaitRecord waits, if a player of the account is just leaving, until the hub has that player's last record. Errors: ErrBusy.
func (h *Hub) awaitRecord(ctx context.Context, id store.AccountID) error {
	h.mu.Lock()
	v := h.leavingByAccount[id]
	h.mu.Unlock()
	if v == nil {
		return nil
	}
	late := time.NewTimer(h.opt.RecordTimeout)
	defer late.Stop()
	select {
	case <-v.ended:
		return nil
	case <-late.C:
		return ErrBusy
	case <-ctx.Done():
		return ctx.Err()
	}
}
