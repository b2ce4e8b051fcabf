package journal

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/leaktest"
	"github.com/truestep-io/truestep/sim"
)

// writerFile is the environment variable that makes the test binary a process that writes to this journal until it is killed.
const writerFile = "TRUESTEP_TEST_JOURNAL"

func TestMain(m *testing.M) {
	if path := os.Getenv(writerFile); path != "" {
		fmt.Fprintln(os.Stderr, writeForever(path))
		os.Exit(1)
	}
	leaktest.VerifyTestMain(m)
}

// writeForever keeps adding entries and prints the ID of each once it is in the file.
func writeForever(path string) error {
	j, err := Open(Options{Path: path})
	if err != nil {
		return err
	}
	j.OnEntry(func(e Entry) { fmt.Println(e.ID) })
	for id := sim.EntityID(1); ; id++ {
		e := tooFast
		e.Who = id
		j.readFrame(area.Published{Frame: &sim.Frame{Tick: sim.Tick(id), Events: []sim.Event{e}}})
		time.Sleep(time.Millisecond)
	}
}

// A process is killed while it writes and another process keeps querying the file. Every printed ID is in the file, the file is
// not damaged, and the next server continues with it.
func TestJournalEntriesConfirmedAsWrittenSurviveKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	for round := range 2 {
		last := runKilledWriter(t, path)
		var log bytes.Buffer
		j, err := Open(Options{Path: path, Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		if log.Len() > 0 {
			t.Errorf("round %d: %s", round, &log)
		}
		var n, newest int64
		if err := j.db.QueryRow("SELECT count(*), max(id) FROM entries").Scan(&n, &newest); err != nil || newest < last || n != newest {
			t.Errorf("round %d: %v, %d entries up to %d, %d was printed", round, err, n, newest, last)
		}
		if err := j.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

// runKilledWriter runs a writer, reads the IDs that it prints, kills it after 100, and returns the last ID.
func runKilledWriter(t *testing.T, path string) (last int64) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), writerFile+"="+path)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var reader *Reader
	printed := 0
	for s := bufio.NewScanner(out); s.Scan(); printed++ {
		if last, err = strconv.ParseInt(s.Text(), 10, 64); err != nil {
			t.Fatal(err)
		}
		switch printed {
		case 0:
			if reader, err = OpenReader(path); err != nil {
				t.Error(err)
			}
		case 100:
			cmd.Process.Kill() // the loop continues to read what the process has written before
		}
		if reader != nil && printed%50 == 0 {
			if list, err := reader.Entries(t.Context(), Query{Limit: 5}); err != nil || len(list) == 0 || list[0].ID < last {
				t.Errorf("%d was printed, %v, the reader has %d entries", last, err, len(list))
			}
		}
	}
	_ = cmd.Wait() // it was killed
	if printed <= 100 || reader == nil {
		t.Fatalf("the writer ended by itself after %d: %s", printed, &errs)
	}
	if err := reader.Close(); err != nil {
		t.Error(err)
	}
	return last
}
