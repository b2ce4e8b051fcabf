package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

var _ store.Sessions = (*Store)(nil)

// ClaimSession makes a process the holder of an account. It implements store.Sessions.
func (s *Store) ClaimSession(ctx context.Context, id store.AccountID, by store.SessionHolder, gone func(store.SessionHolder) bool) error {
	err := checkHolder(by)
	if err == nil {
		err = s.transact(ctx, callTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
			return change{}, claimSession(ctx, tx, id, by, gone)
		})
	}
	if err != nil {
		return fmt.Errorf("claim the session of account %d: %w", id, err)
	}
	return nil
}

// ReleaseSessions makes a process give up accounts that it holds, in one transaction. It implements store.Sessions.
func (s *Store) ReleaseSessions(ctx context.Context, ids []store.AccountID, by store.SessionHolder) error {
	err := checkHolder(by)
	if err == nil {
		err = s.transact(ctx, callTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
			_, err := tx.Exec(ctx, `DELETE FROM sessions WHERE account = ANY($1::bigint[]) AND node = $2 AND incarnation = $3`,
				ids, escape(by.Node), int64(by.Incarnation))
			return change{}, err
		})
	}
	if err != nil {
		return fmt.Errorf("release the sessions of %d accounts: %w", len(ids), err)
	}
	return nil
}

// checkHolder returns an error for a holder that cannot be stored: one without a name, one with an incarnation above the maximum of
// a bigint, or one whose name is not valid UTF-8 (store.ErrText).
func checkHolder(h store.SessionHolder) error {
	switch {
	case h.Node == "":
		return errors.New("the node that claims the session has no name")
	case h.Incarnation > math.MaxInt64:
		return fmt.Errorf("incarnation %d of the node is greater than the database can store", h.Incarnation)
	}
	return checkText(h.Node)
}

