package session

import (
	"github.com/truestep-io/truestep/sim"
)

// Announce sends a text as an announcement to all players of an area. If the parameter in is sim.NoArea, it sends the
// text to all players of the world. Doors display announcements differently from chat of players. It returns the number
// of players that the text was sent to; players without a connection are skipped. Errors: ErrInvalid if there is no
// such area, or if the text is empty, has control characters or is longer than 200 characters.
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

// announceTo sends an announcement to one player.
func (h *Hub) announceTo(id sim.EntityID, in sim.AreaID, text string) error {
	return h.world.Submit(in, sim.Intent{Kind: sim.IntentMessage, Who: id, AtMS: h.world.NowMS(), Text: text, Amount: sim.ToneAnnouncement})
}
