package ledger

import (
	"os"
	"path/filepath"
	"testing"
)

func TestNewestIntactLineOfLedgerIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger")
	if c, damaged, err := Read(path); c != nil || damaged != 0 || err != nil {
		t.Fatalf("a missing ledger is read as %v, %d damaged lines, %v", c, damaged, err)
	}
	want := Commit{ID: "0123456789abcdef0123456789abcdef", Generation: 1, CommittedMS: 1_767_323_045_678, Accounts: 3, Characters: 4}
	l, err := Create(path, &want)
	if err != nil {
		t.Fatal(err)
	}
	for range slots + 3 { // fills the ring and begins to overwrite it
		want.Generation++
		want.Run = want.Generation % 3 // 0 is not written
		if err := l.Append(&want); err != nil {
			t.Fatal(err)
		}
		if got, damaged, err := Read(path); err != nil || damaged != 0 || *got != want {
			t.Fatalf("read %+v, %d damaged lines, %v, want %+v", got, damaged, err, want)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[slotOf(&want)+40] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, damaged, err := Read(path); err != nil || damaged != 1 || got.Generation != want.Generation-1 {
		t.Errorf("with a damaged newest line: %+v, %d damaged lines, %v", got, damaged, err)
	}
}

func TestLongestCommitFitsIntoLineOfLedger(t *testing.T) {
	const most, many = 1<<63 - 1, 1e15 - 1
	c := Commit{ID: "0123456789abcdef0123456789abcdef", Run: most, Generation: most, CommittedMS: most, Accounts: many, Characters: many}
	if n := len(c.AppendLine(nil)); n != lineSize {
		t.Errorf("the line has %d bytes, want %d", n, lineSize)
	}
}
