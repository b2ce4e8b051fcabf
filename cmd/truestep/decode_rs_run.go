package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/truestep-io/truestep/proto/rs"
)

// maxInfoLine is more than the longest line of sense: a payload of 40,000 bytes and the truth of 2047 players take about
// 140 kB.
const maxInfoLine = 1 << 20

// infoRun is a file of init and cycle lines being read.
type infoRun struct {
	*decodeRSCmd
	profile *rs.Profile
	name    string // of the file
	to      std

	client *rs.Client // nil before the first init
	line   int
	cycle  int
	trace  rs.Trace
	buf    []byte
}

// errEnough ends a run early.
var errEnough = errors.New("enough")

// read goes through the lines. Each cycle is printed as soon as its line is read.
func (run *infoRun) read(r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxInfoLine)
	for lines.Scan() {
		run.line++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := run.take(lines.Bytes()); err == errEnough {
			break
		} else if err != nil {
			return err
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		run.line++
		return run.badLine(fmt.Errorf("longer than %d bytes", maxInfoLine))
	} else if err != nil {
		return usage(fmt.Errorf("%s: %w", run.name, err))
	}
	return run.end()
}

// take does what a line says.
func (run *infoRun) take(b []byte) error {
	l, err := readInfoLine(b, run.Check)
	switch {
	case err != nil:
		return run.badLine(err)
	case l.init && (run.client == nil || run.client.Self() != l.self):
		if run.client, err = rs.NewClient(run.profile, l.self, l.bytes); err != nil {
			return run.badLine(err)
		}
	case l.init:
		if err := run.client.Reconnect(l.bytes); err != nil {
			return run.badLine(err)
		}
	case run.client == nil:
		return run.badLine(errors.New("a cycle ahead of the first init"))
	default:
		return run.apply(&l)
	}
	return nil
}

// apply reads the packet of a cycle and prints what comes of it.
func (run *infoRun) apply(l *infoLine) error {
	run.cycle++
	var refused error
	if run.Trace {
		refused = run.client.ApplyTraced(l.bytes, &run.trace)
	} else {
		refused = run.client.Apply(l.bytes)
	}
	run.buf = run.buf[:0]
	switch shown := run.shows(run.cycle) && !run.Quiet; {
	case run.Trace && (shown || refused != nil):
		run.buf = appendTrace(run.buf, run.cycle, run.line, &run.trace)
	case shown && refused == nil:
		run.buf = append(appendState(run.buf, run.client), '\n')
	}
	if len(run.buf) > 0 {
		if _, err := run.to.out.Write(run.buf); err != nil {
			return err
		}
	}
	if refused == nil && run.Check {
		refused = compareTruth(run.client, l.truth)
	}
	if refused != nil {
		return fmt.Errorf("%s: cycle %d (line %d): %w", run.name, run.cycle, run.line, refused)
	}
	if run.cycle == run.Cycle {
		return errEnough
	}
	return nil
}

// end says what is missing at the end of the lines, or that all was right.
func (run *infoRun) end() error {
	switch {
	case run.client == nil:
		return usage(fmt.Errorf("%s: no lines; the first has to be an init", run.name))
	case run.cycle < run.Cycle:
		return usage(fmt.Errorf("%s: there are %d cycles, so no cycle %d", run.name, run.cycle, run.Cycle))
	case !run.Check:
		return nil
	case run.cycle == 0:
		return usage(fmt.Errorf("%s: no cycle to check", run.name))
	}
	_, err := fmt.Fprintf(run.to.err, "%s: right in %s\n", run.name, count(run.cycle, "cycle"))
	return err
}

// badLine is an error of whoever wrote the line.
func (run *infoRun) badLine(err error) error {
	return usage(fmt.Errorf("%s: line %d: %w", run.name, run.line, err))
}
