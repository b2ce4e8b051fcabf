package gateway

import (
	"strings"

	"github.com/truestep-io/truestep/sim"
)

// TypedCommand returns the intent for a command of the world's game that a player typed in the chat. line is the command
// without the leading slash. ok is false if the game has no commands at all. The area checks whether the game has this command.
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

// CommandRefusal returns the text that a player is sent about a refused command of the game. It returns "" if the event e is
// not such a refusal.
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

// Marks of operators' announcements (sim.ToneAnnouncement). Clients that show an author for a chat line are sent
// AnnouncementAuthor as the author. For other clients, AnnouncementMark is the beginning of the line. Players cannot imitate
// the marks, because no client shows a player's name in such brackets.
const (
	AnnouncementAuthor = "Server"
	AnnouncementMark   = "[" + AnnouncementAuthor + "] "
)