// claimSession claims an account within a transaction. The first statement that inserts or finds the account's row in
// table sessions locks the row, so concurrent claims are decided one after the other.
func claimSession(ctx context.Context, tx pgx.Tx, id store.AccountID, by store.SessionHolder, gone func(store.SessionHolder) bool) error {
	now := inMillis(time.Now())
	for {
		tag, err := tx.Exec(ctx, `INSERT INTO sessions (account, node, incarnation, since) SELECT id, $2, $3, $4 FROM accounts WHERE id = $1
			ON CONFLICT (account) DO NOTHING`, int64(id), escape(by.Node), int64(by.Incarnation), now)
		if err != nil || tag.RowsAffected() > 0 {
			return err
		}
		var node string
		var incarnation int64
		var known bool
		err = tx.QueryRow(ctx, `SELECT node, incarnation FROM sessions WHERE account = $1 FOR UPDATE`, int64(id)).Scan(&node, &incarnation)
		if errors.Is(err, pgx.ErrNoRows) { // there is no such account, or the claim was released since the INSERT
			if err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM accounts WHERE id = $1)`, int64(id)).Scan(&known); err == nil && !known {
				err = store.ErrNotFound
			}
			if err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		holder := store.SessionHolder{Node: unescape(node), Incarnation: uint64(incarnation)}
		if holder == by {
			return nil
		}
		if !gone(holder) {
			return fmt.Errorf("%w: node %s", store.ErrSessionHeld, holder.Node)
		}
		_, err = tx.Exec(ctx, `UPDATE sessions SET node = $2, incarnation = $3, since = $4 WHERE account = $1`,
			int64(id), escape(by.Node), int64(by.Incarnation), now)
		return err
	}
}

// lockHeld checks that the process by holds accounts whose records the transaction changes, and locks its claims until the end of the
// transaction, so that no other process can claim the accounts before the change is stored. It does nothing for the zero value of by.
// Errors: store.ErrNotHolder, pgx.ErrNoRows if there is no such account.
func lockHeld(ctx context.Context, tx pgx.Tx, by store.SessionHolder, accounts ...int64) error {
	if by == (store.SessionHolder{}) {
		return nil
	}
	if err := checkHolder(by); err != nil {
		return err
	}
	slices.Sort(accounts)
	accounts = slices.Compact(accounts)
	var locked, existing int
	// The claims are locked in ascending order of the accounts, so that two transactions cannot deadlock.
	err := tx.QueryRow(ctx, `SELECT count(*) FROM (SELECT FROM sessions WHERE account = ANY($1::bigint[]) AND node = $2 AND incarnation = $3
		ORDER BY account FOR UPDATE) AS claims`, accounts, escape(by.Node), int64(by.Incarnation)).Scan(&locked)
	if err != nil || locked == len(accounts) {
		return err
	}
	if err = tx.QueryRow(ctx, `SELECT count(*) FROM accounts WHERE id = ANY($1::bigint[])`, accounts).Scan(&existing); err != nil {
		return err
	}
	if existing < len(accounts) {
		return pgx.ErrNoRows
	}
	return fmt.Errorf("%w: node %s, incarnation %d", store.ErrNotHolder, by.Node, by.Incarnation)
}

// lockHeldOwner does what lockHeld does, for the account of a character. Errors: pgx.ErrNoRows if there is no such character.
func lockHeldOwner(ctx context.Context, tx pgx.Tx, by store.SessionHolder, c sim.CharacterID) error {
	if by == (store.SessionHolder{}) {
		return nil
	}
	var account int64
	if err := tx.QueryRow(ctx, `SELECT account FROM characters WHERE id = $1`, int64(c)).Scan(&account); err != nil {
		return err
	}
	return lockHeld(ctx, tx, by, account)
}

// ReserveSerials reserves serial numbers for the entity ids of a node's players. It implements store.Sessions.
func (s *Store) ReserveSerials(ctx context.Context, node string, n uint64) (last uint64, err error) {
	err = checkHolder(store.SessionHolder{Node: node})
	if err == nil {
		err = s.transact(ctx, callTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
			var serial int64
			if last != 0 { // the commit of the former call may have been made
				err := tx.QueryRow(ctx, `SELECT serial FROM entity_serials WHERE node = $1`, escape(node)).Scan(&serial)
				if err == nil && uint64(serial) == last || err != nil && !errors.Is(err, pgx.ErrNoRows) {
					return change{}, err
				}
			}
			err := tx.QueryRow(ctx, `INSERT INTO entity_serials AS e (node, serial) VALUES ($1, $2)
				ON CONFLICT (node) DO UPDATE SET serial = e.serial + excluded.serial RETURNING serial`, escape(node), int64(n)).Scan(&serial)
			last = uint64(serial)
			return change{}, err
		})
	}
	if err != nil {
		return 0, fmt.Errorf("reserve serial numbers for entity ids: %w", err)
	}
	return last, nil
}

// MarkLinked stores that a run of a node which has reserved the number serial has had a link to another node, and that the nodes use the
// database, so that the tape of a single server no longer fits (see FitsTape): nodes without a link store nothing. A lower number than the
// stored one changes nothing. Errors: store.ErrText if the name of the node is not valid UTF-8.
func (s *Store) MarkLinked(ctx context.Context, node string, serial uint64) error {
	err := checkHolder(store.SessionHolder{Node: node})
	if err == nil {
		err = s.transact(ctx, callTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
			_, err := tx.Exec(ctx, `UPDATE entity_serials SET linked = $2 WHERE node = $1 AND linked < $2`, escape(node), int64(serial))
			if err == nil {
				_, err = tx.Exec(ctx, `UPDATE store SET joined = run WHERE joined <> run`)
			}
			return change{}, err
		})
	}
	if err != nil {
		return fmt.Errorf("store that node %s has had a link: %w", node, err)
	}
	return nil
}

// LinkedSerial returns the greatest number of a node that was passed to MarkLinked, 0 if there is none. If the areas have begun anew (see
// BeginAreas) and the node has reserved no number since, it returns the next number that the node will reserve.
func (s *Store) LinkedSerial(ctx context.Context, node string) (serial uint64, err error) {
	err = checkHolder(store.SessionHolder{Node: node})
	if err == nil {
		err = s.read(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
			var linked int64
			err := conn.QueryRow(ctx, `SELECT coalesce(max(linked), 0) FROM entity_serials WHERE node = $1`, escape(node)).Scan(&linked)
			serial = uint64(linked)
			return err
		})
	}
	if err != nil {
		return 0, fmt.Errorf("read when node %s has had a link: %w", node, err)
	}
	return serial, nil
}

// HeldSessions returns the accounts that have a holder. It implements store.Sessions.
func (s *Store) HeldSessions(ctx context.Context) (list []store.HeldSession, err error) {
	err = s.read(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		rows, err := conn.Query(ctx, `SELECT s.account, a.name, s.node, s.incarnation, s.since FROM sessions s JOIN accounts a ON a.id = s.account ORDER BY s.account`)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (h store.HeldSession, err error) {
			err = row.Scan(&h.Account, &h.Name, &h.Holder.Node, &h.Holder.Incarnation, &h.Since)
			h.Name, h.Holder.Node, h.Since = unescape(h.Name), unescape(h.Holder.Node), h.Since.UTC()
			return h, err
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the sessions of accounts: %w", err)
	}
	return list, nil
}
