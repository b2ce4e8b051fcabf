package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"strings"
)

// rowFault is the kind of damage of a row, as text for messages.
type rowFault string

const (
	faultDamaged    rowFault = "damaged"                    // the row's content does not match its checksum
	faultOutdated   rowFault = "older than its last change" // the row matches the checksum of earlier content
	faultMissing    rowFault = "missing"
	faultUnexpected rowFault = "there again or not complete" // no index has the row: it was deleted, or its index entries are lost
)

// faultyRow is a row whose content differs from the committed content.
type faultyRow struct {
	table *summedTable
	id    int64
	name  string // name of the account or character, as far as it is readable
	fault rowFault
}

// String returns which row it is and what differs.
func (r *faultyRow) String() string {
	if r.name == "" {
		return fmt.Sprintf("%s %d is %s", r.table.kind, r.id, r.fault)
	}
	return fmt.Sprintf("%s %q (%d) is %s", r.table.kind, r.name, r.id, r.fault)
}

// rowFindings are the results of checkRows.
type rowFindings struct {
	damaged []faultyRow // rows to move out of the database: their last change is in the file, but unreadable
	lost    []faultyRow // rows whose last change is not in the file
	unnamed bool        // further changes are lost, in rows whose names are unknown
	resum   []faultyRow // rows of which only the checksum is damaged
	repair  bool        // the indexes and the totals must be rebuilt
	left    [2]int64    // number of rows of each of summedTables
}

// isLoss reports whether committed changes are missing from the file.
func (f *rowFindings) isLoss() bool { return len(f.lost) > 0 || f.unnamed }

// maxNamed is the maximum number of rows that one message names.
const maxNamed = 10

