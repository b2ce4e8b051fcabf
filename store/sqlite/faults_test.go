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
	disk.opened = disk.calls
	defer func() { disk.closing = disk.calls }()
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
		if disk.liesAt == 0 && gold%2 == 0 { // every other save is checkpointed
			s.nextCheckpoint = 1
		}
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

// missing returns what of want the store does not have.
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

// dryRun returns a disk on which work has succeeded, for its numbers of calls.
func dryRun(t *testing.T) *faultDisk {
	d := useFaultDisk()
	work(t.Context(), t.TempDir(), func(string, int32) {})
	return d
}

// After a power cut every acknowledged change is there, whatever part of the unsynced writes has reached the disk.
func TestPowerCutLosesNothingAcknowledged(t *testing.T) {
	r := newSeed(t)
	for i, im := range cutAt(t, useFaultDisk(), r, points(r, 20, dryRun(t).calls)) {
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

// A disk that loses parts of the log that it has said to be synced is found out: the start has everything or says that something is
// missing. A loss during a checkpoint, when the file is written as well, is not part of this.
func TestDiskThatDropsSyncedWritesOfTheLogIsNoticed(t *testing.T) {
	r := newSeed(t)
	said := 0
	for range 2 {
		useFaultDisk().liesAt = 1 // without checkpoints
		work(t.Context(), t.TempDir(), func(string, int32) {})
		opened, closing := disk.opened, disk.closing
		d := useFaultDisk()
		d.liesAt = opened + 1 + r.IntN(closing-opened)
		at := map[int]bool{}
		for call := range points(r, 10, closing-opened) {
			at[opened+call] = true
		}
		for i, im := range cutAt(t, d, r, at) {
			s, err := Open(t.Context(), put(t, im.files), silent)
			if errors.Is(err, ErrLoss) {
				said++
				continue
			}
			if err != nil {
				t.Fatalf("lies from call %d, cut %d: %v", d.liesAt, i, err)
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
	total := dryRun(t).calls
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
