package postgres

import (
	"context"
	"fmt"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/truestep-io/truestep/store"
)

// SaveKnownAddresses stores addresses from which accounts have logged in, and deletes those older than since. It implements store.Store.
func (s *Store) SaveKnownAddresses(ctx context.Context, list []store.KnownAddress, since time.Time) error {
	type key struct {
		account string
		addr    netip.Addr
	}
	newest := map[key]time.Time{}
	for _, k := range list {
		if err := checkText(k.Account); err != nil {
			return fmt.Errorf("save the known addresses of players: %w", err)
		}
		id := key{escape(k.Account), k.Addr.WithZone("")}
		if at := inMillis(k.At); newest[id].Before(at) {
			newest[id] = at
		}
	}
	var accounts []string
	var addrs []netip.Addr
	var times []time.Time
	for id, at := range newest {
		accounts, addrs, times = append(accounts, id.account), append(addrs, id.addr), append(times, at)
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
		_, err := tx.Exec(ctx, `DELETE FROM known_addresses WHERE (account, addr) IN (SELECT account, addr FROM known_addresses ORDER BY at DESC OFFSET $1)`,
			store.MaxKnownAddresses)
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
