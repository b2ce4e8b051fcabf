//go:build linux && (amd64 || arm64)

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	codes "modernc.org/sqlite/lib"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

var silent = WithLog(slog.New(slog.NewTextHandler(io.Discard, nil)))

// acknowledged is what the store has confirmed: the gold of each character.
type acknowledged map[string]int32

// work uses the store on d until it fails to open: accounts, characters, saves, checkpoints and a stop. acked is called with every
// confirmed value.
func work(ctx context.Context, dir string, acked func(name string, gold int32)) {
	s, err := Open(ctx, dir, silent, func(s *Store) { s.vfs = "faulty" })
	if err != nil {
		return
	}
	defer s.Close()
	var party []*sim.Character
	for i := range 4 {
		c := &sim.Character{Name: fmt.Sprint("c", i)}
		id, err := s.CreateAccount(ctx, store.Account{Name: c.Name})
		if err != nil {
			continue
		}
		if c.ID, err = s.CreateCharacter(ctx, id, c, 1); err != nil {
			continue
		}
		acked(c.Name, 0)
		party = append(party, c)
	}
	for gold := range int32(6) {
		s.mu.Lock()
		s.nextCheckpoint = int64(1 + gold%2*checkpointBytes) // every other save is checkpointed
		s.mu.Unlock()
		for _, c := range party {
			c.Gold = gold + 1
		}
		if s.SaveCharacters(ctx, party) != nil {
			continue
		}
		for _, c := range party {
			acked(c.Name, c.Gold)
		}
	}
}

// holds reports what of want the store does not have.
func (want acknowledged) missing(t *testing.T, s *Store) (list []string) {
	t.Helper()
	for name, gold := range want {
		a, err := s.Account(t.Context(), name)
		if err != nil {
			list = append(list, "account "+name)
			continue
		}
		if roster, err := s.Characters(t.Context(), a.ID); err != nil || len(roster) != 1 || roster[0].Gold < gold {
			list = append(list, fmt.Sprintf("character %s with %d gold", name, gold))
		}
	}
	return list
}

// image is what a power cut leaves, and what was acknowledged by then.
type image struct {
	files map[string][]byte
	acked acknowledged
}

// cutAt runs work and returns the image of a power cut before each of these calls.
func cutAt(t *testing.T, d *faultDisk, r *rand.Rand, at map[int]bool) (images []image) {
	dir, acked := t.TempDir(), acknowledged{}
	path := filepath.Join(dir, FileName)
	d.before = func(call int) {
		if !at[call] {
			return
		}
		all := map[string][]byte{}
		for _, suffix := range []string{"", logSuffix} {
			if b := d.afterPowerCut(path+suffix, r); b != nil {
				all[FileName+suffix] = b
			}
		}
		if b, err := os.ReadFile(path + ledgerSuffix); err == nil { // the store syncs each line before it goes on
			all[ledgerName] = b
		}
		images = append(images, image{all, maps.Clone(acked)})
	}
	work(t.Context(), dir, func(name string, gold int32) { acked[name] = gold })
	if len(acked) != 4 || acked["c0"] != 6 {
		t.Fatalf("acknowledged: %v", acked)
	}
	return images
}

// points returns n different calls of the first total.
func points(r *rand.Rand, n, total int) map[int]bool {
	at := map[int]bool{}
	for _, call := range r.Perm(total)[:min(n, total)] {
		at[call+1] = true
	}
	return at
}

func newSeed(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

func totalCalls(t *testing.T) int {
	d := useFaultDisk()
	work(t.Context(), t.TempDir(), func(string, int32) {})
	return d.calls
}

// After a power cut every acknowledged change is there, whatever part of the unsynced writes has reached the disk.
func TestPowerCutLosesNothingAcknowledged(t *testing.T) {
	r := newSeed(t)
	for i, im := range cutAt(t, useFaultDisk(), r, points(r, 20, totalCalls(t))) {
		s, err := Open(t.Context(), put(t, im.files), silent)
		if err != nil {
			t.Errorf("cut %d: %v", i, err)
			continue
		}
		if lost := im.acked.missing(t, s); len(lost) > 0 {
			t.Errorf("cut %d: missing: %v", i, lost)
		}
		closeStore(t, s)
	}
}

// A disk that loses what it has said to be synced is found out: the start has everything or says that something is missing.
func TestDiskThatDropsSyncedWritesIsNoticed(t *testing.T) {
	r := newSeed(t)
	total := totalCalls(t)
	said := 0
	for range 2 {
		d := useFaultDisk()
		d.liesAt = 1 + r.IntN(total)
		for i, im := range cutAt(t, d, r, points(r, 10, total)) {
			s, err := Open(t.Context(), put(t, im.files), silent)
			if err != nil {
				if !errors.Is(err, store.ErrCorrupt) && !errors.Is(err, ErrForeign) {
					t.Errorf("cut %d: %v", i, err)
				}
				said++
				continue
			}
			if lost := im.acked.missing(t, s); len(lost) > 0 {
				t.Errorf("lies from call %d, cut %d: without a word missing: %v", d.liesAt, i, lost)
			}
			closeStore(t, s)
		}
	}
	t.Logf("%d of 20 starts refused", said)
}

// Calls that fail once or for a while, at any place, lose nothing that was acknowledged.
func TestFailingCallsLoseNothingAcknowledged(t *testing.T) {
	r := newSeed(t)
	total := totalCalls(t)
	for i := range 16 {
		first, n := 1+r.IntN(total), 1+r.IntN(2)*r.IntN(30)
		rc := []int32{codes.SQLITE_FULL, codes.SQLITE_IOERR_WRITE, codes.SQLITE_IOERR_FSYNC, codes.SQLITE_IOERR_TRUNCATE}[i%4]
		d := useFaultDisk()
		d.fail = func(call int, op string) int32 {
			if call >= first && call < first+n {
				return rc
			}
			return 0
		}
		dir, acked := t.TempDir(), acknowledged{}
		work(t.Context(), dir, func(name string, gold int32) { acked[name] = gold })
		s, err := Open(t.Context(), dir, silent)
		if err != nil {
			t.Errorf("error %d at calls %d+%d: %v", rc, first, n, err)
			continue
		}
		if lost := acked.missing(t, s); len(lost) > 0 {
			t.Errorf("error %d at calls %d+%d: missing: %v", rc, first, n, lost)
		}
		closeStore(t, s)
	}
}
