package server

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/store/sqlite"
)

// The folder of a node can have the SQLite file of the single server that used it before. A backup of that file would lack all that was
// stored in the database of the cluster since.
func TestBackupOfFolderOfNodeWithoutDatabaseIsRefused(t *testing.T) {
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "world.backup")
	st, err := sqlite.Open(t.Context(), dir)
	if err == nil {
		err = errors.Join(st.Close(), os.MkdirAll(filepath.Join(dir, clusterFolder, "000"), 0o700))
	}
	if err != nil {
		t.Fatal(err)
	}
	backup := Backup{File: file, DataDir: dir}
	if err := backup.Write(t.Context(), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "name it with --store postgres://") {
		t.Errorf("a backup without the database: %v", err)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the refused backup: %v", err)
	}
	if err := os.RemoveAll(filepath.Join(dir, clusterFolder)); err != nil {
		t.Fatal(err)
	}
	if err := backup.Write(t.Context(), io.Discard, io.Discard); err != nil {
		t.Errorf("a backup of a single server: %v", err)
	}
}
