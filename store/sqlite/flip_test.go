package sqlite

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/race"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// newFlipFiles returns the files of a small database with rows in all tables: as a stopped server leaves them, and as a killed
// server does.
func newFlipFiles(t *testing.T) (stopped, killed map[string][]byte) {
	t.Helper()
	dir := t.TempDir()
	s := open(t, dir)
	var party []*sim.Character
	for i := range 3 {
		id, err := s.CreateAccount(t.Context(), store.Account{Name: fmt.Sprint("owner", i), Secret: "hash", Email: "m@x", GM: i == 0, Banned: i == 2, Ignore: []string{"foe"}, CreatedAt: time.UnixMilli(5000)})
		must(t, err)
		for k := range 2 {
			c := &sim.Character{Name: fmt.Sprintf("c%d%d", i, k), Gold: 7, Tag: "tag"}
			c.ID, err = s.CreateCharacter(t.Context(), id, c, 3)
			must(t, err)
			party = append(party, c)
		}
	}
	closeStore(t, s)
	execFile(t, filepath.Join(dir, FileName), "VACUUM") // removes earlier content from unused parts of pages
	s = open(t, dir)
	must(t, s.SaveCharacters(t.Context(), nil, party))
	since := time.UnixMilli(7000).UTC()
	must(t, s.SetAccessRule(t.Context(), store.AccessRule{Kind: store.AccessBan, Account: "owner2", Reason: "bad", By: "op", Since: since}))
	must(t, s.SetAccessRule(t.Context(), store.AccessRule{Kind: store.AccessBan, Network: netip.MustParsePrefix("192.0.2.0/24"), Reason: "bad", Since: since}))
	must(t, s.SaveKnownAddresses(t.Context(), []store.KnownAddress{{Account: "owner0", Addr: netip.MustParseAddr("192.0.2.1"), At: since}}, time.UnixMilli(0)))
	killed = files(t, dir)
	closeStore(t, s)
	stopped = files(t, dir)
	for _, all := range []map[string][]byte{stopped, killed} {
		delete(all, lockName)
		delete(all, FileName+"-shm")
	}
	return stopped, killed
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// readEverything returns all rows that a server reads from the database of newFlipFiles. The keys are the names of the rows in
// the log.
func readEverything(t *testing.T, s *Store) map[string]string {
	all := map[string]string{}
	for i := range int64(3) {
		a, err := s.AccountByID(t.Context(), store.AccountID(i+1))
		b, byNameErr := s.Account(t.Context(), fmt.Sprint("owner", i))
		all[fmt.Sprintf("account %d", i+1)] = fmt.Sprintf("%+v %v %+v %v", a, err, b, byNameErr)
		roster, err := s.Characters(t.Context(), store.AccountID(i+1))
		for id := 2*i + 1; id <= 2*i+2; id++ {
			c, readErr := s.Character(t.Context(), sim.CharacterID(id))
			owner, ownerErr := s.Owner(t.Context(), sim.CharacterID(id))
			listed := slices.IndexFunc(roster, func(c *sim.Character) bool { return c.ID == sim.CharacterID(id) })
			text := fmt.Sprintf("%+v %v %v %v %v", c, readErr, owner, ownerErr, err)
			if listed >= 0 {
				text += fmt.Sprintf(" %+v", roster[listed])
			}
			all[fmt.Sprintf("character %d", id)] = text
		}
	}
	rules, err := s.AccessRules(t.Context())
	all["bans"] = fmt.Sprintf("%+v %v", rules, err)
	known, err := s.KnownAddresses(t.Context(), time.UnixMilli(0))
	all["known addresses"] = fmt.Sprintf("%+v %v", known, err)
	return all
}

// reports returns true if a log names a row as damaged or lost.
func reports(log, what string) bool {
	kind, id, isRow := strings.Cut(what, " ")
	if isRow && kind != "known" {
		return regexp.MustCompile(` ` + kind + `=("[^\n]*"|\S*) id=` + id + ` `).MatchString(log)
	}
	return strings.Contains(log, what)
}

// checkFlip opens files with one flipped bit. One of three things must happen: Open refuses the files with an error for the operator,
// Open logs the damage, or the bit makes no difference. checkFlip returns which of the three has happened.
func checkFlip(t *testing.T, what string, all map[string][]byte, want map[string]string) string {
	t.Helper()
	dir := put(t, all)
	var text bytes.Buffer
	s, err := Open(t.Context(), dir, WithLog(slog.New(slog.NewTextHandler(&text, nil))))
	switch {
	case isUnusable(err) && strings.Contains(err.Error(), FileName) && !strings.Contains(err.Error(), "\n"):
		return "refused"
	case err != nil:
		t.Errorf("%s: %v", what, err)
		return "refused"
	}
	same := true
	for name, value := range readEverything(t, s) {
		if value != want[name] {
			if same = false; !reports(text.String(), name) {
				t.Errorf("%s: without a word %s is\n%s\nand was\n%s\nlog:\n%s", what, name, value, want[name], text.String())
			}
		}
	}
	if id, err := s.CreateAccount(t.Context(), store.Account{Name: "new"}); err != nil || id < 4 {
		t.Errorf("%s: a new account gets the ID %d, %v; log:\n%s", what, id, err, text.String())
	} else if c, err := s.CreateCharacter(t.Context(), id, &sim.Character{Name: "new"}, 1); err != nil || c < 7 {
		t.Errorf("%s: a new character gets the ID %d, %v; log:\n%s", what, c, err, text.String())
	}
	if err := s.Close(); err != nil {
		t.Errorf("%s: close: %v", what, err)
	}
	if same && text.Len() == 0 {
		return "harmless"
	}
	text.Reset()
	s, err = Open(t.Context(), dir, WithLog(slog.New(slog.NewTextHandler(&text, nil))))
	if err != nil {
		t.Errorf("%s: the next start: %v", what, err)
		return "reported"
	}
	closeStore(t, s)
	if text.Len() > 0 {
		t.Errorf("%s: it is reported once more:\n%s", what, text.String())
	}
	return "reported"
}

// flipStride returns the distance between two bytes in which a bit is flipped, and the number of bits per byte. TRUESTEP_FLIPS
// sets the distance; 0 stands for all bits of all bytes.
func flipStride(t *testing.T) (stride, bits int) {
	text := os.Getenv("TRUESTEP_FLIPS")
	switch {
	case text == "0":
		return 1, 8
	case text != "":
		stride, err := strconv.Atoi(text)
		must(t, err)
		return stride, 1
	case race.Enabled:
		return 1021, 1
	}
	return 31, 1
}

// TestFlippedBitInDatabaseFilesIsReportedUnlessHarmless flips one bit in every 31st byte of all files, and in more bytes in
// make flips. Which bit is flipped differs from byte to byte.
func TestFlippedBitInDatabaseFilesIsReportedUnlessHarmless(t *testing.T) {
	stride, bits := flipStride(t)
	stopped, killed := newFlipFiles(t)
	s := open(t, put(t, stopped))
	want := readEverything(t, s)
	closeStore(t, s)
	counts := map[string]int{}
	for _, c := range []struct {
		all  map[string][]byte
		name string
	}{{stopped, FileName}, {stopped, ledgerName}, {killed, FileName}, {killed, logName}} {
		b := c.all[c.name]
		for at := 0; at < len(b); at += stride {
			if zeros := b[max(0, at-2):min(len(b), at+3)]; bytes.Equal(zeros, make([]byte, len(zeros))) {
				continue // zeros: an unused part of a page
			}
			for bit := at % 8; bit < at%8+bits; bit++ {
				d := slices.Clone(b)
				d[at] ^= 1 << (bit % 8)
				what := fmt.Sprintf("bit %d at %d of %s in %q", bit%8, at, c.name, b[max(0, at-20):min(len(b), at+20)])
				counts[checkFlip(t, what, with(c.all, c.name, d), want)]++
			}
		}
	}
	t.Logf("%v", counts)
	for _, outcome := range []string{"harmless", "reported", "refused"} {
		if counts[outcome] == 0 {
			t.Errorf("no flipped bit was %s", outcome)
		}
	}
}
