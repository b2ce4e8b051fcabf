package gateway

import (
	"strings"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// BetweenAreasText tells a player that a command needs an area and cannot be carried out while the player changes areas.
const BetweenAreasText = "You are on your way to another area; try again there."

// TypedCommand returns the intent for a command that a player typed in the chat. line is the command without the leading
// slash. ok is false if the world's game declares no commands at all. The area, not TypedCommand, checks whether the game has
// this command.
func TypedCommand(w *sim.World, line string) (in sim.Intent, ok bool) {
	if len(w.Schema.Commands) == 0 {
		return sim.Intent{}, false
	}
	return sim.Intent{Kind: sim.IntentCommand, SlotA: sim.CommandLine, Text: line}, true
}

// HelpText returns the help text for players: first the parameter own, the text about a door's own commands, then the commands
// of the world's game.
func HelpText(w *sim.World, own string) string {
	if list := w.Schema.CommandList(); list != "" {
		return own + ". " + list
	}
	return own
}

// CommandRefusal returns the text that tells a player why a command of the game was refused. It returns "" if the event e is
// not the refusal of a command.
func CommandRefusal(e *sim.Event) string {
	if e.Kind != sim.EventRefused || sim.IntentKind(e.N) != sim.IntentCommand || e.Reason == reason.Unknown { // Unknown: the command is sent again
		return ""
	}
	if e.Text != "" {
		return e.Text
	}
	s := e.Reason.Sentence()
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// Texts that mark a chat line as an operator's announcement (sim.ToneAnnouncement). Clients that show an author for each chat
// line are sent AnnouncementAuthor as the author. For other clients, the line begins with AnnouncementMark. Players cannot
// imitate these texts, because no client shows a player's name in square brackets.
const (
	AnnouncementAuthor = "Server"
	AnnouncementMark   = "[" + AnnouncementAuthor + "] "
)
