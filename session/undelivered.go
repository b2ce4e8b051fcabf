package session

import (
	"github.com/truestep-io/truestep/sim"
)

// maxUndelivered is the maximum number of a player's texts that wait for its arrival. It exceeds the lines that a player may say within
// the second that a change of areas takes at most, unless an area has no leader for longer.
const maxUndelivered = 16

// undelivered returns the intent of a text that a player sent to an area that does not have the player: a line of chat, a request about a
// party or a command line. ok is false if the event e is about another intent.
func undelivered(e *sim.Event) (in sim.Intent, ok bool) {
	in = sim.Intent{Kind: sim.IntentKind(e.N), Who: e.Who, Text: e.Text}
	switch in.Kind {
	case sim.IntentChat, sim.IntentInviteParty, sim.IntentAcceptInvite, sim.IntentLeaveParty:
		return in, true
	case sim.IntentCommand:
		in.SlotA = sim.CommandLine
		return in, true
	}
	return in, false
}

// handleUndelivered keeps a text that a player has sent to the area "at" and that did not find the player there, because it was changing
// areas: it is sent again to the area in which the player is, or arrives.
func (h *Hub) handleUndelivered(e *sim.Event, at sim.AreaID) {
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
	if v.leaving() || v.disconnected || len(v.undelivered) == maxUndelivered {
		h.mu.Unlock()
		s.withhold(&in, at, WithheldBusy)
		return
	}
	v.undelivered = append(v.undelivered, in)
	arrived := v.arrived && v.area != at
	h.mu.Unlock()
	if arrived {
		h.resubmitUndelivered(v)
	}
}

// resubmitUndelivered sends the texts of a player that wait for its arrival to the area in which it is.
func (h *Hub) resubmitUndelivered(v *presence) {
	h.mu.Lock()
	list, s, to, gone := v.undelivered, v.session, v.area, v.leaving() || v.disconnected
	v.undelivered = nil
	h.mu.Unlock()
	for i := range list {
		in := &list[i]
		in.AtMS = h.world.NowMS()
		switch {
		case gone:
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
	v.undelivered = nil
	h.mu.Unlock()
	for i := range list {
		s.withhold(&list[i], in, WithheldBusy)
	}
}
