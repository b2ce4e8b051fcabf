package web

import (
	"context"
	"math"
	"runtime"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim"
)

// Interval of a worker's checks, and lengths of its queues.
const (
	timeoutCheckEvery = 100 * time.Millisecond // interval between two checks for timeouts
	maxRequests       = 1024                   // capacity of worker.requests
	maxInbound        = 8192                   // capacity of worker.in; further inputs are dropped
)

// inbound is an input message of a client on its way to the worker of its player. An acknowledgement is an input message without
// entries.
type inbound struct {
	p     *player
	input proto.Input
}

// worker serves a share of the door's players on one goroutine. Other goroutines may call only enqueue and post.
type worker struct {
	g         *Gateway
	feed      *area.Feed
	requests  chan func()   // functions that connections send to the worker, to be run on its goroutine
	in        chan inbound  // received inputs
	stopped   chan struct{} // closed when the worker has ended
	scenes    gateway.Scenes[*scene, *player]
	members   map[*player]struct{}     // players of this worker
	players   map[sim.EntityID]*player // players of this worker by actor
	buf       []byte                   // buffer for a snapshot
	restUntil time.Time                // until this time the worker makes no snapshots (see rest)
	resumed   time.Time                // time at which the worker has begun to make snapshots, or has last continued after yield
	busy      time.Duration            // time for which the worker has made snapshots of the present frame, until resumed
}

func newWorker(g *Gateway) *worker {
	w := &worker{
		g: g, feed: g.world.Subscribe("web", feedDepth), requests: make(chan func(), maxRequests), in: make(chan inbound, maxInbound),
		stopped: make(chan struct{}), members: map[*player]struct{}{}, players: map[sim.EntityID]*player{},
	}
	w.scenes = gateway.NewScenes[*scene, *player](w.feed, func(a sim.AreaID) *scene { return newScene(w, a) })
	return w
}

// enqueue passes a function to the worker, which calls it on its own goroutine. It returns false if the worker has ended.
func (w *worker) enqueue(do func()) bool {
	select {
	case w.requests <- do:
		return true
	case <-w.stopped:
		return false
	}
}

// post passes an input message to the worker. If the worker's queue is full, the message is dropped.
func (w *worker) post(m inbound) {
	select {
	case w.in <- m:
	default:
		w.g.door.Bad.With("overload").Inc()
	}
}

// run serves the worker's players until ctx ends or the world stops. If the worker panics, run returns an error.
func (w *worker) run(ctx context.Context) error {
	defer close(w.stopped)
	return gateway.Guard("web", w.g.log, func() { w.loop(ctx) })
}

func (w *worker) loop(ctx context.Context) {
	defer w.feed.Close()
	ticker := time.NewTicker(timeoutCheckEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			w.dismiss()
			return
		case f, ok := <-w.feed.C():
			if !ok {
				w.dismiss()
				return
			}
			w.takeInputs() // process inputs that arrived before the frame first, even if the worker has fallen behind
			w.scenes.Show(f.Frame)
			f.Release()
		case m := <-w.in:
			m.p.handleInput(&m.input)
			w.takeInputs()
		case do := <-w.requests:
			do()
		case <-ticker.C:
			w.checkTimeouts()
		}
	}
}

// takeInputs processes the input messages that are now in the worker's queue. It leaves those that arrive meanwhile for the next
// call, so that a flood of them does not keep the worker from other work.
func (w *worker) takeInputs() {
	for range len(w.in) {
		m := <-w.in
		m.p.handleInput(&m.input)
	}
}

// behind reports whether the worker must skip the snapshots of the current frame. This is so if newer frames are waiting,
// or if the pause after a frame that took long has not ended (see rest).
func (w *worker) behind() bool {
	return len(w.feed.C()) > len(w.scenes.Open) || time.Now().Before(w.restUntil)
}

// beginSnapshots records that the worker begins to make the snapshots of a frame.
func (w *worker) beginSnapshots() { w.resumed, w.busy = time.Now(), 0 }

// yieldEvery is the time after which a worker that makes snapshots lets other goroutines run.
const yieldEvery = time.Millisecond

// yield lets other goroutines run if the worker has made snapshots for yieldEvery. The worker calls it between the snapshots of two
// clients. Go would interrupt the worker only after 10 ms, for which the tick of an area or a connection would have to wait when all
// cores make snapshots.
func (w *worker) yield() {
	took := time.Since(w.resumed)
	if took < yieldEvery {
		return
	}
	w.busy += took
	runtime.Gosched()
	w.resumed = time.Now()
}

// rest limits the part of a CPU core that a worker uses for snapshots, so that a crowd that is too large for the machine does not
// delay areas, inputs and connections. The worker calls rest after it has made the snapshots of a frame. If that took longer than a
// third of a tick, without the time of yield, the worker makes no snapshots for half of the time that it took. The clients in such a
// crowd are sent fewer snapshots.
func (w *worker) rest() {
	now := time.Now()
	if took := w.busy + now.Sub(w.resumed); took > time.Second/time.Duration(3*w.g.world.Def().TicksPerSecond) {
		w.restUntil = now.Add(took / 2)
	}
}

// add makes the worker serve a player that has entered the world.
func (w *worker) add(p *player) {
	select {
	case <-p.gone: // the connection has ended meanwhile
		return
	default:
	}
	w.members[p] = struct{}{}
	w.players[p.session.Entity] = p
	w.scenes.Expect(p, p.session.Area())
}

// remove ends the service of a player whose connection has ended.
func (w *worker) remove(p *player) {
	w.scenes.Expect(p, sim.NoArea)
	delete(w.members, p)
	if w.players[p.session.Entity] == p {
		delete(w.players, p.session.Entity)
	}
	if p.scene != nil {
		p.scene.removeClient(p)
	}
}

// dismiss disconnects all clients of the worker. It is called when the server stops.
func (w *worker) dismiss() {
	for p := range w.members {
		p.left.Store(true)
		p.session.Leave()
		p.bye(proto.ByeStopping, true, "The server is closing.")
	}
}

// checkTimeouts stores the statistics of connections, and disconnects three kinds of clients: those whose player was removed from
// the world, those whose session the hub has ended, and those whose area has not shown their player within loginTimeout. The second
// kind may resume the session, the third is told to try again.
func (w *worker) checkTimeouts() {
	now := w.g.nowMS()
	for p := range w.members { // the order does not matter: players do not affect each other
		p.measure(now)
		if !p.welcomed && now >= p.answerBy {
			p.answerBy = math.MaxInt64 // once
			p.g.refuse(p.link, refusedBusy)
			p.link.close()
			continue
		}
		if p.session.CutOff() {
			p.bye(proto.ByeStopping, true, p.session.KickMessage())
			continue
		}
		if p.farewellAt > 0 && now >= p.farewellAt && !w.g.world.Stopping() {
			text := p.session.KickMessage()
			if text == "" {
				text = "You were removed from the world."
			}
			p.left.Store(true)
			p.bye(proto.ByeKicked, false, text)
		}
	}
}
