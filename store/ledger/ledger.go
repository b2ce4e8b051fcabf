// Package ledger maintains a file that describes the newest commit of a database. The file is written after the commit
// is durable and before the commit is confirmed to its caller. A database with fewer commits than its ledger has
// therefore lost some.
//
// The file is a ring of lines of fixed length, so that each commit overwrites one line in place and the file does not
// grow:
//
//	id=4f3c... generation=17 at_ms=1767323045678 accounts=3 characters=4 crc32c=89abcdef
package ledger

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/truestep-io/truestep/internal/fsync"
)

const (
	slots    = 64  // number of lines in the file
	lineSize = 192 // bytes of a line including the newline; the text has at most 184 bytes if there are fewer than 10^15 rows
)

// Commit describes a commit and the content of the database after that commit.
type Commit struct {
	ID          string // random ID of the database, 32 hexadecimal digits
	Run         int64  // number of times that a program has opened the database; 0 if the database does not count them
	Generation  int64  // number of commits by this program since the database was created
	CommittedMS int64  // time of the commit, ms since 1970
	Accounts    int64  // number of accounts after the commit
	Characters  int64  // number of characters after the commit
}

// At returns the time of the commit for messages, as UTC to the second.
func (c *Commit) At() string {
	return time.UnixMilli(c.CommittedMS).UTC().Format("2006-01-02 15:04:05 UTC")
}

// Ledger is a ledger file that is open for writing.
type Ledger struct {
	F *os.File // file with a fixed number of lines; each commit overwrites the oldest line
}

// AppendLine appends the ledger line of c to b: the fields, their checksum, and spaces up to the fixed length.
func (c *Commit) AppendLine(b []byte) []byte {
	text := fmt.Sprintf("id=%s generation=%d at_ms=%d accounts=%d characters=%d", c.ID, c.Generation, c.CommittedMS, c.Accounts, c.Characters)
	if c.Run != 0 {
		text += fmt.Sprintf(" run=%d", c.Run)
	}
	text = fmt.Sprintf("%s crc32c=%08x", text, lineSum(text))
	return fmt.Appendf(b, "%-*s\n", lineSize-1, text)
}

// parseLine decodes a line. The result ok is true if the line is intact. The result blank is true if the line was never
// used. If both are false, the line is damaged.
func parseLine(line string) (c Commit, ok, blank bool) {
	line = strings.TrimRight(line, " \n")
	if line == "" {
		return c, false, true
	}
	text, sum, found := strings.Cut(line, " crc32c=")
	if !found || sum != fmt.Sprintf("%08x", lineSum(text)) {
		return c, false, false
	}
	_, err := fmt.Sscanf(text, "id=%s generation=%d at_ms=%d accounts=%d characters=%d", &c.ID, &c.Generation, &c.CommittedMS, &c.Accounts, &c.Characters)
	if _, run, counted := strings.Cut(text, " run="); counted && err == nil {
		_, err = fmt.Sscanf(run, "%d", &c.Run)
	}
	return c, err == nil, false
}

func lineSum(text string) uint32 {
	return crc32.Checksum([]byte(text), crc32.MakeTable(crc32.Castagnoli))
}

// Read returns the newest intact commit in a ledger, or nil if there is none, and the number of damaged lines. Missing
// bytes at the end count as damage.
func Read(path string) (newest *Commit, damaged int, err error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read the ledger of commits: %w", err)
	}
	for at := 0; at < slots*lineSize; at += lineSize {
		line := b[min(at, len(b)):min(at+lineSize, len(b))]
		c, ok, blank := parseLine(string(line))
		switch {
		case ok && (newest == nil || c.Generation > newest.Generation):
			newest = &c
		case !ok && (!blank || len(line) < lineSize):
			damaged++
		}
	}
	return newest, damaged, nil
}

// Create replaces the ledger file by a new one whose only commit is c.
func Create(path string, c *Commit) (*Ledger, error) {
	blank := []byte(strings.Repeat(" ", lineSize-1) + "\n")
	var b []byte
	for range slots {
		b = append(b, blank...)
	}
	copy(b[slotOf(c):], c.AppendLine(nil))
	part := path + ".part"
	if err := fsync.WriteFile(part, b); err != nil {
		return nil, fmt.Errorf("write a new ledger of commits: %w", err)
	}
	if err := os.Rename(part, path); err != nil {
		return nil, fmt.Errorf("replace the ledger of commits: %w", err)
	}
	if err := fsync.Dir(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("sync the folder of the ledger of commits: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("open the ledger of commits: %w", err)
	}
	return &Ledger{f}, nil
}

// slotOf returns the offset in the ledger file, in bytes, of the line to which the commit c is written.
func slotOf(c *Commit) int64 { return c.Generation % slots * lineSize }

// Append writes the line of c to the file and syncs the file.
func (l *Ledger) Append(c *Commit) error {
	if _, err := l.F.WriteAt(c.AppendLine(nil), slotOf(c)); err != nil {
		return fmt.Errorf("write to the ledger of commits: %w", err)
	}
	if err := fsync.Data(l.F); err != nil {
		return fmt.Errorf("sync the ledger of commits: %w", err)
	}
	return nil
}

// Close closes the file.
func (l *Ledger) Close() error { return l.F.Close() }
