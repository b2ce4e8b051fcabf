package webhook

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	queueLength = 64              // maximum number of events that wait for one receiver; further events are dropped
	firstPause  = time.Second     // pause before the second attempt; each further pause is twice as long
	longPause   = 5 * time.Minute // maximum pause between attempts
	giveUpAfter = time.Hour       // age at which an event is dropped instead of retried
)

// Sender sends events to receivers. Its methods are safe for concurrent use. The methods of a nil Sender do nothing.
type Sender struct {
	world  string
	log    *slog.Logger
	queues []*queue
	client *http.Client

	mu      sync.Mutex
	limiter *limiter
	closed  bool

	closing chan struct{} // closed by Close; ends pauses and prevents further attempts
	stop    context.CancelFunc
	done    sync.WaitGroup
}

// queue is a receiver together with the events that wait to be sent to it.
type queue struct {
	Receiver
	events  chan queued
	dropped atomic.Int64 // number of events dropped by the full queue since the last accepted event
	missed  atomic.Int64 // number of events not delivered since the start: dropped, refused by the receiver, or too old
	waiting atomic.Int64 // events that are not delivered yet, including the one that is being sent
	lost    int          // events that were not delivered because the Sender was closed
	failing bool         // the last attempt failed, and the log has a line about it
	unread  bool         // the secrets could not be read, and the log has a line about it
}

// queued is an event and the time at which it was queued. The time includes a reading of the monotonic clock.
type queued struct {
	Event
	at time.Time
}

// NewSender starts a Sender for the receivers that Load returned. The parameter world is the name of the world;
// messages contain it.
func NewSender(world string, list []Receiver, log *slog.Logger) *Sender {
	return newSender(world, list, log, newClient())
}

func newSender(world string, list []Receiver, log *slog.Logger, client *http.Client) *Sender {
	ctx, stop := context.WithCancel(context.Background())
	s := &Sender{world: world, log: log, limiter: newLimiter(), closing: make(chan struct{}), stop: stop, client: client}
	for _, r := range list {
		q := &queue{Receiver: r, events: make(chan queued, queueLength)}
		s.queues = append(s.queues, q)
		s.done.Go(func() { s.run(ctx, q) })
	}
	return s
}

// Send queues an event for all receivers of its kind and returns at once. It returns false if the event is dropped, for
// one of three reasons: (1) An equal event was sent within the last ten minutes. (2) Too many events of its kind were
// sent. (3) The Sender is closed. Reasons (1) and (2) do not apply to an event with the state Resolved, because
// receivers already got the event with the state Firing.
func (s *Sender) Send(e Event) bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	now := time.Now()
	if e.Time.IsZero() {
		e.Time = now
	}
	if e.State == "" {
		e.State = Info
	}
	skipped, ok := s.limiter.allow(subject{e.Kind, e.State, e.Subject}, now, e.State == Resolved)
	if !ok {
		return false
	}
	e.ID, e.World, e.Skipped = newID(), s.world, skipped
	e.Time, e.Subject, e.Text = e.Time.UTC().Truncate(time.Millisecond), oneLine(e.Subject), oneLine(e.Text)
	for _, q := range s.queues {
		if q.wants(e.Kind) {
			q.add(s.log, queued{e, now})
		}
	}
	return true
}

// Ready reports whether Send would queue an event with this kind, state and subject.
func (s *Sender) Ready(k Kind, state State, name string) bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.closed && s.limiter.ready(subject{k, state, name}, time.Now())
}

// Stats returns two numbers, summed over all receivers. The result waiting is the number of events that wait to be delivered. The
// result missed is the number of events since the start that were not delivered: dropped by a full queue, refused by the
// receiver, or too old.
func (s *Sender) Stats() (waiting, missed int64) {
	if s == nil {
		return 0, 0
	}
	for _, q := range s.queues {
		waiting += q.waiting.Load()
		missed += q.missed.Load()
	}
	return waiting, missed
}

// add queues an event, or drops it if the queue is full.
func (q *queue) add(log *slog.Logger, e queued) {
	q.waiting.Add(1) // before the event is queued, so that the receiver's goroutine cannot subtract first
	select {
	case q.events <- e:
		if n := q.dropped.Swap(0); n > 0 {
			log.Error("webhook: events were dropped because the queue of a receiver was full", "receiver", q.Name, "events", n)
		}
	default:
		q.waiting.Add(-1)
		q.missed.Add(1)
		if q.dropped.Add(1) == 1 {
			log.Error("webhook: the queue of a receiver is full; events are dropped", "receiver", q.Name, "event", e.Kind)
		}
	}
}

// renewSecrets reads the secret files again, because they may have changed. If that fails, the secrets that were read before stay
// in use.
func (q *queue) renewSecrets(log *slog.Logger) {
	err := q.readSecrets()
	if err != nil && !q.unread {
		log.Warn("webhook: cannot read the secret of a receiver; messages are signed with the secret read before", "receiver", q.Name, "err", err)
	}
	q.unread = err != nil
}

// Close makes one more attempt for every queued event. It returns when all attempts are done or ctx ends. Events that
// are not delivered by then are lost; their number is logged.
func (s *Sender) Close(ctx context.Context) {
	if s == nil {
		return
	}
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.closing)
		for _, q := range s.queues {
			close(q.events)
		}
	}
	s.mu.Unlock()
	cancel := context.AfterFunc(ctx, s.stop)
	s.done.Wait()
	cancel()
	s.stop()
	s.client.CloseIdleConnections()
}

// run is the goroutine of one receiver. It sends the queued events one after the other, in order.
func (s *Sender) run(ctx context.Context, q *queue) {
	for e := range q.events {
		s.deliver(ctx, q, &e)
		q.waiting.Add(-1)
	}
	if lost := int64(q.lost) + q.dropped.Load(); lost > 0 {
		s.log.Error("webhook: events were not delivered before the stop and are lost", "receiver", q.Name, "events", lost)
	}
}

// deliver sends one event and repeats failed attempts. It returns when the receiver has accepted or refused the event, the event
// is too old, or the Sender is closed.
func (s *Sender) deliver(ctx context.Context, q *queue, e *queued) {
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		if ctx.Err() != nil {
			q.lost++
			return
		}
		q.renewSecrets(s.log)
		err := post(ctx, s.client, &q.Receiver, &e.Event)
		if err == nil {
			if q.failing {
				s.log.Info("webhook: a receiver accepts events again", "receiver", q.Name)
			}
			q.failing = false
			return
		}
		wait := pause
		if busy, ok := errors.AsType[*busyError](err); ok && busy.after > wait {
			wait = min(busy.after, longPause)
		}
		select {
		case <-s.closing:
			q.lost++
			return
		default:
		}
		_, final := errors.AsType[*refusedError](err)
		if final || time.Since(e.at)+wait > giveUpAfter {
			q.missed.Add(1)
			s.log.Error("webhook: an event could not be delivered and is lost", "receiver", q.Name, "event", e.Kind, "id", e.ID, "err", err)
			return
		}
		if !q.failing {
			s.log.Warn("webhook: cannot deliver an event, retrying", "receiver", q.Name, "event", e.Kind, "id", e.ID, "err", err)
		}
		q.failing = true
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-s.closing:
			timer.Stop()
		}
	}
}
