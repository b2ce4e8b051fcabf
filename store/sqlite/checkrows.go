package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// rowFault says how a row is damaged, as text for messages.
type rowFault string

const (
	faultDamaged  rowFault = "damaged"                    // the row's content does not match its checksum
	faultOutdated rowFault = "older than its last change" // the row matches the checksum of earlier content
	faultMissing  rowFault = "missing"                    // an index has the row, but the table does not
	// faultUnexpected is the fault of a row that is in the table but in no index: either the row was deleted and has
	// reappeared, or its index entries are lost.
	faultUnexpected rowFault = "deleted and there again, or missing in an index"
)

// faultyRow is a row whose content differs from what was committed.
type faultyRow struct {
	table *summedTable
	id    int64    // ID of the account or character
	name  string   // name of the account or character, as far as readable
	fault rowFault // how the row is damaged
}

// String names the row and says how it is damaged.
func (r *faultyRow) String() string {
	if r.name == "" {
		return fmt.Sprintf("%s %d is %s", r.table.kind, r.id, r.fault)
	}
	return fmt.Sprintf("%s %q (%d) is %s", r.table.kind, r.name, r.id, r.fault)
}

// rowFindings is the result of checkRows.
type rowFindings struct {
	damaged []faultyRow // rows to repair or remove: their last change is in the file, but damaged
	lost    []faultyRow // rows whose last change is not in the file
	unnamed bool        // more changes are lost, in rows that cannot be named
	resum   []faultyRow // rows of which only a checksum is damaged
	moved   []movedRow  // rows of which only the ID is damaged
	repair  bool        // the indexes and the totals must be rebuilt
	ids     [2]bool     // for each of summedTables: true if the stored value of the greatest ID ever assigned is damaged
	left    [2]int64    // number of rows in each of summedTables
}

// movedRow is a row whose ID is damaged. The field from is the damaged ID, and the field to is the right one.
type movedRow struct {
	table    *summedTable
	from, to int64
}

// isLoss reports whether committed changes are missing in the file.
func (f *rowFindings) isLoss() bool { return len(f.lost) > 0 || f.unnamed }

// maxNamed is the maximum number of rows that a message names.
const maxNamed = 10

// describeRows lists the names of rows for a message, at most maxNamed.
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

// describeLoss describes the missing changes for a message: their number and the rows.
func (f *rowFindings) describeLoss() string {
	switch {
	case len(f.lost) == 0:
		return "no commit is missing, but changes are lost in rows that cannot be identified"
	case f.unnamed:
		return fmt.Sprintf("the last changes of at least %d rows are lost: %s", len(f.lost), describeRows(f.lost))
	}
	return fmt.Sprintf("the last changes of %d rows are lost: %s", len(f.lost), describeRows(f.lost))
}

// checkRows compares all rows with their checksums, with the indexes, and with the totals in table store. The indexes are
// stored on other pages than the rows and contain the checksums too. If the disk has lost a synced page or flipped a bit,
// row and index differ. checkRows changes nothing.
func checkRows(ctx context.Context, db *sql.DB) (*rowFindings, error) {
	f := &rowFindings{}
	for i := range summedTables {
		if err := f.checkTable(ctx, db, i); err != nil {
			return nil, fmt.Errorf("check the rows of table %s: %w", summedTables[i].name, err)
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
	moved := false
	for _, row := range suspects {
		recorded, found, fits, err := t.compareWithIndex(ctx, db, &row)
		if err != nil {
			return err
		}
		id := row.id
		if !found {
			if id, err = t.findID(ctx, db, &row); err != nil {
				return err
			}
		}
		total += recorded
		f.repair = true
		switch faulty := (faultyRow{t, row.id, row.name, faultDamaged}); {
		case id != row.id:
			f.moved = append(f.moved, movedRow{t, row.id, id})
			moved = true
		case fits:
			f.resum = append(f.resum, faulty)
		default:
			f.damaged = append(f.damaged, faulty)
		}
	}
	if !f.repair {
		if f.repair, err = t.hasWrongTypes(ctx, db); err != nil {
			return err
		}
	}
	var want, count int64
	if err := db.QueryRowContext(ctx, `SELECT `+t.total+`, `+t.name+` FROM store`).Scan(&want, &count); err != nil {
		return scanError(err)
	}
	f.repair = f.repair || count != f.left[number]
	if !f.repair {
		fit, err := t.indexesFit(ctx, db)
		if err != nil {
			return err
		}
		f.repair = !fit
	}
	if !moved { // skip this if a row has a damaged ID: that ID may be greater than any that was assigned
		if f.ids[number], err = t.lostLastID(ctx, db); err != nil {
			return err
		}
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

// suspect is a row whose content does not match the checksums in the row.
type suspect struct {
	id                 int64
	name               string
	recorded, computed []any
	parts              [][]any // for each checksum, the values that it covers, beginning with the ID
}

// readSums computes the checksums of all rows of summedTables[number]. It returns the rows whose content does not match the
// checksums in the row (suspects), and the sum of the stored checksums of all other rows (total).
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
				row.recorded, row.computed, row.parts = append(row.recorded, nil), append(row.computed, nil), append(row.parts, nil)
				continue
			}
			computed := rowSum(part[1:]...)
			row.recorded, row.computed = append(row.recorded, part[0]), append(row.computed, computed)
			row.parts = append(row.parts, part[1:])
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
		for i := range row.parts {
			row.parts[i] = slices.Clone(row.parts[i])
			for k, v := range row.parts[i] {
				if b, ok := v.([]byte); ok {
					row.parts[i][k] = bytes.Clone(b)
				}
			}
		}
		suspects = append(suspects, row)
		return nil
	})
	return total, suspects, err
}

