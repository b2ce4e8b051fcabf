package session

import (
	"fmt"
	"sync"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// PlannedStop is a stop or restart of the server that is announced to the players.
type PlannedStop struct {
	Restart bool      // true for a restart, false for a stop
	At      time.Time // time of the stop
	Reason  string    // reason for the players; "" for none
	By      string    // operator who planned the stop
}

// MaxStopDelay is the maximum time between the planning of a stop and the stop.
const MaxStopDelay = 7 * 24 * time.Hour

// stopMarks are the times before a planned stop at which players are reminded of it. The first announcement is made when the stop
// is planned.
var stopMarks = []time.Duration{
	24 * time.Hour, 12 * time.Hour, 6 * time.Hour, 3 * time.Hour, time.Hour, 30 * time.Minute, 15 * time.Minute, 10 * time.Minute, 5 * time.Minute,
	2 * time.Minute, time.Minute, 30 * time.Second, 10 * time.Second, 5 * time.Second, 4 * time.Second, 3 * time.Second, 2 * time.Second, time.Second,
}

// stopPlanner announces a planned stop and signals when it is due. Its methods are safe for concurrent use.
type stopPlanner struct {
	mu     sync.Mutex
	plan   *PlannedStop     // nil if no stop is planned
	timer  *time.Timer      // fires at the next announcement or at the stop; nil if no stop is planned
	due    chan PlannedStop // receives the plan when the stop is due, and is empty until then; has capacity 1
	closed bool             // the hub is closed
}

// PlanStop plans a stop of the server and announces it. The parameter in is the time until the stop, 0 for a stop now.
// PlanStop replaces an earlier plan. The channel StopDue receives the plan when the stop is due. Errors: ErrInvalid,
// ErrClosed.
func (h *Hub) PlanStop(p PlannedStop, in time.Duration) (PlannedStop, error) {
	if in < 0 || in > MaxStopDelay || !isPrintable(p.Reason, 0, maxReasonText) {
		return p, ErrInvalid
	}
	s := &h.stopPlanner
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return p, ErrClosed
	}
	p.At = time.Now().Add(in)
	s.dropPlan()
	s.plan = &p
	h.announceStop(&p, in)
	h.scheduleStop(&p, in)
	h.log.Info("stop planned", "restart", p.Restart, "at", p.At.UTC(), "reason", p.Reason, "operator", p.By)
	return p, nil
}

// maxReasonText is the maximum length of the reason for a planned stop in characters. It is so short that the
// announcement with the reason has at most maxOperatorText characters.
const maxReasonText = 150

// CancelStop cancels the planned stop and announces that. It returns false if no stop is planned.
func (h *Hub) CancelStop() bool {
	s := &h.stopPlanner
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.plan == nil || s.closed {
		return false
	}
	what := "stop"
	if s.plan.Restart {
		what = "restart"
	}
	s.dropPlan()
	_, _ = h.Announce(sim.NoArea, "The "+what+" of the server is cancelled.") // the text is valid
	return true
}

// dropPlan removes the plan, even a due one that the server has not received yet. The caller holds stopPlanner.mu.
func (s *stopPlanner) dropPlan() {
	if s.timer != nil {
		s.timer.Stop()
	}
	s.plan, s.timer = nil, nil
	select {
	case <-s.due:
	default:
	}
}

// PlannedStop returns the planned stop, or false if there is none.
func (h *Hub) PlannedStop() (PlannedStop, bool) {
	s := &h.stopPlanner
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.plan == nil {
		return PlannedStop{}, false
	}
	return *s.plan, true
}

// StopDue returns a channel that receives the planned stop when it is due. The owner of the hub must then stop the
// world.
func (h *Hub) StopDue() <-chan PlannedStop { return h.stopPlanner.due }

// scheduleStop starts the timer of the next announcement, or of the stop itself if no announcement is left. The parameter
// left is the time until the stop. The caller holds stopPlanner.mu.
func (h *Hub) scheduleStop(p *PlannedStop, left time.Duration) {
	s := &h.stopPlanner
	for _, mark := range stopMarks {
		if mark < left {
			s.timer = time.AfterFunc(left-mark, func() { h.stopMark(p, mark) })
			return
		}
	}
	s.timer = time.AfterFunc(left, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.plan == p && !s.closed {
			s.due <- *p // never blocks, even without a receiver: dropPlan has removed an earlier plan from the channel
		}
	})
}

// stopMark announces to the players how much time is left until the planned stop, and schedules the next announcement.
func (h *Hub) stopMark(p *PlannedStop, left time.Duration) {
	s := &h.stopPlanner
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.plan == p && !s.closed { // false if the plan was cancelled while the timer fired
		h.announceStop(p, left)
		h.scheduleStop(p, left)
	}
}

func (h *Hub) announceStop(p *PlannedStop, left time.Duration) {
	_, _ = h.Announce(sim.NoArea, stopText(p, left)) // the text is valid
}

// stopText returns the announcement of a planned stop: whether the server stops or restarts, in what time, and the reason.
func stopText(p *PlannedStop, left time.Duration) string {
	text := "The server stops "
	if p.Restart {
		text = "The server restarts "
	}
	if left < time.Second {
		text += "now"
	} else {
		text += "in " + spokenDuration(left)
	}
	if p.Reason == "" {
		return text + "."
	}
	return text + ": " + p.Reason
}

// spokenDuration returns a duration of at least one second in words, with its two largest units.
func spokenDuration(d time.Duration) string {
	text, units := "", 0
	for _, u := range [...]struct {
		length time.Duration
		name   string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		n := int(d / u.length)
		if n == 0 || units == 2 {
			continue
		}
		d -= time.Duration(n) * u.length
		if units++; units == 2 {
			text += " "
		}
		text += fmt.Sprintf("%d %s", n, u.name)
		if n > 1 {
			text += "s"
		}
	}
	return text
}

// tellPlannedStop announces a planned stop to a player who has just entered, if the stop is within stopNotice.
func (h *Hub) tellPlannedStop(id sim.EntityID) {
	p, planned := h.PlannedStop()
	if left := time.Until(p.At).Round(time.Second); planned && left < stopNotice {
		_ = h.tell(id, stopText(&p, left), sim.ToneAnnouncement) // a closed area refuses the message, but has no players
	}
}

// stopNotice is the time before a planned stop within which entering players are told that the server will stop.
const stopNotice = time.Hour

// closePlannedStop stops the timer of the planned stop. From then on no stop can be planned.
func (h *Hub) closePlannedStop() {
	s := &h.stopPlanner
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.timer != nil {
		s.timer.Stop()
	}
}
