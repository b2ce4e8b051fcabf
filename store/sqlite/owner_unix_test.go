//go:build unix

package sqlite

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/truestep-io/truestep/store"
)

// A server under systemd runs as a user of its own, and an administrator restores backups as root.
func TestFilesRestoredByRootBelongToOwnerOfDirectory(t *testing.T) {
	from, dir, owner := t.TempDir(), t.TempDir(), os.Geteuid()
	if owner == 0 {
		owner = 65532
		if err := os.Chown(dir, owner, owner); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateAccount(t.Context(), store.Account{Name: "ann"}); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"rs-key.pem": "key", TapeFolder + "/000-vale/0000000001.tape": "ticks"} {
		path := filepath.Join(from, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	backup := filepath.Join(t.TempDir(), "backup")
	if _, err := Backup(t.Context(), from, backup, BackupOptions{Files: []string{"rs-key.pem"}, Tape: true}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second Restore moves the files of the first one to a folder set-aside-*
		if _, _, err := Restore(t.Context(), backup, dir, true, nil); err != nil {
			t.Fatal(err)
		}
	}
	files := 0
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if got := int(info.Sys().(*syscall.Stat_t).Uid); got != owner {
			t.Errorf("%s belongs to user %d, want %d", path, got, owner)
		}
		files++
		return nil
	})
	if err != nil || files < 9 {
		t.Errorf("%d files, %v", files, err)
	}
}
