package server

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/truestep-io/truestep/internal/terminal"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/tape"
)

// TapeBisect is the command that finds the first tick at which two programs that step the same tape differ. It compares
// them stretch by stretch; a stretch is the part of a tape between two snapshots.
//
// Both programs step every stretch from its start, side by side, and their hashes are compared tick by tick. A binary
// search would not be faster: a state is reached only by stepping all ticks since the last snapshot, and both programs
// step hundreds of times faster than the tape was recorded. When a tick differs, both programs step that stretch again
// and list every value of the state after the tick.
type TapeBisect struct {
	Path    string        `arg:"" help:"Folder of the tape (tape in the data folder), or a replay file." type:"existingpath"`
	Other   string        `help:"The other truestep program." required:"" placeholder:"BINARY" type:"existingfile"`
	Timeout time.Duration `help:"Time after which the other program is stopped." default:"10m"`
	Limit   int           `help:"Number of fields to print at most." default:"20"`
	WorldConfig
}

// Limits of the output that is read from the other program.
const (
	maxStatesLine   = 1 << 20 // maximum length of a line in bytes
	maxStatesFields = 4 << 20 // maximum number of fields of one state
	maxStatesErrors = 4 << 10 // maximum number of bytes of the error output that are retained
)

// bisection is the first tick at which two programs differ, with the output lines of both.
type bisection struct {
	stretch  *playedStretch // stretch that contains the tick
	tick     sim.Tick
	at       time.Time // wall-clock time of the tick
	mine     string    // output line of this program about the tick
	other    string    // output line of the other program about the tick
	recorded string    // which program has computed the recorded state: "this program", "the other program" and so on; "" if unknown
}

// Find compares the two programs and prints the first difference, if there is one.
func (c *TapeBisect) Find(ctx context.Context, out io.Writer) (differ bool, err error) {
	list, problems, err := openStretches(c.Path, c.WorldConfig)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	found, ticks, err := c.compare(ctx, list, &problems)
	for _, p := range problems {
		fmt.Fprintln(out, terminal.Printable(p))
	}
	switch {
	case err != nil:
		return false, err
	case found == nil && ticks == 0:
		return false, errors.New("nothing was compared: there is no tick of the tape that both programs can replay")
	case found == nil:
		_, err = fmt.Fprintf(out, "no difference in %d ticks\n", ticks)
		return false, err
	}
	return true, c.explain(ctx, out, found)
}

