package area

import (
	"bytes"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
)

func TestReplayPrintsTicksUntilFirstDifference(t *testing.T) {
	def, _ := brokenWorld()
	crash := sim.Intent{Kind: sim.IntentCommand, Who: 3}
	chat := sim.Intent{Kind: sim.IntentChat, Who: 9, Text: "hello"} // the area refuses it
	for name, c := range map[string]struct {
		ticks   [][]sim.Intent
		change  func(*Replay)
		lines   []string // the printed lines contain these, in order
		err     string   // error of Print
		verdict string   // error of Verify
	}{
		"as recorded": {
			ticks:  [][]sim.Intent{{chat}, nil},
			change: func(*Replay) {},
			lines:  []string{"\n1                 1 ", " as recorded\n  intent chat         Who=9 Text=\"hello\"\n  event  refused      ", " Who=9 N=6 Text=\"hello\"\n", "\n2                 0 ", " as recorded\n"},
		},
		"other hash": {
			ticks:   [][]sim.Intent{nil, nil, nil},
			change:  func(r *Replay) { r.Ticks[1].Hash = 0xabc },
			lines:   []string{" as recorded", " recorded is 0000000000000abc"},
			err:     "the state after tick 2 has another hash",
			verdict: "the state after tick 2 of 3 has the hash ",
		},
		"panic": {
			ticks:  [][]sim.Intent{{enter(def, 3, 50)}, {crash}},
			change: func(r *Replay) { r.Panic = "no such spell" },
			lines: []string{
				"  intent join         Who=3 Join={", "  event  joined", "2                 1        -        -  panic: no such spell", "  intent command ",
				"area.(*brokenGame).Command(", "sim.(*Area).Step(",
			},
		},
		"other panic": {
			ticks:   [][]sim.Intent{{enter(def, 3, 50)}, {crash}},
			change:  func(r *Replay) { r.Panic = "another" },
			lines:   []string{"panic: no such spell"},
			err:     `tick 2 panics with "no such spell", but the recorded panic of the last tick is "another"`,
			verdict: "unexpected panic in tick 2 of 2: the tick panicked: no such spell",
		},
		"no panic": {
			ticks:   [][]sim.Intent{nil},
			change:  func(r *Replay) { r.Panic = "no such spell" },
			lines:   []string{" as recorded"},
			err:     "the last tick ended without the panic that was recorded: no such spell",
			verdict: "the last tick ended without the panic that was recorded: no such spell",
		},
	} {
		r := &Replay{World: def.Name, Digest: def.Digest(), Area: "West"}
		a := sim.NewArea(def, 0, 0)
		for _, intents := range c.ticks {
			tick := ReplayTick{Intents: intents}
			if len(intents) == 0 || intents[0].Kind != sim.IntentCommand {
				f := a.Step(intents)
				tick.Hash = f.Hash
				a.Recycle(f)
			}
			r.Ticks = append(r.Ticks, tick)
		}
		c.change(r)
		b, err := r.Play(def)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := b.Print(&out, func(tick sim.Tick, _ bool) bool { return tick == 1 }); !isError(err, c.err) {
			t.Errorf("%s: %v, want %q", name, err, c.err)
		}
		if err := r.Verify(def); !isError(err, c.verdict) {
			t.Errorf("%s: verified with %v, want %q", name, err, c.verdict)
		}
		rest := out.String()
		for _, want := range c.lines {
			var found bool
			if _, rest, found = strings.Cut(rest, want); !found {
				t.Errorf("%s: %q is missing or in another order in\n%s", name, want, &out)
			}
		}
		if strings.Contains(rest, " as recorded") {
			t.Errorf("%s: more ticks are printed than expected:\n%s", name, &out)
		}
	}
}

// isError reports whether an error contains a text, or whether there is none if the text is empty.
func isError(err error, text string) bool {
	return (err == nil) == (text == "") && (err == nil || strings.Contains(err.Error(), text))
}
