//go:build linux && (amd64 || arm64)

package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	codes "modernc.org/sqlite/lib"

	"github.com/truestep-io/truestep/internal/race"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

var silent = WithLog(slog.New(slog.NewTextHandler(io.Discard, nil)))

// acknowledged holds the gold of each character, by name, that the store has confirmed to be saved.
type acknowledged map[string]int32

// work runs a workload on a store in dir, which is on the faultDisk: it creates accounts and characters, saves, checkpoints and
// closes. It calls acked after each confirmed save with the name and the gold of the character. The rows of each table fill
// several pages.
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
		c := &sim.Character{Name: fmt.Sprint("c", i), Tag: longText}
		id, err := s.CreateAccount(ctx, store.Account{Name: c.Name, Email: longText})
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
		if disk.liesAt == 0 || len(disk.lies) != 1 || disk.lies[0] != logSuffix { // checkpoint after every other save
			s.nextCheckpoint = []int64{1, checkpointBytes}[gold%2]
		}
		s.mu.Unlock()
		for _, c := range party {
			c.Gold = gold + 1
		}
		if s.SaveCharacters(ctx, nil, party) != nil {
			continue
		}
		for _, c := range party {
			acked(c.Name, c.Gold)
		}
	}
}

var longText = strings.Repeat("long ", 300)

// missing returns the names in want whose account or character is not in the store or has another amount of gold.
func (want acknowledged) missing(t *testing.T, s *Store) (list []string) {
	t.Helper()
	for name, gold := range want {
		a, err := s.Account(t.Context(), name)
		if err != nil || a.Email != longText {
			list = append(list, name)
			continue
		}
		if roster, err := s.Characters(t.Context(), a.ID); err != nil || len(roster) != 1 || roster[0].Name != name || roster[0].Gold < gold || roster[0].Tag != longText {
			list = append(list, name)
		}
	}
	return list
}

// start opens a store with the files of the image. The store must have all acknowledged values, or the error or the log must report
// the missing ones; otherwise the test fails. The result said is true if a loss was reported. start also checks that a loss that the
// operator has accepted is not reported again.
func (im image) start(t *testing.T, what string) (said bool) {
	t.Helper()
	dir := put(t, im.files)
	for accept := range 2 {
		var text bytes.Buffer
		log := WithLog(slog.New(slog.NewTextHandler(&text, nil)))
		s, err := Open(t.Context(), dir, log, WithAcceptLoss(accept > 0))
		if accept == 0 && errors.Is(err, ErrLoss) {
			continue
		}
		if isUnusable(err) {
			return true
		}
		if err != nil {
			t.Errorf("%s: %v", what, err)
			return false
		}
		lost := im.acked.missing(t, s)
		closeStore(t, s)
		if accept == 0 {
			for _, name := range lost {
				if said = true; !namesAccount(text.String(), name) {
					t.Errorf("%s: %s is missing without a word; log:\n%s", what, name, text.String())
				}
			}
			return said
		}
		if s, err = Open(t.Context(), dir, silent); err != nil {
			t.Errorf("%s: after the loss was accepted: %v", what, err)
			return true
		}
		closeStore(t, s)
	}
	return true
}

// namesAccount reports whether the log names the account and character that the function work created with the given name: by its
// name or, because the name may be damaged, by its ID. The IDs of both are 1 for c0, 2 for c1 and so on.
func namesAccount(log, name string) bool {
	return strings.Contains(log, "="+name+" ") || strings.Contains(log, fmt.Sprintf(" id=%d ", 1+name[1]-'0'))
}

// image holds the files after a power cut and the values that were acknowledged before it.
type image struct {
	files map[string][]byte
	acked acknowledged
}

// cutNow returns the image of a power cut at this moment.
func cutNow(d *faultDisk, path string, r *rand.Rand, acked acknowledged) image {
	all := map[string][]byte{}
	for _, suffix := range []string{"", logSuffix} {
		if b := d.afterPowerCut(path+suffix, r); b != nil {
			all[FileName+suffix] = b
		}
	}
	if b, err := os.ReadFile(path + ledgerSuffix); err == nil { // the store syncs each line of the ledger before it continues
		all[ledgerName] = b
	}
	return image{all, maps.Clone(acked)}
}

// cutAt runs work and returns the images of power cuts before the disk calls with the numbers in at.
func cutAt(t *testing.T, d *faultDisk, r *rand.Rand, at map[int]bool) (images []image) {
	dir, acked := t.TempDir(), acknowledged{}
	path := filepath.Join(dir, FileName)
	d.before = func(call int) {
		if !at[call] {
			return
		}
		images = append(images, cutNow(d, path, r, acked))
	}
	work(t.Context(), dir, func(name string, gold int32) { acked[name] = gold })
	if len(acked) != 4 || acked["c0"] != 6 {
		t.Fatalf("acknowledged: %v", acked)
	}
	return images
}

// points returns n different numbers in 1..total: the disk calls at which a fault is injected.
func points(r *rand.Rand, n, total int) map[int]bool {
	at := map[int]bool{}
	for _, call := range r.Perm(total)[:min(n, total)] {
		at[call+1] = true
	}
	return at
}

