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

	"go.uber.org/goleak"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
)

// writerFile makes the test binary a server that writes into this journal until it is killed.
const writerFile = "TRUESTEP_TEST_JOURNAL"

func TestMain(m *testing.M) {
	if path := os.Getenv(writerFile); path != "" {
		fmt.Fprintln(os.Stderr, writeForever(path))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// writeForever enters something new all the time and says the number of each entry once it is in the file.
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

// The process is killed while it writes: what was told to be in the file is there, the file is whole, and the next server
// goes on with it. A reader of another process looks on all the time.
func TestAKilledServerLeavesEverythingThatWasTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	for round := range 2 {
		last := killedWriter(t, path)
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
			t.Errorf("round %d: %v, %d entries up to %d, %d was told", round, err, n, newest, last)
		}
		if err := j.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

// killedWriter runs a server for a moment, reads what it writes, kills it, and returns the last number that it told.
func killedWriter(t *testing.T, path string) (last int64) {
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
	told := 0
	for s := bufio.NewScanner(out); s.Scan(); told++ {
		if last, err = strconv.ParseInt(s.Text(), 10, 64); err != nil {
			t.Fatal(err)
		}
		switch told {
		case 0:
			if reader, err = OpenReader(path); err != nil {
				t.Error(err)
			}
		case 100:
			cmd.Process.Kill() // what is in the pipe is read to its end
		}
		if reader != nil && told%50 == 0 {
			if list, err := reader.Entries(t.Context(), Query{Limit: 5}); err != nil || len(list) == 0 || list[0].ID < last {
				t.Errorf("%d was told, %v, the reader has %d entries", last, err, len(list))
			}
		}
	}
	_ = cmd.Wait() // it was killed
	if told <= 100 || reader == nil {
		t.Fatalf("it ended by itself after %d: %s", told, &errs)
	}
	if err := reader.Close(); err != nil {
		t.Error(err)
	}
	return last
}
