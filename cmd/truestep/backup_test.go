package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
)

// expectOutput runs the program and checks the exit status. The regular expression want must match what both outputs contain.
func expectOutput(t *testing.T, code int, want string, args ...string) {
	t.Helper()
	got, out, errs := truestep(args...)
	if got != code || !regexp.MustCompile("^"+want+"$").MatchString(out+errs) {
		t.Errorf("%v: exit status %d, printed\n%swant %d and\n%s", args, got, out+errs, code, want)
	}
}

func TestBackupIsWrittenVerifiedAndRestoredByCommands(t *testing.T) {
	here(t)
	st, err := sqlite.Open(t.Context(), "truestep-data")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := st.CreateAccount(t.Context(), store.Account{Name: fmt.Sprint("a", i)}); err != nil {
			t.Fatal(err)
		}
	}
	summary := ", verified: 3 accounts and 0 characters of commit 4 at .* UTC\ncopy.db: [0-9]+ bytes, sha256 [0-9a-f]{64}\n"
	expectOutput(t, 0, "backup of ./truestep-data"+summary, "backup", "copy.db")
	expectOutput(t, 2, "truestep: backup: copy.db: the file exists already: name another file, or replace it with --replace\n", "backup", "copy.db")
	expectOutput(t, 0, "backup of ./truestep-data"+summary, "backup", "copy.db", "--replace")
	expectOutput(t, 2, "truestep: restore: ./truestep-data: the data directory is in use by another server .*\n", "restore", "copy.db", "--replace")
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	expectOutput(t, 2, "truestep: restore: truestep-data/truestep.db: the file exists already; replace the file with --replace, which .* aside, or .*\n", "restore", "copy.db")
	expectOutput(t, 0, "restored to ./truestep-data"+summary+"the files that were there are in truestep-data/set-aside-.*\n", "restore", "copy.db", "--replace")
	expectOutput(t, 0, "restored to new"+summary, "restore", "copy.db", "--data-dir", "new")
	expectOutput(t, 2, "truestep: backup: .*no such file or directory: name the folder .*--data-dir DIR\n", "backup", "x.db", "--data-dir", "nowhere")
	expectOutput(t, 2, "truestep: backup: there is no folder missing: create it, or name a file in another one\n", "backup", "missing/x.db")
	write(t, "truestep-data/rs-key.pem", "key")
	write(t, "truestep-data/web.key", "guests")
	write(t, "truestep-data/journal.sqlite", "")
	write(t, "truestep-data/chat.sqlite", "")
	with := func(files string) string { return strings.Replace(summary, "UTC\n", "UTC\nwith "+files+"\n", 1) }
	expectOutput(t, 0, "backup of ./truestep-data"+strings.Replace(with("rs-key.pem, web.key"), "copy", "keys", 1), "backup", "keys.db", "--no-journal", "--no-chat")
	expectOutput(t, 0, "backup of ./truestep-data"+strings.Replace(summary, "copy", "none", 1), "backup", "none.db", "--no-keys", "--no-journal", "--no-chat")
	expectOutput(t, 0, "backup of ./truestep-data"+strings.Replace(with("chat.sqlite, journal.sqlite, rs-key.pem, web.key"), "copy", "all", 1), "backup", "all.db")
	expectOutput(t, 0, "restored to full"+strings.Replace(with("chat.sqlite, journal.sqlite, rs-key.pem, web.key"), "copy", "all", 1), "restore", "all.db", "--data-dir", "full")
	if b, err := os.ReadFile("full/rs-key.pem"); err != nil || string(b) != "key" {
		t.Errorf("the restored key is %q, %v", b, err)
	}
	if b, err := os.ReadFile("full/web.key"); err != nil || string(b) != "guests" {
		t.Errorf("the restored key of guests is %q, %v", b, err)
	}
	write(t, "text", "this is not a database")
	expectOutput(t, 2, "truestep: restore: text: the file is not a database of truestep: .*\n", "restore", "text", "--data-dir", "newer")
}

func TestRestoreOfUnsavedRecordsFileStoresOnlyNewerRecords(t *testing.T) {
	here(t)
	st, err := sqlite.Open(t.Context(), "truestep-data")
	if err != nil {
		t.Fatal(err)
	}
	dump := []*sim.Character{{Name: "Ada", Version: 5, Gold: 9}, {Name: "Bea", Version: 2, Gold: 9}, {ID: 99, Name: "Cyd"}}
	id, err := st.CreateAccount(t.Context(), store.Account{Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range dump[:2] {
		if c.ID, err = st.CreateCharacter(t.Context(), id, &sim.Character{Name: c.Name, Version: 3, Gold: 1}, 2); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := store.WriteRecords(&b, dump); err != nil {
		t.Fatal(err)
	}
	write(t, "unsaved.jsonl", b.String())
	expectOutput(t, 0, "skipped: character Bea: the stored record is as new or newer\nskipped: character Cyd: this database does not have the character\n"+
		"restored 1 player record from unsaved.jsonl to ./truestep-data\n", "restore", "unsaved.jsonl")
	if st, err = sqlite.Open(t.Context(), "truestep-data"); err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if roster, err := st.Characters(t.Context(), id); err != nil || roster[0].Gold != 9 || roster[1].Gold != 1 {
		t.Errorf("stored are %+v, %v", roster, err)
	}
}

func TestServeRefusesMissingDataWithoutAcceptLossFlag(t *testing.T) {
	here(t)
	st, err := sqlite.Open(t.Context(), "live")
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if _, err := st.CreateAccount(t.Context(), store.Account{Name: "ann"}); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("copied", 0o700); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join("live", sqlite.FileName))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join("copied", sqlite.FileName), string(b))
	for range 2 { // the second start shows that the first refusal changed nothing
		refused(t, append(quiet, "--data-dir", "copied"), "truestep.db: stored data is missing: it was copied alone or its log truestep.db-wal was removed; 0 accounts")
	}
	p := launch(t, "serve", "--accept-loss", "--rcce", "off", "--rs", "off", "--bedrock", "off", "--metrics", "off", "--no-status", "--data-dir", filepath.Join(mustDir(t), "copied"))
	p.until("ready")
	p.signal(os.Interrupt)
	if code, _, _ := p.end(); code != 0 || !strings.Contains(p.errs.String(), "the loss was accepted") || !strings.Contains(p.errs.String(), "set-aside-") {
		t.Errorf("exit status %d, log\n%s", code, &p.errs)
	}
	t.Setenv("TRUESTEP_ACCEPT_LOSS", "true") // this variable would accept losses at every start
	write(t, "truestep.toml", "accept-loss = true\n")
	if code, _, errs := truestep("serve", "--print-config"); code != exitUsage || !strings.Contains(errs, "accept-loss") {
		t.Errorf("the file may accept losses: exit status %d, %s", code, errs)
	}
}

func mustDir(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
