package postgres

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/truestep-io/truestep/store"
)

// ofRule is the SQL condition that selects the rule with the kind $1, the account $2 and the network $3.
const ofRule = `kind = $1 AND lower(account) = lower($2::text COLLATE "C") AND network = $3`

const insertAccessRule = `INSERT INTO access_rules (kind, account, network, reason, by, since, until) VALUES ($1, $2, $3, $4, $5, $6, $7)`

// SetAccessRule stores a ban, a mute or an entry of the whitelist. It implements store.Store.
func (s *Store) SetAccessRule(ctx context.Context, r store.AccessRule) error {
	err := checkText(string(r.Kind), r.Account, r.Reason, r.By)
	if err == nil {
		err = s.transact(ctx, callTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) { return change{}, setAccessRule(ctx, tx, &r) })
	}
	if err != nil {
		return fmt.Errorf("store an access rule of kind %s: %w", r.Kind, err)
	}
	return nil
}

func setAccessRule(ctx context.Context, tx pgx.Tx, r *store.AccessRule) error {
	kind, account, network := escape(string(r.Kind)), escape(r.Account), r.NetworkText()
	var others int
	if err := tx.QueryRow(ctx, `SELECT count(*) FROM access_rules WHERE NOT (`+ofRule+`)`, kind, account, network).Scan(&others); err != nil {
		return err
	}
	if others >= store.MaxAccessRules {
		return store.ErrTooManyRules
	}
	_, err := tx.Exec(ctx, insertAccessRule+`
		ON CONFLICT (kind, lower(account), network) DO UPDATE SET account = excluded.account, reason = excluded.reason, by = excluded.by,
			since = excluded.since, until = excluded.until`,
		kind, account, network, escape(r.Reason), escape(r.By), timeOrNull(r.Since), timeOrNull(r.Until))
	if err != nil {
		return err
	}
	return flagBan(ctx, tx, r, true)
}

// DeleteAccessRule deletes a ban, a mute or an entry of the whitelist. It implements store.Store.
func (s *Store) DeleteAccessRule(ctx context.Context, r store.AccessRule) error {
	return s.deleteRule(ctx, r, `DELETE FROM access_rules WHERE `+ofRule)
}

// DeleteExpiredRule deletes a rule that has expired. It implements store.Store. If another process changes the rule at the same time,
// the condition applies to the changed rule. The rule must also have expired by the clock of the database server, because the clock of
// this machine may be ahead.
func (s *Store) DeleteExpiredRule(ctx context.Context, r store.AccessRule, now time.Time) error {
	return s.deleteRule(ctx, r, `DELETE FROM access_rules WHERE `+ofRule+` AND until <= least($4::timestamptz, clock_timestamp())`, now)
}

// deleteRule deletes the rule r with a query whose first parameters are those of ofRule. The parameter more has the further ones.
func (s *Store) deleteRule(ctx context.Context, r store.AccessRule, query string, more ...any) error {
	err := checkText(string(r.Kind), r.Account)
	deleted := false // in a call of the function below, whose commit may have been made
	if err == nil {
		err = s.transact(ctx, callTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
			tag, err := tx.Exec(ctx, query, append([]any{escape(string(r.Kind)), escape(r.Account), r.NetworkText()}, more...)...)
			if err == nil && tag.RowsAffected() == 0 {
				if deleted {
					return change{}, nil
				}
				err = store.ErrNotFound
			}
			if err == nil {
				deleted = true
				err = flagBan(ctx, tx, &r, false)
			}
			return change{}, err
		})
	}
	if err != nil {
		return fmt.Errorf("delete an access rule of kind %s: %w", r.Kind, err)
	}
	return nil
}

// flagBan makes accounts.banned agree with the ban rules: it sets or clears the column when a ban rule of an existing account is
// stored or deleted.
func flagBan(ctx context.Context, tx pgx.Tx, r *store.AccessRule, banned bool) error {
	if r.Kind != store.AccessBan || r.Account == "" {
		return nil
	}
	_, err := tx.Exec(ctx, `UPDATE accounts SET banned = $1 WHERE lower(name) = lower($2::text COLLATE "C")`, banned, escape(r.Account))
	return err
}

// AccessRules returns all bans, mutes and entries of the whitelist. It implements store.Store.
func (s *Store) AccessRules(ctx context.Context) (list []store.AccessRule, err error) {
	err = s.read(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		list, err = readAccessRules(ctx, conn)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the access rules: %w", err)
	}
	return list, nil
}

// readAccessRules returns the rules in the order of store.CompareAccessRules.
func readAccessRules(ctx context.Context, db querier) (list []store.AccessRule, err error) {
	rows, err := db.Query(ctx, `SELECT kind, account, network, reason, by, since, until FROM access_rules`)
	if err == nil {
		list, err = pgx.CollectRows(rows, scanAccessRule)
	}
	slices.SortFunc(list, store.CompareAccessRules)
	return list, err
}

func scanAccessRule(row pgx.CollectableRow) (r store.AccessRule, err error) {
	var kind, network string
	var since, until *time.Time
	if err := row.Scan(&kind, &r.Account, &network, &r.Reason, &r.By, &since, &until); err != nil {
		return r, err
	}
	r.Kind, r.Account, r.Reason, r.By = store.AccessKind(unescape(kind)), unescape(r.Account), unescape(r.Reason), unescape(r.By)
	if since != nil {
		r.Since = since.UTC()
	}
	if until != nil {
		r.Until = until.UTC()
	}
	if network != "" {
		if r.Network, err = netip.ParsePrefix(network); err != nil {
			return r, fmt.Errorf("network %q of a stored access rule of kind %s is not an IP prefix: %w", network, r.Kind, store.ErrCorrupt)
		}
	}
	return r, nil
}

// timeOrNull converts a time to a column value: NULL for the zero time.
func timeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = inMillis(t)
	return &t
}
