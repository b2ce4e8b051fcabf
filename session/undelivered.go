package session

import (
	"slices"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
)

// maxUndelivered is the maximum number of a player's texts that wait for its arrival. It exceeds the lines that a player may say within
// the second that a change of areas takes at most, unless an area has no leader for longer. It is below sim.MaxIntentsPerTick, because
// all of them are executed in one tick, together with what the player does in it.
const maxUndelivered = 12

// maxUnderWay is how long a text waits for the arrival of a player. Then it is withheld, and later ones are sent to the area that the door
// shows, in case the hub has not read the arrival in missed frames. An invitation to a party can be accepted for as long.
const maxUnderWay = 30 * time.Second

// undelivered returns the intent of a text that a player sent to an area that does not have the player: a line of chat, a request about a
// party or a command line. ok is false if the event e is about another intent.
func undelivered(e *sim.Event) (in sim.Intent, ok bool) {
	in = sim.Intent{Kind: sim.IntentKind(e.N), Who: e.Who, Text: e.Text}
	if in.Kind == sim.IntentCommand {
		in.SlotA = sim.CommandLine
	}
	return in, isText(&in)
}

// handleUndelivered keeps a text that a player has sent to the area "at" and that did not find the player there, because it was changing
// areas: it is sent again to the area in which the player is, or arrives. If frames were missed before that of the event, the hub may not
// know that the player has left the area; recoverMissedFrames then decides where the text goes.
func (h *Hub) handleUndelivered(e *sim.Event, at sim.AreaID, missed bool) {
	in, ok := undelivered(e)
	if !ok {
		return
	}
	h.mu.Lock()
	v := h.presences[e.Who]
	if v == nil || v.session == nil {
		h.mu.Unlock()
		return
	}
	s := v.session
	if v.leaving() || v.disconnected || len(v.undelivered) == maxUndelivered || !missed && v.settled() && v.area == at {
		h.mu.Unlock()
		s.withhold(&in, at, WithheldBusy)
		return
	}
	in.AtMS = h.world.NowMS()
	v.undelivered = slices.Insert(v.undelivered, v.refused, in) // it was submitted before those that routeText keeps
	v.refused++
	h.mu.Unlock()
	if !missed {
		h.resubmitUndelivered(v)
	}
}

// isText reports whether an intent is one of those that undelivered returns.
func isText(in *sim.Intent) bool {
	switch in.Kind {
	case sim.IntentChat, sim.IntentInviteParty, sim.IntentAcceptInvite, sim.IntentLeaveParty:
		return true
	}
	return in.Kind == sim.IntentCommand && in.SlotA == sim.CommandLine
}

// routeText returns the area in which the player of a session is, for a text that it sends now. While the player is between two areas, or
// earlier texts wait or are being sent again, it keeps the text instead, so that the area gets them in order, and kept is true. The caller
// must then call resubmitUndelivered. If kept is true, err is area.ErrFull if too many texts wait. A text that the last area refuses in a
// frame that the hub reads after it has sent those that wait is said after them.
func (h *Hub) routeText(s *Session, in *sim.Intent, to sim.AreaID) (at sim.AreaID, kept bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v := h.presences[s.Entity]
	switch {
	case v == nil || v.session != s || v.leaving() || v.disconnected:
		return to, false, nil
	case v.settled() && !v.resending && len(v.undelivered) == 0:
		return v.area, false, nil
	case !v.settled() && time.Since(v.unsettledAt) > maxUnderWay:
		return to, false, nil
	case len(v.undelivered) == maxUndelivered:
		return to, true, area.ErrFull
	}
	v.undelivered = append(v.undelivered, *in)
	return to, true, nil
}

// resubmitUndelivered sends the texts of a player that wait for its arrival to the area in which it is, if the hub knows that area.
func (h *Hub) resubmitUndelivered(v *presence) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if v.resending {
		return
	}
	v.resending = true
	for len(v.undelivered) > 0 && (v.settled() || v.leaving() || v.disconnected) {
		list, s, to, gone := v.undelivered, v.session, v.area, v.leaving() || v.disconnected
		v.undelivered, v.refused = nil, 0
		h.mu.Unlock()
		h.resubmit(list, s, to, gone)
		h.mu.Lock()
	}
	v.resending = false
}

// resubmitWaiting sends the orders and texts that wait for the arrival of a player to the area in which it is, if the hub knows that area.
func (h *Hub) resubmitWaiting(v *presence) {
	h.resubmitOrders(v)
	h.resubmitUndelivered(v)
}

// endWaits sends what waits for the arrival of players whose departure the hub no longer expects to read, and withholds texts that have
// waited for longer than maxUnderWay.
func (h *Hub) endWaits(now time.Time) {
	var settled, overdue []*presence
	h.mu.Lock()
	for _, v := range h.presences {
		switch {
		case len(v.undelivered) == 0 && len(v.orders) == 0:
		case v.settled():
			settled = append(settled, v)
		case now.Sub(v.unsettledAt) > maxUnderWay:
			overdue = append(overdue, v)
		}
	}
	h.mu.Unlock()
	for _, v := range settled {
		h.resubmitWaiting(v)
	}
	for _, v := range overdue {
		h.dropUndelivered(v)
	}
}

// resubmit sends texts of a player to an area. If the player is gone, or they have waited for longer than maxUnderWay, they are withheld.
func (h *Hub) resubmit(list []sim.Intent, s *Session, to sim.AreaID, gone bool) {
	for i := range list {
		in := &list[i]
		keptMS := in.AtMS
		in.AtMS = h.world.NowMS()
		switch {
		case gone, in.AtMS-keptMS > maxUnderWay.Milliseconds():
			s.withhold(in, to, WithheldBusy)
		case in.Kind == sim.IntentChat && s.isMuted(in.AtMS):
			s.withhold(in, to, WithheldMuted)
		case h.world.Submit(to, *in) != nil:
			s.withhold(in, to, WithheldBusy)
		}
	}
}

// dropUndelivered ends the wait of a player's texts for its arrival. The caller must not hold Hub.mu.
func (h *Hub) dropUndelivered(v *presence) {
	h.mu.Lock()
	list, s, in := v.undelivered, v.session, v.area
	v.undelivered, v.refused = nil, 0
	h.mu.Unlock()
	h.resubmit(list, s, in, true)
}