// compare returns the first difference between the two programs, or nil if there is none, and the number of ticks that were
// compared. It adds a line to problems for each stretch that one of the programs cannot step to its end.
func (c *TapeBisect) compare(ctx context.Context, list []playedStretch, problems *[]string) (found *bisection, ticks int, err error) {
	other, err := c.start(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer other.stop()
	for i := range list {
		s := &list[i]
		if found != nil && !s.Start.Before(found.at) {
			break // stretches of other areas that began earlier may differ earlier
		}
		if there, err := other.seek(s.key()); err != nil {
			return nil, 0, err
		} else if !there {
			continue
		}
		d, n, err := compareStretch(s, other, found)
		if other.failed != nil {
			return nil, 0, other.failed
		}
		if err != nil {
			*problems = append(*problems, err.Error())
		}
		if ticks += n; d != nil {
			found = d
		}
	}
	return found, ticks, nil
}

// errCompared is returned to stop stepping a stretch whose remaining ticks need not be compared. It is not a failure.
var errCompared = errors.New("the other ticks of this part of the tape need not be compared")

// compareStretch compares the ticks of a stretch up to the first difference. The parameter earlier is a difference in another
// stretch, or nil. Ticks at and after its time are not compared, because only the earliest difference is printed. The result err
// says why one of the programs cannot step the stretch to its end.
func compareStretch(s *playedStretch, other *otherStates, earlier *bisection) (found *bisection, ticks int, err error) {
	panicked := false
	err = s.play(func(step *tape.Step) error {
		if found != nil { // the next tick contains the recorded hash of the state
			found.recorded = found.closer(step.Before)
			return errCompared
		}
		if earlier != nil && !step.Time.Before(earlier.at) {
			return errCompared
		}
		line, err := other.tickLine()
		if err != nil {
			return err
		}
		ticks++
		mine := fmt.Sprintf("panic %d %q", step.Tick, panicText(step))
		if panicked = step.Panicked != nil; !panicked {
			mine = stepLine(step)
		}
		if mine != line {
			found = &bisection{stretch: s, tick: step.Tick, at: step.Time, mine: mine, other: line}
		}
		return nil
	})
	if errors.Is(err, errCompared) || panicked || found != nil {
		err = nil
	}
	return found, ticks, err
}

func panicText(s *tape.Step) string {
	if s.Panicked == nil {
		return ""
	}
	return s.Panicked.Error()
}

// closer says which of the two programs has computed the state that is on the tape. The parameter recorded is the hash of that
// state. The result is part of a sentence, such as "this program".
func (b *bisection) closer(recorded uint64) string {
	hash := fmt.Sprintf(" %016x ", recorded)
	mine, other := strings.Contains(b.mine, hash), strings.Contains(b.other, hash)
	switch {
	case mine && other:
		return "both programs"
	case mine:
		return "this program"
	case other:
		return "the other program"
	}
	return "neither program"
}

// explain prints the first tick that differs, and the fields whose values differ after that tick.
func (c *TapeBisect) explain(ctx context.Context, out io.Writer, b *bisection) error {
	s := b.stretch
	fmt.Fprintf(out, "first difference: tick %d of %s", b.tick, terminal.Printable(s.areaName))
	if s.Segment > 0 {
		fmt.Fprintf(out, ", played %s", b.at.Format("2006-01-02 15:04:05.000"))
	}
	fmt.Fprintf(out, " (%s)\n", terminal.Printable(s.Path))
	if b.recorded != "" {
		fmt.Fprintf(out, "recorded state: that of %s\n", b.recorded)
	}
	mine, err := fieldsAfter(s, b.tick)
	if err != nil {
		return err
	}
	other, err := c.otherFields(ctx, s, b.tick)
	if err != nil {
		return err
	}
	list := slices.Concat(compareFields(selectFields(mine, isPanic), selectFields(other, isPanic)),
		compareFields(selectFields(mine, isState), selectFields(other, isState)),
		compareFields(selectFields(mine, isEvent), selectFields(other, isEvent)))
	if len(list) > 0 && isPanic(list[0].Field) { // this program panicked and the other did not, so the whole state differs
		list = list[:1]
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(out, "the hashes differ, but no value of the state does: the programs compute hashes in different ways")
		return err
	}
	names := map[sim.EntityID]string{}
	for _, f := range append(mine, other...) {
		if f.Name == "name" {
			names[f.Entity] = f.Value
		}
	}
	for i, d := range list {
		if i == max(c.Limit, 1) {
			_, err := fmt.Fprintf(out, "and %d more fields\n", len(list)-i)
			return err
		}
		who := "area"
		if d.Entity != 0 {
			who = strings.TrimSpace(fmt.Sprintf("entity %d %s", d.Entity, names[d.Entity]))
		}
		fmt.Fprintf(out, "%s: %s\n  this program   %s\n  other program  %s\n", terminal.Printable(who), terminal.Printable(d.Name), terminal.Printable(d.Value), terminal.Printable(d.other))
	}
	return nil
}

// fieldsAfter returns the values of all fields of the state after a tick, as this program computes them.
func fieldsAfter(s *playedStretch, tick sim.Tick) (list []sim.Field, err error) {
	err = s.play(func(step *tape.Step) error {
		if step.Tick < tick {
			return nil
		}
		if step.Panicked != nil {
			list = []sim.Field{{Name: panicField, Value: strconv.Quote(step.Panicked.Error())}}
		} else {
			list = stepFields(step)
		}
		return errCompared
	})
	if errors.Is(err, errCompared) {
		err = nil
	}
	return list, err
}

// otherFields runs the other program again and returns the values of all fields of the state that it computes for a
// tick.
func (c *TapeBisect) otherFields(ctx context.Context, s *playedStretch, tick sim.Tick) (list []sim.Field, err error) {
	other, err := c.start(ctx, "--stretch", fmt.Sprintf("%d/%d", s.Area, s.Segment), "--fields", strconv.FormatUint(uint64(tick), 10))
	if err != nil {
		return nil, err
	}
	defer other.stop()
	if there, err := other.seek(s.key()); err != nil {
		return nil, err
	} else if !there {
		return nil, other.fail("the second run of the program printed nothing about a part of the tape that the first run printed")
	}
	for {
		line, err := other.next()
		if err != nil {
			return nil, err
		}
		kind, rest, _ := strings.Cut(line, " ")
		number, rest, _ := strings.Cut(rest, " ")
		switch kind {
		case "field":
			name, value, _ := strings.Cut(rest, " ")
			id, err := strconv.ParseUint(number, 10, 64)
			if err != nil || len(list) == maxStatesFields {
				return nil, other.fail(fmt.Sprintf("the output has a field that cannot be parsed: %.100q", line))
			}
			list = append(list, sim.Field{Entity: sim.EntityID(id), Name: name, Value: value})
		case "panic":
			list = append(list, sim.Field{Name: panicField, Value: rest})
		default:
			return list, nil
		}
	}
}

// fieldDifference is a field that differs between the states of the two programs. The embedded Field has this program's
// value.
type fieldDifference struct {
	sim.Field
	other string // value of the other program
}

// zeroField is printed instead of a value if the state of one of the two programs does not list the field.
const zeroField = "zero, or not there"

func isPanic(f sim.Field) bool { return f.Name == panicField }
func isEvent(f sim.Field) bool { return strings.HasPrefix(f.Name, "event[") }
func isState(f sim.Field) bool { return !isPanic(f) && !isEvent(f) }

// panicField is the name of the only field that is listed for a tick that panicked.
const panicField = "panic"

func selectFields(list []sim.Field, is func(sim.Field) bool) (selected []sim.Field) {
	for _, f := range list {
		if is(f) {
			selected = append(selected, f)
		}
	}
	return selected
}

// compareFields returns the fields whose values differ between two states, in the order of the lists.
func compareFields(mine, other []sim.Field) (list []fieldDifference) {
	type key struct {
		who  sim.EntityID
		name string
	}
	keyOf := func(f sim.Field) key { return key{f.Entity, f.Name} }
	values := [2]map[key]string{{}, {}}
	for i, fields := range [...][]sim.Field{mine, other} {
		for _, f := range fields {
			values[i][keyOf(f)] = f.Value
		}
	}
	for len(mine) > 0 || len(other) > 0 {
		if len(other) > 0 {
			f := other[0]
			_, both := values[0][keyOf(f)]
			switch {
			case both && (len(mine) == 0 || keyOf(mine[0]) != keyOf(f)) && values[1][keyOf(f)] == compared:
				other = other[1:] // this element was compared before: the two lists have it at different positions
				continue
			case !both && (len(mine) == 0 || f.Entity <= mine[0].Entity):
				list = append(list, fieldDifference{sim.Field{Entity: f.Entity, Name: f.Name, Value: zeroField}, f.Value})
				other = other[1:]
				continue
			}
		}
		f := mine[0]
		mine = mine[1:]
		value, both := values[1][keyOf(f)]
		if !both {
			value = zeroField
		}
		if value != f.Value {
			list = append(list, fieldDifference{f, value})
		}
		values[1][keyOf(f)] = compared
	}
	return list
}

// compared marks a field of the other program that compareFields has compared already. compareFields writes it in place of the
// field's value.
const compared = "\x00"

// otherStates runs `truestep tape states` of the other program and reads its output.
type otherStates struct {
	program string // path of the other program
	cmd     *exec.Cmd
	cancel  context.CancelFunc
	ctx     context.Context
	in      *bufio.Scanner
	errors  limitedBuffer
	back    string // line that the next call of next returns again
	failed  error  // error after which the output cannot be read; nil if there is none
}

// start starts the other program. It fails if the first line of the program's output is not statesVersion, because the output
// then has another format.
func (c *TapeBisect) start(ctx context.Context, flags ...string) (*otherStates, error) {
	o := &otherStates{program: c.Other}
	o.ctx, o.cancel = context.WithCancel(ctx)
	o.cmd = exec.CommandContext(o.ctx, c.Other, append(append([]string{"tape", "states", c.Path}, c.WorldConfig.flags()...), flags...)...)
	o.cmd.Stderr = &o.errors
	o.cmd.WaitDelay = time.Second
	out, err := o.cmd.StdoutPipe()
	if err == nil {
		err = o.cmd.Start()
	}
	if err != nil {
		o.cancel()
		return nil, o.fail(err.Error())
	}
	o.in = bufio.NewScanner(out)
	o.in.Buffer(nil, maxStatesLine)
	line, err := o.next()
	if err != nil || line != statesVersion {
		o.stop()
		if err == nil {
			err = o.fail(fmt.Sprintf("the first line of the output is %.100q, want %q: the program has another version", line, statesVersion))
		}
		return nil, err
	}
	return o, nil
}

func (o *otherStates) stop() {
	o.cancel()
	_ = o.cmd.Wait()
}

// fail stores and returns an error that says why the other program's output cannot be read.
func (o *otherStates) fail(what string) error {
	o.failed = fmt.Errorf("read the output of the other program %s: %s", o.program, terminal.Printable(what))
	return o.failed
}

// next returns the next line of the other program's output.
func (o *otherStates) next() (string, error) {
	if line := o.back; line != "" {
		o.back = ""
		return line, nil
	}
	if o.in.Scan() {
		return o.in.Text(), nil
	}
	if o.ctx.Err() != nil {
		return "", o.fail("the program took too long and was stopped; give it more time with --timeout")
	}
	if err := o.in.Err(); err != nil {
		return "", o.fail(err.Error())
	}
	_ = o.cmd.Wait()
	text := strings.Join(strings.Fields(o.errors.String()), " ")
	if text == "" {
		text = "no message"
	}
	return "", o.fail(fmt.Sprintf("the program ended before its output was complete (%v): %s", o.cmd.ProcessState, text))
}

// seek reads the other program's output up to the line that begins the stretch with the given key. The result found is false if
// the output does not contain that stretch.
func (o *otherStates) seek(key string) (found bool, err error) {
	for {
		line, err := o.next()
		switch {
		case err != nil:
			return false, err
		case line == key:
			return true, nil
		case line == "end", strings.HasPrefix(line, "stretch ") && stretchAfter(line, key):
			o.back = line
			return false, nil
		}
	}
}

// stretchAfter reports whether the stretch of the first parameter comes after that of the second in the output of
// TapeStates. Both parameters are lines with which stretches begin there.
func stretchAfter(line, other string) bool {
	var a, b [3]int64
	if n, _ := fmt.Sscanf(line, "stretch %d %d %d", &a[0], &a[1], &a[2]); n < 3 {
		return false
	}
	if n, _ := fmt.Sscanf(other, "stretch %d %d %d", &b[0], &b[1], &b[2]); n < 3 {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return a[i] > b[i]
		}
	}
	return false
}