// shortened returns n, or a fourth of n under the race detector, which makes SQLite slow.
func shortened(n int) int {
	if race.Enabled {
		return n / 4
	}
	return n
}

func newSeed(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// dryRun runs work without faults and returns the disk, which has counted the calls.
func dryRun(t *testing.T) *faultDisk {
	d := useFaultDisk()
	work(t.Context(), t.TempDir(), func(string, int32) {})
	return d
}

// After a power cut the store has every acknowledged change, whatever part of the unsynced writes has reached the disk.
func TestAcknowledgedChangesSurvivePowerCut(t *testing.T) {
	r := newSeed(t)
	for i, im := range cutAt(t, useFaultDisk(), r, points(r, shortened(20), dryRun(t).calls)) {
		if im.start(t, fmt.Sprint("cut ", i)) {
			t.Errorf("cut %d: data is missing", i)
		}
	}
}

// An account or character whose creation was confirmed exists after a power cut immediately after the confirmation.
func TestNewAccountAndCharacterSurviveImmediatePowerCut(t *testing.T) {
	r := newSeed(t)
	d, dir := useFaultDisk(), t.TempDir()
	path := filepath.Join(dir, FileName)
	s, err := Open(t.Context(), dir, silent, func(s *Store) { s.vfs = "faulty" })
	if err != nil {
		t.Fatal(err)
	}
	defer closeStore(t, s)
	for i := range shortened(8) {
		c := &sim.Character{Name: fmt.Sprint("c", i), Tag: longText}
		id, err := s.CreateAccount(t.Context(), store.Account{Name: c.Name, Email: longText})
		if err != nil {
			t.Fatal(err)
		}
		image := cutNow(d, path, r, nil)
		after := open(t, put(t, image.files))
		if a, err := after.Account(t.Context(), c.Name); err != nil || a.ID != id {
			t.Errorf("after a cut right after its creation, account %d is %v, %v", i, a, err)
		}
		closeStore(t, after)
		if c.ID, err = s.CreateCharacter(t.Context(), id, c, 1); err != nil {
			t.Fatal(err)
		}
		after = open(t, put(t, cutNow(d, path, r, nil).files))
		if got, err := after.Character(t.Context(), c.ID); err != nil || got.Tag != longText {
			t.Errorf("after a cut right after its creation, character %d is %v, %v", i, got, err)
		}
		closeStore(t, after)
	}
}

// If a disk loses parts of writes that it has reported as synced, in the log or during a checkpoint, Open reports the loss.
func TestDiskThatLosesSyncedWritesIsReported(t *testing.T) {
	r := newSeed(t)
	for _, lies := range [][]string{{logSuffix}, {""}, {"", logSuffix}} {
		prepare := func(liesAt int) *faultDisk {
			d := useFaultDisk()
			d.liesAt, d.lies = liesAt, lies
			return d
		}
		dry := prepare(1 << 30)
		work(t.Context(), t.TempDir(), func(string, int32) {})
		said := 0
		for range 2 {
			d := prepare(dry.opened + 1 + r.IntN(dry.closing-dry.opened))
			at := map[int]bool{}
			for call := range points(r, shortened(8), dry.closing-dry.opened) {
				at[dry.opened+call] = true
			}
			for i, im := range cutAt(t, d, r, at) {
				if im.start(t, fmt.Sprintf("lies about %q from call %d, cut %d", lies, d.liesAt, i)) {
					said++
				}
			}
		}
		t.Logf("lies about %q: %d of %d starts said that data is missing", lies, said, shortened(16))
	}
}

// After one flipped bit anywhere in the files, Open reports every loss.
func TestDataLossByFlippedBitIsReported(t *testing.T) {
	r := newSeed(t)
	acked := acknowledged{}
	useFaultDisk()
	dir := t.TempDir()
	var whole, stopped map[string][]byte
	work(t.Context(), dir, func(name string, gold int32) {
		if acked[name] = gold; gold == 6 && name == "c3" {
			whole = files(t, dir)
		}
	})
	stopped = files(t, dir)
	said := 0
	for i := range shortened(40) {
		all := []map[string][]byte{whole, stopped}[i%2]
		name := []string{FileName, FileName, FileName, logName, ledgerName}[i%5]
		if len(all[name]) == 0 {
			name = FileName
		}
		b := slices.Clone(all[name])
		at := r.IntN(len(b))
		bit := byte(1) << r.IntN(8)
		b[at] ^= bit
		im := image{with(all, name, b), acked}
		delete(im.files, FileName+"-shm")
		delete(im.files, lockName)
		if im.start(t, fmt.Sprintf("bit %d at %d of %s", bit, at, name)) {
			said++
		}
	}
	t.Logf("%d of %d starts said that data is missing", said, shortened(40))
}

// Disk calls that fail once or several times, at any point, lose no acknowledged change.
func TestAcknowledgedChangesSurviveFailingDiskCalls(t *testing.T) {
	r := newSeed(t)
	total := dryRun(t).calls
	for i := range shortened(16) {
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