// compareWithIndex compares the content of a suspect row with the checksums that the index has for the row. If the index lacks
// the row, it uses the checksums in the row, and the result found is false. The result total is the sum of the used checksums.
// The result fits is true if the content matches them. If it matches the index, only a checksum in the row is damaged.
func (t *summedTable) compareWithIndex(ctx context.Context, db *sql.DB, row *suspect) (total int64, found, fits bool, err error) {
	recorded := row.recorded
	err = queryValues(ctx, db, fmt.Sprintf(`SELECT %s FROM %s INDEXED BY %s WHERE id = ?`, t.sumColumns(), t.name, t.index), func(values []any) error {
		recorded, found = append([]any(nil), values...), true
		return nil
	}, row.id)
	fits = true
	for i, sum := range recorded {
		n, _ := sum.(int64)
		total += n
		fits = fits && sum == row.computed[i]
	}
	return total, found, fits, err
}

// findID returns the right ID of a suspect row if only the ID of the row is damaged, else the ID that the row has. The right
// ID meets three conditions: (1) No row of the table has the ID. (2) The index has the ID together with the checksums of the
// suspect row. (3) The content of the row, with the ID, matches these checksums.
func (t *summedTable) findID(ctx context.Context, db *sql.DB, row *suspect) (int64, error) {
	id := row.id
	query := fmt.Sprintf(`SELECT id, %s FROM %s INDEXED BY %s WHERE %s IS ? AND id NOT IN (SELECT id FROM %[2]s NOT INDEXED)`, t.sumColumns(), t.name, t.index, t.sums[0][0])
	err := queryValues(ctx, db, query, func(values []any) error {
		candidate, _ := values[0].(int64)
		for i := range t.sums {
			recorded, known := row.recorded[i].(int64)
			if !known || values[1+i] != recorded || rowSum(append([]any{candidate}, row.parts[i][1:]...)...) != recorded {
				return nil
			}
		}
		id = candidate
		return nil
	}, row.recorded[0])
	return id, err
}

// wrongTypes is the SQL condition of rows with values whose type is not that of their column.
func (t *summedTable) wrongTypes() string {
	var list []string
	for _, column := range t.texts {
		list = append(list, "typeof("+column+") <> 'text'")
	}
	for _, column := range t.numbers {
		list = append(list, "typeof("+column+") <> 'integer'")
	}
	return strings.Join(list, " OR ")
}

// hasWrongTypes reports whether the table has values whose type is not that of their column. A text stored with the type blob has
// the same bytes and therefore the same checksum, but another position in an index.
func (t *summedTable) hasWrongTypes(ctx context.Context, db *sql.DB) (wrong bool, err error) {
	err = db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM `+t.name+` NOT INDEXED WHERE `+t.wrongTypes()+`)`).Scan(&wrong)
	return wrong, wrapCorrupt(err)
}

func (t *summedTable) sumColumns() string {
	var columns []string
	for _, sum := range t.sums {
		columns = append(columns, sum[0])
	}
	return strings.Join(columns, ", ")
}

// indexesFit reports whether each index has exactly the rows of its table, each in the right position: the index has as
// many entries as the table has rows, and each row is found by its key. A query that only reads the index would not
// suffice, because SQLite reads the ID from the end of an index entry, not from its key.
func (t *summedTable) indexesFit(ctx context.Context, db *sql.DB) (bool, error) {
	for _, index := range t.indexes {
		var key []string
		for _, column := range strings.Split(index[1], ", ") {
			key = append(key, "b."+column+" IS a."+column)
			if column == "name" { // compare the bytes too, because names that differ only in case count as equal
				key = append(key, "CAST(b.name AS BLOB) IS CAST(a.name AS BLOB)")
			}
		}
		fit := false
		err := db.QueryRowContext(ctx, fmt.Sprintf(`SELECT (SELECT count(*) FROM %[1]s NOT INDEXED) = (SELECT count(*) FROM %[1]s INDEXED BY %[2]s) AND NOT EXISTS (
			SELECT 1 FROM %[1]s a NOT INDEXED WHERE NOT EXISTS (SELECT 1 FROM %[1]s b INDEXED BY %[2]s WHERE %[3]s AND b.id = a.id))`,
			t.name, index[0], strings.Join(key, " AND "))).Scan(&fit)
		if err != nil || !fit {
			return false, wrapCorrupt(err)
		}
	}
	return true, nil
}

// lostLastID reports whether the greatest ID ever assigned in a table is damaged. SQLite gives new rows greater IDs than this
// one. It is damaged if it is missing, not a number, less than the ID of a row, or greater than 2^53.
func (t *summedTable) lostLastID(ctx context.Context, db *sql.DB) (lost bool, err error) {
	err = db.QueryRowContext(ctx, `SELECT (SELECT count(*) = 1 AND max(typeof(seq)) = 'integer' AND max(seq) BETWEEN newest AND 1 << 53 FROM sqlite_sequence WHERE name = ?) IS NOT TRUE
		FROM (SELECT max(id) AS newest FROM `+t.name+` NOT INDEXED) WHERE newest > 0`, t.name).Scan(&lost)
	if errors.Is(err, sql.ErrNoRows) { // an empty table
		return false, nil
	}
	return lost, wrapCorrupt(err)
}

// nameLost adds to the findings f the rows of a table whose content differs from the index of checksums, with their
// names.
func (f *rowFindings) nameLost(ctx context.Context, db *sql.DB, t *summedTable) error {
	known := map[int64]bool{}
	for i := range f.damaged {
		if f.damaged[i].table == t {
			known[f.damaged[i].id] = true
		}
	}
	difference := func(left, right string) (ids []int64, err error) {
		columns := "id, " + t.sumColumns()
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

// readNames returns the names of rows by ID. If the table lacks a row, its name is read from the index of names.
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
