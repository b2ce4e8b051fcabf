package server

import (
	"bufio"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/tape"
)

// TapeStates is the command that prints a hash of the state after each tick of a tape, for programs that compare the
// hashes. docs/tape.md describes the output.
type TapeStates struct {
	Path    string `arg:"" help:"Folder of the tape (tape in the data folder), or a replay file." type:"path"`
	Stretch string `help:"Only this stretch: the index of its area and the number of its first segment." placeholder:"AREA/SEGMENT"`
	Fields  uint64 `help:"With --stretch: every value of the state after this tick, instead of hashes." placeholder:"TICK"`
	WorldConfig
}

// statesVersion is the first line of the output of TapeStates. It contains the version of the output format.
const statesVersion = "truestep tape states 1"

// playedStretch is a stretch of a tape, or a whole replay file. For a replay file, the fields Area and Segment are 0, because
// they identify a part of a tape.
type playedStretch struct {
	tape.Stretch
	areaName string                                   // name of the area
	play     func(visit func(*tape.Step) error) error // steps the stretch, see tape.Stretch.Play
}

// key returns the line with which the stretch begins in the output of TapeStates. The line identifies the stretch, because every
// program prints the same line for it.
func (s *playedStretch) key() string {
	return fmt.Sprintf("stretch %d %d %d", s.Start.UnixMilli(), s.Area, s.Segment)
}

// openStretches returns the stretches of the tape or replay file at path, sorted by their start. The result problems has a line
// for each part of the tape that cannot be stepped.
func openStretches(path string, config WorldConfig) (list []playedStretch, problems []string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.IsDir() {
		s, err := replayStretch(path, config)
		return []playedStretch{s}, nil, err
	}
	if err := config.Check(); err != nil {
		return nil, nil, err
	}
	loaded, err := config.Load()
	if err != nil {
		return nil, nil, err
	}
	w := loaded.World.World
	stretches, problems, err := tape.Stretches(tape.Options{Dir: path, World: w})
	for i := range stretches {
		s := &stretches[i]
		list = append(list, playedStretch{*s, w.Areas[s.Area].Name, s.Play})
	}
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("the tape in %s has no ticks that can be replayed: %s", path, strings.Join(append(problems, "the folder has no segment from which a replay can start"), "; "))
	}
	return list, problems, err
}

// replayStretch opens a replay file, so that its ticks can be stepped and printed like those of a stretch of a tape.
func replayStretch(file string, config WorldConfig) (playedStretch, error) {
	r, err := LoadReplay(file, config)
	if err != nil {
		return playedStretch{}, err
	}
	play := func(visit func(*tape.Step) error) error {
		p, err := r.Replay.Play(r.Loaded)
		if err != nil {
			return err
		}
		s := tape.Step{Area: p.Area(), Tick: p.Area().Now(), Before: p.Area().Hash()}
		for {
			tick, frame, err := p.Next()
			if errors.Is(err, io.EOF) {
				return nil
			}
			s.Tick++
			s.Frame, s.Panicked = frame, err
			if stop := visit(&s); stop != nil || err != nil {
				return errors.Join(stop, err)
			}
			s.Before = tick.Hash
		}
	}
	return playedStretch{tape.Stretch{Path: filepath.Base(file), Start: time.UnixMilli(0)}, r.Area, play}, nil
}

// Print prints the hashes of all ticks or, with --fields, the fields of one tick.
func (c *TapeStates) Print(out io.Writer) error {
	if c.Fields > 0 && c.Stretch == "" {
		return errors.New("--fields needs --stretch AREA/SEGMENT, which names the part of the tape that has the tick")
	}
	list, problems, err := openStretches(c.Path, c.WorldConfig)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(out, 64<<10)
	fmt.Fprintln(w, statesVersion)
	for _, p := range problems {
		fmt.Fprintf(w, "problem %q\n", p)
	}
	found := false
	for i := range list {
		s := &list[i]
		if c.Stretch != "" && c.Stretch != fmt.Sprintf("%d/%d", s.Area, s.Segment) {
			continue
		}
		found = true
		fmt.Fprintln(w, s.key())
		err := s.play(func(step *tape.Step) error { return c.printStep(w, step) })
		if err != nil && !errors.Is(err, errPrinted) {
			fmt.Fprintf(w, "error %q\n", err.Error())
		}
	}
	if !found {
		return fmt.Errorf("--stretch %s: no part of the tape begins with this segment of this area; truestep tape states without --stretch lists all parts", c.Stretch)
	}
	fmt.Fprintln(w, "end")
	return w.Flush()
}

// errPrinted ends the stepping of a stretch when everything requested was printed, or when printing failed. It does not itself
// mean a failure.
var errPrinted = errors.New("the other ticks of this part of the tape need not be printed")

func (c *TapeStates) printStep(w *bufio.Writer, s *tape.Step) error {
	switch {
	case c.Fields > uint64(s.Tick):
		return nil
	case s.Panicked != nil:
		fmt.Fprintf(w, "panic %d %q\n", s.Tick, s.Panicked.Error())
		return errPrinted
	case c.Fields == 0:
		if _, err := fmt.Fprintln(w, stepLine(s)); err != nil {
			return errPrinted
		}
		return nil
	}
	for _, f := range stepFields(s) {
		fmt.Fprintf(w, "field %d %s %s\n", f.Entity, f.Name, f.Value)
	}
	return errPrinted
}

// stepLine returns the output line of a tick: the tick's number, the hash of the state and the hash of the events.
func stepLine(s *tape.Step) string {
	return fmt.Sprintf("tick %d %016x %016x", s.Tick, s.Frame.Hash, eventsHash(s.Frame))
}

// eventsHash returns a hash of all events of a frame.
func eventsHash(f *sim.Frame) uint64 {
	if len(f.Events) == 0 {
		return 0
	}
	h := fnv.New64a()
	for _, field := range f.EventFields() {
		io.WriteString(h, strconv.FormatUint(uint64(field.Entity), 10)+" "+field.Name+" "+field.Value+"\n")
	}
	return h.Sum64()
}

// stepFields returns every value of the state after a tick, and of the tick's events.
func stepFields(s *tape.Step) []sim.Field { return append(s.Area.Fields(), s.Frame.EventFields()...) }
