package postgres

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

const (
	// updateSheets saves several records with one statement: the versions and the JSON forms (sheets) of characters.
	updateSheets = `UPDATE characters c SET saved = $1, version = u.version, sheet = u.sheet::json
		FROM unnest($2::bigint[], $3::bigint[], $4::text[]) AS u (id, version, sheet) WHERE c.id = u.id`

	// notNewer is the SQL condition that the stored record has at most the version of the record to save, so that an older record
	// does not replace a newer one.
	notNewer = ` AND c.version <= u.version`

	// raiseEpochs raises the stored epochs and ticks of the areas $1 to the epochs $2 and the ticks $3. An area whose stored
	// epoch is greater is not changed. For every other area the result has a row with the area and the greatest tick stored for
	// it. The rows of the areas stay locked until the end of the transaction, so that processes that save records of the same
	// area do so one after the other.
	raiseEpochs = `INSERT INTO areas (area, epoch, tick) SELECT area, epoch, tick FROM unnest($1::integer[], $2::bigint[], $3::bigint[]) AS u (area, epoch, tick)
		ON CONFLICT (area) DO UPDATE SET epoch = excluded.epoch, tick = greatest(areas.tick, excluded.tick) WHERE areas.epoch <= excluded.epoch
		RETURNING area, tick`
)

// rows holds the columns of a batch of records, one element per record.
type rows struct {
	ids, versions []int64
	sheets        []string
}

// rowsOf returns the columns of a batch, sorted by ID. If the batch has several records of a character, the last one
// counts.
func rowsOf(batch []*sim.Character) (r rows, err error) {
	last := make(map[sim.CharacterID]int, len(batch))
	for i, c := range batch {
		last[c.ID] = i
	}
	order := make([]*sim.Character, 0, len(last))
	for i, c := range batch {
		if last[c.ID] == i {
			order = append(order, c)
		}
	}
	slices.SortFunc(order, func(a, b *sim.Character) int { return cmp.Compare(a.ID, b.ID) })
	for _, c := range order {
		sheet, err := store.EncodeSheet(c)
		if err != nil {
			return r, fmt.Errorf("encode character %d: %w", c.ID, err)
		}
		r.ids, r.versions, r.sheets = append(r.ids, int64(c.ID)), append(r.versions, versionOf(c)), append(r.sheets, string(sheet))
	}
	return r, nil
}

// SaveCharacters stores a batch of character records. It implements store.Store.
func (s *Store) SaveCharacters(ctx context.Context, fence store.Fence, batch []*sim.Character) error {
	if len(batch) == 0 && len(fence) == 0 {
		return nil
	}
	r, err := rowsOf(batch)
	if err != nil {
		return fmt.Errorf("save %d characters: %w", len(batch), err)
	}
	owners, err := ownersOf(fence)
	if err != nil {
		return fmt.Errorf("save %d characters: %w", len(batch), err)
	}
	query, now := updateSheets, inMillis(time.Now())
	if len(fence) > 0 {
		query += notNewer
	}
	plain := r
	err = s.transact(ctx, saveTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
		current, err := raise(ctx, tx, owners)
		if err != nil {
			return change{}, err
		}
		if len(plain.ids) == 0 {
			return change{}, nil
		}
		r := plain
		if len(fence) > 0 {
			merged, err := mergeStored(ctx, tx, current, batch, plain.ids)
			if err == nil && merged != nil {
				r, err = rowsOf(merged)
			}
			if err != nil {
				return change{}, err
			}
		}
		_, err = tx.Exec(ctx, query, now, r.ids, r.versions, r.sheets)
		return change{}, err
	})
	if err != nil {
		return fmt.Errorf("save %d characters: %w", len(batch), err)
	}
	return nil
}

