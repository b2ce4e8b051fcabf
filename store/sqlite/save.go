package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

const (
	updateSheet = `UPDATE characters SET saved_ms = ?, sheet = ?, sum = ? WHERE id = ?`

	// notNewer is the SQL condition that the stored record has at most the given version, so that an older record does not
	// replace a newer one. A damaged record counts as version 0.
	notNewer = ` AND coalesce(CASE WHEN json_valid(sheet) THEN json_extract(sheet, '$.version') END, 0) <= ?`
)

// SaveCharacters stores a batch of character records. It implements store.Store.
func (s *Store) SaveCharacters(ctx context.Context, fence store.Fence, batch []*sim.Character) error {
	if len(batch) == 0 && len(fence) == 0 {
		return nil
	}
	sheets := make([]string, len(batch)) // encoded before the transaction, because a transaction blocks other calls
	for i, c := range batch {
		sheet, err := store.EncodeSheet(c)
		if err != nil {
			return fmt.Errorf("encode character %d: %w", c.ID, err)
		}
		sheets[i] = string(sheet)
	}
	query, now := updateSheet, time.Now().UnixMilli()
	if len(fence) > 0 {
		query += notNewer
	}
	err := s.transact(ctx, func(tx *sql.Tx) error {
		if err := raiseEpochs(ctx, tx, fence); err != nil {
			return err
		}
		update, err := tx.PrepareContext(ctx, query)
		if err != nil {
			return err
		}
		defer update.Close()
		for i, c := range batch {
			if len(fence) > 0 {
				if c, sheets[i], err = mergeStored(ctx, tx, fence, c, sheets[i]); err != nil {
					return fmt.Errorf("merge character %d with its stored record: %w", c.ID, err)
				}
			}
			args := []any{now, sheets[i], rowSum(int64(c.ID), sheets[i]), c.ID}
			if len(fence) > 0 {
				args = append(args, int64(min(c.Version, math.MaxInt64)))
			}
			if _, err := update.ExecContext(ctx, args...); err != nil {
				return fmt.Errorf("save character %d: %w", c.ID, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("save %d characters: %w", len(batch), err)
	}
	return nil
}

// mergeStored merges c with the stored record, see store.Fence.Merge. It returns the record to store and its sheet, the
// record's JSON form (store.EncodeSheet). The parameter sheet is the sheet of c.
func mergeStored(ctx context.Context, tx *sql.Tx, fence store.Fence, c *sim.Character, sheet string) (*sim.Character, string, error) {
	var text string
	err := tx.QueryRowContext(ctx, `SELECT sheet FROM characters WHERE id = ?`, c.ID).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return c, sheet, nil
	}
	if err != nil {
		return c, "", err
	}
	stored, err := store.DecodeSheet([]byte(text))
	if err != nil {
		return c, sheet, nil // the stored record is damaged, so c replaces it
	}
	stored.ID = c.ID
	merged := fence.Merge(stored, c)
	if merged == c {
		return c, sheet, nil
	}
	encoded, err := store.EncodeSheet(merged)
	return merged, string(encoded), err
}

// raiseEpochs raises the stored epochs to those of a fence. Errors: store.ErrFenced if a stored epoch is greater.
func raiseEpochs(ctx context.Context, tx *sql.Tx, fence store.Fence) error {
	for _, o := range fence {
		if o.Epoch > math.MaxInt64 {
			return fmt.Errorf("area %d: epoch %d is greater than the database can store", o.Area, o.Epoch)
		}
		var stored int64
		err := tx.QueryRowContext(ctx, `SELECT epoch FROM areas WHERE area = ?`, int64(o.Area)).Scan(&stored)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if stored > int64(o.Epoch) {
			return fmt.Errorf("save records of area %d in epoch %d, while epoch %d is stored: %w", o.Area, o.Epoch, stored, store.ErrFenced)
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO areas (area, epoch) VALUES (?, ?) ON CONFLICT (area) DO UPDATE SET epoch = excluded.epoch`,
			int64(o.Area), int64(o.Epoch))
		if err != nil {
			return err
		}
	}
	return nil
}
