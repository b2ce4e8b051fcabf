package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/telemetry"
	"github.com/truestep-io/truestep/webhook"
)

// noteSink records the events that it receives. While refused is true, it refuses all events except those with the state Resolved.
type noteSink struct {
	list    []webhook.Event
	refused bool
	offers  int
}

func (s *noteSink) Send(e webhook.Event) bool {
	s.offers++
	if s.refused && e.State != webhook.Resolved {
		return false
	}
	s.list = append(s.list, e)
	return true
}

func (s *noteSink) Ready(webhook.Kind, webhook.State, string) bool { return !s.refused }

// texts returns the recorded events and removes them from the sink.
func (s *noteSink) texts() (list []string) {
	for _, e := range s.list {
		list = append(list, fmt.Sprintf("%s %s %s: %s", e.Kind, e.State, e.Subject, e.Text))
	}
	s.list = nil
	return list
}

func expectTexts(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

var webhookNoon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestLateTicksWebhookIsSentAfterOneMinuteAndWhenProblemEnds(t *testing.T) {
	sink := &noteSink{}
	w := problemWatch{sink: sink}
	skipped := uint64(0)
	var firing, resolved time.Duration
	for at := time.Duration(0); at < 20*time.Minute; at += webhookEvery {
		switch {
		case at < 5*time.Minute: // one skipped tick in ten seconds
			skipped++
		case at < 10*time.Minute:
			skipped += 30
		}
		now := webhookNoon.Add(at)
		w.check(now, append(w.lateTicks(now, "Vale", skipped), w.lateTicks(now, "Moor", 5)...))
		for _, text := range sink.texts() {
			switch {
			case strings.HasPrefix(text, `ticks_late firing Vale: the area "Vale" skips `) && firing == 0:
				firing = at
			case text == `ticks_late resolved Vale: the area "Vale" keeps its tick rate again` && resolved == 0:
				resolved = at
			default:
				t.Errorf("at %v: %s", at, text)
			}
		}
	}
	// The area skips 1 tick per check at first, and 30 per check from 5m to 10m. At 5m30s the last 120 seconds contain more than 120
	// skipped ticks, which is more than lateRate. At 11m10s they no longer do.
	if firing != 5*time.Minute+30*time.Second+lateFor || resolved != 11*time.Minute+10*time.Second {
		t.Errorf("firing at %v, resolved at %v", firing, resolved)
	}
}

func TestLateTicksWebhookIsNotSentForLessThanOneMinute(t *testing.T) {
	sink := &noteSink{}
	w := problemWatch{sink: sink}
	skipped := uint64(0)
	for at := time.Duration(0); at < 20*time.Minute; at += webhookEvery {
		if at == 5*time.Minute {
			skipped = 100 // 100 ticks skipped at once, by a long pause: less than one tick a second over two minutes
		}
		now := webhookNoon.Add(at)
		w.check(now, w.lateTicks(now, "Vale", skipped))
	}
	expectTexts(t, "one pause", sink.texts())
}

func TestWrongPasswordsWebhookIsSentAfterFiveMinutesAboveLimit(t *testing.T) {
	sink := &noteSink{}
	w := problemWatch{sink: sink}
	m := telemetry.New()
	var firing time.Duration
	for at := time.Duration(0); at < 30*time.Minute; at += webhookEvery {
		m.Logins.With("ok").Add(1000)
		m.Logins.With("wrong_password").Add(9) // below the rate
		if at >= 10*time.Minute {
			m.Logins.With("wrong_password").Add(3)
		}
		now := webhookNoon.Add(at)
		w.check(now, w.loginFailures(now, wrongPasswords(m)))
		for _, text := range sink.texts() {
			if firing != 0 || !strings.HasPrefix(text, "login_failures firing : 1.") {
				t.Error(text)
			}
			firing = at
		}
	}
	if firing != 11*time.Minute+40*time.Second+loginFor { // loginFor after more than 300 passwords were wrong within five minutes
		t.Errorf("firing at %v", firing)
	}
}

func TestFailureWebhookIsSentAfterDelayForKindOfFailure(t *testing.T) {
	broken := errors.New("disk full")
	for what, want := range map[string]struct {
		after time.Duration
		text  string
	}{
		"TAPE NOT WRITTEN (240 ticks missed)": {0, "write_failed firing tape: the tape cannot be written: disk full"},
		"JOURNAL NOT WRITTEN":                 {time.Minute, "write_failed firing journal: the journal cannot be written: disk full"},
		"CHAT LOG NOT WRITTEN":                {time.Minute, "write_failed firing chat: the chat log cannot be written: disk full"},
		"LEDGER NOT WRITTEN":                  {time.Minute, "write_failed firing ledger: the ledger of the database cannot be written: disk full"},
		"DATABASE LOST":                       {30 * time.Second, "write_failed firing database: the database cannot be reached: disk full"},
		"HISTORY NOT WRITTEN":                 {time.Minute, "write_failed firing history: the history of figures cannot be written: disk full"},
		"BACKUP FAILED":                       {10 * time.Minute, "backup_failed firing backup: scheduled backups fail: disk full"},
		"SOMETHING NEW":                       {0, "write_failed firing something new: something new: disk full"},
	} {
		sink := &noteSink{}
		w := problemWatch{sink: sink}
		f := telemetry.Failure{What: what, Err: broken, Since: webhookNoon}
		if want.after > 0 {
			w.check(webhookNoon.Add(want.after-time.Second), []lastingProblem{failureProblem(&f)})
			expectTexts(t, what, sink.texts())
		}
		for range 3 {
			w.check(webhookNoon.Add(want.after), []lastingProblem{failureProblem(&f)})
		}
		expectTexts(t, what, sink.texts(), want.text)
		w.check(webhookNoon.Add(time.Hour), nil)
		w.check(webhookNoon.Add(time.Hour), nil)
		if list := sink.texts(); len(list) != 1 || !strings.Contains(list[0], " resolved ") || !strings.Contains(list[0], ": over: ") {
			t.Errorf("%s: %q", what, list)
		}
	}
}

func TestProblemWebhookRefusedByQueueIsRetriedWhileProblemLasts(t *testing.T) {
	sink := &noteSink{refused: true}
	w := problemWatch{sink: sink}
	list := []lastingProblem{{problemKey: problemKey{webhook.DoorClosed, "rs"}, text: "closed", over: "open"}}
	w.check(webhookNoon, list)
	w.check(webhookNoon.Add(time.Second), list)
	if sink.offers != 1 {
		t.Errorf("the event was offered %d times", sink.offers)
	}
	sink.refused = false
	w.check(webhookNoon.Add(2*time.Second), list)
	w.check(webhookNoon.Add(3*time.Second), list)
	expectTexts(t, "after the refusal", sink.texts(), "door_closed firing rs: closed")

	sink.refused = true
	other := []lastingProblem{{problemKey: problemKey{webhook.DoorClosed, "web"}, text: "closed", over: "open"}}
	w.check(webhookNoon.Add(4*time.Second), append(other, list...))
	w.check(webhookNoon.Add(5*time.Second), list)
	expectTexts(t, "an end without a begin", sink.texts())
}

func TestWebhookThresholdsEqualThoseOfPrometheusAlertRules(t *testing.T) {
	text, err := os.ReadFile("../packaging/prometheus/truestep.rules.yml")
	if err != nil {
		t.Fatal(err)
	}
	after := map[string]time.Duration{"tape": 0}
	for _, l := range lastingFailures {
		after[l.subject] = l.after
	}
	for alert, want := range map[string]struct {
		expr string
		wait time.Duration
	}{
		"TruestepTicksLate":         {fmt.Sprintf("[%.0fm]) > %g'", lateWindow.Minutes(), lateRate), lateFor},
		"TruestepWrongPasswords":    {fmt.Sprintf("[%.0fm]) > %g'", loginWindow.Minutes(), loginRate), loginFor},
		"TruestepTapeBehind":        {"", after["tape"]},
		"TruestepRecordsNotSaved":   {"", recordsAfter},
		"TruestepBackupFailing":     {"", after["backup"]},
		"TruestepJournalNotWritten": {"", after["journal"]},
		"TruestepChatLogNotWritten": {"", after["chat"]},
		"TruestepLedgerNotWritten":  {"", after["ledger"]},
		"TruestepDatabaseLost":      {"", after["database"]},
	} {
		m := regexp.MustCompile(`- alert: ` + alert + `\n +expr: (.*)\n +for: (.*)\n`).FindStringSubmatch(string(text))
		if m == nil {
			t.Errorf("there is no rule %s", alert)
			continue
		}
		if wait, err := time.ParseDuration(m[2]); err != nil || wait != want.wait || !strings.Contains(m[1], want.expr) {
			t.Errorf("%s: %s for %s, want %s for %v", alert, m[1], m[2], want.expr, want.wait)
		}
	}
}

func TestSuspectWebhookIsSentAfterTwentyAntiCheatVerdictsOutsideServerLag(t *testing.T) {
	sink := &noteSink{}
	w := suspectWatch{sink: sink}
	add := func(id int64, player string, after time.Duration, r reason.Reason, times, late int32) {
		w.add(&journal.Entry{ID: id, At: webhookNoon.Add(after), Account: "acc", Player: player, Door: "rcce", Area: "Vale", Verdict: journal.Held, Reason: r, Times: times, LateTimes: late})
	}
	add(1, "Ann", 0, reason.TooFast, 10, 0)
	add(1, "Ann", time.Second, reason.TooFast, 19, 0) // the same entry
	add(2, "Ann", time.Second, reason.Blocked, 500, 0)
	add(3, "Ann", time.Second, reason.OutOfRange, 500, 0)
	add(4, "Ann", time.Second, reason.TooFastUp, 30, 30) // the server was late
	add(5, "Bo", time.Second, reason.TooFast, 19, 0)
	expectTexts(t, "19 decisions", sink.texts())
	add(6, "Ann", 2*time.Second, reason.TooFast, 1, 0)
	add(6, "Ann", 3*time.Second, reason.TooFast, 50, 0)
	expectTexts(t, "20 decisions", sink.texts(), "suspicious  Ann: 20 suspicious holds, corrections and refusals of Ann (account acc, door rcce) within 10 minutes, the last in Vale: "+
		reason.TooFast.Sentence()+"; truestep why explains them")
	for i := range int64(40) { // one in a minute
		add(100+i, "Bo", 12*time.Minute+time.Duration(i)*time.Minute, reason.TooFast, 1, 0)
	}
	expectTexts(t, "a low rate", sink.texts())
	for i := range 3 * suspectCount {
		add(1000, fmt.Sprint(i), time.Hour, reason.TooFast, 1, 0)
	}
	if len(w.players) > suspectCount {
		t.Errorf("%d players are counted", len(w.players))
	}
}

// receiver records the webhook events that a server sends.
type receiver struct {
	*httptest.Server
	mu   sync.Mutex
	list []webhook.Event
}

// newReceiver starts an HTTP server and returns it with a webhooks file that names it as the only receiver.
func newReceiver(t *testing.T) (r *receiver, file string) {
	r = &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		var e webhook.Event
		if body, err := io.ReadAll(q.Body); err != nil || json.Unmarshal(body, &e) != nil {
			t.Error(err, string(body))
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.list = append(r.list, e)
	}))
	t.Cleanup(r.Close)
	file = filepath.Join(t.TempDir(), "hooks.toml")
	if err := os.WriteFile(file, []byte("[[receiver]]\nname = \"r\"\nurl = \""+r.URL+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return r, file
}

// texts returns the texts of all received events.
func (r *receiver) texts() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return (&noteSink{list: r.list}).texts()
}

