package session

import (
	"slices"
	"time"

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
		if h.tell(p.Entity, text, sim.ToneAnnouncement) == nil {
			told++
		}
	}
	return told, nil
}

// tellWait is how long a message to a player that changes areas waits for the player's arrival. An area without a leader has a
// new one after about a second. If the hub does not read the departure, it sends the message soon after departureWait.
const tellWait = departureWait + 5*time.Second

// tell sends a message to one player. If the player changes areas, it is sent when the player has arrived. The parameter tone is its kind,
// such as sim.ToneWarning. Errors: ErrNotInWorld, and those of area.World.Submit.
func (h *Hub) tell(id sim.EntityID, text string, tone uint16) error {
	h.mu.Lock()
	v := h.presences[id]
	if v == nil || v.leaving() {
		h.mu.Unlock()
		return ErrNotInWorld
	}
	v.dropOverdue(time.Now())
	o := h.addOrder(v, sim.Intent{Kind: sim.IntentMessage, Text: text, Amount: tone})
	o.until = time.Now().Add(tellWait)
	h.unlockAndSubmit(v, o)
	select {
	case err := <-o.done: // usually the area has not answered yet, or has refused to accept the order
		return err
	default:
		return nil
	}
}

// dropOverdue forgets messages of tell and notify that have waited for too long. The caller holds Hub.mu.
func (v *presence) dropOverdue(now time.Time) {
	v.orders = slices.DeleteFunc(v.orders, func(o *order) bool { return !o.until.IsZero() && now.After(o.until) })
}
