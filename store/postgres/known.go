package postgres

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/truestep-io/truestep/store"
)

// knownKey is the key of a row of table known_addresses.
type knownKey struct {
	account string // escaped
	addr    netip.Addr
}

func (k knownKey) compare(other knownKey) int {
	return cmp.Or(cmp.Compare(k.account, other.account), k.addr.Compare(other.addr))
}

// SaveKnownAddresses stores addresses from which accounts have logged in, and deletes those older than since. It implements store.Store.
func (s *Store) SaveKnownAddresses(ctx context.Context, list []store.KnownAddress, since time.Time) error {
	newest := map[knownKey]time.Time{}
	for _, k := range list {
		if err := checkText(k.Account); err != nil {
			return fmt.Errorf("save the known addresses of players: %w", err)
		}
		id := knownKey{escape(k.Account), k.Addr.WithZone("")}
		if at := inMillis(k.At); newest[id].Before(at) {
			newest[id] = at
		}
	}
	var accounts []string
	var addrs []netip.Addr
	var times []time.Time
	for _, id := range slices.SortedFunc(maps.Keys(newest), knownKey.compare) { // so that saves of two nodes lock rows in the same order and cannot deadlock
		accounts, addrs, times = append(accounts, id.account), append(addrs, id.addr), append(times, newest[id])
	}
	err := s.transact(ctx, saveTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
		if len(accounts) > 0 {
			_, err := tx.Exec(ctx, `INSERT INTO known_addresses (account, addr, at) SELECT * FROM unnest($1::text[], $2::inet[], $3::timestamptz[])
				ON CONFLICT (account, addr) DO UPDATE SET at = excluded.at WHERE known_addresses.at < excluded.at`, accounts, addrs, times)
			if err != nil {
				return change{}, err
			}
		}
		if _, err := tx.Exec(ctx, `DELETE FROM known_addresses WHERE at < $1`, inMillis(since)); err != nil {
			return change{}, err
		}
		var n int
		if err := tx.QueryRow(ctx, `SELECT count(*) FROM known_addresses`).Scan(&n); err != nil || n <= store.MaxKnownAddresses {
			return change{}, err
		}
		_, err := tx.Exec(ctx, `DELETE FROM known_addresses WHERE (account, addr) IN (SELECT account, addr FROM known_addresses ORDER BY at LIMIT $1)`,
			n-store.MaxKnownAddresses)
		return change{}, err
	})
	if err != nil {
		return fmt.Errorf("save the known addresses of players: %w", err)
	}
	return nil
}

// KnownAddresses returns the addresses from which accounts have logged in at or after the time since. It implements store.Store.
func (s *Store) KnownAddresses(ctx context.Context, since time.Time) (list []store.KnownAddress, err error) {
	err = s.read(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		rows, err := conn.Query(ctx, `SELECT account, addr, at FROM known_addresses WHERE at >= $1 ORDER BY at, account, addr`, inMillis(since))
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (k store.KnownAddress, err error) {
			err = row.Scan(&k.Account, &k.Addr, &k.At)
			k.Account, k.At = unescape(k.Account), k.At.UTC()
			return k, err
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the known addresses of players: %w", err)
	}
	return list, nil
}
