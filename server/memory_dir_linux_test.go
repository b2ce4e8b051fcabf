package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFileOfVerifiedPasswordsIsInTmpfsAndPrivate(t *testing.T) {
	shm, err := os.MkdirTemp("/dev/shm", "truestep-test-")
	if err != nil || !isInMemory("/dev/shm") {
		t.Skip("this system has no /dev/shm in memory")
	}
	t.Cleanup(func() { os.RemoveAll(shm) })
	t.Setenv("RUNTIME_DIRECTORY", shm)
	path := proofFile("data")
	if !strings.HasPrefix(path, shm+"/truestep-") || path != proofFile("./data") || path == proofFile("other") {
		t.Fatalf("the file is %q", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("its folder is %v, %v", info, err)
	}
	long := time.Now().Add(-time.Hour)
	for _, name := range []string{"old.json", "new.json"} {
		file := filepath.Join(filepath.Dir(path), name)
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if name == "old.json" {
			if err := os.Chtimes(file, long, long); err != nil {
				t.Fatal(err)
			}
		}
	}
	proofFile("data")
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 || left[0].Name() != "new.json" {
		t.Errorf("left are %v, %v", left, err)
	}
	if err := os.Chmod(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if path := proofFile("data"); strings.HasPrefix(path, shm) {
		t.Errorf("a folder that others may read is used: %s", path)
	}
	disk := t.TempDir()
	t.Setenv("RUNTIME_DIRECTORY", disk)
	if path := proofFile("data"); !isInMemory(disk) && strings.HasPrefix(path, disk) {
		t.Errorf("a folder on a disk is used: %s", path)
	}
	if err := os.Symlink(shm, filepath.Join(shm, "link")); err != nil {
		t.Fatal(err)
	}
	if makePrivateDir(filepath.Join(shm, "link")) || makePrivateDir(filepath.Join(shm, "missing", "dir")) {
		t.Error("a link or a missing folder is taken for a private folder")
	}
}
