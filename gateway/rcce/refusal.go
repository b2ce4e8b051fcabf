package rcce

import (
	"strings"

	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// refusalTextSeconds is the minimum time in seconds between two texts that tell a player why its attack or party command was refused.
// It is needed because a client repeats the attack on its target up to four times a second.
const refusalTextSeconds = 2

// sendRefusal tells a player why its command, attack or party command was refused. It sends no text for temporary reasons that the client
// knows itself, such as distance or the time since the last attack.
func (s *scene) sendRefusal(f *sim.Frame, e *sim.Event) {
	if text := gateway.CommandRefusal(e); text != "" {
		s.sendToOwner(e.Who, proto.ChatMessage{Color: proto.ChatRed, Text: cleanChat(text)})
		return
	}
	switch e.Reason {
	case reason.NoPvP, reason.FriendlyRating, reason.NonCombatant, reason.NoProjectile, reason.Covered, reason.AlreadyInvited, reason.NotInParty:
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
