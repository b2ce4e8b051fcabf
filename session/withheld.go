package session

import "github.com/truestep-io/truestep/sim"

// WithheldChat is a line of chat that a player sent and that no player received.
type WithheldChat struct {
	Entity                   sim.EntityID   // actor of the speaker
	Account, Character, Door string         // account, character and door of the speaker
	Area                     sim.AreaID     // area in which the line was said
	Text                     string         // what was said
	Reason                   WithheldReason // why no player received the line
}

// WithheldReason is the reason why no player received a line of chat.
type WithheldReason string

// Values of WithheldReason.
const (
	WithheldMuted     WithheldReason = "muted"      // the account is muted
	WithheldRateLimit WithheldReason = "rate_limit" // the player sent lines faster than a player may
	WithheldAreaLimit WithheldReason = "area_limit" // the players of the area together sent more lines than allowed
	WithheldBusy      WithheldReason = "busy"       // the area was closed, too many of the player's intents were waiting, or the player left or took too long while it changed areas
)

// withhold passes a line of chat that no player receives to Options.OnWithheld.
func (s *Session) withhold(in *sim.Intent, to sim.AreaID, why WithheldReason) {
	if s.hub.opt.OnWithheld == nil || in.Kind != sim.IntentChat {
		return
	}
	s.hub.opt.OnWithheld(WithheldChat{Entity: s.Entity, Account: s.Login.Name, Character: s.Character.Name, Door: s.Login.Door, Area: to, Text: in.Text, Reason: why})
}