// selectDropped locks the rows of the characters with the IDs $1, in ascending order. It selects the sheet of each character that
// has dropped items or is among the IDs $2, and "" in place of the sheet of any other character. It looks for the text of the field, because
// PostgreSQL's functions for JSON fail with a sheet that contains a zero byte, such as one with an item in the action bar. A quotation mark
// within a text is escaped in JSON, so the search finds only the field.
const selectDropped = `SELECT id, CASE WHEN strpos(sheet::text, '"dropped":') > 0 OR id = ANY($2) THEN sheet::text ELSE '' END
	FROM characters WHERE id = ANY($1) ORDER BY id FOR UPDATE`

// mergeStored locks the stored records of the characters in a batch, and merges each with the record of the batch: see
// store.Fence.Merge. It returns nil if no record needs merging.
func mergeStored(ctx context.Context, tx pgx.Tx, fence store.Fence, batch []*sim.Character, ids []int64) (merged []*sim.Character, err error) {
	last := make(map[sim.CharacterID]int, len(batch))
	dropped := []int64{}
	for i, c := range batch {
		if last[c.ID] = i; len(c.Dropped) > 0 {
			dropped = append(dropped, int64(c.ID))
		}
	}
	found, err := tx.Query(ctx, selectDropped, ids, dropped)
	if err != nil {
		return nil, err
	}
	var id int64
	var sheet string
	_, err = pgx.ForEachRow(found, []any{&id, &sheet}, func() error {
		if sheet == "" {
			return nil
		}
		stored, err := store.DecodeSheet([]byte(sheet))
		if err != nil {
			return nil // the stored record is damaged, so c replaces it
		}
		if merged == nil {
			merged = slices.Clone(batch)
		}
		i := last[sim.CharacterID(id)]
		stored.ID = sim.CharacterID(id)
		merged[i] = fence.Merge(stored, batch[i])
		return nil
	})
	return merged, err
}

// raise raises the stored epochs and ticks of areas to those of a fence. It returns the part of the fence whose areas have no
// later tick in the store. Errors: store.ErrFenced if a stored epoch is greater.
func raise(ctx context.Context, tx pgx.Tx, owners store.Fence) (current store.Fence, err error) {
	if len(owners) == 0 {
		return nil, nil
	}
	var areas []int32
	var epochs, ticks []int64
	for _, o := range owners {
		areas, epochs, ticks = append(areas, int32(o.Area)), append(epochs, int64(o.Epoch)), append(ticks, int64(o.Tick))
	}
	found, err := tx.Query(ctx, raiseEpochs, areas, epochs, ticks)
	if err != nil {
		return nil, err
	}
	greatest := map[sim.AreaID]sim.Tick{}
	var area int32
	var tick int64
	if _, err = pgx.ForEachRow(found, []any{&area, &tick}, func() error { greatest[sim.AreaID(area)] = sim.Tick(tick); return nil }); err != nil {
		return nil, err
	}
	if len(greatest) < len(owners) {
		return nil, fmt.Errorf("the stored epochs of the areas %v cannot be raised to %v: %w", areas, epochs, store.ErrFenced)
	}
	return slices.DeleteFunc(slices.Clone(owners), func(o store.Owner) bool { return o.Tick < greatest[o.Area] }), nil
}

// ownersOf returns a copy of a fence with its areas in ascending order, so that transactions of two owners lock the
// areas in the same order and cannot deadlock. If an area has several epochs, the copy has the lowest, because that
// epoch may have to be rejected.
func ownersOf(fence store.Fence) (store.Fence, error) {
	sorted := slices.Clone(fence)
	slices.SortFunc(sorted, func(a, b store.Owner) int { return cmp.Or(cmp.Compare(a.Area, b.Area), cmp.Compare(a.Epoch, b.Epoch)) })
	sorted = slices.CompactFunc(sorted, func(a, b store.Owner) bool { return a.Area == b.Area })
	for _, o := range sorted {
		if o.Epoch > math.MaxInt64 || o.Tick > math.MaxInt64 {
			return nil, fmt.Errorf("area %d: epoch %d or tick %d is greater than the database can store", o.Area, o.Epoch, o.Tick)
		}
	}
	return sorted, nil
}
