package tape

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/truestep-io/truestep/internal/fsync"
)

// FS is the file system of a tape. Paths are relative to the tape's folder and separated by slashes. A created, renamed
// or removed file survives a loss of power only after SyncDir of its folder. The content of a file survives only after
// File.Sync.
type FS interface {
	// MkdirAll creates a folder and its missing parents. They survive a loss of power once it has returned.
	MkdirAll(dir string) error
	// ReadDir returns the sorted names of the files and folders in a folder. It returns none if the folder does not
	// exist.
	ReadDir(dir string) ([]string, error)
	// Create creates a file for writing. It is an error if the file exists.
	Create(path string) (File, error)
	// Open opens a file for reading and returns its size.
	Open(path string) (ReadFile, int64, error)
	// SyncFile makes the content of a file survive a loss of power. The file must not be open for writing.
	SyncFile(path string) error
	// Rename renames a file. If a file with the new name exists, it is replaced.
	Rename(from, to string) error
	// Remove deletes a file.
	Remove(path string) error
	// SyncDir makes the names of created, renamed and removed files in a folder survive a loss of power.
	SyncDir(dir string) error
}

// ReadFile is a file that is open for reading, sequentially or at offsets.
type ReadFile interface {
	io.Reader
	io.ReaderAt
	io.Closer
}

// File is a file that is open for writing, sequentially from its beginning.
type File interface {
	io.Writer
	Sync() error
	Close() error
}

// osFS is the FS of a folder of the operating system.
type osFS struct{ root string }

func (d osFS) path(name string) string { return filepath.Join(d.root, filepath.FromSlash(name)) }

// MkdirAll implements FS. It creates the folder below d.root.
func (d osFS) MkdirAll(dir string) error {
	path := d.path(dir)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	for above := filepath.Dir(path); ; above = filepath.Dir(above) {
		if err := fsync.Dir(above); err != nil {
			return err
		}
		if inside, err := filepath.Rel(above, d.root); err != nil || inside != "." {
			return err // the folder that contains the tape is synced too
		}
	}
}

// ReadDir implements FS. It reads the folder below d.root.
func (d osFS) ReadDir(dir string) ([]string, error) {
	list, err := os.ReadDir(d.path(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	names := make([]string, len(list))
	for i, entry := range list {
		names[i] = entry.Name()
	}
	slices.Sort(names)
	return names, err
}

// Create implements FS. It creates the file below d.root.
func (d osFS) Create(path string) (File, error) {
	return os.OpenFile(d.path(path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// Open implements FS. It opens the file below d.root.
func (d osFS) Open(path string) (ReadFile, int64, error) {
	f, err := os.Open(d.path(path))
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil
}

// SyncFile implements FS. It calls fsync for the file below d.root.
func (d osFS) SyncFile(path string) error {
	f, err := os.OpenFile(d.path(path), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Rename implements FS. Both paths are below d.root.
func (d osFS) Rename(from, to string) error { return os.Rename(d.path(from), d.path(to)) }

// Remove implements FS. It removes the file below d.root.
func (d osFS) Remove(path string) error { return os.Remove(d.path(path)) }

// SyncDir implements FS. It calls fsync for the folder below d.root.
func (d osFS) SyncDir(dir string) error { return fsync.Dir(d.path(dir)) }

// isMissing reports whether err says that a file does not exist.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
