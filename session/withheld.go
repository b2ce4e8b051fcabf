package session

import "github.com/truestep-io/truestep/sim"

// WithheldChat is a line of chat that a player sent and no player was shown.
type WithheldChat struct {
	Entity                   sim.EntityID
	Account, Character, Door string // of the speaker
	Area                     sim.AreaID
	Text                     string
	Reason                   WithheldReason
}

// WithheldReason is why a line of chat was shown to no player.
type WithheldReason string

// Values of WithheldReason.
const (
	WithheldMuted     WithheldReason = "muted"      // the account is muted
	WithheldRateLimit WithheldReason = "rate_limit" // the player sent lines faster than a player may
	WithheldAreaLimit WithheldReason = "area_limit" // the players of the area sent more lines than an area may have
	WithheldBusy      WithheldReason = "busy"       // the area did not take the line: too many intents of the player waited, or the area is closed
)

// withhold passes a line of chat that is not shown to Options.OnWithheld.
func (s *Session) withhold(in *sim.Intent, to sim.AreaID, why WithheldReason) {
	if s.hub.opt.OnWithheld == nil || in.Kind != sim.IntentChat {
		return
	}
	s.hub.opt.OnWithheld(WithheldChat{Entity: s.Entity, Account: s.Login.Name, Character: s.Character.Name, Door: s.Login.Door, Area: to, Text: in.Text, Reason: why})
}
