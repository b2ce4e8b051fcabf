package sqlitefile

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

func TestErrorAboutFullDatabaseSuggestsFreeingSpace(t *testing.T) {
	db, err := Connect(filepath.Join(t.TempDir(), "a.sqlite"), url.Values{}, 1, "max_page_count(2)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	full := fill(t.Context(), db)
	if full == nil || !strings.Contains(helpFor(full), "free space") {
		t.Errorf("error %v has the help %q", full, helpFor(full))
	}
	if help := helpFor(errors.New("another error")); help != "" {
		t.Errorf("another error has the help %q", help)
	}
}

// fill writes more than the file may contain.
func fill(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, "CREATE TABLE t (x BLOB); INSERT INTO t VALUES (zeroblob(100000))")
	return err
}
