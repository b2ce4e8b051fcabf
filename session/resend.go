package session

import "time"

// resend is the wait before the hub tells an area again, after missed frames, that a player leaves or has no connection, or
// whether it is frozen. The wait doubles each time: if the tick that executes the intent panics, the next frames are missed as
// well, and without a wait an area of a cluster would skip every second tick.
type resend struct {
	due   bool      // the hub must send the message to the area again once the wait is over
	count int       // number of times in a row that the message was sent
	at    time.Time // time at which the message was last sent
}

const (
	firstResendWait   = 300 * time.Millisecond // wait after the message was first sent; each further wait is twice as long, up to 38 s
	maxResendDoubling = 7
	resendReset       = time.Minute // after this time without missed frames the next wait is firstResendWait again
)

// begin reports whether the current wait is over, so that the area may be told now. If so, begin starts the next wait.
func (r *resend) begin(now time.Time) bool {
	passed := now.Sub(r.at)
	if passed >= resendReset {
		r.count = 0
	}
	if r.count > 0 && passed < firstResendWait<<min(r.count-1, maxResendDoubling) {
		return false
	}
	r.count++
	r.at = now
	return true
}

// resendDue takes the players whose wait is over, and tells their areas again that they leave or have no connection, or whether they are
// frozen.
func (h *Hub) resendDue(now time.Time) {
	var acts []func()
	h.mu.Lock()
	for _, v := range h.presences {
		if v.resend.due && v.resend.begin(now) {
			acts = append(acts, h.place(v, v.area, v.arrived))
		}
		h.resendFreezeDue(v, now)
	}
	h.mu.Unlock()
	for _, act := range acts {
		act()
	}
}

// resendFreezeDue sends the area of a player whether it is frozen, if missed frames leave a doubt about that and the wait is over. An area
// that the player has left refuses that; the next area is sent it when the player arrives (resendFreeze). The caller holds Hub.mu.
func (h *Hub) resendFreezeDue(v *presence, now time.Time) {
	if v.refreeze.due && v.refreeze.begin(now) {
		v.refreeze.due = false
		_ = h.submitFreeze(v, v.area) // a closed area refuses the intent, but has no players to freeze
	}
}