// tickLine returns the next line about a tick. It returns errCompared at the end of the stretch, and another error if
// the other program cannot step the stretch further.
func (o *otherStates) tickLine() (line string, err error) {
	if line, err = o.next(); err != nil {
		return "", err
	}
	kind, rest, _ := strings.Cut(line, " ")
	switch kind {
	case "tick", "panic":
		return line, nil
	case "error":
		return "", fmt.Errorf("the other program %s cannot replay the rest of this part of the tape: %s", o.program, rest)
	}
	o.back = line
	return "", errCompared
}

// limitedBuffer retains the first maxStatesErrors bytes that are written to it.
type limitedBuffer struct{ bytes.Buffer }

// Write implements io.Writer. It discards bytes beyond the limit and never returns an error.
func (b *limitedBuffer) Write(p []byte) (int, error) {
	b.Buffer.Write(p[:min(len(p), maxStatesErrors-b.Len())])
	return len(p), nil
}

// flags returns the command-line flags with which a program loads the world that c selects.
func (c *WorldConfig) flags() (list []string) {
	for _, f := range []struct{ flag, value, ordinary string }{
		{"--world", c.World, ""}, {"--rcce-project", c.RcceProject, ""}, {"--rcce-rules", c.RcceRules, ""},
		{"--claim-policy", c.ClaimPolicy, "world"}, {"--step", c.Step, "world"},
	} {
		if f.value != "" && f.value != f.ordinary {
			list = append(list, f.flag+"="+f.value)
		}
	}
	if c.NeutralResistances {
		list = append(list, "--neutral-resistances")
	}
	return list
}
