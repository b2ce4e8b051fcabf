package console

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The name of a renamed file is durable only after its folder is synced: a loss of power could bring back a revoked token.
func TestReplacedFileIsDurableOnlyAfterSyncOfItsFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "operators.json")
	broken := errors.New("broken disk")
	for i, c := range []struct{ fails, want error }{{nil, nil}, {broken, broken}, {&fs.PathError{Op: "open", Path: "folder", Err: fs.ErrPermission}, nil}} {
		text := strings.Repeat("x", i+1)
		synced := ""
		err := replaceFileWith(func(dir string) error {
			b, err := os.ReadFile(path) // the rename comes first
			if synced = dir; err != nil || string(b) != text {
				t.Errorf("at the time of the sync the file has %q, %v; want %q", b, err, text)
			}
			return c.fails
		}, "operators", path, []byte(text))
		if synced != filepath.Dir(path) {
			t.Errorf("synced is the folder %q", synced)
		}
		if !errors.Is(err, c.want) || c.want != nil && !strings.Contains(err.Error(), "the file was replaced") {
			t.Errorf("replaced with %v, want %v", err, c.want)
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("left over: %v, %v", entries, err)
	}
}
