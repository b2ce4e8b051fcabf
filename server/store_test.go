package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/postgres"
	"github.com/truestep-io/truestep/store/sqlite"
)

// databaseConfig returns a server configuration with a new PostgreSQL database.
func databaseConfig(t *testing.T) Config {
	t.Helper()
	cfg := quietConfig(t)
	cfg.Store = StoreURL(pgtest.Database(t))
	return cfg
}

func TestStoreURLHidesPasswordInLogsAndErrors(t *testing.T) {
	u := StoreURL("postgres://ann:hunter2@db.example/world?password=hunter2")
	var log bytes.Buffer
	for _, h := range []slog.Handler{slog.NewTextHandler(&log, nil), slog.NewJSONHandler(&log, nil)} {
		slog.New(h).Info("store", "store", u, "place", StorePlace(u), "config", StoreConfig{Store: u})
	}
	texts := fmt.Sprintf("%s %v %+v %#v %q", u, StorePlace(u), StoreConfig{Store: u}, StoreConfig{Store: u}, u) + log.String()
	if strings.Contains(texts, "hunter2") || !strings.Contains(texts, "postgres://ann@db.example/world") {
		t.Error(texts)
	}
	for _, wrong := range []StoreURL{"hunter2", "mysql://ann:hunter2@db", "postgres://ann:hunter2@db:x/world", "postgres://ann:hunter2%@db/world"} {
		cfg := quietConfig(t)
		cfg.Store = wrong
		if err := cfg.Check(); !errors.Is(err, postgres.ErrURL) || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "\n") {
			t.Errorf("a wrong URL: %v", err)
		}
	}
}

func TestPlayerStoredInDatabaseSurvivesRestart(t *testing.T) {
	cfg := databaseConfig(t)
	s := start(t, cfg)
	p := join(t, s)
	walkAway(t, s, p)
	if _, err := Start(t.Context(), cfg); !errors.Is(err, sqlite.ErrInUse) {
		t.Errorf("a second server on the same folder: %v", err)
	}
	other := cfg
	other.DataDir = t.TempDir()
	if _, err := Start(t.Context(), other); !errors.Is(err, postgres.ErrInUse) || strings.Contains(err.Error(), pgtest.Password) {
		t.Errorf("a second server on the same database: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(cfg.DataDir, sqlite.FileName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the data folder has an SQLite file: %v", err)
	}
	s = start(t, cfg)
	defer s.Close()
	a, err := s.store.Account(t.Context(), p.Login.Name)
	if err != nil {
		t.Fatal(err)
	}
	roster, err := s.store.Characters(t.Context(), a.ID)
	if err != nil || len(roster) != 1 || roster[0].Version == 0 {
		t.Errorf("stored are %+v, %v", roster, err)
	}

	plain := cfg
	plain.Store = ""
	if _, err := Start(t.Context(), plain); err == nil || !strings.Contains(err.Error(), "name it with --store") {
		t.Errorf("the folder without the database: %v", err)
	}
}

func TestServerStopsWhenAnotherServerTakesOverItsDatabase(t *testing.T) {
	cfg := databaseConfig(t)
	s := start(t, cfg)
	defer s.Close()
	u, err := url.Parse(string(cfg.Store))
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		"UPDATE store SET run = run + 1", // committed before the server's store connects again
		"SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
	} {
		pgtest.Shared(t).Exec(t, strings.TrimPrefix(u.Path, "/"), query)
	}
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	if err := s.Wait(ctx); !errors.Is(err, postgres.ErrInUse) {
		t.Errorf("the server ended with %v", err)
	}
}

