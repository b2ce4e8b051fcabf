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

// Limits of a worker, which serves a share of the players.
const (
	timeoutCheckEvery = time.Second // interval between two checks for timeouts
	maxRequests       = 1024        // capacity of worker.requests
)

// worker owns a share of the players and encodes their packets. All methods except enqueue are called only from its goroutine.
type worker struct {
	g          *Gateway
	feed       *area.Feed
	requests   chan func()   // functions that connections send to the worker, to be run on its goroutine
	stopped    chan struct{} // closed when the worker has ended
	actors     *actorTable
	scenes     []*areaScene // scenes of the areas in which players of this worker are or are expected, sorted by area
	players    map[*player]struct{}
	departures []lateDeparture // departures that the worker has not read yet
	searched   int             // number of players with player.searched, or more
	cycleTicks sim.Tick        // ticks per cycle

	// Buffers and indexes for sending one cycle. They are reused in the next cycle.
	encoder         proto.PlayerInfoEncoder
	selector        interest.Selector
	sightRule       interest.SightRule
	payload         []byte
	body            []byte
	appearance      []byte
	wantedRows      proto.RowSet // rows of the actors that the current client is sent
	priorityRows    proto.RowSet // rows that are sent first if the packet has no room for all
	selected        []int32      // result of selectShown
	related         []int32      // indices in areaScene.positions of the actors related to the current player
	previouslyShown []int32      // indices in areaScene.positions of the actors that the current client displays
}

func newWorker(g *Gateway) *worker {
	table := newActorTable(g.world.Def())
	return &worker{
		g:            g,
		feed:         g.world.Subscribe("rs", feedDepth, area.All),
		requests:     make(chan func(), maxRequests),
		stopped:      make(chan struct{}),
		actors:       table,
		players:      map[*player]struct{}{},
		cycleTicks:   g.world.Def().CycleTicks(),
		sightRule:    interest.DefaultSightRule(),
		wantedRows:   proto.NewRowSet(table.scene.RowCount()),
		priorityRows: proto.NewRowSet(table.scene.RowCount()),
	}
}

// enqueue passes a function to the worker, which runs it on its goroutine. It returns false if the worker or ctx has ended.
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

// run serves the worker's players until ctx ends or the world stops. A panic is returned as an error.
func (w *worker) run(ctx context.Context) error {
	defer close(w.stopped)
	return gateway.Guard("rs", w.g.log, func() { w.loop(ctx) })
}

// loop serves the worker's players until ctx ends or the world stops, then logs them out.
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

// handleFrame processes a frame of an area. A frame at the end of a cycle is stored. When every area has a stored frame, the
// cycle is sent. The cycles of an area that has skipped ticks end later than those of the other areas, which must not wait for
// it. The cycle is therefore also sent when an area's new frame is more than half a cycle newer than its stored one.
func (w *worker) handleFrame(p area.Published) {
	f := p.Frame
	w.followArrivals(f)
	w.showLateEvents(f)
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
		as.searchMissing(f)
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

// followArrivals makes players of this worker expected in the area of the frame f, in two cases. (1) The player has joined the area, and
// the worker has not read that it left its last area: on a node of a cluster, the frames of that area may be behind (lateDeparture). The
// departure, when it is read, concerns no member of the last area's scene any more. (2) The player has been expected elsewhere for longer than
// searchAfter, or was searched for at once (searchMissing), and its actor is in the frame.
func (w *worker) followArrivals(f *sim.Frame) {
	for i := range f.Events {
		if e := &f.Events[i]; e.Kind == sim.EventJoined {
			if row := w.actors.rowOf(e.Who); row >= 0 {
				if p := w.actors.rowStates[row].owner; p != nil && !p.isIn(f.Area) {
					w.expectDeparture(p)
					p.changeArea(f.Area)
				}
			}
		}
	}
	if w.searched == 0 {
		return
	}
	for p := range w.players { // the order does not matter: players do not affect each other
		if p.searched && !p.isIn(f.Area) && p.session.MayShow(f) && f.Find(p.session.Entity) != nil {
			p.changeArea(f.Area)
		}
	}
}

// sceneOf returns the scene of an area, or nil if no player of this worker is in the area or expected in it.
func (w *worker) sceneOf(id sim.AreaID) *areaScene {
	for _, as := range w.scenes {
		if as.id == id {
			return as
		}
	}
	return nil
}

// openScene returns the scene of an area. It creates the scene if necessary.
func (w *worker) openScene(id sim.AreaID) *areaScene {
	if as := w.sceneOf(id); as != nil {
		return as
	}
	as := newAreaScene(w, id)
	w.scenes = append(w.scenes, as)
	slices.SortFunc(w.scenes, func(a, b *areaScene) int { return int(a.id) - int(b.id) })
	return as
}

// sendCycle sends every player the changes since the last cycle, except players in areas without a stored frame. These players
// are sent the changes with the next cycle.
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

// checkTimeouts removes two kinds of players: those that have not appeared in a frame of their area in time, and those whose
// session has ended. Players that have not appeared for some time are searched for in the frames of all areas.
func (w *worker) checkTimeouts() {
	now := time.Now()
	w.searched = 0
	for p := range w.players { // the order does not matter: players do not affect each other
		p.checkTimeouts(now)
		if p.searched {
			w.searched++
		}
	}
}

// logOutAll sends the logout to the clients of all players. The world stores the players' records when it stops.
func (w *worker) logOutAll() {
	for p := range w.players {
		p.sendLogout()
		p.recorder.close()
	}
}

// releaseFrames releases the stored frames of all scenes, so that their memory can be reused.
func (w *worker) releaseFrames() {
	for _, as := range w.scenes {
		as.releaseFrame()
	}
}
