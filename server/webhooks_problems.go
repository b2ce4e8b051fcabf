package server

import (
	"fmt"
	"strings"
	"time"

	"github.com/truestep-io/truestep/telemetry"
	"github.com/truestep-io/truestep/webhook"
)

// Limits above which the server sends events to webhooks. A limit that is also in packaging/prometheus/truestep.rules.yml must
// have the same value there.
const (
	lateWindow  = 2 * time.Minute // period over which skipped ticks are averaged
	lateRate    = 1.0             // skipped ticks per second above which an area is late
	lateFor     = time.Minute     // how long an area must be late before an event is sent
	loginWindow = 5 * time.Minute // period over which wrong passwords are averaged
	loginRate   = 1.0             // wrong passwords per second above which an event is sent
	loginFor    = 5 * time.Minute // how long loginRate must be exceeded before an event is sent
)

// lastingFailures lists the failures that Server.Failures can return, with the event that reports each of them. The field what is
// the beginning of Failure.What. The fields subject, text and kind are those of the event. The field after is how long the
// failure must last before the event is sent.
var lastingFailures = []struct {
	what, subject, text string
	kind                webhook.Kind
	after               time.Duration
}{
	{"TAPE NOT WRITTEN", "tape", "the tape cannot be written", webhook.WriteFailed, 0},
	{"JOURNAL NOT WRITTEN", "journal", "the journal cannot be written", webhook.WriteFailed, time.Minute},
	{"CHAT LOG NOT WRITTEN", "chat", "the chat log cannot be written", webhook.WriteFailed, time.Minute},
	{"LEDGER NOT WRITTEN", "ledger", "the ledger of the database cannot be written", webhook.WriteFailed, time.Minute},
	{"DATABASE LOST", "database", "the database cannot be reached", webhook.WriteFailed, 30 * time.Second},
	{"HISTORY NOT WRITTEN", "history", "the history of figures cannot be written", webhook.WriteFailed, time.Minute},
	{"BACKUP FAILED", "backup", "scheduled backups fail", webhook.BackupFailed, 10 * time.Minute},
}

const recordsAfter = 30 * time.Second // how long saving player records must fail before an event is sent

// problemKey identifies a problem, so that the next check recognizes it: by the kind and the subject of its event.
type problemKey struct {
	kind webhook.Kind
	name string // subject of the event
}

// lastingProblem is a problem that lasts for some time, so that one event reports its beginning and another its end.
type lastingProblem struct {
	problemKey
	text, over string        // sentences for the events about the beginning and the end of the problem
	since      time.Time     // time at which the problem began; zero if problemWatch.check has to note the time
	after      time.Duration // how long the problem must last before an event is sent
}

// problemWatch compares the present problems with those of the previous check, and sends events about their beginning and end. A
// problemWatch whose only set field is sink is ready to use.
type problemWatch struct {
	sink  eventSink
	known map[problemKey]*knownProblem // problems that have not ended

	skippedTicks   map[string]*rateWindow // counts of skipped ticks, by area
	wrongPasswords rateWindow             // counts of wrong passwords
}

// knownProblem says what was done so far about a problem that has not ended: when it began, and whether an event was sent.
type knownProblem struct {
	since       time.Time // time at which the problem began
	over        string    // sentence for the event that reports the end of the problem
	tried, sent bool      // an event was passed to the sink; the sink accepted it
}

// findProblems returns the present problems of the server.
func (s *Server) findProblems(now time.Time, w *problemWatch) (list []lastingProblem) {
	for _, a := range s.world.Stats() {
		if a.Err != nil {
			list = append(list, lastingProblem{problemKey: problemKey{webhook.AreaStopped, a.Name}, text: fmt.Sprintf("the area %q stopped: %v", a.Name, a.Err)})
		}
		list = append(list, w.lateTicks(now, a.Name, a.Skipped)...)
	}
	for _, name := range s.closedDoors() {
		list = append(list, lastingProblem{problemKey: problemKey{webhook.DoorClosed, name}, text: fmt.Sprintf("the door %s closed while the server was running", name)})
	}
	failures := s.Failures()
	for i := range failures {
		list = append(list, failureProblem(&failures[i]))
	}
	if save := s.hub.SaveStatus(); save.Err != nil {
		list = append(list, lastingProblem{
			problemKey: problemKey{webhook.WriteFailed, "records"}, since: save.Since, after: recordsAfter,
			text: fmt.Sprintf("%d player records cannot be saved: %v", save.Unsaved, save.Err), over: "player records are saved again",
		})
	}
	if p, ok := s.hub.PlannedStop(); ok {
		what, at := "stop", p.At.UTC().Format(time.RFC3339)
		if p.Restart {
			what = "restart"
		}
		list = append(list, lastingProblem{
			problemKey: problemKey{webhook.StopPlanned, what + " at " + at},
			text:       withReason(fmt.Sprintf("%s plans a %s of the server at %s", p.By, what, at), p.Reason), over: fmt.Sprintf("the %s planned for %s is cancelled", what, at),
		})
	}
	return append(list, w.loginFailures(now, wrongPasswords(s.metrics))...)
}

