package sqlite

import (
	"bytes"
	"database/sql"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
)

func TestDamagedRowsAreQuarantinedAndReportedByName(t *testing.T) {
	t.Parallel()
	dir, path := filled(t)
	s := open(t, dir)
	a, err := s.Account(t.Context(), "xx")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateCharacter(t.Context(), a.ID, &sim.Character{Name: "second", Gold: 7}, 2); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	execFile(t, path, `UPDATE characters SET sheet = '{"gold":555}' WHERE name = 'xx'; UPDATE accounts SET ignores = '["bobby"]' WHERE name = 'xxx';
		PRAGMA ignore_check_constraints = 1; UPDATE accounts SET gm = 3 WHERE name = 'xxx'`)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b = bytes.Replace(bytes.Replace(b, []byte(`{"gold":555}`), []byte(`{"gold";555}`), 1), []byte(`["bobby"]`), []byte(`["bobby]]`), 1)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	s, err = Open(t.Context(), dir, WithLog(slog.New(slog.NewTextHandler(&log, nil))))
	if err != nil {
		t.Fatal(err)
	}
	if roster, err := s.Characters(t.Context(), a.ID); err != nil || len(roster) != 1 || roster[0].Name != "second" || roster[0].Gold != 7 {
		t.Errorf("the roster is %v, %v", roster, err)
	}
	if _, err := s.CreateCharacter(t.Context(), a.ID, &sim.Character{Name: "third"}, 2); err != nil {
		t.Errorf("the slot is not free: %v", err)
	}
	if b, err := s.Account(t.Context(), "xxx"); err != nil || b.GM || len(b.Ignore) != 0 {
		t.Errorf("the account is %+v, %v", b, err)
	}
	closeStore(t, s)
	found, _ := filepath.Glob(filepath.Join(dir, asidePrefix+"*", "rows.jsonl"))
	if len(found) != 1 || strings.Count(log.String(), found[0]) != 2 || !strings.Contains(log.String(), "character=xx ") || !strings.Contains(log.String(), "account=xxx ") {
		t.Fatalf("files %q, log\n%s", found, log.String())
	}
	const want = `{"fault":"invalid","table":"characters","id":2,"account":2,"name":"xx","text":"{\"gold\";555}"}` + "\n" +
		`{"fault":"invalid","table":"accounts","id":3,"name":"xxx","text":"[\"bobby]]"}` + "\n"
	if b, err := os.ReadFile(found[0]); err != nil || string(b) != want {
		t.Errorf("set aside is %s, %v", b, err)
	}
	log.Reset()
	if s, err = Open(t.Context(), dir, WithLog(slog.New(slog.NewTextHandler(&log, nil)))); err != nil || log.Len() > 0 {
		t.Errorf("the next start: %v, %s", err, log.String())
	}
	closeStore(t, s)
	if _, err := Verify(t.Context(), path); err != nil {
		t.Error(err)
	}
}

func TestOverviewOfCharactersShowsDamagedSheetsWithoutValues(t *testing.T) {
	t.Parallel()
	dir, path := filled(t)
	s := open(t, dir)
	a, err := s.Account(t.Context(), "xx")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateCharacter(t.Context(), a.ID, &sim.Character{Name: "second", Gold: 7, Level: 4, Area: "Village"}, 2); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	execFile(t, path, `PRAGMA ignore_check_constraints = 1; UPDATE characters SET sheet = '{"gold";5}' WHERE name = 'xx'`)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var list string
	const query = `SELECT json_group_array(json_array(name, account, slot, area, level, gold)) FROM (SELECT * FROM character_overview WHERE account = 'xx' ORDER BY id)`
	if err := db.QueryRow(query).Scan(&list); err != nil {
		t.Fatal(err)
	}
	if want := `[["xx","xx",0,null,null,null],["second","xx",1,"Village",4,7]]`; list != want {
		t.Errorf("the overview is %s, want %s", list, want)
	}
}
