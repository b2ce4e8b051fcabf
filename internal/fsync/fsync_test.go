package fsync

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestWriteFileReplacesContentAndKeepsFilePrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, text := range []string{"the first text", "short"} {
		if err := WriteFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != text {
			t.Fatalf("the file has %q, %v; want %q", b, err, text)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode&0o077 != 0 {
		t.Errorf("the file has mode %v, which lets other users read it", mode)
	}
}

func TestSyncOfMissingFolderReturnsError(t *testing.T) {
	dir := t.TempDir()
	if err := Dir(dir); err != nil {
		t.Error(err)
	}
	if err := Dir(filepath.Join(dir, "missing")); runtime.GOOS != "windows" && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder gives %v", err)
	}
}

func TestSyncOfClosedFileReturnsError(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(Data(f), f.Close()); err != nil {
		t.Fatal(err)
	}
	if Data(f) == nil {
		t.Error("a closed file is reported as synced")
	}
}