func TestWebhooksReportServerStartAndReasonOfStop(t *testing.T) {
	for name, c := range map[string]struct {
		stop func(t *testing.T, s *Server)
		want []string
	}{
		"asked to": {func(*testing.T, *Server) {}, []string{"server_down info : the server is stopping"}},
		"restart": {func(t *testing.T, s *Server) {
			if _, err := s.hub.PlanStop(session.PlannedStop{Restart: true, Reason: "update", By: "ann"}, 0); err != nil {
				t.Fatal(err)
			}
			if err := s.Wait(t.Context()); !errors.Is(err, ErrRestart) {
				t.Fatal(err)
			}
		}, []string{"server_down info : the server restarts as ann has planned: update"}},
		"door closed": {func(_ *testing.T, s *Server) {
			d := &runningDoor{Door: rcce.NewDoor(), done: make(chan struct{})}
			close(d.done)
			s.doors = append(s.doors, d)
		}, []string{"door_closed firing rcce: the door rcce closed while the server was running", "server_down info : the server stops because a door closed: rcce"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, file := newReceiver(t)
			cfg := quietConfig(t)
			cfg.Webhooks, cfg.webhookStop = file, waitLimit
			s := start(t, cfg)
			c.stop(t, s)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			list := r.texts()
			if name == "restart" { // the restart is planned for now, and this plan may be reported, too
				list = slices.DeleteFunc(list, func(text string) bool { return strings.HasPrefix(text, "stop_planned firing restart at ") })
			}
			expectTexts(t, name, list, append([]string{"server_up info : the server is open for players"}, c.want...)...)
			if r.list[0].World != s.cfg.World.Name || s.cfg.World.Name == "" {
				t.Errorf("world %q", r.list[0].World)
			}
		})
	}
}

