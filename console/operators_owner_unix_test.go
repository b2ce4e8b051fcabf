//go:build unix

package console

import (
	"os"
	"syscall"
	"testing"
)

// A server under systemd runs as a user of its own, and an administrator adds operators as root.
func TestOperatorsFileWrittenByRootBelongsToOwnerOfFolder(t *testing.T) {
	dir, owner := t.TempDir(), os.Geteuid()
	if owner == 0 {
		owner = 65532
		if err := os.Chown(dir, owner, owner); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	const file = TokensFile                      // a path without a folder, as with --data-dir .
	for _, name := range []string{"ann", "bo"} { // the first operator creates the file, the second replaces it
		if _, err := AddOperator(file, name, Admin, 0); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{file, file + ".lock"} {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if got := int(info.Sys().(*syscall.Stat_t).Uid); got != owner || info.Mode().Perm() != 0o600 {
				t.Errorf("%s belongs to user %d with mode %v, want %d and 0600", path, got, info.Mode(), owner)
			}
		}
	}
}
