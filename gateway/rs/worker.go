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
	timeoutCheckEvery = time.Second // between two looks for players whose time is up
	maxRequests       = 1024        // requests of connections that wait for the worker
)

// worker owns its players, and what they are told. Everything below runs on its goroutine, in run.
type worker struct {
	g          *Gateway
	feed       *area.Feed
	requests   chan func() // what connections want done
	stopped    chan struct{}
	actors     *actorTable
	scenes     []*areaScene // those with players of this worker, or about to have; sorted by area
	players    map[*player]struct{}
	cycleTicks sim.Tick // ticks in a cycle

	// Working memory of a cycle.
	enc             proto.Encoder
	selector        interest.Selector
	sightRule       interest.SightRule
	payload         []byte
	body            []byte
	appearance      []byte
	wantedRows      proto.RowSet
	priorityRows    proto.RowSet
	selected        []int32
	related         []int32
	previouslyShown []int32
}

func newWorker(g *Gateway) *worker {
	c := newActorTable(g.world.Def())
	return &worker{
		g:            g,
		feed:         g.world.Subscribe("rs", feedDepth, area.All),
		requests:     make(chan func(), maxRequests),
		stopped:      make(chan struct{}),
		actors:       c,
		players:      map[*player]struct{}{},
		cycleTicks:   g.world.Def().CycleTicks(),
		sightRule:    interest.DefaultSightRule(),
		wantedRows:   proto.NewRowSet(c.scene.RowCount()),
		priorityRows: proto.NewRowSet(c.scene.RowCount()),
	}
}

// ask has the worker do something. False: it does nothing any more.
func (w *worker) enqueue(ctx context.Context, do func()) bool {
	select {
	case w.requests <- do:
		return true
	case <-w.stopped:
		return false
	case <-ctx.Done():
		return false
	}
}

// serve is run with its panics as errors.
func (w *worker) run(ctx context.Context) error {
	defer close(w.stopped)
	return gateway.Guard("rs", w.g.log, func() { w.loop(ctx) })
}

// run serves the worker's players until ctx ends or the world stops, then says good-bye.
func (w *worker) loop(ctx context.Context) {
	defer w.feed.Close()
	defer w.releaseFrames()
	ticker := time.NewTicker(timeoutCheckEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			w.logOutAll()
			return
		case p, ok := <-w.feed.C():
			if !ok {
				w.logOutAll()
				return
			}
			w.handleFrame(p)
		case do := <-w.requests:
			do()
		case <-ticker.C:
			w.checkTimeouts()
		}
	}
}

// take reads a frame. Those of a cycle's tick are kept until all areas have brought theirs, or one is in the middle of
// the next cycle already. Areas that had to leave ticks out do not count alike: each has its own idea of a cycle.
func (w *worker) handleFrame(p area.Published) {
	f := p.Frame
	as := w.sceneOf(f.Area)
	if as == nil {
		p.Release()
		return
	}
	if as.frame != nil && f.Tick > as.frame.Tick+w.cycleTicks/2 {
		w.sendCycle()
		if as = w.sceneOf(f.Area); as == nil {
			p.Release()
			return
		}
	}
	as.handleEvents(f)
	if p.Missed > 0 {
		as.logOutMissing(f)
	}
	if f.Tick%w.cycleTicks != 0 {
		if f.Tick%w.cycleTicks == w.cycleTicks/2 {
			as.recordMidCycle(f)
		}
		p.Release()
		return
	}
	as.keepFrame(p)
	if !slices.ContainsFunc(w.scenes, func(o *areaScene) bool { return o.frame == nil }) {
		w.sendCycle()
	}
}

// place is the place of that area, nil if no player is there.
func (w *worker) sceneOf(id sim.AreaID) *areaScene {
	for _, as := range w.scenes {
		if as.id == id {
			return as
		}
	}
	return nil
}

// visit is the place of that area, made if need be.
func (w *worker) openScene(id sim.AreaID) *areaScene {
	if as := w.sceneOf(id); as != nil {
		return as
	}
	as := newAreaScene(w, id)
	w.scenes = append(w.scenes, as)
	slices.SortFunc(w.scenes, func(a, b *areaScene) int { return int(a.id) - int(b.id) })
	return as
}

// cycle tells every player what the last cycle has changed, but for those in areas whose frame has not come: they are
// told with the next one.
func (w *worker) sendCycle() {
	for _, as := range w.scenes {
		as.syncActors()
	}
	w.actors.scene.Prepare()
	for _, as := range w.scenes {
		if as.frame == nil {
			continue
		}
		as.buildIndexes()
		for _, p := range as.members {
			p.sendCycle(as)
		}
	}
	w.actors.scene.Advance()
	w.scenes = slices.DeleteFunc(w.scenes, func(as *areaScene) bool {
		as.releaseFrame()
		if len(as.members)+as.awaitedCount > 0 {
			return false
		}
		as.close()
		return true
	})
}

// sweep ends the visits of those whose connection is lost for too long, or who never came in.
func (w *worker) checkTimeouts() {
	now := time.Now()
	for p := range w.players { // each by himself, so the order does not matter
		p.checkTimeouts(now)
	}
}

// dismiss logs everybody out. Whoever has stopped the world has saved them, or will.
func (w *worker) logOutAll() {
	for p := range w.players {
		p.sendLogout()
		p.recorder.close()
	}
}

// release gives back the frames that are kept.
func (w *worker) releaseFrames() {
	for _, as := range w.scenes {
		as.releaseFrame()
	}
}
