package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
)

// An area counts as late if, within paceTime, it has stepped less than the share minPace of the ticks that were due.
const (
	paceTime = 2 * time.Second // interval of the checks
	minPace  = 0.8             // minimum share of the ticks that an area must step to be on time
)

// health monitors whether the areas step their ticks on time. The zero value is ready to use.
type health struct {
	loop  periodic
	mu    sync.Mutex
	ticks []sim.Tick // tick of each area at the last check, by AreaID; nil before the first check
	at    time.Time  // time of the last check
	late  []string   // one problem text for each area that was late at the last check
}

// Health is the state of a server as GET /readyz returns it.
type Health struct {
	Ready    bool     `json:"ready"`    // whether the server is ready for players; false if there are Problems
	Problems []string `json:"problems"` // reasons why the server is not ready
	Failures []string `json:"failures"` // persistent failures that do not stop the game, such as a lost database
}

// start checks the areas at once, and then again every paceTime until h.loop is stopped.
func (h *health) start(w *area.World) {
	check := func(time.Time) { h.check(w.Stats(), w.Def().TicksPerSecond, time.Now()) }
	check(time.Now())
	h.loop.start(paceTime, check)
}

// check finds the late areas. It compares the number of ticks that each area has stepped since the last check with the
// tick rate of the world.
func (h *health) check(areas []area.AreaStats, ticksPerSecond int, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	was, passed := h.ticks, now.Sub(h.at).Seconds()
	h.ticks, h.at, h.late = make([]sim.Tick, len(areas)), now, nil
	for i := range areas {
		h.ticks[i] = areas[i].Tick
		if was == nil || passed <= 0 {
			continue
		}
		if pace := float64(areas[i].Tick-was[i]) / (passed * float64(ticksPerSecond)); pace < minPace {
			h.late = append(h.late, fmt.Sprintf("area %q is late: %.0f %% of its ticks in the last %.0f s", areas[i].Name, 100*pace, passed))
		}
	}
}

// Health returns whether the server is ready for players: every door is open, every area steps its ticks on time and,
// in a cluster, every area has a leader.
func (s *Server) Health() Health {
	h := Health{Problems: []string{}, Failures: []string{}}
	if s.world.Stopping() {
		h.Problems = append(h.Problems, "the server is stopping")
	}
	for _, a := range s.world.Stats() {
		if a.Err != nil {
			h.Problems = append(h.Problems, a.Err.Error())
		}
	}
	for _, d := range s.doors {
		select {
		case <-d.done: // never ready if the door is off, because done is nil
			h.Problems = append(h.Problems, fmt.Sprintf("the door %s is closed", d.Name()))
		default:
		}
	}
	s.health.mu.Lock()
	h.Problems = append(h.Problems, s.health.late...)
	s.health.mu.Unlock()
	h.Problems = append(h.Problems, s.cluster.problems(time.Now())...)
	for _, f := range s.Failures() {
		h.Failures = append(h.Failures, fmt.Sprintf("%s since %s: %v", f.What, f.Since.UTC().Format(time.RFC3339), f.Err))
	}
	if save := s.hub.SaveStatus(); save.Err != nil {
		h.Failures = append(h.Failures, fmt.Sprintf("%d player records are not saved since %s: %v", save.Unsaved, save.Since.UTC().Format(time.RFC3339), save.Err))
	}
	h.Ready = len(h.Problems) == 0
	return h
}

// answerReady handles GET /readyz.
func (s *Server) answerReady(w http.ResponseWriter, _ *http.Request) {
	h := s.Health()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if !h.Ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(h) // an error means that the client has disconnected
}

// answerHealthy handles GET /healthz. Any response means that the process is alive; a supervisor restarts a process
// that does not respond.
func answerHealthy(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprintln(w, "ok")
}
