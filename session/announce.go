package session

import (
	"github.com/truestep-io/truestep/sim"
)

// Announce shows a text to all players of an area, or of the world with sim.NoArea, as an announcement of the server: each door
// in its own way, unlike chat of players. It returns the number of players that it was sent to. Players without a connection
// are left out. Errors: ErrInvalid for a text that is empty, has control characters or is longer than 200 characters, or if
// there is no such area.
func (h *Hub) Announce(in sim.AreaID, text string) (told int, err error) {
	if !isPrintable(text, 1, maxOperatorText) || in != sim.NoArea && (in < 0 || int(in) >= len(h.world.Def().Areas)) {
		return 0, ErrInvalid
	}
	for _, p := range h.Players() {
		if p.Lingering || in != sim.NoArea && p.Area != in {
			continue
		}
		if h.announceTo(p.Entity, p.Area, text) == nil {
			told++
		}
	}
	return told, nil
}

// announceTo shows an announcement to one player.
func (h *Hub) announceTo(id sim.EntityID, in sim.AreaID, text string) error {
	return h.world.Submit(in, sim.Intent{Kind: sim.IntentMessage, Who: id, AtMS: h.world.NowMS(), Text: text, Amount: sim.ToneAnnouncement})
}
