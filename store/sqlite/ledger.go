package sqlite

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// ledgerSuffix is appended to the name of the database for its ledger. A copy of truestep.db* includes it.
const ledgerSuffix = "-ledger"

// The ledger is a ring buffer of lines of fixed length, so that a commit overwrites a few bytes in place and needs no more disk space.
const (
	ledgerSlots = 64  // number of lines in the file
	ledgerLine  = 192 // bytes of a line including the newline; the longest text has 162
)

// state is what the database contains after a commit. It is one row of table store and one line of the ledger.
type state struct {
	id          string // random id of the database, 32 hexadecimal digits
	generation  int64  // commits by this program since the database was created
	committedMS int64  // time of the commit, ms since 1970
	accounts    int64
	characters  int64
}

// at is the time of the commit for messages.
func (s *state) at() string {
	return time.UnixMilli(s.committedMS).UTC().Format("2006-01-02 15:04:05 UTC")
}

// ledger is the file beside the database that names the last commit. It is written after the commit is synced to disk and
// before the commit is confirmed to the caller, so the database is never older than its ledger unless it has lost data.
type ledger struct{ f *os.File }

// appendLine appends the line of s: its fields, their checksum, and spaces up to ledgerLine.
func (s *state) appendLine(b []byte) []byte {
	text := fmt.Sprintf("id=%s generation=%d at_ms=%d accounts=%d characters=%d", s.id, s.generation, s.committedMS, s.accounts, s.characters)
	text = fmt.Sprintf("%s crc32c=%08x", text, lineSum(text))
	return fmt.Appendf(b, "%-*s\n", ledgerLine-1, text)
}

// parseLine parses a line of the ledger. blank reports a slot that was never used. If neither ok nor blank is true, the line is damaged.
func parseLine(line string) (s state, ok, blank bool) {
	line = strings.TrimRight(line, " \n")
	if line == "" {
		return s, false, true
	}
	var sum uint32
	_, err := fmt.Sscanf(line, "id=%s generation=%d at_ms=%d accounts=%d characters=%d crc32c=%x",
		&s.id, &s.generation, &s.committedMS, &s.accounts, &s.characters, &sum)
	text, _, found := strings.Cut(line, " crc32c=")
	return s, err == nil && found && sum == lineSum(text), false
}

func lineSum(text string) uint32 {
	return crc32.Checksum([]byte(text), crc32.MakeTable(crc32.Castagnoli))
}

// readLedger returns the newest intact line of the ledger, nil if there is none, and the number of damaged lines. Missing bytes
// at the end count as damage.
func readLedger(path string) (newest *state, damaged int, err error) {
	b, err := os.ReadFile(path + ledgerSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("commit ledger: read: %w", err)
	}
	for at := 0; at < ledgerSlots*ledgerLine; at += ledgerLine {
		line := b[min(at, len(b)):min(at+ledgerLine, len(b))]
		s, ok, blank := parseLine(string(line))
		switch {
		case ok && (newest == nil || s.generation > newest.generation):
			newest = &s
		case !ok && (!blank || len(line) < ledgerLine):
			damaged++
		}
	}
	return newest, damaged, nil
}

// createLedger replaces the ledger of the database by a new one whose only line is s.
func createLedger(path string, s *state) (*ledger, error) {
	blank := []byte(strings.Repeat(" ", ledgerLine-1) + "\n")
	var b []byte
	for range ledgerSlots {
		b = append(b, blank...)
	}
	copy(b[slotOf(s):], s.appendLine(nil))
	part := path + ledgerSuffix + ".part"
	if err := writeSynced(part, b); err != nil {
		return nil, fmt.Errorf("commit ledger: write new file: %w", err)
	}
	if err := os.Rename(part, path+ledgerSuffix); err != nil {
		return nil, fmt.Errorf("commit ledger: replace: %w", err)
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("commit ledger: sync folder: %w", err)
	}
	f, err := os.OpenFile(path+ledgerSuffix, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("commit ledger: open: %w", err)
	}
	return &ledger{f}, nil
}

// slotOf returns the offset in the ledger of the line of s.
func slotOf(s *state) int64 { return s.generation % ledgerSlots * ledgerLine }

// append writes the line of s and syncs it.
func (l *ledger) append(s *state) error {
	if _, err := l.f.WriteAt(s.appendLine(nil), slotOf(s)); err != nil {
		return fmt.Errorf("commit ledger: append: %w", err)
	}
	if err := syncData(l.f); err != nil {
		return fmt.Errorf("commit ledger: sync: %w", err)
	}
	return nil
}

func (l *ledger) close() error { return l.f.Close() }

// writeSynced creates or replaces a file, readable by its owner only, and syncs it.
func writeSynced(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if _, err = f.Write(b); err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncDir syncs the file names in a directory. On Windows this is neither possible nor needed.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
