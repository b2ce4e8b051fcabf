package gateway

import (
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

func TestRefusedCommandOfGameIsExplainedToItsPlayer(t *testing.T) {
	for name, c := range map[string]struct {
		is   sim.Event
		want string
	}{
		"text of the rules": {sim.Event{Kind: sim.EventRefused, N: int32(sim.IntentCommand), Reason: reason.TooFar, Text: "Not here."}, "Not here."},
		"reason alone":      {sim.Event{Kind: sim.EventRefused, N: int32(sim.IntentCommand), Reason: reason.TooFar}, "The target of the request is out of reach."},
		"other intent":      {sim.Event{Kind: sim.EventRefused, N: int32(sim.IntentAttack), Reason: reason.TooFar, Text: "Not here."}, ""},
		"sent again":        {sim.Event{Kind: sim.EventRefused, N: int32(sim.IntentCommand), Reason: reason.Unknown, Text: "buy bread"}, ""},
		"other event":       {sim.Event{Kind: sim.EventHeld, N: int32(sim.IntentCommand), Reason: reason.TooFar, Text: "Not here."}, ""},
	} {
		if got := CommandRefusal(&c.is); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestTypedCommandIsPassedOnIfGameDeclaresCommands(t *testing.T) {
	w := &sim.World{}
	if in, ok := TypedCommand(w, "buy bread"); ok || HelpText(w, "/who") != "/who" {
		t.Errorf("game without commands: %+v, help %q", in, HelpText(w, "/who"))
	}
	w.Schema.Commands = []sim.GameCommand{{Name: "flag"}}
	in, ok := TypedCommand(w, "buy bread")
	if want := "/who. Commands of the game: /flag"; !ok || in.Kind != sim.IntentCommand || in.SlotA != sim.CommandLine || in.Text != "buy bread" || HelpText(w, "/who") != want {
		t.Errorf("%v, %+v, help %q, want %q", ok, in, HelpText(w, "/who"), want)
	}
}
