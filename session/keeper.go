package session

import (
	"cmp"
	"context"
	"crypto/md5"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// Errors that the methods of Keeper return, besides errors of package store.
var (
	ErrNoSecret    = errors.New("the account has no password because its players log in without one")
	ErrSameAccount = errors.New("the two accounts are the same")
	ErrBannedMerge = errors.New("the account is banned, and the merge would delete its ban: pardon the account first, and ban the other account if the ban must remain")
	ErrRulesLeft   = errors.New("the account is deleted, but some of its bans, mutes or its whitelist entry could not be deleted")
)

// Keeper reads and changes stored accounts and their characters for operators. The accounts are those of a running server
// (Hub.Keeper), or of a data folder that no server uses (NewKeeper).
//
// While a player of an account is in the world, a change of the account is refused with ErrOnline, because the next save of the
// player would overwrite the change. If the caller allows it, the player is kicked instead. A changed record of a character
// gets a higher version than any record on a tape, so that a restart after a kill does not revert the change.
type Keeper struct {
	store store.Store
	hub   *Hub // nil for a data folder that no server uses
	cost  Cost
}

// NewKeeper returns a Keeper of a store that no server uses. If the last server was not stopped cleanly, the caller must not
// change records: the next start restores that server's players from the tape, and their records would overwrite the changed
// ones.
func NewKeeper(st store.Store) *Keeper { return &Keeper{store: st, cost: DefaultCost} }

// Keeper returns the Keeper of a running server.
func (h *Hub) Keeper() *Keeper { return &Keeper{store: h.store, hub: h, cost: h.opt.HashCost} }

// Find returns stored accounts. For a character in the world, Found.LastSeen may be some seconds too early, because the
// character's newest record is not stored yet.
func (k *Keeper) Find(ctx context.Context, f store.Filter) ([]store.Found, error) {
	return k.store.Find(ctx, f)
}

// AccountRecord is an account with the newest known records of its characters.
type AccountRecord struct {
	store.Account
	Characters []*sim.Character // characters of the account in roster order; read-only
	Online     bool             // a player of the account is in the world, or has just left it
}

// Account returns the account with the given name. Errors: store.ErrNotFound.
func (k *Keeper) Account(ctx context.Context, name string) (*AccountRecord, error) {
	a, err := k.store.Account(ctx, name)
	if err != nil {
		return nil, err
	}
	r := &AccountRecord{Account: *a}
	if k.hub == nil {
		r.Characters, err = k.store.Characters(ctx, a.ID)
		return r, err
	}
	r.Online = k.hub.isOnline(a.ID)
	r.Characters, err = k.hub.newestRecords(ctx, a.ID)
	return r, err
}

// newestRecords returns the newest known records of the characters of an account. Unlike stored records, they do not contain the
// characters' items on the ground.
func (h *Hub) newestRecords(ctx context.Context, id store.AccountID) ([]*sim.Character, error) {
	for {
		seen := h.writer.savedBatches()
		roster, err := h.store.Characters(ctx, id)
		if err != nil || h.writer.applyUnsaved(roster, seen) {
			return roster, err
		}
	}
}

func (h *Hub) isOnline(id store.AccountID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.online[id] != nil || h.leavingByAccount[id] != nil
}

// KnownAddresses returns the stored addresses from which an account has logged in.
func (k *Keeper) KnownAddresses(ctx context.Context, account string) (list []store.KnownAddress, err error) {
	all, err := k.store.KnownAddresses(ctx, time.Time{})
	for _, a := range all {
		if a.Account == foldName(account) {
			list = append(list, a)
		}
	}
	return list, err
}

// AccessRules returns the bans and mutes of an account, and its whitelist entry.
func (k *Keeper) AccessRules(ctx context.Context, account string) (list []store.AccessRule, err error) {
	all, err := k.store.AccessRules(ctx)
	for i := range all {
		if sim.EqualFold(all[i].Account, account) {
			list = append(list, all[i])
		}
	}
	return list, err
}

// generatedSecret is the number of random bytes of a generated password, which is written as twice as many hexadecimal
// digits.
const generatedSecret = 9

// ResetSecret replaces the password of an account and returns the new password. If the parameter password is empty, the new
// password is random. A player of the account stays in the world. Errors: store.ErrNotFound, ErrNoSecret for an account
// without a password, ErrInvalid for a password that is too long or has control characters.
func (k *Keeper) ResetSecret(ctx context.Context, account, password string) (string, error) {
	a, err := k.store.Account(ctx, account)
	if err != nil {
		return "", err
	}
	if isTrustedName(a.Name) {
		return "", ErrNoSecret
	}
	if password == "" {
		b := make([]byte, generatedSecret)
		rand.Read(b) // Read never returns an error
		password = hex.EncodeToString(b)
	}
	if !isPrintable(password, 1, maxSecret) || len(password) > maxSecret {
		return "", ErrInvalid
	}
	sum := md5.Sum([]byte(password)) // clients of every door with passwords send this as the secret
	secret := hex.EncodeToString(sum[:])
	hash := ""
	if k.hub == nil {
		hash = newPHC(secret, k.cost).String()
	} else if err := k.hub.withHasher(ctx, Peer{Door: "console", Addr: netip.IPv6Loopback()}, a.Name, func() { hash = k.hub.hasher.hash(secret) }); err != nil {
		return "", err
	}
	return password, k.store.SetSecret(ctx, a.ID, hash)
}

// EditCharacter changes a character of an account and returns the changed record. If kick is true, a player of the
// account is kicked first. Errors: store.ErrNotFound, ErrNoCharacter, ErrOnline, ErrBusy, store.ErrNameTaken, and an
// InvalidChange.
func (k *Keeper) EditCharacter(ctx context.Context, account, character string, change *CharacterChange, kick bool) (edited *sim.Character, err error) {
	err = k.offline(ctx, kick, func(by store.SessionHolder, accounts []*store.Account) error {
		c, err := k.character(ctx, accounts[0].ID, character)
		if err != nil {
			return err
		}
		var w *sim.World
		if k.hub != nil {
			w = k.hub.world.Def()
		}
		edit := func(c *sim.Character) error {
			edited = c
			return change.apply(c, w)
		}
		if k.hub != nil {
			return k.hub.writer.edit(ctx, by, c.ID, edit)
		}
		if err := edit(c); err != nil {
			return err
		}
		c.Version++
		return k.store.EditCharacter(ctx, by, c)
	}, account)
	return edited, err
}

// character returns the stored record of the account's character with the given name. Errors: ErrNoCharacter.
func (k *Keeper) character(ctx context.Context, id store.AccountID, name string) (*sim.Character, error) {
	roster, err := k.store.Characters(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, c := range roster {
		if sim.EqualFold(c.Name, name) {
			return c, nil
		}
	}
	return nil, ErrNoCharacter
}

// MoveCharacter moves a character to another account. If kick is true, players of both accounts are kicked first.
// Errors: store.ErrNotFound, ErrNoCharacter, store.ErrTooMany, ErrOnline, ErrBusy, ErrSameAccount.
func (k *Keeper) MoveCharacter(ctx context.Context, account, character, to string, kick bool) error {
	return k.offline(ctx, kick, func(by store.SessionHolder, accounts []*store.Account) error {
		c, err := k.character(ctx, accounts[0].ID, character)
		if err != nil {
			return err
		}
		return k.store.MoveCharacter(ctx, by, c.ID, accounts[1].ID)
	}, account, to)
}

// DeleteCharacter deletes a character. If kick is true, a player of the account is kicked first. Errors:
// store.ErrNotFound, ErrNoCharacter, ErrOnline, ErrBusy.
func (k *Keeper) DeleteCharacter(ctx context.Context, account, character string, kick bool) error {
	return k.offline(ctx, kick, func(by store.SessionHolder, accounts []*store.Account) error {
		c, err := k.character(ctx, accounts[0].ID, character)
		if err != nil {
			return err
		}
		err = k.store.DeleteCharacter(ctx, by, accounts[0].ID, c.ID)
		if errors.Is(err, store.ErrNotFound) { // it was in the roster a moment ago: another node has changed the account while this one was paused
			return ErrNoCharacter
		}
		if err != nil {
			return err
		}
		k.forget(c.ID)
		return nil
	}, account)
}

// Merge merges one account into another. It appends the characters of the first account (the parameter from) to the
// roster of the second (the parameter into). Then it deletes the first account with its bans, mutes and whitelist
// entry; those of the second account stay. A banned account is not merged, because its player could then log in
// through the second account. Errors: store.ErrNotFound, store.ErrTooMany, ErrOnline, ErrBusy, ErrSameAccount,
// ErrBannedMerge, and ErrRulesLeft if the accounts are merged but DropAccessRules has failed.
func (k *Keeper) Merge(ctx context.Context, from, into string, kick bool) error {
	err := k.offline(ctx, kick, func(by store.SessionHolder, accounts []*store.Account) error {
		if banned, err := k.isBanned(ctx, accounts[0]); err != nil || banned {
			return cmp.Or(err, ErrBannedMerge)
		}
		err := k.store.MergeAccounts(ctx, by, accounts[0].ID, accounts[1].ID)
		if errors.Is(err, store.ErrNotFound) && k.isMerged(ctx, accounts[0].ID, accounts[1].ID) {
			return nil
		}
		return err
	}, from, into)
	if err != nil {
		return err
	}
	_, err = k.DropAccessRules(ctx, from)
	return err
}

// isMerged reports whether, of two accounts that both existed when a merge began, only the second is left.
func (k *Keeper) isMerged(ctx context.Context, from, into store.AccountID) bool {
	_, gone := k.store.AccountByID(ctx, from)
	_, err := k.store.AccountByID(ctx, into)
	return errors.Is(gone, store.ErrNotFound) && err == nil
}

// isBanned reports whether an account is banned now.
func (k *Keeper) isBanned(ctx context.Context, a *store.Account) (bool, error) {
	rules, err := k.AccessRules(ctx, a.Name)
	for i := range rules {
		if rules[i].Kind == store.AccessBan {
			return rules[i].Holds(time.Now()), err
		}
	}
	return a.Banned, err // a ban of an older version or of an imported account has no rule
}

// DropAccessRules deletes the bans, mutes and whitelist entry of a deleted account, because they would apply to the next account that
// is created with that name. It returns the number of deleted rules. Errors: ErrRulesLeft.
func (k *Keeper) DropAccessRules(ctx context.Context, account string) (dropped int, err error) {
	rules, err := k.AccessRules(ctx, account)
	for i := 0; i < len(rules) && err == nil; i++ {
		if k.hub != nil {
			err = k.hub.Lift(ctx, rules[i])
		} else {
			err = k.store.DeleteAccessRule(ctx, rules[i])
		}
		if errors.Is(err, store.ErrNotFound) {
			err = nil // the rule has just expired, or another operator has lifted it
		} else if err == nil {
			dropped++
		}
	}
	if err != nil {
		return dropped, fmt.Errorf("%w: %w", ErrRulesLeft, err)
	}
	return dropped, nil
}

// HasCharacter reports whether any account has a character with the given name.
func (k *Keeper) HasCharacter(ctx context.Context, name string) (bool, error) {
	f := store.Filter{Prefix: name, Limit: store.MaxFound}
	for {
		list, err := k.store.Find(ctx, f)
		if err != nil {
			return false, err
		}
		for i := range list {
			if slices.ContainsFunc(list[i].Characters, func(c string) bool { return sim.EqualFold(c, name) }) {
				return true, nil
			}
		}
		if len(list) < f.Limit {
			return false, nil
		}
		f.After = list[len(list)-1].Name
	}
}

// Delete deletes an account with its characters, the addresses from which it logged in, its bans, mutes and whitelist
// entry. It returns the names of the characters. Errors: store.ErrNotFound, ErrOnline, ErrBusy, and ErrRulesLeft if the
// account and its characters are deleted but DropAccessRules has failed. With ErrRulesLeft, too, Delete returns the
// names, and so it does if the account existed at the beginning and may be deleted: with store.ErrUnavailable, because the answer of the
// database can be lost, and with store.ErrNotFound.
func (k *Keeper) Delete(ctx context.Context, account string, kick bool) (characters []string, err error) {
	err = k.offline(ctx, kick, func(by store.SessionHolder, accounts []*store.Account) error {
		roster, err := k.store.Characters(ctx, accounts[0].ID)
		if err != nil {
			return err
		}
		for _, c := range roster {
			characters = append(characters, c.Name)
		}
		folded := foldName(accounts[0].Name)
		if k.hub != nil {
			k.hub.known.forget(folded)
		}
		if err := k.store.DeleteAccount(ctx, by, accounts[0].ID, folded); err != nil {
			return err
		}
		for _, c := range roster {
			k.forget(c.ID)
		}
		return nil
	}, account)
	if err != nil && !errors.Is(err, store.ErrUnavailable) && !errors.Is(err, store.ErrNotFound) {
		characters = nil
	}
	if err == nil {
		_, err = k.DropAccessRules(ctx, account)
	}
	return characters, err
}

// forget drops the newest record of a deleted character from the memory of the hub, so that the record is not saved.
func (k *Keeper) forget(id sim.CharacterID) {
	if k.hub != nil {
		k.hub.writer.remove(id)
	}
}

// offline calls the function change with the accounts of the given names. During the call no player of these accounts is in the
// world or can enter it, and all their records are stored. If the parameter kick is true, players of the accounts are kicked
// first. If it is false and such a player is in the world, the error is ErrOnline. The function makes its change in the name of the
// process by, so that the store refuses it if this process was paused and another one has claimed an account meanwhile: the error is
// then ErrBusy. Errors: store.ErrNotFound, ErrOnline, ErrBusy, ErrClosed, ErrSameAccount.
func (k *Keeper) offline(ctx context.Context, kick bool, change func(by store.SessionHolder, accounts []*store.Account) error, names ...string) error {
	accounts := make([]*store.Account, len(names))
	for i, name := range names {
		a, err := k.store.Account(ctx, name)
		if err != nil {
			return fmt.Errorf("find the account %.100q: %w", name, err)
		}
		if i > 0 && a.ID == accounts[0].ID {
			return ErrSameAccount
		}
		accounts[i] = a
	}
	if k.hub == nil {
		return change(store.SessionHolder{}, accounts)
	}
	sorted := slices.SortedFunc(slices.Values(accounts), func(a, b *store.Account) int { return cmp.Compare(a.ID, b.ID) })
	for _, a := range sorted {
		if err := k.hub.lockRoster(a.ID); err != nil {
			return err
		}
		defer k.hub.unlockRoster(a.ID)
	}
	for _, a := range sorted {
		claimed, err := k.hub.claimStored(ctx, a.ID)
		if err != nil {
			return fmt.Errorf("claim account %s, so that no other node changes it: %w", a.Name, err)
		}
		defer k.hub.claims.release(claimed, 0)
	}
	by := k.hub.claims.holder()
	for _, a := range sorted {
		if err := k.hub.awaitOffline(ctx, a, kick); err != nil {
			return fmt.Errorf("change account %s: %w", a.Name, err)
		}
	}
	if err := k.hub.storeRecords(ctx, sorted); err != nil {
		return err
	}
	if err := busyUnlessHeld(change(by, accounts)); err != nil {
		return err
	}
	k.hub.log.Info("account changed by an operator", telemetry.FieldAccount, accounts[0].Name)
	return nil
}

// busyUnlessHeld returns the error of a change of stored records, with ErrBusy if this process no longer held the account.
func busyUnlessHeld(err error) error {
	if errors.Is(err, store.ErrNotHolder) {
		return fmt.Errorf("%w: %w", ErrBusy, err)
	}
	return err
}

// keeperPoll is the interval at which a Keeper checks whether records are stored.
const keeperPoll = 20 * time.Millisecond

// awaitOffline waits until no player of an account is in the world and the hub has the player's last record. If kick is
// true, it kicks the player first. Errors: ErrOnline, ErrBusy.
func (h *Hub) awaitOffline(ctx context.Context, a *store.Account, kick bool) error {
	h.mu.Lock()
	v := h.online[a.ID]
	h.mu.Unlock()
	if v != nil {
		if !kick {
			return ErrOnline
		}
		if err := h.Kick(v.entity, "an operator changes your account"); err != nil && !errors.Is(err, ErrNotInWorld) {
			return err
		}
	}
	if err := h.awaitRecord(ctx, a.ID); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.online[a.ID] != nil {
		return ErrBusy // the player was entering the world
	}
	return nil
}

// storeRecords waits until the newest records of all characters of the accounts are stored. Errors: ErrBusy.
func (h *Hub) storeRecords(ctx context.Context, accounts []*store.Account) error {
	for end := time.Now().Add(h.opt.RecordTimeout); ; {
		if _, err := h.writer.flush(ctx, false); err != nil {
			return fmt.Errorf("%w: %w", ErrBusy, err)
		}
		waiting := false
		for _, a := range accounts {
			roster, err := h.store.Characters(ctx, a.ID)
			if err != nil {
				return err
			}
			waiting = waiting || slices.ContainsFunc(roster, func(c *sim.Character) bool { return h.writer.isUnstored(c.ID) })
		}
		if !waiting {
			return nil
		}
		if time.Now().After(end) {
			return ErrBusy
		}
		timer := time.NewTimer(keeperPoll)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

// forget drops the logins of an account that are not written to the store yet, so that they are never written.
func (k *knownAddresses) forget(name string) {
	k.saving.Lock()
	defer k.saving.Unlock()
	k.mu.Lock()
	defer k.mu.Unlock()
	for key := range k.unsaved {
		if key.name == name {
			delete(k.unsaved, key)
		}
	}
}
