package raftlog

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/truestep-io/truestep/internal/fsync"
)

// folder is the interface to the folder of a log; tests implement it in memory. A created, renamed or removed file survives a
// loss of power only after sync of the folder, and the content of a file only after sync of the file.
type folder interface {
	// make creates the folder and its missing parents, and makes them durable.
	make() error
	// list returns the names in the folder.
	list() ([]string, error)
	// create creates a file, or empties the file that has the name.
	create(name string) (file, error)
	// open opens a file for reading and writing and returns its size.
	open(name string) (file, int64, error)
	// rename changes the name of a file from the parameter from to the parameter to. An existing file with the new name is
	// replaced.
	rename(from, to string) error
	// remove removes a file.
	remove(name string) error
	sync() error
}

// file is the interface to an open file of a log; tests implement it in memory.
type file interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	sync() error
	Close() error
}

// osFolder is a folder of the operating system.
type osFolder string

// osFile is an open file of the operating system.
type osFile struct{ *os.File }

func (f osFile) sync() error { return fsync.Data(f.File) }

func (d osFolder) path(name string) string { return filepath.Join(string(d), name) }

func (d osFolder) make() error {
	missing := []string{} // folders that are created below, the deepest one first; the parent of each is synced
	for path := filepath.Clean(string(d)); ; path = filepath.Dir(path) {
		if _, err := os.Stat(path); err == nil || path == filepath.Dir(path) {
			break
		}
		missing = append(missing, path)
	}
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return err
	}
	for _, path := range missing {
		if err := fsync.Dir(filepath.Dir(path)); err != nil {
			return err
		}
	}
	return nil
}

func (d osFolder) list() (names []string, err error) {
	list, err := os.ReadDir(string(d))
	for _, entry := range list {
		names = append(names, entry.Name())
	}
	return names, err
}

func (d osFolder) create(name string) (file, error) {
	f, err := os.OpenFile(d.path(name), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (d osFolder) open(name string) (file, int64, error) {
	f, err := os.OpenFile(d.path(name), os.O_RDWR, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return osFile{f}, info.Size(), nil
}

func (d osFolder) rename(from, to string) error { return os.Rename(d.path(from), d.path(to)) }

func (d osFolder) remove(name string) error { return os.Remove(d.path(name)) }

func (d osFolder) sync() error { return fsync.Dir(string(d)) }