// describeRows returns a text with the names of rows, at most maxNamed.
func describeRows(rows []faultyRow) string {
	var b strings.Builder
	for i := range rows {
		if i == maxNamed {
			fmt.Fprintf(&b, " and %d more", len(rows)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(rows[i].String())
	}
	return b.String()
}

// describeLoss returns a text with the number and the rows of the missing changes.
func (f *rowFindings) describeLoss() string {
	switch {
	case len(f.lost) == 0:
		return "changes of rows are lost which cannot be named, although their commits are not"
	case f.unnamed:
		return fmt.Sprintf("the last changes of at least %d rows are lost: %s", len(f.lost), describeRows(f.lost))
	}
	return fmt.Sprintf("the last changes of %d rows are lost: %s", len(f.lost), describeRows(f.lost))
}

// checkFileRows opens a file and calls checkRows.
func checkFileRows(ctx context.Context, path string, query url.Values) (*rowFindings, error) {
	db, err := connect(path, query, busyTimeout)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return checkRows(ctx, db)
}

// checkRows compares all rows with their checksums, with the indexes, which are on other pages and contain the checksums as
// well, and with the totals in table store. If the disk has lost a synced page or flipped a bit, they differ. checkRows
// changes nothing.
func checkRows(ctx context.Context, db *sql.DB) (*rowFindings, error) {
	f := &rowFindings{}
	for i := range summedTables {
		if err := f.checkTable(ctx, db, i); err != nil {
			return nil, fmt.Errorf("check table %s: %w", summedTables[i].name, err)
		}
	}
	return f, nil
}

func (f *rowFindings) checkTable(ctx context.Context, db *sql.DB, number int) error {
	t := &summedTables[number]
	total, suspects, err := f.readSums(ctx, db, number)
	if err != nil {
		return err
	}
	for _, row := range suspects {
		recorded, fits, err := t.compareWithIndex(ctx, db, &row)
		if err != nil {
			return err
		}
		total += recorded
		f.repair = true
		if faulty := (faultyRow{t, row.id, row.name, faultDamaged}); fits {
			f.resum = append(f.resum, faulty)
		} else {
			f.damaged = append(f.damaged, faulty)
		}
	}
	var want, count int64
	if err := db.QueryRowContext(ctx, `SELECT `+t.total+`, `+t.name+` FROM store`).Scan(&want, &count); err != nil {
		return wrapCorrupt(err)
	}
	f.repair = f.repair || count != f.left[number]
	for _, index := range t.indexes {
		same, err := t.sameAsIndex(ctx, db, index)
		if err != nil {
			return err
		}
		f.repair = f.repair || !same
	}
	if total == want {
		return nil
	}
	named := len(f.lost)
	if err := f.nameLost(ctx, db, t); err != nil {
		return err
	}
	f.repair, f.unnamed = true, f.unnamed || len(f.lost) == named
	return nil
}

// suspect is a row whose content does not match its checksums.
type suspect struct {
	id                 int64
	name               string
	recorded, computed []any
}

// readSums computes the checksums of all rows. It returns the total of the stored checksums, except those of suspects.
func (f *rowFindings) readSums(ctx context.Context, db *sql.DB, number int) (total int64, suspects []suspect, err error) {
	t := &summedTables[number]
	query, ends := "SELECT id, CAST(name AS BLOB)", []int{2}
	for _, sum := range t.sums {
		query += ", " + sum[0] + ", " + sum[1]
		ends = append(ends, ends[len(ends)-1]+1+strings.Count(sum[1], ", ")+1)
	}
	err = queryValues(ctx, db, query+" FROM "+t.name+" NOT INDEXED", func(values []any) error {
		f.left[number]++
		row := suspect{}
		fits, sum := true, int64(0)
		for i := range t.sums {
			part := values[ends[i]:ends[i+1]]
			recorded, known := part[0].(int64)
			if part[0] == nil {
				row.recorded, row.computed = append(row.recorded, nil), append(row.computed, nil)
				continue
			}
			computed := rowSum(part[1:]...)
			row.recorded, row.computed = append(row.recorded, part[0]), append(row.computed, computed)
			fits = fits && known && computed == recorded
			sum += recorded
		}
		if fits {
			total += sum
			return nil
		}
		row.id, _ = values[0].(int64)
		name, _ := values[1].([]byte)
		row.name = strings.ToValidUTF8(string(name), "?")
		suspects = append(suspects, row)
		return nil
	})
	return total, suspects, err
}

// compareWithIndex reads the checksums of a suspect from the index. It returns their total, and whether the content matches
// them; then only the checksum in the row is damaged. If the index does not have the row, it returns the checksums in the
// row.
func (t *summedTable) compareWithIndex(ctx context.Context, db *sql.DB, row *suspect) (total int64, fits bool, err error) {
	recorded := row.recorded
	err = queryValues(ctx, db, fmt.Sprintf(`SELECT %s FROM %s INDEXED BY %s WHERE id = ?`, t.sumColumns(), t.name, t.index), func(values []any) error {
		recorded = append([]any(nil), values...)
		return nil
	}, row.id)
	fits = true
	for i, sum := range recorded {
		n, _ := sum.(int64)
		total += n
		fits = fits && sum == row.computed[i]
	}
	return total, fits, err
}

func (t *summedTable) sumColumns() string {
	var columns []string
	for _, sum := range t.sums {
		columns = append(columns, sum[0])
	}
	return strings.Join(columns, ", ")
}

// sameAsIndex reports whether an index has exactly the rows of its table.
func (t *summedTable) sameAsIndex(ctx context.Context, db *sql.DB, index [2]string) (same bool, err error) {
	err = db.QueryRowContext(ctx, fmt.Sprintf(`SELECT (SELECT count(*) FROM %[1]s NOT INDEXED) = (SELECT count(*) FROM %[1]s INDEXED BY %[2]s)
		AND NOT EXISTS (SELECT %[3]s FROM %[1]s NOT INDEXED EXCEPT SELECT %[3]s FROM %[1]s INDEXED BY %[2]s)`, t.name, index[0], index[1])).Scan(&same)
	return same, wrapCorrupt(err)
}

// nameLost adds the rows to f whose content differs from the index of checksums, with their names.
func (f *rowFindings) nameLost(ctx context.Context, db *sql.DB, t *summedTable) error {
	known := map[int64]bool{}
	for i := range f.damaged {
		if f.damaged[i].table == t {
			known[f.damaged[i].id] = true
		}
	}
	difference := func(left, right string) (ids []int64, err error) {
		columns := t.indexes[0][1]
		err = queryValues(ctx, db, fmt.Sprintf(`SELECT %[1]s FROM %[2]s %[3]s EXCEPT SELECT %[1]s FROM %[2]s %[4]s`, columns, t.name, left, right), func(values []any) error {
			if id, ok := values[0].(int64); ok && !known[id] {
				ids = append(ids, id)
			}
			return nil
		})
		return ids, err
	}
	inIndex, err := difference("INDEXED BY "+t.index, "NOT INDEXED")
	if err != nil {
		return err
	}
	inTable, err := difference("NOT INDEXED", "INDEXED BY "+t.index)
	if err != nil {
		return err
	}
	faults := map[int64]rowFault{}
	for _, id := range inTable {
		faults[id] = faultUnexpected
	}
	for _, id := range inIndex {
		if faults[id] == faultUnexpected {
			faults[id] = faultOutdated
		} else {
			faults[id] = faultMissing
			inTable = append(inTable, id)
		}
	}
	names, err := t.readNames(ctx, db, faults)
	if err != nil {
		return err
	}
	for _, id := range inTable {
		f.lost = append(f.lost, faultyRow{t, id, names[id], faults[id]})
	}
	return nil
}

// readNames sets the names of rows, read from the index of names if the table lacks the rows.
func (t *summedTable) readNames(ctx context.Context, db *sql.DB, rows map[int64]rowFault) (map[int64]string, error) {
	names := map[int64]string{}
	for _, source := range []string{"NOT INDEXED", "INDEXED BY " + t.byName} {
		err := queryValues(ctx, db, fmt.Sprintf(`SELECT id, CAST(name AS BLOB) FROM %s %s`, t.name, source), func(values []any) error {
			id, _ := values[0].(int64)
			name, _ := values[1].([]byte)
			if rows[id] != "" {
				names[id] = strings.ToValidUTF8(string(name), "?")
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return names, nil
}
