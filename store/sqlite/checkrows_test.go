package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// pageOf returns the range of bytes of the database page that contains text.
func pageOf(t *testing.T, b []byte, text string) (from, to int) {
	t.Helper()
	at := bytes.Index(b, []byte(text))
	if at < 0 {
		t.Fatalf("no page contains %q", text)
	}
	return at / 4096 * 4096, (at/4096 + 1) * 4096
}

// aged returns the files of a database at two times. It has accounts and characters a0 to a19 in several pages. Between the two
// times every character received gold, and account b0 was added.
func aged(t *testing.T) (before, after map[string][]byte) {
	t.Helper()
	dir := t.TempDir()
	s := open(t, dir)
	var party []*sim.Character
	for i := range 20 {
		c := &sim.Character{Name: fmt.Sprint("a", i), Tag: fmt.Sprintf("tag %02d %s", i, longText[:1250])}
		id, err := s.CreateAccount(t.Context(), store.Account{Name: c.Name, Email: longText[:300]})
		if err == nil {
			c.ID, err = s.CreateCharacter(t.Context(), id, c, 1)
		}
		if err != nil {
			t.Fatal(err)
		}
		party = append(party, c)
	}
	closeStore(t, s)
	execFile(t, filepath.Join(dir, FileName), "VACUUM") // removes earlier content from unused parts of pages
	before = files(t, dir)
	s = open(t, dir)
	addAccounts(t, s, "b", 1)
	for _, c := range party {
		c.Gold = 7
	}
	if err := s.SaveCharacters(t.Context(), nil, party); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	return before, files(t, dir)
}

// If the disk has lost the write of a page, the page is older than the ledger of commits. Open reports the rows of the page by
// name.
func TestRowsOnStaleDatabasePagesAreReportedByName(t *testing.T) {
	t.Parallel()
	before, after := aged(t)
	for _, c := range []struct {
		name  string
		texts []string // each page that contains one of these texts is replaced by its earlier content
		says  []string
	}{
		{"characters", []string{"tag 03"}, []string{`character "a3" (4) is older than its last change`, "21 of 21 accounts and 21 of 21 characters are left"}},
		{"two pages", []string{"tag 03", "tag 15"}, []string{`"a3"`, `"a15"`, "and "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := slices.Clone(after[FileName])
			for _, text := range c.texts {
				from, to := pageOf(t, after[FileName], text)
				oldFrom, oldTo := pageOf(t, before[FileName], text)
				if from != oldFrom {
					t.Fatal("the page has moved")
				}
				copy(b[from:to], before[FileName][oldFrom:oldTo])
			}
			expectLoss(t, map[string][]byte{FileName: b, ledgerName: after[ledgerName]}, 21, c.says...)
		})
	}
}

// damage returns a copy of a database in which text is replaced by replacement, of the same length.
func damage(t *testing.T, all map[string][]byte, text, replacement string) map[string][]byte {
	t.Helper()
	b := bytes.ReplaceAll(all[FileName], []byte(text), []byte(replacement))
	if bytes.Equal(b, all[FileName]) {
		t.Fatalf("%q is not in the file", text)
	}
	return with(all, FileName, b)
}

// A row that does not match its checksum is moved out of the database and reported by name. The server starts with all other
// rows.
func TestRowsWithFlippedBitsAreQuarantinedAndReportedByName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	for i, c := range []*sim.Character{{Name: "Ada", Gold: 4001, Tag: "ready"}, {Name: "Bob", Gold: 4002}} {
		id, err := s.CreateAccount(t.Context(), store.Account{Name: c.Name + "s", Email: fmt.Sprintf("mail%d@example.org", i), GM: true})
		if err == nil {
			_, err = s.CreateCharacter(t.Context(), id, c, 2)
		}
		if err == nil {
			_, err = s.CreateCharacter(t.Context(), id, &sim.Character{Name: c.Name + "2"}, 2)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	closeStore(t, s)
	whole := files(t, dir)
	for _, c := range []struct {
		name, text, by string
		log, fault     string // expected texts in the log and in rows.jsonl, the file with the damaged rows; "" for none
		adas           int    // number of characters of Ada's account after the start
	}{
		{"gold", `"gold":4001`, `"gold":4801`, "character=Ada id=1", `{"fault":"damaged","table":"characters","id":1,"account":1,"name":"Ada","text":"{\"tag\":\"ready\"`, 1},
		{"text of a sheet", `"ready"`, `"reads"`, "character=Ada id=1", `\"reads\"`, 1},
		{"email", "mail1@example.org", "mail1@exaople.org", "account=Bobs id=2", `{"fault":"damaged","table":"accounts","id":2,"name":"Bobs"`, 2},
		{"name of an account", "Bobsmail", "Bohsmail", "account=Bohs id=2", `"name":"Bohs"`, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := put(t, damage(t, whole, c.text, c.by))
			var log bytes.Buffer
			text := WithLog(slog.New(slog.NewTextHandler(&log, nil)))
			closeStore(t, openWith(t, dir, text))
			found, _ := filepath.Glob(filepath.Join(dir, asidePrefix+"*", "rows.jsonl"))
			if len(found) != 1 || !strings.Contains(log.String(), c.log) || !strings.Contains(log.String(), found[0]) {
				t.Fatalf("set aside in %q; log:\n%s", found, log.String())
			}
			if b, err := os.ReadFile(found[0]); err != nil || bytes.Count(b, []byte("\n")) != 1 || !strings.Contains(string(b), c.fault) {
				t.Errorf("set aside is %s, %v", b, err)
			}
			log.Reset()
			s := openWith(t, dir, text)
			defer closeStore(t, s)
			if list, err := s.Characters(t.Context(), 1); err != nil || len(list) != c.adas || log.Len() > 0 {
				t.Errorf("the next start has %d characters, %v, and says %q", len(list), err, log.String())
			}
			if _, err := s.CreateCharacter(t.Context(), 1, &sim.Character{Name: "new"}, 3); err != nil {
				t.Errorf("a new character: %v", err)
			}
		})
	}
	t.Run("backup", func(t *testing.T) {
		file := filepath.Join(put(t, damage(t, whole, `"gold":4001`, `"gold":4801`)), FileName)
		if _, err := Verify(t.Context(), file); !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), `character "Ada" (1) is damaged`) {
			t.Errorf("error is %v", err)
		}
	})
}

