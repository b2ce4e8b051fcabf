package journal

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"

	"github.com/truestep-io/truestep/internal/sqlitefile"
)

// The rows are as version 1 wrote them. The client of player "bedrock:ünal" sent UTF-8, that of player "Jörg" Windows-1252. The
// name of area "Wëst" was converted twice in the texts of events.
func TestTextsOfVersion1JournalAreConvertedToUTF8(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), FileName)
	db, err := sqlitefile.Connect(path, url.Values{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		t.Fatal(err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, dir, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(ctx, 1); err != nil {
		t.Fatal(err)
	}
	for _, stmt := range []string{
		`INSERT INTO entries (at_ms, first_ms, area, area_id, tick, verdict, reason, entity, player, account, door, asked, allowed, unit, other, times)
			VALUES (1, 1, 'Wëst', 0, 1, 'held', 'too_fast', 1, 'Ã¼nal', 'bedrock:Ã¼nal', 'bedrock', 0, 0, '', 'Jörg', 1)`,
		`INSERT INTO entries (at_ms, first_ms, area, area_id, tick, verdict, reason, entity, player, account, door, asked, allowed, unit, other, times)
			VALUES (2, 2, 'Wëst', 0, 2, 'held', 'too_fast', 2, 'Jörg', 'jörg', 'rcce', 0, 0, '', 'Ã¼nal', 1)`,
		`INSERT INTO around (at_ms, area_id, tick, entity, account, kind, text) VALUES (1, 0, 1, 1, 'bedrock:Ã¼nal', 'departed', 'went to WÃ«st')`,
		`INSERT INTO deeds (at_ms, operator, role, action, player, account, detail, result)
			VALUES (1, 'root', 'admin', 'kick', 'Ã¼nal', 'bedrock:Ã¼nal', 'it says Ã¼', 'ok')`,
	} {
		if _, err := db.ExecContext(ctx, stmt); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if r, err := OpenReader(path); err != nil {
		t.Errorf("a journal of version 1 cannot be read: %v", err)
	} else if list, err := r.Entries(ctx, Query{}); err != nil || len(list) != 2 || list[0].AgoMS != 0 || list[0].LateTimes != 0 {
		t.Errorf("the entries of a journal of version 1: %+v, %v", list, err)
	} else if groups, err := r.Groups(ctx, Query{}); err != nil || len(groups) != 2 || groups[0].Times != 1 || groups[0].LateTimes != 0 {
		t.Errorf("the groups of a journal of version 1: %+v, %v", groups, err)
	} else if err := r.Close(); err != nil {
		t.Error(err)
	}
	for start := range 2 { // the second start changes nothing
		var log strings.Builder
		db, err = fileKind.Open(path, slog.New(slog.NewTextHandler(&log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(log.String(), fmt.Sprintf("from=1 to=%d", currentSchema)) && strings.Contains(log.String(), "duration="); told != (start == 0) {
			t.Errorf("start %d logs %q", start, log.String())
		}
		for query, want := range map[string][]string{
			"SELECT player FROM entries ORDER BY id":  {"ünal", "Jörg"},
			"SELECT account FROM entries ORDER BY id": {"bedrock:ünal", "jörg"},
			"SELECT other FROM entries ORDER BY id":   {"Jörg", "ünal"},
			"SELECT area FROM entries ORDER BY id":    {"Wëst", "Wëst"},
			"SELECT account FROM around":              {"bedrock:ünal"},
			"SELECT text FROM around":                 {"went to Wëst"},
			"SELECT account FROM deeds":               {"bedrock:ünal"},
			"SELECT late_times FROM entries":          {"0", "0"},
			"SELECT detail FROM deeds":                {"it says Ã¼"}, // typed by an operator, so version 1 did not convert it
		} {
			if got := column(t, db, query); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", query, got, want)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func column(t *testing.T, db *sql.DB, query string) (list []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		list = append(list, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}
