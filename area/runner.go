package area

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// stepper is the part of *sim.Area that its goroutine uses.
type stepper interface {
	Step(intents []sim.Intent) *sim.Frame
	Recycle(f *sim.Frame)
	Snapshot(b []byte) []byte
}

// runner owns one area. Its fields below the line belong to its goroutine, and to Stop once that has ended.
type runner struct {
	world  *World
	id     sim.AreaID
	name   string
	inbox  *inbox
	back   returns
	ledger *ledger

	sim      stepper
	recorder *recorder // nil: no replay is kept
	intents  []sim.Intent
	last     *hold   // of the newest frame, held until there is a newer one; nil before the first
	spare    []*hold // without frames
	returned []*hold // working memory of reclaim
	err      error   // why it stopped early
}

// run steps the area until the world stops or the area breaks. The schedule is absolute: tick n is due at first plus
// n periods, whenever the ticks before it came, so that the rate does not drift.
func (r *runner) run(stop <-chan struct{}, first time.Time) {
	defer r.guard()
	period := r.world.period
	due := first
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	for {
		select {
		case <-stop:
			return
		case <-timer.C:
		}
		select {
		case <-stop: // an area that is behind finds its timer ready each time
			return
		default:
		}
		took := r.step(nil, nil)
		due = due.Add(period)
		if skip := r.skip(time.Since(due)); took > period || skip > 0 {
			r.ledger.overrun(skip)
			due = due.Add(time.Duration(skip) * period)
		}
		timer.Reset(time.Until(due))
	}
}

// maxCatchUp is how many ticks that are overdue an area steps without a pause; beyond them it leaves ticks out, lest
// a long stall be followed by a long rush.
const maxCatchUp = 3

// skip is how many ticks to leave out when the next one is overdue by late.
func (r *runner) skip(late time.Duration) int {
	return max(int(late/r.world.period)-maxCatchUp+1, 0)
}

// step advances the area once with what waits in its inbox and extra, publishes the frame, and then sends travellers
// on. wait is that of Feed.offer. It returns how long that took.
func (r *runner) step(extra []sim.Intent, wait <-chan struct{}) time.Duration {
	began := time.Now()
	r.reclaim()
	r.intents = append(r.inbox.drain(r.intents[:0]), extra...)
	if r.recorder != nil {
		r.recorder.before(r.sim, r.intents)
	}
	f := r.sim.Step(r.intents)
	r.publish(f, wait)
	r.route(f)
	took := time.Since(began)
	r.ledger.tick(f, len(r.intents), r.world.NowMS(), took)
	clear(r.intents) // they point to texts and characters
	return took
}

// reclaim gives the frames that nobody reads any more back to the area.
func (r *runner) reclaim() {
	r.returned = r.back.take(r.returned)
	for i, h := range r.returned {
		r.sim.Recycle(h.frame)
		h.frame = nil
		r.spare = append(r.spare, h)
		r.returned[i] = nil
	}
}

// publish hands the frame to every feed.
func (r *runner) publish(f *sim.Frame, wait <-chan struct{}) {
	h := r.hold(f)
	for _, feed := range *r.world.feeds.Load() {
		h.refs.Add(1)
		if !feed.offer(h, wait) {
			h.refs.Add(-1) // cannot be the last: the area itself holds it
			r.ledger.missed()
		}
	}
	if r.last != nil {
		r.last.release()
	}
	r.last = h
}

func (r *runner) hold(f *sim.Frame) *hold {
	var h *hold
	if n := len(r.spare); n > 0 {
		h = r.spare[n-1]
		r.spare = r.spare[:n-1]
	} else {
		h = &hold{home: &r.back}
	}
	h.frame = f
	h.refs.Store(1)
	return h
}

// route sends those who departed on to their next area. It comes after publish: whoever reads the frames of both
// areas sees an actor leave before it arrives.
func (r *runner) route(f *sim.Frame) {
	for i := range f.Events {
		e := &f.Events[i]
		if e.Kind != sim.EventDeparted {
			continue
		}
		join := sim.Intent{Kind: sim.IntentJoin, Who: e.Who, AtMS: r.world.NowMS(), Join: e.Join}
		if err := r.world.areas[e.To].inbox.pass(join); err != nil {
			r.world.log.Error("a traveller was lost: the area he went to is closed",
				telemetry.FieldActor, e.Who, telemetry.FieldArea, r.world.areas[e.To].name, telemetry.FieldErr, err)
		}
	}
}

// guard stops the area after a panic, which is a broken invariant: it saves its replay and nobody limps on. It must be
// deferred.
func (r *runner) guard() {
	v := recover()
	if v == nil {
		return
	}
	stack := debug.Stack()
	r.err = fmt.Errorf("area %q stopped: %v", r.name, v)
	r.inbox.raise(inboxClosed)
	r.world.log.Error("an area stopped", telemetry.FieldArea, r.name,
		telemetry.FieldPanic, fmt.Sprint(v), telemetry.FieldStack, string(stack))
	if r.recorder != nil {
		if path := r.save(fmt.Sprint(v), string(stack)); path != "" {
			r.err = fmt.Errorf("%w; its replay is %s", r.err, path)
		}
	}
	r.ledger.failed(r.err)
	r.world.fail(r.err)
}

// save writes the replay of an area that stopped and returns the file, "" if it is not whole.
func (r *runner) save(panicked, stack string) string {
	p := &Replay{
		World: r.world.def.Name, Area: r.name,
		Snapshot: r.recorder.snapshot, Seed: r.world.opt.Seed, Ticks: r.recorder.ticks[:r.recorder.n],
		Panic: panicked, Stack: stack,
	}
	path, err := p.write(r.world.opt.ReplayDir, time.Now())
	level, text := slog.LevelInfo, "the replay of the area was saved"
	if err != nil {
		level, text = slog.LevelError, "the replay of the area is not whole"
	}
	r.world.log.Log(context.Background(), level, text,
		telemetry.FieldArea, r.name, telemetry.FieldFile, path, telemetry.FieldErr, err)
	if err != nil {
		return ""
	}
	return path
}
