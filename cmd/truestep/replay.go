package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"text/template"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/sim"
)

// replayCmd steps an area through what it saved when a panic stopped it.
type replayCmd struct {
	File       string `arg:"" help:"Replay file, area-*.replay of the data folder." type:"existingfile"`
	Tick       uint64 `help:"Print the intents and events of this tick; 0: the last." placeholder:"N"`
	All        bool   `help:"Print the intents and events of every tick."`
	ExportTest string `help:"Write a Go test that replays the file, and a copy of the file, into this folder." placeholder:"DIR"`
	server.WorldConfig
}

// Help is what replay --help adds to the flags.
func (replayCmd) Help() string {
	return `Examples:
  truestep replay truestep-data/area-20261122-101530-1.replay
  truestep replay --world world.toml area.replay --tick 5214
  truestep replay area.replay --export-test ./replays

An area that stops on a broken invariant saves a snapshot and the intents since, up to 10 s. This command loads the same
world, steps the area through them, compares the hash of each frame with the recorded one, and prints the tick that panicked
with its intents and the stack. Give the flags of the world that the server had.

Exit status 0: the replay ran as recorded, to its panic. 1: it did not, and the line says at which tick.`
}

// Run plays the file.
func (c *replayCmd) Run(to std) error {
	if err := c.Check(); err != nil {
		return usage(err)
	}
	data, err := os.ReadFile(c.File)
	if err != nil {
		return usage(err)
	}
	r, err := area.ParseReplay(data)
	if err != nil {
		return usage(fmt.Errorf("%s: %w", c.File, err))
	}
	w, err := c.Load()
	if err != nil {
		return usage(err)
	}
	fmt.Fprintf(to.out, "%s of %s, %d ticks\n", r.Area, r.World, len(r.Ticks))
	if r.Panic != "" {
		fmt.Fprintf(to.out, "stopped on: %s\n", r.Panic)
	}
	fmt.Fprintln(to.out)
	if err := c.play(to.out, r, w.World.World); err != nil {
		return err
	}
	if c.ExportTest != "" {
		return c.export(to.out, r, data)
	}
	return nil
}

// play prints a line for each tick, and the parts of the ticks that were asked for.
func (c *replayCmd) play(out io.Writer, r *area.Replay, w *sim.World) error {
	b, err := r.Play(w)
	if err != nil {
		return usage(err)
	}
	fmt.Fprintf(out, "%-10s %8s %8s %8s  %s\n", "tick", "intents", "events", "actors", "hash")
	first := sim.Tick(0)
	for n := 1; ; n++ {
		tick, frame, err := b.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		last := n == len(r.Ticks)
		number := first + sim.Tick(n) - 1
		if frame != nil {
			number, first = frame.Tick, frame.Tick-sim.Tick(n)+1
		}
		if panicked, ok := errors.AsType[*area.PanicError](err); ok {
			fmt.Fprintf(out, "%-10d %8d %8s %8s  panic: %s\n", number, len(tick.Intents), "-", "-", panicked.Value)
			printIntents(out, tick.Intents)
			fmt.Fprintf(out, "\n%s", ownFrames(panicked.Stack))
			if !last || panicked.Value != r.Panic {
				return fmt.Errorf("replay: tick %d panics with %q, recorded is %q at the last tick", number, panicked.Value, r.Panic)
			}
			return nil
		}
		verdict := "as recorded"
		if frame.Hash != tick.Hash {
			verdict = fmt.Sprintf("recorded is %016x", tick.Hash)
		}
		fmt.Fprintf(out, "%-10d %8d %8d %8d  %016x %s\n", number, len(tick.Intents), len(frame.Events), len(frame.Actors), frame.Hash, verdict)
		if c.All || uint64(number) == c.Tick || c.Tick == 0 && last {
			printIntents(out, tick.Intents)
			for i := range frame.Events {
				e := &frame.Events[i]
				fmt.Fprintf(out, "  event  %-12s %s\n", e.Kind, fields(reflect.ValueOf(*e)))
			}
		}
		if frame.Hash != tick.Hash && (!last || r.Panic == "") {
			return fmt.Errorf("replay: tick %d has another hash than recorded: the program's rules or the world differ", number)
		}
	}
	if r.Panic != "" {
		return fmt.Errorf("replay: the last tick did not panic; the recorded panic is: %s", r.Panic)
	}
	return nil
}