func failureProblem(f *telemetry.Failure) lastingProblem {
	for _, l := range lastingFailures {
		if strings.HasPrefix(f.What, l.what) {
			return lastingProblem{problemKey: problemKey{l.kind, l.subject}, since: f.Since, after: l.after, text: fmt.Sprintf("%s: %v", l.text, f.Err), over: "over: " + l.text}
		}
	}
	what := strings.ToLower(f.What)
	return lastingProblem{problemKey: problemKey{webhook.WriteFailed, what}, since: f.Since, text: fmt.Sprintf("%s: %v", what, f.Err), over: "over: " + what}
}

// lateTicks records the number of ticks that an area has skipped so far. It returns a problem if the area has skipped too many
// ticks per second during the last lateWindow.
func (w *problemWatch) lateTicks(now time.Time, area string, skipped uint64) []lastingProblem {
	if w.skippedTicks == nil {
		w.skippedTicks = map[string]*rateWindow{}
	}
	if w.skippedTicks[area] == nil {
		w.skippedTicks[area] = &rateWindow{}
	}
	rate := w.skippedTicks[area].add(now, skipped, lateWindow)
	if rate <= lateRate {
		return nil
	}
	return []lastingProblem{{
		problemKey: problemKey{webhook.TicksLate, area}, after: lateFor,
		text: fmt.Sprintf("the area %q skips %.1f ticks a second", area, rate), over: fmt.Sprintf("the area %q keeps its tick rate again", area),
	}}
}

// loginFailures records the number of wrong passwords so far. It returns a problem if there were too many wrong passwords within
// the last loginWindow.
func (w *problemWatch) loginFailures(now time.Time, wrong uint64) []lastingProblem {
	rate := w.wrongPasswords.add(now, wrong, loginWindow)
	if rate <= loginRate {
		return nil
	}
	return []lastingProblem{{
		problemKey: problemKey{kind: webhook.LoginFailures}, after: loginFor,
		text: fmt.Sprintf("%.1f wrong passwords a second; truestep why --held-back shows from where", rate), over: "wrong passwords are rare again",
	}}
}

// check compares the present problems (the parameter found) with those of the previous check. It sends events about problems that
// began or ended. The sink may refuse an event because it was given an equal one recently. check then tries again later, if the
// problem still lasts.
func (w *problemWatch) check(now time.Time, found []lastingProblem) {
	if w.known == nil {
		w.known = map[problemKey]*knownProblem{}
	}
	lasts := map[problemKey]bool{}
	for i := range found {
		p := &found[i]
		lasts[p.problemKey] = true
		k := w.known[p.problemKey]
		if k == nil {
			k = &knownProblem{since: now}
			w.known[p.problemKey] = k
		}
		if !p.since.IsZero() {
			k.since = p.since
		}
		k.over = p.over
		if k.sent || now.Sub(k.since) < p.after || k.tried && !w.sink.Ready(p.kind, webhook.Firing, p.name) {
			continue
		}
		k.tried, k.sent = true, w.sink.Send(webhook.Event{Kind: p.kind, State: webhook.Firing, Subject: p.name, Text: p.text, Time: now})
	}
	for key, k := range w.known {
		if lasts[key] {
			continue
		}
		delete(w.known, key)
		if k.sent {
			w.sink.Send(webhook.Event{Kind: key.kind, State: webhook.Resolved, Subject: key.name, Text: k.over, Time: now})
		}
	}
}

// rateWindow computes the growth rate of a counter over a sliding window.
type rateWindow struct{ samples []rateSample }

type rateSample struct {
	at time.Time
	n  uint64
}

// add records that the counter has the value n at the time now. It returns the growth of the counter per second over the given
// period before now, or 0 if the recorded values do not go back that far.
func (w *rateWindow) add(now time.Time, n uint64, period time.Duration) float64 {
	if k := len(w.samples); k > 0 && (n < w.samples[k-1].n || now.Before(w.samples[k-1].at)) {
		w.samples = w.samples[:0] // the counter was reset or the clock was set back
	}
	w.samples = append(w.samples, rateSample{now, n})
	for len(w.samples) > 1 && now.Sub(w.samples[1].at) >= period {
		w.samples = w.samples[1:]
	}
	passed := now.Sub(w.samples[0].at)
	if passed < period {
		return 0
	}
	return float64(n-w.samples[0].n) / passed.Seconds()
}
