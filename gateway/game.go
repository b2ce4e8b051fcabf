package gateway

import (
	"strings"

	"github.com/truestep-io/truestep/sim"
)

// TypedCommand returns the intent of a line of chat that is a command of the world's game. line has no slash before it. ok is false if the
// game has no commands; whether it has this one, the area decides.
func TypedCommand(w *sim.World, line string) (in sim.Intent, ok bool) {
	if len(w.Schema.Commands) == 0 {
		return sim.Intent{}, false
	}
	return sim.Intent{Kind: sim.IntentCommand, SlotA: sim.CommandLine, Text: line}, true
}

// HelpText returns a door's own help text, followed by the commands of the world's game.
func HelpText(w *sim.World, own string) string {
	if list := w.Schema.CommandList(); list != "" {
		return own + ". " + list
	}
	return own
}

// CommandRefusal returns what a player is told about a command of the game that was refused, and "" for the refusal of anything else.
func CommandRefusal(e *sim.Event) string {
	if e.Kind != sim.EventRefused || sim.IntentKind(e.N) != sim.IntentCommand {
		return ""
	}
	if e.Text != "" {
		return e.Text
	}
	s := e.Reason.Sentence()
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
