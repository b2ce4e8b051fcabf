package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// openReport makes the file of a report before the run. nil: there is none.
func openReport(name string) (*os.File, error) {
	if name == "" || name == "-" {
		return nil, nil
	}
	f, err := os.Create(name)
	if bad, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("json %s: %w; name a file that can be written", name, bad.Err)
	}
	return f, err
}

// deliver writes a report into the file that was made for it, and to out: as JSON if the name is -, else as text.
func deliver(name string, file *os.File, out io.Writer, r any, print func(io.Writer) error) error {
	if file != nil {
		if err := errors.Join(asJSON(file, r), file.Close()); err != nil {
			return fmt.Errorf("json %s: %w", name, err)
		}
	}
	if name == "-" {
		return asJSON(out, r)
	}
	return print(out)
}

func asJSON(out io.Writer, r any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
