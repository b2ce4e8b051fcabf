package area

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/truestep-io/truestep/sim"
)

// Print plays the rest of the replay and writes a line for each tick. It also writes the intents and events of each tick
// for which show returns true; the argument last is true for the last tick of the replay. For a tick that panics it
// writes the intents and the stack, and returns. It returns an error if a tick does not have the recorded hash or panic.
func (b *Playback) Print(out io.Writer, show func(tick sim.Tick, last bool) bool) error {
	r := b.replay
	fmt.Fprintf(out, "%-10s %8s %8s %8s  %s\n", "tick", "intents", "events", "actors", "hash")
	first := sim.Tick(0)
	for n := b.next + 1; ; n++ {
		tick, frame, err := b.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		last := n == len(r.Ticks)
		number := first + sim.Tick(n) - 1
		if frame != nil {
			number, first = frame.Tick, frame.Tick-sim.Tick(n)+1
		}
		if panicked, ok := errors.AsType[*PanicError](err); ok {
			fmt.Fprintf(out, "%-10d %8d %8s %8s  panic: %s\n", number, len(tick.Intents), "-", "-", panicked.Value)
			printIntents(out, tick.Intents)
			fmt.Fprintf(out, "\n%s", ownFrames(panicked.Stack))
			if !last || panicked.Value != r.Panic {
				return fmt.Errorf("replay: tick %d panics with %q, but the recorded panic of the last tick is %q", number, panicked.Value, r.Panic)
			}
			return nil
		}
		verdict := "as recorded"
		if frame.Hash != tick.Hash {
			verdict = fmt.Sprintf("recorded is %016x", tick.Hash)
		}
		fmt.Fprintf(out, "%-10d %8d %8d %8d  %016x %s\n", number, len(tick.Intents), len(frame.Events), len(frame.Actors), frame.Hash, verdict)
		if show(number, last) {
			printIntents(out, tick.Intents)
			for i := range frame.Events {
				e := &frame.Events[i]
				fmt.Fprintf(out, "  event  %-12s %s\n", e.Kind, fields(reflect.ValueOf(*e)))
			}
		}
		if frame.Hash != tick.Hash && (!last || r.Panic == "") {
			return fmt.Errorf("replay: the state after tick %d has another hash than recorded: this program has other rules or another world than the recording server", number)
		}
	}
	if r.Panic != "" {
		return fmt.Errorf("replay: the last tick ended without the panic that was recorded: %s", r.Panic)
	}
	return nil
}

func printIntents(out io.Writer, intents []sim.Intent) {
	for i := range intents {
		in := &intents[i]
		fmt.Fprintf(out, "  intent %-12s %s\n", in.Kind, fields(reflect.ValueOf(*in)))
	}
}

// fields returns the fields of an intent or event that are not zero, as name=value. It omits the field Kind.
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

// ownFrames returns those stack frames that belong to functions of this module, each with function and line, innermost first.
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
