package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
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

// reports lets a swarm run until it is done or somebody wants it to end, and delivers its report, for which the file is made
// before. The error of a bad one is exit status 1.
func reports[R interface{ print(io.Writer) error }](name string, out io.Writer, run func(context.Context) (R, error), bad func(R) bool) error {
	file, err := openReport(name)
	if err != nil {
		return usage(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r, err := run(ctx)
	if err != nil {
		return err
	}
	if err := deliver(name, file, out, r, r.print); err != nil {
		return err
	}
	if bad(r) {
		return exitStatus(1)
	}
	return nil
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
