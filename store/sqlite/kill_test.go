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

// writerDir is the environment variable that makes the test binary a writer, which saves into this directory until it is
// killed.
const writerDir = "TRUESTEP_TEST_WRITER_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerDir); dir != "" {
		fmt.Fprintln(os.Stderr, writeForever(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

const party = 20 // number of characters that are saved in one batch

// writeForever saves one generation of records after another and prints the number of each generation after it is saved.
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
		if err := s.SaveCharacters(ctx, nil, roster); err != nil {
			return err
		}
		if _, err := fmt.Println(gold); err != nil {
			return err
		}
	}
}

// recruits returns the characters that every generation saves, two per account. The first writer creates them.
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
		return nil, fmt.Errorf("the party has %d characters, want %d", len(roster), party)
	}
	return roster, nil
}

// TestKilledWriterLosesNoSavedRecord kills a process repeatedly while it saves.
func TestKilledWriterLosesNoSavedRecord(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for round, acks := range []int{1, 25, 7, 60, 2} {
		acked := runWriter(t, self, dir, acks)
		s := open(t, dir) // Open verifies every page of the file
		roster, err := recruits(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		stored := roster[0].Gold
		for _, c := range roster {
			if c.Gold != stored {
				t.Errorf("round %d: a batch was saved in part: %s has %d gold, %s has %d", round, roster[0].Name, stored, c.Name, c.Gold)
			}
		}
		if stored < acked {
			t.Errorf("round %d: generation %d was saved, the file has %d", round, acked, stored)
		}
		closeStore(t, s)
	}
}

// runWriter runs a writer, kills it after acks generations and returns the last generation that it printed.
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
			t.Errorf("the writer printed %q", lines.Text())
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
