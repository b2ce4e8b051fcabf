package server

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/telemetry"
	"github.com/truestep-io/truestep/webhook"
)

// WebhookConfig configures the HTTP receivers of events.
type WebhookConfig struct {
	Webhooks string `help:"File (TOML) of receivers over HTTP, which are sent alerts, for example that a door has closed." placeholder:"FILE" toml:"webhooks"`
}

const (
	webhookEvery = 10 * time.Second       // interval of the checks for problems
	webhookStop  = 800 * time.Millisecond // default of webhookWatcher.stopTime
)

// webhookWatcher watches the server and sends events to the receivers. The zero value sends nothing.
type webhookWatcher struct {
	sender        senderRef          // present sender
	receivers     []webhook.Receiver // receivers of sender; guarded by Server.reloading after the start
	stopTime      time.Duration      // maximum time to send queued events when the server stops or the receivers are replaced
	cancelEntries func()             // ends the callback of the journal
	loop          periodic

	mu      sync.Mutex
	closed  bool           // close was called; guarded by mu
	missed  int64          // events that replaced senders did not deliver; guarded by mu
	closing sync.WaitGroup // replaced senders that are still sending; incremented with mu held

	watch    problemWatch // used by the goroutine of loop, later by finish
	suspects suspectWatch // used by the goroutine of the journal
}

// eventSink receives events: a *webhook.Sender, except in tests.
type eventSink interface {
	Send(webhook.Event) bool
	Ready(k webhook.Kind, state webhook.State, name string) bool
}

// open reads the list of receivers from the configured file, and creates a sender that sends events to them.
func (h *webhookWatcher) open(s *Server) error {
	list, err := loadReceivers(s.cfg.Webhooks)
	if err != nil {
		return err
	}
	h.watch.sink, h.suspects.sink = &h.sender, &h.sender
	h.stopTime = cmp.Or(s.cfg.webhookStop, webhookStop)
	h.replace(s, list)
	return nil
}

// replace makes the receivers in the parameter list receive all later events. Events that are already queued are still sent
// to the former receivers, for at most the time stopTime.
func (h *webhookWatcher) replace(s *Server, list []webhook.Receiver) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	var next *webhook.Sender
	if len(list) > 0 {
		next = webhook.NewSender(s.cfg.World.Name, list, s.log)
	}
	h.receivers = list
	if old := h.sender.Swap(next); old != nil {
		_, missed := old.Stats()
		h.missed += missed
		h.closing.Go(func() { closeSender(old, h.stopTime) })
	}
}

// senderRef refers to the present sender of events, which a reload of the settings can replace. Without a sender, events are
// dropped.
type senderRef struct{ atomic.Pointer[webhook.Sender] }

// Send passes an event to the present sender.
func (r *senderRef) Send(e webhook.Event) bool { return r.Load().Send(e) }

// Ready reports whether the present sender would accept an event with this kind, state and name now; see webhook.Sender.Ready.
func (r *senderRef) Ready(k webhook.Kind, state webhook.State, name string) bool {
	return r.Load().Ready(k, state, name)
}

// start sends the event that the server is up, and starts watching the server.
func (h *webhookWatcher) start(s *Server) {
	h.sender.Send(webhook.Event{Kind: webhook.ServerUp, Text: "the server is open for players"})
	h.cancelEntries = s.journal.OnEntry(func(e journal.Entry) {
		if s.cluster.reports(&e) {
			h.suspects.add(&e)
		}
	})
	h.loop.start(webhookEvery, func(now time.Time) {
		h.watch.check(now, s.findProblems(now, &h.watch))
		h.count(s.metrics)
	})
}

// count updates the metrics of events that wait to be sent and of events that were not delivered.
func (h *webhookWatcher) count(m *telemetry.Metrics) {
	h.mu.Lock()
	waiting, missed := h.sender.Load().Stats()
	missed += h.missed
	h.mu.Unlock()
	m.WebhookWaiting.Set(int(waiting))
	m.WebhookMissed.Add(int(missed - int64(m.WebhookMissed.Load())))
}

// finish stops watching and sends the event that the server stops, with the reason. It is called before anything else
// is stopped, and does not block.
func (h *webhookWatcher) finish(s *Server) {
	if !h.loop.stop() {
		return
	}
	h.cancelEntries()
	now := time.Now()
	h.watch.check(now, s.findProblems(now, &h.watch)) // report the problem that ends the server
	h.sender.Send(webhook.Event{Kind: webhook.ServerDown, Text: s.whyStopping(now)})
}

// close sends the queued events, for at most the time stopTime.
func (h *webhookWatcher) close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	closeSender(h.sender.Load(), h.stopTime)
	h.closing.Wait()
}

func closeSender(s *webhook.Sender, most time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	s.Close(ctx)
}

// whyStopping returns a sentence for the receivers about why the server stops.
func (s *Server) whyStopping(now time.Time) string {
	if err := s.world.Err(); err != nil {
		return fmt.Sprintf("the server stops after an error: %v", err)
	}
	if names := s.closedDoors(); len(names) > 0 {
		return "the server stops because a door closed: " + strings.Join(names, ", ")
	}
	select {
	case <-s.store.Lost():
		return fmt.Sprintf("the server stops: %v", s.store.LostError())
	default:
	}
	if p, ok := s.hub.PlannedStop(); ok && !p.At.After(now) {
		what := "stops"
		if p.Restart {
			what = "restarts"
		}
		return withReason(fmt.Sprintf("the server %s as %s has planned", what, p.By), p.Reason)
	}
	return "the server is stopping"
}

func withReason(text, reason string) string {
	if reason == "" {
		return text
	}
	return text + ": " + reason
}

// closedDoors returns the names of doors that have closed while the server runs.
func (s *Server) closedDoors() (names []string) {
	if s.world.Stopping() || s.world.Err() != nil {
		return nil // doors end with the world
	}
	for _, d := range s.doors {
		select {
		case <-d.done: // never ready if the door is off, because done is nil
			names = append(names, d.Name())
		default:
		}
	}
	return names
}

func wrongPasswords(m *telemetry.Metrics) (n uint64) {
	m.Logins.Each(func(result string, count uint64) {
		if result == "wrong_password" {
			n += count
		}
	})
	return n
}
