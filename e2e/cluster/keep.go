//go:build linux

package main

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"strings"
)

// recordHistory makes the history of the test write its events to the file of --history, compressed if its name ends with .gz. The
// caller calls end when the test has ended.
func (t *test) recordHistory(path string) (end func() error, err error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	var w io.WriteCloser = f
	if strings.HasSuffix(path, ".gz") {
		w = gzip.NewWriter(f)
	}
	t.history.WriteEvents(w)
	return func() error {
		err := t.history.Stop()
		if w != f {
			err = errors.Join(err, w.Close())
		}
		return errors.Join(err, f.Close())
	}, nil
}
