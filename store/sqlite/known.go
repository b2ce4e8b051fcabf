package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"net/netip"
	"time"

	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// SaveKnownAddresses stores addresses from which accounts have logged in, and deletes those older than since. It implements store.Store.
func (s *Store) SaveKnownAddresses(ctx context.Context, list []store.KnownAddress, since time.Time) error {
	for _, k := range list {
		if err := checkText(k.Account); err != nil {
			return fmt.Errorf("save the known addresses of players: %w", err)
		}
	}
	err := s.transact(ctx, func(tx *sql.Tx) error {
		add, err := tx.PrepareContext(ctx, `INSERT INTO known_addresses (account, addr, at_ms, sum) VALUES (?, ?, ?, ?)
			ON CONFLICT (account, addr) DO UPDATE SET at_ms = excluded.at_ms, sum = excluded.sum WHERE at_ms < excluded.at_ms`)
		if err != nil {
			return err
		}
		defer add.Close()
		for _, k := range list {
			addr, at := k.Addr.AsSlice(), k.At.UnixMilli()
			if _, err := add.ExecContext(ctx, k.Account, addr, at, rowSum(k.Account, addr, at)); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM known_addresses WHERE at_ms < ?`, since.UnixMilli()); err != nil {
			return err
		}
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM known_addresses`).Scan(&n); err != nil || n <= store.MaxKnownAddresses {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM known_addresses WHERE (account, addr) IN (SELECT account, addr FROM known_addresses ORDER BY at_ms LIMIT ?)`,
			n-store.MaxKnownAddresses)
		return err
	})
	if err != nil {
		return fmt.Errorf("save the known addresses of players: %w", err)
	}
	return nil
}

// KnownAddresses returns the addresses from which accounts have logged in at or after the time since. It implements store.Store.
func (s *Store) KnownAddresses(ctx context.Context, since time.Time) ([]store.KnownAddress, error) {
	var list []store.KnownAddress
	damaged := 0
	err := queryValues(ctx, s.db, `SELECT CAST(account AS BLOB), addr, at_ms, sum, typeof(account) = 'text' AND typeof(addr) = 'blob' FROM known_addresses ORDER BY at_ms, account, addr`, func(v []any) error {
		account, _ := v[0].([]byte)
		addr, _ := v[1].([]byte)
		at, _ := v[2].(int64)
		a, ok := netip.AddrFromSlice(addr)
		if sum, _ := v[3].(int64); !ok || sum != rowSum(account, addr, at) || v[4] != int64(1) {
			damaged++
			return nil
		}
		if k := (store.KnownAddress{Account: string(account), Addr: a, At: time.UnixMilli(at).UTC()}); !k.At.Before(since) {
			list = append(list, k)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the known addresses of players: %w", err)
	}
	if damaged > 0 {
		s.log.Warn("some stored known addresses are damaged; during an attack, logins from them have no priority",
			telemetry.FieldFile, s.path, "damaged_rows", damaged)
	}
	return list, nil
}
