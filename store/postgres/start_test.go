package postgres

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/store"
)

// dbName returns the name of the database in a URL.
func dbName(t *testing.T, text string) string {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(u.Path, "/")
}

func TestErrorAboutUnusableDatabaseIsOneLineThatSaysWhatToDo(t *testing.T) {
	server := pgtest.Shared(t)
	good := pgtest.Database(t)
	name := dbName(t, good)
	with := func(change func(u *url.URL)) string {
		u, err := url.Parse(good)
		if err != nil {
			t.Fatal(err)
		}
		change(u)
		return u.String()
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	// Keep the port in use by a connection that does not listen, so that no other program opens it meanwhile.
	taken, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	nobody := taken.LocalAddr().String()
	server.Exec(t, "postgres", fmt.Sprintf("CREATE ROLE stranger_%s LOGIN PASSWORD 'secret'", name))
	server.Exec(t, "postgres", fmt.Sprintf("CREATE DATABASE latin_%s TEMPLATE template0 ENCODING 'LATIN1'", name))
	server.Exec(t, "postgres", fmt.Sprintf("CREATE DATABASE foreign_%s TEMPLATE template0 ENCODING 'UTF8'", name))
	server.Exec(t, "foreign_"+name, "CREATE TABLE accounts (id int)")
	newer := pgtest.Database(t)
	closeStore(t, open(t, newer))
	server.Exec(t, dbName(t, newer), "INSERT INTO truestep_migrations (version_id, is_applied) VALUES (999, true)")
	old := func(s *Store) { s.minVersion = 990000 }
	for what, c := range map[string]struct {
		url  string
		is   error
		want string
		opt  Option
	}{
		"no URL":              {"truestep-data", ErrURL, "write postgres://USER@HOST:PORT/DATABASE", nil},
		"another database":    {"mysql://root:hunter2@localhost/x", ErrURL, "write postgres://", nil},
		"a bad port":          {"postgres://root:hunter2@localhost:99999/x", ErrURL, "port", nil},
		"a bad escape":        {"postgres://root:hunter2%zz@localhost/x", ErrURL, "percent-encode", nil},
		"a bad parameter":     {"postgres://root:hunter2@localhost/x?sslmode=hunter2", ErrURL, `"sslmode"`, nil},
		"nobody listens":      {with(func(u *url.URL) { u.Host = nobody }), nil, "nothing answers at the address of PostgreSQL at " + nobody + ": start PostgreSQL", nil},
		"no such host":        {with(func(u *url.URL) { u.Host = "nowhere.invalid" }), nil, `the host "nowhere.invalid" of PostgreSQL cannot be found`, nil},
		"no socket":           {"postgres:///x?host=/nowhere&user=u", nil, "nothing answers at the address of PostgreSQL at /nowhere/.s.PGSQL.5432", nil},
		"wrong password":      {with(func(u *url.URL) { u.User = url.UserPassword(pgtest.User, "hunter2") }), nil, `refuses the password of "postgres"`, nil},
		"no password":         {with(func(u *url.URL) { u.User = url.User(pgtest.User) }), nil, `asks "postgres" for a password: set it in the variable PGPASSWORD`, nil},
		"no TLS":              {with(func(u *url.URL) { u.RawQuery = "sslmode=require" }), nil, "does not offer TLS", nil},
		"no such database":    {with(func(u *url.URL) { u.Path = "/missing" }), nil, "createdb --encoding UTF8 --template template0 --owner postgres missing", nil},
		"no rights":           {with(func(u *url.URL) { u.User = url.UserPassword("stranger_"+name, "secret") }), nil, "ALTER DATABASE " + name + " OWNER TO stranger_" + name, nil},
		"a wrong search_path": {with(func(u *url.URL) { u.RawQuery += "&search_path=nowhere" }), nil, "create the schema", nil},
		"another encoding":    {with(func(u *url.URL) { u.Path = "/latin_" + name }), ErrEncoding, "(it is LATIN1): create the database with createdb --encoding UTF8", nil},
		"another program":     {with(func(u *url.URL) { u.Path = "/foreign_" + name }), ErrForeign, "create another database", nil},
		"a newer version":     {newer, ErrNewer, "start that version", nil},
		"an old server":       {good, ErrTooOld, "update it to version 99", old},
	} {
		opts := []Option{WithLog(quiet)}
		if c.opt != nil {
			opts = append(opts, c.opt)
		}
		s, err := Open(t.Context(), c.url, opts...)
		if err == nil {
			closeStore(t, s)
			t.Errorf("%s: accepted", what)
			continue
		}
		for _, secret := range []string{"hunter2", pgtest.Password, url.QueryEscape(pgtest.Password)} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%s: the error has the password: %v", what, err)
			}
		}
		if c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v\nwant %q", what, err, c.want)
		}
	}
}

