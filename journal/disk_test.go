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

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// failWrites makes every write fail until the returned function is called.
func (r *harness) failWrites() (repair func()) {
	r.t.Helper()
	rename := func(from, to string) {
		if _, err := r.j.db.Exec("ALTER TABLE " + from + " RENAME TO " + to); err != nil {
			r.t.Fatal(err)
		}
	}
	rename("entries", "away")
	return func() { rename("away", "entries") }
}

// While writes fail, no call blocks, one error is logged, and entries are lost only after the queue is full.
func TestFailingJournalWritesAreRetriedAndLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r := newHarness(t, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
		ann := []sim.ActorState{r.player(7, "Ann")}
		repair := r.failWrites()
		for range 20 {
			r.frame(ann, tooFast)
			time.Sleep(2 * time.Second)
		}
		if n := strings.Count(log.String(), "cannot write the journal"); n != 1 {
			t.Errorf("logged %d times\n%s", n, &log)
		}
		if f := r.j.Failure(); f == nil || time.Since(f.Since) < 30*time.Second || f.Err == nil || r.j.opt.Metrics.JournalFailing.Load() != 1 {
			t.Errorf("the failure is %+v", f)
		}
		repair()
		time.Sleep(maxRetryDelay)
		r.flush()
		if f := r.j.Failure(); f != nil || r.j.opt.Metrics.JournalFailing.Load() != 0 {
			t.Errorf("afterwards the failure is %+v", f)
		}
		if list := r.entries(Query{}); len(list) != 20 || list[0].ID != 20 {
			t.Errorf("%d entries are stored", len(list))
		}
		if !strings.Contains(log.String(), "journal is written again") {
			t.Errorf("%s", &log)
		}
	})
}

func TestFullWriteQueueDropsEntriesAndLogsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r := newHarness(t, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
		repair := r.failWrites()
		const n = maxQueue + maxBatch + 1000
		for i := range n {
			id := sim.EntityID(1 + i)
			r.frame(nil, sim.Event{Kind: sim.EventRefused, Who: id, Reason: reason.TooSoon})
			if i == maxBatch {
				time.Sleep(writeInterval) // now the writer takes a full batch
			}
		}
		time.Sleep(time.Minute)
		repair()
		time.Sleep(time.Minute)
		stored, lost := r.metrics.Journal.With("stored").Load(), r.metrics.Journal.With("lost").Load()
		if stored+lost != n || lost == 0 || stored < maxQueue {
			t.Errorf("%d stored, %d lost of %d", stored, lost, n)
		}
		if c := strings.Count(log.String(), "journal cannot keep up and lost entries"); c != 1 {
			t.Errorf("logged %d times\n%s", c, &log)
		}
	})
}

func TestJournalCloseReportsNumberOfUnwrittenEntries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newHarness(t, nil)
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
		r.failWrites()
		r.frame(ann, tooFast)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := r.j.Close(ctx)
		if err == nil || !strings.Contains(err.Error(), ": 1 journal entries could not be written: ") {
			t.Errorf("%v", err)
		}
		r.j = nil
	})
}

// If the journal file cannot be used, for example because it is damaged, Open renames it and creates a new one.
func TestDamagedJournalFileIsRenamedAndReplaced(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, path string){
		"garbage":     func(t *testing.T, path string) { writeFile(t, path, []byte(strings.Repeat("no database ", 1000))) },
		"truncated":   func(t *testing.T, path string) { truncateFile(t, path) },
		"overwritten": func(t *testing.T, path string) { overwriteFile(t, path) },
		"foreign": func(t *testing.T, path string) {
			writeFile(t, path, nil)
			execute(t, path, "CREATE TABLE notes (text TEXT)")
		},
		"newer": func(t *testing.T, path string) {
			execute(t, path, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)")
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newHarness(t, nil)
				ann := []sim.ActorState{r.player(7, "Ann")}
				for range 60 {
					r.frame(ann, tooFast)
					time.Sleep(time.Second)
				}
				r.close()
				damage(t, r.path)
				if reader, err := OpenReader(r.path); err == nil {
					_, err = reader.Entries(t.Context(), Query{Limit: 1000})
					if name != "overwritten" && name != "truncated" || err != nil && !errors.Is(err, ErrDamaged) {
						t.Errorf("the damaged file was opened: %v", err)
					}
					reader.Close()
				} else if !fileKind.IsUnusable(err) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), r.path) {
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

func writeFile(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func truncateFile(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, b[:len(b)/2])
}

// overwriteFile overwrites everything after the first page with random bytes.
func overwriteFile(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := 4096; i < len(b); i++ {
		b[i] = byte(random.Uint32())
	}
	writeFile(t, path, b)
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

func TestOpenReaderReturnsErrMissingIfJournalDoesNotExist(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	if _, err := OpenReader(path); !errors.Is(err, ErrMissing) {
		t.Errorf("no file: %v", err)
	}
	writeFile(t, path, nil)
	if _, err := OpenReader(path); !errors.Is(err, ErrMissing) {
		t.Errorf("an empty file: %v", err)
	}
	if _, err := Open(Options{Path: filepath.Join(path, "below", FileName)}); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("a file instead of a folder: %v", err)
	}
}

func TestFramesMissedByNodeThatWasAwayAreNoLossOfJournal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := new(logbuf.Buffer)
		r := newHarness(t, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(log, nil)) })
		want := func(when string, infos, warnings int) {
			t.Helper()
			time.Sleep(2 * writeInterval)
			if i, w := strings.Count(log.String(), "level=INFO msg=\"this node was away;"), strings.Count(log.String(), "level=WARN"); i != infos || w != warnings {
				t.Errorf("%s: %d lines say that the node was away, want %d; %d warnings, want %d:\n%s", when, i, infos, w, warnings, log)
			}
		}
		for range 2 {
			r.j.readFrame(area.Published{Frame: &sim.Frame{Tick: 2000}, Missed: 1002, CatchUp: true})
			want("after a return", 1, 0)
		}
		r.missed(nil, 7)
		want("after a loss", 1, 1)
		if n := r.metrics.Journal.With("missed_frames").Load(); n != 2011 || !strings.Contains(log.String(), "frames=7\n") {
			t.Errorf("%d missed frames, want 2011:\n%s", n, log)
		}
	})
}
