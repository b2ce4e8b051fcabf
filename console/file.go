package console

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/truestep-io/truestep/internal/fileowner"
	"github.com/truestep-io/truestep/internal/fsync"
)

// readFile reads a file of at most maxBytes bytes. It returns nil if the file does not exist. It refuses (1) a path that is not a
// regular file, because opening a pipe could block; (2) a file that every user may write, because its content cannot be trusted.
// The parameter what names the file in errors.
func readFile(what, path string, maxBytes int) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", what, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: the path is not a regular file", path)
	case writableByAll(info.Mode()):
		return nil, fmt.Errorf("%s: the file is writable by every user of this machine; check its content and set mode 600 with chmod 600", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, int64(maxBytes)+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", what, err)
	case len(b) > maxBytes:
		return nil, fmt.Errorf("%s: the file is larger than the allowed %d bytes", path, maxBytes)
	}
	return b, nil
}

// replaceFile atomically replaces a file. After it has returned without an error, a loss of power cannot bring back the former
// file. The new file has the content b and the mode 0600. If root replaces it, it belongs to the owner of its folder, because a
// server that runs as that user must be able to read it. The parameter what names the file in errors.
func replaceFile(what, path string, b []byte) error { return replaceFileWith(fsync.Dir, what, path, b) }

// replaceFileWith does the same as replaceFile. The function syncDir makes the names in a folder durable; tests replace it.
func replaceFileWith(syncDir func(dir string) error, what, path string, b []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // creates the file with mode 0600
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = fileowner.Adopt(filepath.Dir(f.Name()), filepath.Base(f.Name()))
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := syncDir(filepath.Dir(path)); err != nil && !errors.Is(err, fs.ErrPermission) { // the folder may be writable but not readable
		return fmt.Errorf("%s: the file was replaced, but a loss of power could bring back the former one: %w", what, err)
	}
	return nil
}
