package session

import (
	"fmt"
	"sync"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// PlannedStop is a stop of the server that is announced to the players.
type PlannedStop struct {
	Restart bool // a restart, not a stop for good
	At      time.Time
	Reason  string
	By      string // operator
}

// MaxStopDelay is the longest time until a planned stop.
const MaxStopDelay = 7 * 24 * time.Hour

// stopMarks are the remaining times at which a planned stop is announced, besides the moment of its planning.
var stopMarks = []time.Duration{
	24 * time.Hour, 12 * time.Hour, 6 * time.Hour, 3 * time.Hour, time.Hour, 30 * time.Minute, 15 * time.Minute, 10 * time.Minute, 5 * time.Minute,
	2 * time.Minute, time.Minute, 30 * time.Second, 10 * time.Second, 5 * time.Second, 4 * time.Second, 3 * time.Second, 2 * time.Second, time.Second,
}

// stopPlanner announces a planned stop and signals when it is due. Its methods are safe for concurrent use.
type stopPlanner struct {
	mu     sync.Mutex
	plan   *PlannedStop     // nil if none is planned
	timer  *time.Timer      // next announcement, or the stop; nil without a plan
	due    chan PlannedStop // has capacity 1; gets the plan when its time has come
	closed bool
}

// PlanStop plans and announces a stop of the server after the given time, 0 for at once. It replaces an earlier plan. The
// channel of StopDue receives the plan when the time is over. Errors: ErrInvalid, ErrClosed.
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
	if s.timer != nil {
		s.timer.Stop()
	}
	s.plan = &p
	h.announceStop(&p, in)
	h.scheduleStop(&p, in)
	h.log.Info("stop planned", "restart", p.Restart, "at", p.At.UTC(), "reason", p.Reason, "operator", p.By)
	return p, nil
}

// maxReasonText is the maximum length, in characters, of the reason of a planned stop. The announcement with the reason is then
// within maxOperatorText.
const maxReasonText = 150

// CancelStop cancels the planned stop and announces this to the players. It returns false if no stop is planned.
func (h *Hub) CancelStop() bool {
	s := &h.stopPlanner
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.plan == nil || s.closed {
		return false
	}
	s.timer.Stop()
	what := "stop"
	if s.plan.Restart {
		what = "restart"
	}
	s.plan, s.timer = nil, nil
	select { // the stop was due, and the server has not seen it yet
	case <-s.due:
	default:
	}
	_, _ = h.Announce(sim.NoArea, "The "+what+" of the server is cancelled.") // the text is valid
	return true
}

// PlannedStop returns the planned stop, and false if there is none.
func (h *Hub) PlannedStop() (PlannedStop, bool) {
	s := &h.stopPlanner
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.plan == nil {
		return PlannedStop{}, false
	}
	return *s.plan, true
}

// StopDue returns a channel that receives the planned stop when its time has come. The owner of the hub then stops the world.
func (h *Hub) StopDue() <-chan PlannedStop { return h.stopPlanner.due }

// scheduleStop starts the timer of the next announcement, or of the stop. The caller holds stopPlanner.mu.
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
			s.due <- *p // has room: there is one plan, and CancelStop empties it
		}
	})
}

// stopMark announces the time that remains until the planned stop.
func (h *Hub) stopMark(p *PlannedStop, left time.Duration) {
	s := &h.stopPlanner
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.plan == p && !s.closed { // otherwise it was cancelled while the timer fired
		h.announceStop(p, left)
		h.scheduleStop(p, left)
	}
}

func (h *Hub) announceStop(p *PlannedStop, left time.Duration) {
	_, _ = h.Announce(sim.NoArea, stopText(p, left)) // the text is valid
}

// stopText returns the announcement of a stop.
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

// spokenDuration returns a duration of at least a second in words, in its largest two units.
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

// tellPlannedStop tells a player that has just entered when the server stops, if that is within an hour.
func (h *Hub) tellPlannedStop(id sim.EntityID, in sim.AreaID) {
	p, planned := h.PlannedStop()
	if left := time.Until(p.At).Round(time.Second); planned && left < stopNotice {
		_ = h.announceTo(id, in, stopText(&p, left)) // a closed area has no players
	}
}

// stopNotice is the maximum remaining time before a planned stop at which players that enter are told of it.
const stopNotice = time.Hour

// closePlannedStop stops the timer.
func (h *Hub) closePlannedStop() {
	s := &h.stopPlanner
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.timer != nil {
		s.timer.Stop()
	}
}