func TestWebhookIsSentWhenAreaStops(t *testing.T) {
	r, file := newReceiver(t)
	cfg := quietConfig(t)
	cfg.Webhooks, cfg.webhookStop, cfg.World = file, waitLimit, content.DefaultWorld()
	cfg.World.Areas[0].Spawns[0].Waypoint = 60000 // package content refuses such a waypoint, so the area panics
	if err := Run(t.Context(), cfg); err == nil {
		t.Fatal("the area did not panic")
	}
	list := r.texts()
	if len(list) != 3 || !strings.HasPrefix(list[1], "area_stopped firing "+cfg.World.Areas[0].Name+": the area ") || !strings.HasPrefix(list[2], "server_down info : the server stops after an error: ") {
		t.Errorf("%q", list)
	}
}

func TestWebhooksReportPlannedAndCancelledStop(t *testing.T) {
	sink := &noteSink{}
	s := start(t, quietConfig(t))
	w := problemWatch{sink: sink}
	check := func() []string {
		now := time.Now()
		w.check(now, s.findProblems(now, &w))
		return sink.texts()
	}
	expectTexts(t, "no plan", check())
	p, err := s.hub.PlanStop(session.PlannedStop{By: "ann", Reason: "new disk"}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	at := p.At.UTC().Format(time.RFC3339)
	expectTexts(t, "plan", check(), "stop_planned firing stop at "+at+": ann plans a stop of the server at "+at+": new disk")
	expectTexts(t, "the same plan", check())
	s.hub.CancelStop()
	expectTexts(t, "cancelled", check(), "stop_planned resolved stop at "+at+": the stop planned for "+at+" is cancelled")
}

func TestStartWithInvalidWebhooksFileIsRefused(t *testing.T) {
	cfg := quietConfig(t)
	cfg.Webhooks = filepath.Join(t.TempDir(), "missing.toml")
	if _, err := Start(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "name a file of receivers with --webhooks FILE") {
		t.Errorf("Start returned %v", err)
	}
}

func TestMetricsCountQueuedWebhookEvents(t *testing.T) {
	r, file := newReceiver(t)
	cfg := quietConfig(t)
	cfg.Webhooks = file
	s := start(t, cfg)
	shown := func() string {
		s.webhooks.count(s.metrics)
		w := httptest.NewRecorder()
		s.metrics.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
		return w.Body.String()
	}
	eventually(t, "the first event is delivered", func() bool { return strings.Contains(shown(), "\ntruestep_webhook_events_waiting 0\n") })
	r.Close()
	s.webhooks.sender.Send(webhook.Event{Kind: webhook.DoorClosed, State: webhook.Firing, Subject: "rs", Text: "closed"})
	if text := shown(); !strings.Contains(text, "\ntruestep_webhook_events_waiting 1\n") || !strings.Contains(text, "\ntruestep_webhook_events_missed_total 0\n") {
		t.Errorf("metrics:\n%s", text)
	}
}