func TestRedactedURLHasNoPassword(t *testing.T) {
	for text, want := range map[string]string{
		"postgres://ann:hunter2@db.example:5433/world":                             "postgres://ann@db.example:5433/world",
		"postgres://ann:p%40ss@h/world?sslmode=require":                            "postgres://ann@h/world?sslmode=require",
		"postgresql://h/world?password=hunter2&sslpassword=hunter2&sslmode=prefer": "postgresql://h/world?sslmode=prefer",
		"postgres://ann:hunter2%zz@h/world":                                        "(a text that is not a URL)",
		"ann:hunter2@h":                                                            "(a text that is not a URL)",
	} {
		if got := Redact(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

func TestDatabaseThatLacksCommitsListedInLedgerIsRefused(t *testing.T) {
	dir, text := t.TempDir(), pgtest.Database(t)
	s := open(t, text, WithLedger(dir))
	if !s.FitsTape() {
		t.Error("a tape beside a new database is not continued")
	}
	character(t, s, "Ada")
	closeStore(t, s)
	s = open(t, text, WithLedger(dir))
	if !s.FitsTape() {
		t.Error("the tape of the last run is not continued")
	}
	closeStore(t, s)

	refused := func(text, want string) {
		t.Helper()
		if s, err := Open(t.Context(), text, WithLedger(dir)); err == nil {
			closeStore(t, s)
			t.Errorf("accepted; want %q", want)
		} else if !errors.Is(err, ErrLoss) || !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "--accept-loss") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v\nwant %q", err, want)
		}
	}
	refused(pgtest.Database(t), "the database is empty")
	other := pgtest.Database(t)
	closeStore(t, open(t, other))
	refused(other, "this database has 0 accounts and 0 characters; the one that the ledger belongs to had 1 and 1")
	pgtest.Shared(t).Exec(t, dbName(t, text), "UPDATE store SET commits = commits - 2, accounts = 0")
	refused(text, "2 commits are missing")

	var log bytes.Buffer
	s = open(t, text, WithLedger(dir), WithAcceptLoss(true), WithLog(slog.New(slog.NewTextHandler(&log, nil))))
	closeStore(t, s)
	if old, _ := filepath.Glob(filepath.Join(dir, LedgerName+".old")); len(old) != 1 || !strings.Contains(log.String(), "the loss was accepted") {
		t.Errorf("old ledgers: %v; log: %s", old, log.String())
	}
	closeStore(t, open(t, text, WithLedger(dir)))
}

// If another server, or a node of a cluster, has used the database in the meantime, the tape is older than the stored records.
func TestTapeIsOutdatedAfterOtherServerUsedDatabase(t *testing.T) {
	dir, text := t.TempDir(), pgtest.Database(t)
	fits := func(folder string, opts ...Option) bool {
		s := open(t, text, append(opts, WithLog(quiet), WithLedger(folder))...)
		defer closeStore(t, s)
		return s.FitsTape()
	}
	node := func(linked bool, opts ...Option) {
		s := open(t, text, append(opts, WithLog(quiet), Node("b"))...)
		defer closeStore(t, s)
		serial, err := s.ReserveSerials(t.Context(), "b", 1)
		if err == nil && linked {
			err = s.MarkLinked(t.Context(), "b", serial)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	fits(dir, ContinuesTape())
	for what, use := range map[string]func(){
		"another server":    func() { fits(t.TempDir(), ContinuesTape()) },
		"a node":            func() { node(true) },
		"a node of a world": func() { node(true, world) },
	} {
		use()
		for _, by := range []string{"a command", "another command"} {
			if fits(dir) {
				t.Errorf("after %s, %s finds that the tape fits, and the stored records are newer", what, by)
			}
		}
		if fits(dir, ContinuesTape()) {
			t.Errorf("after %s: the tape is continued, and the stored records are newer", what)
		}
		if !fits(dir) || !fits(dir, ContinuesTape()) {
			t.Errorf("after %s: the next runs do not continue their tape", what)
		}
	}
	node(false, world)
	if n, err := Open(t.Context(), text, WithLog(quiet), Node("d"), stranger); !errors.Is(err, ErrOtherCluster) {
		t.Errorf("a node of another cluster: %v", err)
		if err == nil {
			closeStore(t, n)
		}
	}
	if !fits(dir, ContinuesTape()) {
		t.Error("the tape is not continued after a node that had no link, and one that was refused")
	}
	if fits(t.TempDir(), ContinuesTape()) {
		t.Error("a folder that was never used with the database has a tape that fits")
	}
	text = pgtest.Database(t)
	node(true)
	if fits(t.TempDir(), ContinuesTape()) {
		t.Error("a tape is continued beside a database that only nodes have used")
	}
}

func TestLedgerThatCannotBeWrittenIsReported(t *testing.T) {
	s := open(t, pgtest.Database(t), WithLedger(t.TempDir()), WithLog(quiet))
	if err := s.ledger.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateAccount(t.Context(), store.Account{Name: "Ada"}); err != nil {
		t.Errorf("an account while the ledger cannot be written: %v", err)
	}
	if f := s.Failures(); len(f) != 1 || f[0].What != "LEDGER NOT WRITTEN" {
		t.Errorf("failures: %v", f)
	}
	_ = s.Close() // returns an error, because the test has already closed the ledger
}
