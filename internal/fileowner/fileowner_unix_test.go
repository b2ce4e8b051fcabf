//go:build unix

package fileowner

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

const serverUser = 65532 // the user of the folder in these tests; need not exist on the machine

// ownerOf returns the user that owns a file or a symbolic link.
func ownerOf(t *testing.T, path string) int {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return int(info.Sys().(*syscall.Stat_t).Uid)
}

// newFolder creates a folder that contains a file, a subfolder with a file, and a symbolic and a hard link to the file outside.
func newFolder(t *testing.T, outside string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	at := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	for _, err := range []error{
		os.MkdirAll(at("tape"), 0o700),
		os.WriteFile(at("a"), nil, 0o600),
		os.WriteFile(at("tape", "b"), nil, 0o600),
		os.Symlink(outside, at("symbolic")),
		os.Link(outside, at("hard")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAdoptedFilesBelongToOwnerOfFolder(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dir := newFolder(t, outside)
	want := os.Geteuid() // only root can change the owner of a file
	if want == 0 {
		want = serverUser
		if err := os.Chown(dir, serverUser, serverUser); err != nil {
			t.Fatal(err)
		}
	}
	if err := Adopt(dir, "a"); err != nil {
		t.Fatal(err)
	}
	if a, b := ownerOf(t, filepath.Join(dir, "a")), ownerOf(t, filepath.Join(dir, "tape", "b")); a != want || b != os.Geteuid() {
		t.Errorf("the adopted file belongs to %d and another one to %d, want %d and %d", a, b, want, os.Geteuid())
	}
	if err := Adopt(dir, "."); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tape", "tape/b", "symbolic"} {
		if got := ownerOf(t, filepath.Join(dir, name)); got != want {
			t.Errorf("%s belongs to %d, want %d", name, got, want)
		}
	}
	if got := ownerOf(t, outside); got != os.Geteuid() {
		t.Errorf("a file outside the folder belongs to %d now", got)
	}
	if err := Adopt(dir, "missing"); err != nil {
		t.Errorf("missing entry: %v", err)
	}
}

func TestFilesInFolderOwnedByRootKeepTheirOwner(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Adopt(dir, "."); err != nil || ownerOf(t, file) != os.Geteuid() {
		t.Errorf("the file belongs to %d, %v", ownerOf(t, file), err)
	}
}