func TestTapeOlderThanDatabaseIsRenamedAtStart(t *testing.T) {
	cfg := databaseConfig(t)
	cfg.TapeConfig = Default().TapeConfig
	serve := func(dir string) {
		t.Helper()
		cfg.DataDir = dir
		s := start(t, cfg)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	first, second := cfg.DataDir, t.TempDir()
	aside := func() int {
		list, _ := filepath.Glob(filepath.Join(first, tapeDiscarded+"*"))
		return len(list)
	}
	serve(first)
	serve(first)
	if aside() != 0 {
		t.Error("a tape was set aside although no other server used the database")
	}
	serve(second)
	serve(first)
	if aside() != 1 {
		t.Errorf("%d tapes were set aside", aside())
	}
}

func TestBackupOfDatabaseIsRestoredToDatabaseAndToFolder(t *testing.T) {
	cfg := databaseConfig(t)
	s := start(t, cfg)
	p := join(t, s)
	writeText(t, filepath.Join(cfg.DataDir, "web.key"), "key of guests")
	file := filepath.Join(t.TempDir(), "all.backup")
	backup := Backup{File: file, DataDir: cfg.DataDir, StoreConfig: cfg.StoreConfig, Keys: true, Journal: true, Tape: true}
	var out bytes.Buffer
	if err := backup.Write(t.Context(), &out, io.Discard); err != nil { // make a backup while the server runs
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "1 account and 1 character") || !strings.Contains(out.String(), "web.key") || strings.Contains(out.String(), pgtest.Password) {
		t.Errorf("the backup says %s", &out)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*"))
	if len(left) > 0 {
		t.Errorf("left over: %v", left)
	}

	to := databaseConfig(t)
	writeText(t, filepath.Join(to.DataDir, sqlite.TapeFolder), "an old tape")
	bring := Restore{File: file, DataDir: to.DataDir, StoreConfig: to.StoreConfig}
	out.Reset()
	if err := bring.Bring(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	if err := bring.Bring(t.Context(), &out); !errors.Is(err, store.ErrNotEmpty) {
		t.Errorf("restored twice: %v", err)
	}
	if b, err := os.ReadFile(filepath.Join(to.DataDir, "web.key")); err != nil || string(b) != "key of guests" {
		t.Errorf("the key is %q, %v", b, err)
	}
	if hasFolder(filepath.Join(to.DataDir, sqlite.TapeFolder)) {
		t.Error("the old tape is still there")
	}
	folder := quietConfig(t)
	if err := (&Restore{File: file, DataDir: folder.DataDir}).Bring(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	for _, c := range []Config{to, folder} {
		s := start(t, c)
		if _, err := s.store.Account(t.Context(), p.Login.Name); err != nil {
			t.Errorf("store %q: %v", c.Store, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAccountsAreCopiedFromFolderToDatabaseAndBack(t *testing.T) {
	cfg := quietConfig(t)
	s := start(t, cfg)
	p := join(t, s)
	database := pgtest.Database(t)
	c := CopyStore{From: StorePlace("sqlite:" + cfg.DataDir), To: StorePlace(database)}
	var out bytes.Buffer
	run := func() error {
		out.Reset()
		return c.Run(t.Context(), &out, io.Discard)
	}
	if err := run(); !errors.Is(err, sqlite.ErrInUse) {
		t.Errorf("a copy while the server runs: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := run(); err != nil || strings.Count(out.String(), "\n") != 1 || !strings.HasPrefix(out.String(), "copied and verified: 1 account, 1 character and 1 known address from sqlite:") || strings.Contains(out.String(), pgtest.Password) {
		t.Errorf("the copy says %q, %v", &out, err)
	}
	if err := run(); !errors.Is(err, store.ErrNotEmpty) || !strings.Contains(err.Error(), "--replace") {
		t.Errorf("a second copy: %v", err)
	}
	c.Replace = true
	if err := run(); err != nil {
		t.Errorf("a copy over the first: %v", err)
	}

	cfg.Store = StoreURL(database)
	s = start(t, cfg)
	if err := s.hub.Ban(t.Context(), p.Login.Name, ""); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if !hasFolder(filepath.Join(cfg.DataDir, sqlite.TapeFolder)) {
		t.Error("there is no tape")
	}
	c.From, c.To = c.To, c.From
	if err := run(); err != nil {
		t.Fatal(err)
	}
	if hasFolder(filepath.Join(cfg.DataDir, sqlite.TapeFolder)) {
		t.Error("the tape is still there")
	}
	cfg.Store = ""
	s = start(t, cfg) // the folder belongs to no database any more
	defer s.Close()
	if list, err := s.store.Banned(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("banned are %v, %v", list, err)
	}
	fresh := filepath.Join(t.TempDir(), "new")
	c.From, c.To, c.Replace = StorePlace(pgtest.Database(t)), StorePlace("sqlite:"+fresh), false
	if err := run(); err == nil || !strings.Contains(err.Error(), "has no tables of truestep") {
		t.Errorf("a copy of an empty database: %v", err)
	}
	if _, err := os.Stat(filepath.Join(fresh, sqlite.FileName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a copy that failed left a file: %v", err)
	}
	for _, wrong := range []CopyStore{{From: "x", To: "sqlite:y"}, {From: "sqlite:", To: "sqlite:y"}, {From: "sqlite:y", To: "postgres://a:hunter2@h:x/d"}, {From: "sqlite:y", To: "sqlite:y"}, {From: StorePlace("sqlite:" + t.TempDir()), To: "sqlite:y"}} {
		if err := wrong.Run(t.Context(), &out, io.Discard); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v to %v: %v", wrong.From, wrong.To, err)
		}
	}
}

// A file contains a player record that the server could not save. Restore writes it to the database, but does not
// overwrite a record that is as new.
func TestFileOfUnsavedPlayerRecordsIsRestoredToDatabaseOnce(t *testing.T) {
	cfg := databaseConfig(t)
	s := start(t, cfg)
	p := join(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := postgres.Open(t.Context(), string(cfg.Store))
	if err != nil {
		t.Fatal(err)
	}
	c, err := db.Character(t.Context(), p.Character.ID)
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	c.Gold, c.Version = 77, c.Version+1
	var text bytes.Buffer
	if err := store.WriteRecords(&text, []*sim.Character{c}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "unsaved.jsonl")
	writeText(t, file, text.String())
	bring := Restore{File: file, DataDir: cfg.DataDir, StoreConfig: cfg.StoreConfig}
	for _, want := range []string{"restored 1 player record", "the stored record is as new or newer"} {
		var out bytes.Buffer
		if err := bring.Bring(t.Context(), &out); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s, %v; want %q", &out, err, want)
		}
	}
}
