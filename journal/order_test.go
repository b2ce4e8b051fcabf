package journal

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim/reason"
)

// A page of a large journal is read from an index that has the entries in the order of the list. No query sorts rows, and only
// queries for an account read all rows of the table.
func TestPagesOfEntriesAreReadFromIndexWithoutSorting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
		one, two := []reason.Reason{reason.TooFast}, []reason.Reason{reason.TooFast, reason.TooSoon}
		hour := time.Now().Add(-time.Hour)
		for _, c := range []struct {
			name, index string
			q           Query
		}{
			{"all", "entries_at", Query{}},
			{"a player", "entries_player", Query{Player: "Ann"}},
			{"a player since", "entries_player", Query{Player: "Ann", Since: hour}},
			{"a player in an area", "entries_player", Query{Player: "Ann", Area: "Vale"}},
			{"a player and a reason", "entries_player", Query{Player: "Ann", Reasons: one}},
			{"an entity and a reason", "entries_entity", Query{Entity: 7, Reasons: one}},
			{"a reason", "entries_reason", Query{Reasons: one}},
			{"a reason since", "entries_reason", Query{Reasons: one, Since: hour}},
			{"two reasons", "entries_at", Query{Reasons: two}},
			{"suspicious reasons", "entries_at", Query{Weights: []reason.Weight{reason.Suspicious}}},
			{"unusual reasons", "entries_at", Query{Weights: []reason.Weight{reason.Unusual}}},
			{"a verdict", "entries_at", Query{Verdicts: []Verdict{Corrected}}},
			{"an area", "entries_at", Query{Area: "Vale"}},
			{"between times", "entries_at", Query{Since: hour, Until: hour}},
		} {
			for _, later := range []bool{false, true} {
				w := r.j.conditionOf(&c.q, "at_ms")
				w.addIf(later, afterEntry, 1, 2)
				w.limitPage(0, 0)
				plan, err := queryPlan(r.j.Reader, w)
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(plan, "USING INDEX "+c.index) || strings.Contains(plan, "TEMP B-TREE") {
					t.Errorf("%s, later page %t: %s, want index %s without sorting", c.name, later, plan, c.index)
				}
			}
		}
	})
}

// queryPlan returns how SQLite executes the query for a page of entries, with "; " between the steps.
func queryPlan(r *Reader, w *condition) (string, error) {
	scan := func(rows *sql.Rows, detail *string) error {
		var unused any
		return rows.Scan(&unused, &unused, &unused, detail)
	}
	list, err := collect(context.Background(), r, scan, "EXPLAIN QUERY PLAN SELECT * FROM entries WHERE "+w.String()+newestFirst, w.args...)
	return strings.Join(list, "; "), err
}

// If the entry after which a page begins was deleted meanwhile, the page begins with the next older entry.
func TestPageAfterDeletedEntryHasEarlierEntries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := filledJournal(t)
		if _, err := r.j.db.ExecContext(t.Context(), "DELETE FROM entries WHERE id = 11"); err != nil {
			t.Fatal(err)
		}
		if list := r.entries(Query{Before: 11}); len(list) != 10 || list[0].ID != 10 || list[9].ID != 1 {
			t.Errorf("%d entries: %+v", len(list), list)
		}
	})
}
