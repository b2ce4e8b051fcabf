package rcce

import (
	"strings"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// refusedEvery is how often a client reads why it may not attack: it asks up to four times a second as long as its player
// has a target, and a line for each would be all that its chat shows.
const refusalTextSeconds = 2 // s

// refused lets a player read why he may not attack whom he chose. What passes by itself, as a delay or a distance does,
// his client knows as well, and a broken weapon is told by the area.
func (s *scene) sendRefusal(f *sim.Frame, e *sim.Event) {
	switch e.Reason {
	case reason.NoPvP, reason.FriendlyRating, reason.NonCombatant, reason.NoProjectile, reason.Covered:
	default:
		return
	}
	c := s.memberOf(e.Who)
	if c == nil || f.Tick < c.nextRefusalText {
		return
	}
	c.nextRefusalText = f.Tick + sim.Tick(refusalTextSeconds*s.w.g.world.Def().TicksPerSecond)
	text := e.Reason.Sentence()
	c.send(proto.ChatMessage{Color: proto.ChatRed, Text: strings.ToUpper(text[:1]) + text[1:] + "."})
}
