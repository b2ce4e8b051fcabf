package rs

import (
	"context"
	"slices"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/interest"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
)

const (
	sweepEvery = time.Second // between two looks for players whose time is up
	maxAsked   = 1024        // requests of connections that wait for the worker
)

// worker owns its players, and what they are told. Everything below runs on its goroutine, in run.
type worker struct {
	g       *Gateway
	feed    *area.Feed
	asked   chan func() // what connections want done
	stopped chan struct{}
	crowd   *crowd
	places  []*place // those with players of this worker, or about to have; sorted by area
	players map[*player]struct{}
	every   sim.Tick // ticks in a cycle

	// Working memory of a cycle.
	enc     proto.Encoder
	chooser interest.Selector
	rule    interest.SightRule
	payload []byte
	body    []byte
	look    []byte
	want    proto.RowSet
	first   proto.RowSet
	chosen  []int32
	bound   []int32
	was     []int32
}

func newWorker(g *Gateway) *worker {
	c := newCrowd(g.world.Def())
	return &worker{
		g:       g,
		feed:    g.world.Subscribe("rs", feedDepth, area.All),
		asked:   make(chan func(), maxAsked),
		stopped: make(chan struct{}),
		crowd:   c,
		players: map[*player]struct{}{},
		every:   g.world.Def().CycleTicks(),
		rule:    interest.DefaultSightRule(),
		want:    proto.NewRowSet(c.scene.RowCount()),
		first:   proto.NewRowSet(c.scene.RowCount()),
	}
}

// ask has the worker do something. False: it does nothing any more.
func (w *worker) ask(ctx context.Context, do func()) bool {
	select {
	case w.asked <- do:
		return true
	case <-w.stopped:
		return false
	case <-ctx.Done():
		return false
	}
}

// serve is run with its panics as errors.
func (w *worker) serve(ctx context.Context) error {
	defer close(w.stopped)
	return gateway.Guard("rs", w.g.log, func() { w.run(ctx) })
}

// run serves the worker's players until ctx ends or the world stops, then says good-bye.
func (w *worker) run(ctx context.Context) {
	defer w.feed.Close()
	defer w.release()
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			w.dismiss()
			return
		case p, ok := <-w.feed.C():
			if !ok {
				w.dismiss()
				return
			}
			w.take(p)
		case do := <-w.asked:
			do()
		case <-ticker.C:
			w.sweep()
		}
	}
}

// take reads a frame. Those of a cycle's tick are kept until all areas have brought theirs, or one is in the middle of
// the next cycle already. Areas that had to leave ticks out do not count alike: each has its own idea of a cycle.
func (w *worker) take(p area.Published) {
	f := p.Frame
	pl := w.place(f.Area)
	if pl == nil {
		p.Release()
		return
	}
	if pl.frame != nil && f.Tick > pl.frame.Tick+w.every/2 {
		w.cycle()
		if pl = w.place(f.Area); pl == nil {
			p.Release()
			return
		}
	}
	pl.hear(f)
	if p.Missed > 0 {
		pl.search(f)
	}
	if f.Tick%w.every != 0 {
		if f.Tick%w.every == w.every/2 {
			pl.glimpse(f)
		}
		p.Release()
		return
	}
	pl.keep(p)
	if !slices.ContainsFunc(w.places, func(o *place) bool { return o.frame == nil }) {
		w.cycle()
	}
}

// place is the place of that area, nil if no player is there.
func (w *worker) place(id sim.AreaID) *place {
	for _, pl := range w.places {
		if pl.id == id {
			return pl
		}
	}
	return nil
}

// visit is the place of that area, made if need be.
func (w *worker) visit(id sim.AreaID) *place {
	if pl := w.place(id); pl != nil {
		return pl
	}
	pl := newPlace(w, id)
	w.places = append(w.places, pl)
	slices.SortFunc(w.places, func(a, b *place) int { return int(a.id) - int(b.id) })
	return pl
}

// cycle tells every player what the last cycle has changed, but for those in areas whose frame has not come: they are
// told with the next one.
func (w *worker) cycle() {
	for _, pl := range w.places {
		pl.sync()
	}
	w.crowd.scene.Prepare()
	for _, pl := range w.places {
		if pl.frame == nil {
			continue
		}
		pl.index()
		for _, p := range pl.members {
			p.serve(pl)
		}
	}
	w.crowd.scene.Advance()
	w.places = slices.DeleteFunc(w.places, func(pl *place) bool {
		pl.drop()
		if len(pl.members)+pl.awaited > 0 {
			return false
		}
		pl.close()
		return true
	})
}

// sweep ends the visits of those whose connection is lost for too long, or who never came in.
func (w *worker) sweep() {
	now := time.Now()
	for p := range w.players { // each by himself, so the order does not matter
		p.expire(now)
	}
}

// dismiss logs everybody out. Whoever has stopped the world has saved them, or will.
func (w *worker) dismiss() {
	for p := range w.players {
		p.kick()
		p.record.close()
	}
}

// release gives back the frames that are kept.
func (w *worker) release() {
	for _, pl := range w.places {
		pl.drop()
	}
}
