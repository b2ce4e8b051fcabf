package dissect

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/truestep-io/truestep/proto/rs"
)

// maxInfoLine is the maximum length of a line in bytes. The longest expected line has about 140 kB: a payload of 40,000 bytes in
// hex digits and the expected state of 2047 players.
const maxInfoLine = 1 << 20

// lineRun is the state of reading a file of RuneScape test vectors, which consists of init and cycle lines.
type lineRun struct {
	RS
	name string // name of the file
	w    io.Writer

	client *rs.PlayerInfoDecoder // decoder of the client's state; nil before the first init line
	line   int                   // number of the current line, from 1
	cycle  int                   // number of cycle lines so far
	trace  rs.PacketTrace
	buf    []byte
}

// errLastCycle is not an error: it stops the reading once the only cycle to print (RS.Cycle) was printed. PrintLines does not return
// it.
var errLastCycle = errors.New("the selected cycle has been printed")

// read processes the lines. It prints each cycle before it reads the next line.
func (run *lineRun) read(r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxInfoLine)
	for lines.Scan() {
		run.line++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := run.processLine(lines.Bytes()); err == errLastCycle {
			break
		} else if err != nil {
			return err
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		run.line++
		return run.badLine(fmt.Errorf("the line is longer than %d bytes", maxInfoLine))
	} else if err != nil {
		return badInput(fmt.Errorf("%s: %w", run.name, err))
	}
	return run.end()
}

// processLine applies one line to the client: an init line starts or reconnects the client, a cycle line contains a packet.
func (run *lineRun) processLine(b []byte) error {
	l, err := readInfoLine(b, run.Check)
	switch {
	case err != nil:
		return run.badLine(err)
	case l.init && (run.client == nil || run.client.Self() != l.self):
		if run.client, err = rs.NewPlayerInfoDecoder(run.Profile, l.self, l.bytes); err != nil {
			return run.badLine(err)
		}
	case l.init:
		if err := run.client.Reconnect(l.bytes); err != nil {
			return run.badLine(err)
		}
	case run.client == nil:
		return run.badLine(errors.New(`the input has a "cycle" line before its first "init" line`))
	default:
		return run.apply(&l)
	}
	return nil
}

// apply passes the packet of a cycle line to the client and prints the packet's content or the client's state.
func (run *lineRun) apply(l *infoLine) error {
	run.cycle++
	var refused error
	if run.Trace {
		refused = run.client.ApplyTraced(l.bytes, &run.trace)
	} else {
		refused = run.client.Apply(l.bytes)
	}
	run.buf = run.buf[:0]
	switch shown := run.prints(run.cycle) && !run.Quiet; {
	case run.Trace && (shown || refused != nil):
		run.buf = appendTrace(run.buf, run.cycle, run.line, &run.trace)
	case shown && refused == nil:
		run.buf = append(appendState(run.buf, run.client), '\n')
	}
	if len(run.buf) > 0 {
		if _, err := run.w.Write(run.buf); err != nil {
			return err
		}
	}
	if refused == nil && run.Check {
		refused = compareWithTruth(run.client, l.truth)
	}
	if refused != nil {
		return fmt.Errorf("%s: cycle %d (line %d): %w", run.name, run.cycle, run.line, refused)
	}
	if run.cycle == run.Cycle {
		return errLastCycle
	}
	return nil
}

// end checks the whole input after its last line. It returns an error if the input lacks an init line, the selected cycle, or,
// with Check, any packet to check.
func (run *lineRun) end() error {
	switch {
	case run.client == nil:
		return badInput(fmt.Errorf("%s: the input has no lines; the first one must be an \"init\" line", run.name))
	case run.cycle < run.Cycle:
		return badInput(fmt.Errorf("%s: the input has %d cycles, so cycle %d does not exist", run.name, run.cycle, run.Cycle))
	case run.Check && run.cycle == 0:
		return badInput(fmt.Errorf("%s: the input has no \"cycle\" line to check", run.name))
	}
	return nil
}

// badLine returns an InputError that names the current line.
func (run *lineRun) badLine(err error) error {
	return badInput(fmt.Errorf("%s: line %d: %w", run.name, run.line, err))
}