func printIntents(out io.Writer, intents []sim.Intent) {
	for i := range intents {
		in := &intents[i]
		fmt.Fprintf(out, "  intent %-12s %s\n", in.Kind, fields(reflect.ValueOf(*in)))
	}
}

// fields prints the fields of a struct that are not zero, without its Kind.
func fields(v reflect.Value) string {
	var parts []string
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		if f.IsZero() || name == "Kind" {
			continue
		}
		for f.Kind() == reflect.Pointer {
			f = f.Elem()
		}
		switch _, text := f.Interface().(fmt.Stringer); {
		case f.Kind() == reflect.Struct && !text:
			parts = append(parts, name+"={"+fields(f)+"}")
		case f.Kind() == reflect.String:
			parts = append(parts, fmt.Sprintf("%s=%q", name, f))
		default:
			parts = append(parts, fmt.Sprintf("%s=%v", name, f))
		}
	}
	return strings.Join(parts, " ")
}

// ownFrames returns the function and line pairs of a stack that are of this module, innermost first.
func ownFrames(stack string) string {
	var b strings.Builder
	lines := strings.Split(stack, "\n")
	for i := 0; i+1 < len(lines); i++ {
		if strings.HasPrefix(lines[i], "github.com/truestep-io/truestep/") && strings.HasPrefix(lines[i+1], "\t") {
			fmt.Fprintf(&b, "%s\n%s\n", lines[i], lines[i+1])
			i++
		}
	}
	return b.String()
}

var replayTest = template.Must(template.New("").Parse(`package replays

import (
	"os"
	"testing"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/server"
)

// {{.Name}} steps {{printf "%q" .Area}} of {{printf "%q" .World}} through a recording.
{{- if .Panic}} It panicked with {{printf "%q" .Panic}}; once the cause is
// mended the last tick must not panic any more, and this test can expect that instead.{{end}}
func {{.Name}}(t *testing.T) {
	b, err := os.ReadFile({{printf "%q" .File}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := area.ParseReplay(b)
	if err != nil {
		t.Fatal(err)
	}
	config := server.WorldConfig{World: {{printf "%q" .Config.World}}, RcceProject: {{printf "%q" .Config.RcceProject}}, RcceRules: {{printf "%q" .Config.RcceRules}},
		NeutralResistances: {{.Config.NeutralResistances}}, ClaimPolicy: {{printf "%q" .Config.ClaimPolicy}}, Step: {{printf "%q" .Config.Step}}}
	w, err := config.Load()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Verify(w.World.World); err != nil {
		t.Error(err)
	}
}
`))

var notWord = regexp.MustCompile(`[^A-Za-z0-9]+`)

// export writes the test and a copy of the replay. Paths of the world are made absolute, since the test runs elsewhere.
func (c *replayCmd) export(out io.Writer, r *area.Replay, data []byte) error {
	config := c.WorldConfig
	for _, path := range []*string{&config.World, &config.RcceProject, &config.RcceRules} {
		if *path != "" {
			abs, err := filepath.Abs(*path)
			if err != nil {
				return err
			}
			*path = abs
		}
	}
	name := filepath.Base(c.File)
	stem := notWord.ReplaceAllString(strings.TrimSuffix(name, filepath.Ext(name)), "_")
	if err := os.MkdirAll(c.ExportTest, 0o755); err != nil {
		return usage(fmt.Errorf("export-test: %w; name a folder that can be written to", err))
	}
	var text strings.Builder
	err := replayTest.Execute(&text, map[string]any{
		"Name": "TestReplay_" + stem, "File": name, "Area": r.Area, "World": r.World, "Panic": r.Panic, "Config": config,
	})
	if err != nil {
		return err
	}
	test := filepath.Join(c.ExportTest, stem+"_test.go")
	err = errors.Join(os.WriteFile(filepath.Join(c.ExportTest, name), data, 0o600), os.WriteFile(test, []byte(text.String()), 0o644))
	if err == nil {
		fmt.Fprintf(out, "wrote %s\n", test)
	}
	return err
}
