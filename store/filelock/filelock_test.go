package filelock

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFileLockIsExclusiveUntilFileIsClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		t.Helper()
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first, second := open(), open()
	defer second.Close()
	for _, c := range []struct {
		what string
		f    *os.File
		want bool
	}{{"the first", first, true}, {"the second, of the same process", second, false}} {
		if held, err := Try(c.f); err != nil || held != c.want {
			t.Errorf("%s: held %v, %v", c.what, held, err)
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if held, err := Try(second); err != nil || !held {
		t.Errorf("after the lock holder was closed: held %v, %v", held, err)
	}
}
