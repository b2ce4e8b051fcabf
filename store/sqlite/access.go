package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// SetAccessRule stores a ban, a mute or an entry of the whitelist. It implements store.Store.
func (s *Store) SetAccessRule(ctx context.Context, r store.AccessRule) error {
	err := checkText(string(r.Kind), r.Account, r.Reason, r.By)
	if err == nil {
		err = s.transact(ctx, func(tx *sql.Tx) error { return setAccessRule(ctx, tx, &r) })
	}
	if err != nil {
		return fmt.Errorf("store an access rule of kind %s: %w", r.Kind, err)
	}
	return nil
}

func setAccessRule(ctx context.Context, tx *sql.Tx, r *store.AccessRule) error {
	var others int
	err := tx.QueryRowContext(ctx, `SELECT count(*) FROM access_rules WHERE NOT (kind = ? AND account = ? AND network = ?)`,
		r.Kind, r.Account, r.NetworkText()).Scan(&others)
	if err != nil {
		return err
	}
	if others >= store.MaxAccessRules {
		return store.ErrTooManyRules
	}
	since, until := timeToMS(r.Since), timeToMS(r.Until)
	_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO access_rules (kind, account, network, reason, "by", since_ms, until_ms, sum, account_sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.Kind, r.Account, r.NetworkText(), r.Reason, r.By, since, until, rowSum(string(r.Kind), r.NetworkText(), r.Reason, r.By, since, until), rowSum(r.Account))
	if err != nil {
		return err
	}
	return flagBan(ctx, tx, r, true)
}

// DeleteAccessRule deletes a ban, a mute or an entry of the whitelist. It implements store.Store.
func (s *Store) DeleteAccessRule(ctx context.Context, r store.AccessRule) error {
	return s.deleteRule(ctx, r, `DELETE FROM access_rules WHERE kind = ? AND account = ? AND network = ?`)
}

// DeleteExpiredRule deletes a rule that has expired. It implements store.Store.
func (s *Store) DeleteExpiredRule(ctx context.Context, r store.AccessRule, now time.Time) error {
	return s.deleteRule(ctx, r, `DELETE FROM access_rules WHERE kind = ? AND account = ? AND network = ? AND until_ms <> 0 AND until_ms <= ?`, now.UnixMilli())
}

// deleteRule deletes the rule r with a query whose first parameters are kind, account and network of r. The parameter more has the
// further ones.
func (s *Store) deleteRule(ctx context.Context, r store.AccessRule, query string, more ...any) error {
	err := s.transact(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, query, append([]any{r.Kind, r.Account, r.NetworkText()}, more...)...)
		if err == nil {
			err = oneRow(res)
		}
		if err == nil {
			err = flagBan(ctx, tx, &r, false)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("delete an access rule of kind %s: %w", r.Kind, err)
	}
	return nil
}

// flagBan makes accounts.banned agree with the ban rules: it sets or clears the column when a ban rule of an existing account is
// stored or deleted.
func flagBan(ctx context.Context, tx *sql.Tx, r *store.AccessRule, banned bool) error {
	if r.Kind != store.AccessBan || r.Account == "" {
		return nil
	}
	var id store.AccountID
	err := tx.QueryRowContext(ctx, `SELECT id FROM accounts WHERE name = ?`, r.Account).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return setAccount(ctx, tx, id, `UPDATE accounts SET banned = ? WHERE id = ?`, banned)
}

// AccessRules returns all bans, mutes and entries of the whitelist. It implements store.Store. It returns a rule even if its
// checksum does not match, as far as the rule can be read, so that damage does not lift a ban.
func (s *Store) AccessRules(ctx context.Context) ([]store.AccessRule, error) {
	list, damaged, unreadable, err := readAccessRules(ctx, s.db)
	if err != nil {
		return nil, fmt.Errorf("read the access rules: %w", err)
	}
	if damaged > 0 || unreadable > 0 {
		s.log.Error("stored bans, mutes or whitelisted accounts are damaged; the readable ones are applied; check the list of bans, mutes and whitelisted accounts",
			telemetry.FieldFile, s.path, "damaged_rows", damaged, "unreadable_rows", unreadable)
	}
	return list, nil
}

// readAccessRules returns the rules in the order of store.CompareAccessRules. The result damaged is the number of damaged rows,
// whose rules are returned as far as they can be read. The result unreadable is the number of rows that cannot be read at all and
// are omitted.
func readAccessRules(ctx context.Context, db querier) (list []store.AccessRule, damaged, unreadable int, err error) {
	err = queryValues(ctx, db, `SELECT CAST(kind AS BLOB), CAST(account AS BLOB), CAST(network AS BLOB), CAST(reason AS BLOB), CAST("by" AS BLOB), since_ms, until_ms, sum, account_sum,
		typeof(kind) = 'text' AND typeof(account) = 'text' AND typeof(network) = 'text' FROM access_rules`, func(v []any) error {
		var text [5]string
		for i := range text {
			b, _ := v[i].([]byte)
			text[i] = string(b)
		}
		since, _ := v[5].(int64)
		until, _ := v[6].(int64)
		r := store.AccessRule{Kind: store.AccessKind(text[0]), Account: text[1], Reason: text[3], By: text[4], Since: timeOfMS(since), Until: timeOfMS(until)}
		if text[2] != "" {
			var err error
			if r.Network, err = netip.ParsePrefix(text[2]); err != nil {
				unreadable++
				return nil
			}
		}
		sum, _ := v[7].(int64)
		if sum != rowSum(text[0], text[2], text[3], text[4], since, until) || v[8] != nil && v[8] != rowSum(text[1]) || v[9] != int64(1) {
			damaged++
		}
		list = append(list, r)
		return nil
	})
	slices.SortFunc(list, store.CompareAccessRules)
	return list, damaged, unreadable, err
}

// sumRules computes the missing checksums of account names in access rules. They are missing in rules that an older version
// wrote, and in rules whose account was renamed.
func sumRules(ctx context.Context, tx *sql.Tx) error {
	var accounts []string
	err := queryValues(ctx, tx, `SELECT DISTINCT CAST(account AS BLOB) FROM access_rules WHERE account_sum IS NULL`, func(v []any) error {
		b, _ := v[0].([]byte)
		accounts = append(accounts, string(b))
		return nil
	})
	for _, account := range accounts {
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE access_rules SET account_sum = ? WHERE account = ? COLLATE BINARY AND account_sum IS NULL`, rowSum(account), account)
		}
	}
	return err
}

// timeToMS converts a time to ms since 1970, and the zero time to 0.
func timeToMS(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// timeOfMS converts ms since 1970 to a time, and 0 to the zero time.
func timeOfMS(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
