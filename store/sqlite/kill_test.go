package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// writerDir makes the test binary a writer that saves into this directory until it is killed.
const writerDir = "TRUESTEP_TEST_WRITER_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerDir); dir != "" {
		fmt.Fprintln(os.Stderr, writeForever(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

const party = 20 // characters that are saved together

// writeForever saves generation after generation and says each on standard output once it is saved.
func writeForever(dir string) error {
	ctx := context.Background()
	s, err := Open(ctx, dir)
	if err != nil {
		return err
	}
	roster, err := recruits(ctx, s)
	if err != nil {
		return err
	}
	for gold := roster[0].Gold + 1; ; gold++ {
		for _, c := range roster {
			c.Gold = gold
		}
		if err := s.SaveCharacters(ctx, roster); err != nil {
			return err
		}
		if _, err := fmt.Println(gold); err != nil {
			return err
		}
	}
}

// recruits returns the party, which the first writer makes, two characters to an account.
func recruits(ctx context.Context, s *Store) (roster []*sim.Character, err error) {
	for i := range party / 2 {
		name := fmt.Sprint("account", i)
		a, err := s.Account(ctx, name)
		if errors.Is(err, store.ErrNotFound) {
			_, err = s.ImportAccounts(ctx, []store.Import{{
				Account:    store.Account{Name: name},
				Characters: []*sim.Character{{Name: fmt.Sprint("A", i)}, {Name: fmt.Sprint("B", i)}},
			}})
			if err == nil {
				a, err = s.Account(ctx, name)
			}
		}
		if err != nil {
			return nil, err
		}
		two, err := s.Characters(ctx, a.ID)
		if err != nil {
			return nil, err
		}
		roster = append(roster, two...)
	}
	if len(roster) != party {
		return nil, fmt.Errorf("the party has %d", len(roster))
	}
	return roster, nil
}

// TestKilledWriterLosesNoSavedRecord kills a process in the middle of saving, again and again.
func TestKilledWriterLosesNoSavedRecord(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for round, acks := range []int{1, 25, 7, 60, 2} {
		acked := runWriter(t, self, dir, acks)
		s := open(t, dir) // looks at every page
		roster, err := recruits(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		stored := roster[0].Gold
		for _, c := range roster {
			if c.Gold != stored {
				t.Errorf("round %d: half a batch: %s has %d gold, %s has %d", round, roster[0].Name, stored, c.Name, c.Gold)
			}
		}
		if stored < acked {
			t.Errorf("round %d: generation %d was saved, the file has %d", round, acked, stored)
		}
		closeStore(t, s)
	}
}

// runWriter runs a writer, kills it after so many generations and returns the last one that it said.
func runWriter(t *testing.T, self, dir string, acks int) (acked int32) {
	t.Helper()
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), writerDir+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		n, err := strconv.ParseInt(lines.Text(), 10, 32)
		if err != nil {
			t.Errorf("the writer said %q", lines.Text())
		}
		acked = int32(n)
		if acks--; acks == 0 {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil || acks > 0 {
		t.Fatalf("the writer ended by itself: %v", err)
	}
	return acked
}