func openWith(t *testing.T, dir string, opts ...Option) *Store {
	t.Helper()
	s, err := Open(t.Context(), dir, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Other programs may edit the tables with SQL, while a server uses them or not. Their edits are not reported as damage, and
// the next start computes checksums of the edited rows.
func TestRowsEditedWithSQLAreNotReported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	s := open(t, dir)
	addAccounts(t, s, "a", 3)
	edit := func(gold int) {
		execFile(t, path, fmt.Sprintf(`UPDATE characters SET sheet = json_set(sheet, '$.gold', %d) WHERE name = 'a0'; UPDATE characters SET name = 'renamed%[1]d' WHERE id = 3;
			UPDATE accounts SET email = 'mail%[1]d' WHERE id = 2; INSERT INTO accounts (name, secret, email, gm, banned, ignores, created_ms) VALUES ('new%[1]d', '', '', 0, 0, '[]', 0)`, gold))
	}
	edit(5)
	if err := s.SetBanned(t.Context(), 2, true); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	edit(6)
	var log bytes.Buffer
	text := WithLog(slog.New(slog.NewTextHandler(&log, nil)))
	closeStore(t, openWith(t, dir, text))
	if log.Len() > 0 {
		t.Errorf("the start says %s", log.String())
	}
	all := files(t, dir)
	for _, text := range []string{`"gold":6`, "renamed6", "mail6", "new6"} {
		log.Reset()
		damaged := damage(t, all, text, text[:len(text)-1]+"7")
		closeStore(t, openWith(t, put(t, damaged), WithLog(slog.New(slog.NewTextHandler(&log, nil)))))
		if !strings.Contains(log.String(), "damaged") {
			t.Errorf("damage of %s is not noticed after an edit", text)
		}
	}
}

// The test opens before_row_sums.db, a database of the last version without checksums of rows.
func TestStoreWithoutChecksumsIsMigrated(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := copyFile(filepath.Join(dir, FileName), "testdata/before_row_sums.db"); err != nil {
		t.Fatal(err)
	}
	before, err := Verify(t.Context(), filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s := openWith(t, dir, WithLog(slog.New(slog.NewTextHandler(failOnWrite{t}, nil))))
		for id, name := range []string{"Ada", "Bob", "Jörg", "bedrock:cleo"} {
			a, err := s.Account(t.Context(), name)
			if err != nil || a.Secret != "secret"+name || a.GM != (id == 0) || a.Banned != (id == 1) {
				t.Fatalf("account %+v, %v", a, err)
			}
			roster, err := s.Characters(t.Context(), a.ID)
			if err != nil || len(roster) != id+1 || roster[id].Gold != int32(11*id) {
				t.Errorf("%s has %d characters, %v", name, len(roster), err)
			}
		}
		closeStore(t, s)
	}
	after, err := Verify(t.Context(), filepath.Join(dir, FileName))
	if err != nil || after.Accounts != before.Accounts || after.Characters != before.Characters {
		t.Errorf("before %+v, after %+v, %v", before, after, err)
	}
	damaged := damage(t, files(t, dir), `"gold":33`, `"gold":37`)
	if _, err := Verify(t.Context(), filepath.Join(put(t, damaged), FileName)); err == nil || !strings.Contains(err.Error(), "bedrock:cleo3") {
		t.Errorf("a flipped bit after the migration: %v", err)
	}
}

// failOnWrite is a log writer that fails the test for every line.
type failOnWrite struct{ t *testing.T }

func (w failOnWrite) Write(b []byte) (int, error) {
	w.t.Errorf("log: %s", b)
	return len(b), nil
}

// After any sequence of changes, the totals in table store equal the sums over all rows.
func TestStoredChecksumTotalsMatchRowsAfterEveryChange(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir())
	defer closeStore(t, s)
	check := func(after string) {
		t.Helper()
		f, err := checkRows(t.Context(), s.db)
		if err != nil || f.isLoss() || f.repair || len(f.damaged) > 0 {
			t.Errorf("after %s: %+v, %v", after, f, err)
		}
	}
	addAccounts(t, s, "a", 3)
	check("creation")
	a, err := s.Account(t.Context(), "a1")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x", "y", "z"} {
		if _, err := s.CreateCharacter(t.Context(), a.ID, &sim.Character{Name: name}, 9); err != nil {
			t.Fatal(err)
		}
	}
	roster, err := s.Characters(t.Context(), a.ID)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.SaveCharacters(t.Context(), nil, roster); err != nil {
			t.Fatal(err)
		}
		check("saves")
	}
	if err := s.DeleteCharacter(t.Context(), store.SessionHolder{}, a.ID, roster[1].ID); err != nil {
		t.Fatal(err)
	}
	check("deletion")
	for _, err := range []error{s.SetBanned(t.Context(), a.ID, true), s.SetBanned(t.Context(), a.ID, true), s.SetFrozen(t.Context(), a.ID, true), s.SetSecret(t.Context(), a.ID, "s")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	check("changes of accounts")
}
