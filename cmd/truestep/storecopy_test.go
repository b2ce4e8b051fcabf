package main

import (
	"bytes"
	"errors"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/postgres"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/store/storetest"
)

// slowTrigger makes the copy of a character near the end take five seconds, in which a test can end the copy.
const slowTrigger = `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
	$$ BEGIN IF NEW.name LIKE 'character19%' THEN PERFORM pg_sleep(5); END IF; RETURN NEW; END $$;
	CREATE TRIGGER slow BEFORE INSERT ON characters FOR EACH ROW EXECUTE FUNCTION slow()`

func TestStoreCopyThatIsEndedInTheMiddleLeavesDatabaseUnchanged(t *testing.T) {
	t.Parallel()
	server, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Kill)
	to, from := server.Database(t), t.TempDir()
	file, err := sqlite.Open(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Fill(t, file)
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	db := openDatabase(t, to)
	if _, err := db.CreateAccount(t.Context(), store.Account{Name: "Old"}); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	database := strings.TrimPrefix(u.Path, "/")
	server.Exec(t, database, slowTrigger)
	for _, c := range []struct {
		name   string
		end    func(p *os.Process) error
		want   string // part of the output
		launch bool   // PostgreSQL must be started again
	}{
		{"kill -9 of the command", (*os.Process).Kill, "", false},
		{"Ctrl-C", func(p *os.Process) error { return p.Signal(os.Interrupt) }, "store copy: interrupted; ", false},
		{"kill -9 of PostgreSQL", func(*os.Process) error { server.Kill(); return nil }, " is unchanged", true},
	} {
		var out bytes.Buffer
		cmd := exec.Command(os.Args[0], "store", "copy", "--from", "sqlite:"+from, "--to", to, "--replace")
		cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), actAsTruestep+"=1"), &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		awaitSleep(t, to)
		if err := c.end(cmd.Process); err != nil {
			t.Fatal(err)
		}
		var status *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &status) || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: %v, %s", c.name, err, &out)
		}
		if c.launch {
			if err := server.Launch(); err != nil {
				t.Fatal(err)
			}
		}
		db := openDatabase(t, to)
		if _, err := db.Account(t.Context(), "old"); err != nil {
			t.Errorf("%s: the former account: %v", c.name, err)
		}
		if _, err := db.Account(t.Context(), "account1"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: a copied account: %v, want that it is not there", c.name, err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	server.Exec(t, database, "DROP TRIGGER slow ON characters")
	if status, out, errs := truestep("store", "copy", "--from", "sqlite:"+from, "--to", to, "--replace"); status != 0 || !strings.HasPrefix(out, "copied and verified: 20 accounts, ") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

// openDatabase opens a database as a server does. It waits until the database server has ended the session of a command that was killed.
func openDatabase(t *testing.T, to string) *postgres.Store {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		db, err := postgres.Open(t.Context(), to)
		if err == nil {
			return db
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// awaitSleep waits until slowTrigger holds up a copy.
func awaitSleep(t *testing.T, to string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		var sleeping int
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'").Scan(&sleeping); err != nil {
			t.Fatal(err)
		}
		if sleeping > 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatal("the copy has not reached the character that holds it up")
		}
	}
}
