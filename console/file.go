package console

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// readFile reads a file of at most so many bytes; nothing if there is none. what is the word for it in errors. One that is
// no file, such as a pipe that nobody writes to, is not opened; one that everybody may write to says nothing about who is
// an operator.
func readFile(what, path string, most int) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", what, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: no file", path)
	case writableByAll(info.Mode()):
		return nil, fmt.Errorf("%s: everybody on this machine may write to it; chmod 600 it and look at who is in it", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", what, err)
	case len(b) > most:
		return nil, fmt.Errorf("%s: larger than %d bytes", path, most)
	}
	return b, nil
}

// replaceFile puts a new file, which only its owner may read, in the place of the old one.
func replaceFile(what, path string, b []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // 0600
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
