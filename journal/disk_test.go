package journal

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// break lets every write fail until the returned function is called.
func (r *rig) breaks() (mend func()) {
	r.t.Helper()
	rename := func(from, to string) {
		if _, err := r.j.db.Exec("ALTER TABLE " + from + " RENAME TO " + to); err != nil {
			r.t.Fatal(err)
		}
	}
	rename("entries", "away")
	return func() { rename("away", "entries") }
}

// A disk that does not write delays nobody, is logged once, and loses nothing as long as there is room.
func TestAFailingDiskIsLoggedOnceAndTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r := newRig(t, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
		ann := []sim.ActorState{r.player(7, "Ann")}
		mend := r.breaks()
		for range 20 {
			r.frame(ann, tooFast)
			time.Sleep(2 * time.Second)
		}
		if n := strings.Count(log.String(), "the journal is not written"); n != 1 {
			t.Errorf("logged %d times\n%s", n, &log)
		}
		mend()
		time.Sleep(maxRetryDelay)
		r.flush()
		if list := r.entries(Query{}); len(list) != 20 || list[0].ID != 20 {
			t.Errorf("%d entries are there", len(list))
		}
		if !strings.Contains(log.String(), "the journal is written again") {
			t.Errorf("%s", &log)
		}
	})
}

func TestAFullQueueLosesEntriesAndSaysSoOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r := newRig(t, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
		mend := r.breaks()
		const n = maxQueue + maxBatch + 1000
		for i := range n {
			id := sim.EntityID(1 + i)
			r.frame(nil, sim.Event{Kind: sim.EventRefused, Who: id, Reason: reason.TooSoon})
			if i == maxBatch {
				time.Sleep(writeInterval) // the writer has its hands full
			}
		}
		time.Sleep(time.Minute)
		mend()
		time.Sleep(time.Minute)
		stored, lost := r.metrics.Journal.With("stored").Load(), r.metrics.Journal.With("lost").Load()
		if stored+lost != n || lost == 0 || stored < maxQueue {
			t.Errorf("%d stored, %d lost of %d", stored, lost, n)
		}
		if c := strings.Count(log.String(), "the journal is behind and has holes"); c != 1 {
			t.Errorf("logged %d times\n%s", c, &log)
		}
	})
}

func TestCloseWritesEverythingOrSaysHowMuchIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		ann := []sim.ActorState{r.player(7, "Ann")}
		for range 3 {
			r.frame(ann, tooFast)
			time.Sleep(2 * time.Second)
		}
		r.frame(ann, tooFast)
		r.close()
		r.open(nil)
		if list := r.entries(Query{}); len(list) != 4 {
			t.Errorf("%d entries", len(list))
		}
		r.breaks()
		r.frame(ann, tooFast)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := r.j.Close(ctx)
		if err == nil || !strings.Contains(err.Error(), ": 1 entries are not written: ") {
			t.Errorf("%v", err)
		}
		r.j = nil
	})
}

// Whatever is wrong with the file, the server starts with a new one, and what was there is kept aside.
func TestADamagedFileIsMovedAside(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, path string){
		"garbage":   func(t *testing.T, path string) { put(t, path, []byte(strings.Repeat("no database ", 1000))) },
		"cut":       func(t *testing.T, path string) { cut(t, path) },
		"scribbled": func(t *testing.T, path string) { scribble(t, path) },
		"foreign": func(t *testing.T, path string) {
			put(t, path, nil)
			execute(t, path, "CREATE TABLE notes (text TEXT)")
		},
		"newer": func(t *testing.T, path string) {
			execute(t, path, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)")
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil)
				ann := []sim.ActorState{r.player(7, "Ann")}
				for range 60 {
					r.frame(ann, tooFast)
					time.Sleep(time.Second)
				}
				r.close()
				damage(t, r.path)
				if reader, err := OpenReader(r.path); err == nil {
					_, err = reader.Entries(t.Context(), Query{Limit: 1000})
					if name != "scribbled" && name != "cut" || err != nil && !errors.Is(err, ErrDamaged) {
						t.Errorf("it was read: %v", err)
					}
					reader.Close()
				} else if !isUnusable(err) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), r.path) {
					t.Errorf("%v", err)
				}
				var log bytes.Buffer
				r.open(func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
				if n := strings.Count(log.String(), "\n"); n != 1 || !strings.Contains(log.String(), "level=WARN") || !strings.Contains(log.String(), ".damaged") {
					t.Errorf("%s", &log)
				}
				if aside, err := filepath.Glob(r.path + ".*.damaged"); err != nil || len(aside) != 1 {
					t.Errorf("%v, %v", aside, err)
				}
				r.frame(ann, tooFast)
				r.flush()
				if list := r.entries(Query{}); len(list) != 1 {
					t.Errorf("%d entries", len(list))
				}
			})
		})
	}
}

func put(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func cut(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, b[:len(b)/2])
}

// scribble overwrites everything behind the first page with noise.
func scribble(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	luck := rand.New(rand.NewPCG(1, 2))
	for i := 4096; i < len(b); i++ {
		b[i] = byte(luck.Uint32())
	}
	put(t, path, b)
}

func execute(t *testing.T, path, query string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(query); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

func TestReadersSayWhatIsMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	if _, err := OpenReader(path); !errors.Is(err, ErrMissing) {
		t.Errorf("no file: %v", err)
	}
	put(t, path, nil)
	if _, err := OpenReader(path); !errors.Is(err, ErrMissing) {
		t.Errorf("an empty file: %v", err)
	}
	if _, err := Open(Options{Path: filepath.Join(path, "below", FileName)}); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("a file instead of a folder: %v", err)
	}
}
