//go:build linux

package main

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/e2e/cluster/checker"
	"github.com/truestep-io/truestep/e2e/truth"
	"github.com/truestep-io/truestep/sim"
)

const (
	gapPolls    = 5 * time.Millisecond   // interval at which the newest frame of each web client is read
	areaPolls   = 50 * time.Millisecond  // interval at which the area of each client is read
	updatePolls = 200 * time.Millisecond // interval at which the number of updates of each other client is read
	placePolls  = 700 * time.Millisecond // interval at which the live maps are read
)

// watcher polls clients and live maps while the test runs. It measures gaps between frames at web clients, counts area changes
// and deaths, and records in which areas the live maps show the players.
type watcher struct {
	players []player
	nodes   []*node
	history *checker.History
	world   *truth.World

	petless atomic.Pointer[map[string]bool] // names of the players without a pet; nil until all other players have one, and these have none

	mu        sync.Mutex
	frames    *frameTimes              // frames of the web clients
	areas     map[string]*truth.Area   // last known area by player name
	visited   map[string][]*truth.Area // areas in which the player was since begin, by player name
	crossings map[string]int           // changes of area by player name
	deaths    int
	dead      map[string]bool // by player name
	stale     []*staleConn
	ticks     map[string][]sim.Tick // by node name: ticks of the live maps when they were last read; used by the method run alone
}

func newWatcher(t *test) *watcher {
	w := &watcher{
		players: t.players, nodes: t.cluster.nodes[:], history: t.history, world: t.crowd.world,
		frames: newFrameTimes(), areas: map[string]*truth.Area{}, visited: map[string][]*truth.Area{}, crossings: map[string]int{}, dead: map[string]bool{},
		ticks: map[string][]sim.Tick{},
	}
	for _, n := range w.nodes {
		w.ticks[n.name] = make([]sim.Tick, t.areas)
	}
	return w
}

// run polls clients and live maps until ctx ends.
func (w *watcher) run(ctx context.Context) {
	var areas, updates, places time.Time
	for ; ctx.Err() == nil; wait(ctx, gapPolls) {
		now := time.Now()
		w.observeFrames()
		if now.After(areas) {
			areas = now.Add(areaPolls)
			w.observeAreas()
		}
		if now.After(updates) {
			updates = now.Add(updatePolls)
			w.observeUpdates()
		}
		if now.After(places) {
			places = now.Add(placePolls)
			w.observePlaces()
		}
	}
}

// observeFrames measures the times between the frames of each web client. It records the frames of all web clients, and of stale
// connections, in the history.
func (w *watcher) observeFrames() {
	for _, p := range w.players {
		web, ok := p.(*webPlayer)
		if !ok {
			continue
		}
		seen := web.newestFrame()
		seen.at = time.Now()
		w.mu.Lock()
		newer := w.frames.see(web.name, seen)
		w.mu.Unlock()
		for _, f := range web.sure(seen, newer) {
			w.history.RecordFrame(f.at, web.name, f.connection, f.area.Name, f.tick)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.stale {
		if c.web == nil {
			continue
		}
		if tick, area := tickOf(c.web); tick > c.tick && !c.ended() {
			c.tick = tick
			w.history.RecordFrame(time.Now(), c.account, c.connection, area, tick)
		}
	}
}

// observeUpdates records which connections of clients of the other doors, stale ones included, were shown the world since the last call.
func (w *watcher) observeUpdates() {
	for _, p := range w.players {
		if l := p.base().link.Load(); l != nil && l.newer() {
			w.history.RecordUpdate(time.Now(), p.base().name, l.name, l.number)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.stale {
		if c.link != nil && c.link.newer() && !c.ended() {
			w.history.RecordUpdate(time.Now(), c.account, c.link.name, c.link.number)
		}
	}
}

// watchStale makes the watcher also record the frames and the updates of the given stale connections.
func (w *watcher) watchStale(list []*staleConn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stale = append(w.stale, list...)
}

// closeStale closes all stale connections, and forgets them.
func (w *watcher) closeStale() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.stale {
		c.end()
	}
	w.stale = nil
}

// begin discards the times between frames that were measured so far: see frameTimes.begin.
func (w *watcher) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.frames.begin()
	clear(w.visited)
	for name, a := range w.areas {
		w.visited[name] = []*truth.Area{a}
	}
}

// newestAt returns the time at which a web client's newest frame was seen, the zero time if it has been shown none.
func (w *watcher) newestAt(client string) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.frames.last[client].at
}

// pause returns the longest time since begin in which the player's node had no new frame of an area in which the player was.
func (w *watcher) pause(p *common) (longest time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range w.visited[p.name] {
		longest = max(longest, p.node.live.Load().Pause(a.ID))
	}
	return longest
}

// longest returns, for each web client among players, the longest time without a new frame since begin.
func (w *watcher) longest(players []player) (list []time.Duration) {
	return w.measure(players, w.frames.longest)
}

// longestIn returns the same as longest, but only for clients that were in one of the given areas at begin, and for their time there.
func (w *watcher) longestIn(players []player, areas []*truth.Area) (list []time.Duration) {
	return w.measure(players, func(client string, home *truth.Area, now time.Time) (time.Duration, bool) {
		return w.frames.longestIn(client, home, now, areas...)
	})
}

// longestMoving returns, for each web client among players, the time since its newest frame if it may be on the way to another area.
func (w *watcher) longestMoving(players []player) (list []time.Duration) {
	return w.measure(players, func(client string, home *truth.Area, now time.Time) (time.Duration, bool) {
		return w.frames.moving(client, home, now), true
	})
}

// measure calls the parameter of, a function of w.frames, for each web client among players. It returns the times for which ok is true.
func (w *watcher) measure(players []player, of func(client string, home *truth.Area, now time.Time) (time.Duration, bool)) (list []time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	for _, p := range players {
		if web, ok := p.(*webPlayer); ok {
			if d, ok := of(web.name, web.home, now); ok {
				list = append(list, d)
			}
		}
	}
	return list
}

// moves returns the times that the web clients among players have waited, since begin, from the last frame of an area to the first one of
// the next area.
func (w *watcher) moves(players []player) (list []time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range players {
		list = append(list, w.frames.moves[p.base().name]...)
	}
	return list
}

// crossingsOf returns the number of changes of area of some players.
func (w *watcher) crossingsOf(players []player) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range players {
		n += w.crossings[p.base().name]
	}
	return n
}

// observeAreas records changes of area, deaths, and the health of RealmCrafter players.
func (w *watcher) observeAreas() {
	for _, p := range w.players {
		b, s := p.base(), p.shown()
		b.mu.Lock()
		if s.area != nil && b.present {
			w.history.Enter(time.Now(), b.name, s.area.Name)
			if p, ok := p.(*rccePlayer); ok {
				if points, ok := p.health(); ok {
					w.history.RecordHealth(time.Now(), p.name, points)
				}
				w.history.RecordStacks(time.Now(), p.name, p.stacks())
				if mount, deaths, ok := p.mounted(); ok {
					w.history.RecordRide(time.Now(), p.name, s.area.Name, mount, deaths)
				}
			}
		}
		b.mu.Unlock()
		w.mu.Lock()
		if s.area != nil {
			if was := w.areas[b.name]; was != nil && was != s.area {
				w.crossings[b.name]++
			}
			w.areas[b.name] = s.area
			if !slices.Contains(w.visited[b.name], s.area) {
				w.visited[b.name] = append(w.visited[b.name], s.area)
			}
		}
		if s.dead && !w.dead[b.name] {
			w.deaths++
		}
		w.dead[b.name] = s.dead
		w.mu.Unlock()
	}
}

// observePlaces records in which areas the live map of each living node shows the players. It leaves out a node if its map of an area has
// not advanced since the last sample, because the leader of that area has failed. Such a map may still show players that have left the
// area.
func (w *watcher) observePlaces() {
	const least = 4 // minimum number of ticks that every area must have advanced since the last sample
	for _, n := range w.nodes {
		live := n.live.Load()
		if live == nil || !n.alive.Load() {
			w.history.Forget(n.name)
			continue
		}
		w.observePets(n.name, live)
		before := w.ticks[n.name]
		ticks, ok := live.Ticks()
		stands := !ok
		for i := range ticks {
			stands = stands || ticks[i] < before[i]+least
		}
		w.ticks[n.name] = ticks
		if stands {
			w.history.Forget(n.name)
			continue
		}
		w.history.RecordPlaces(time.Now(), n.name, w.placesOn(live))
	}
}

// observePets records the pets of each area and the players in it that have a pet, as a live map shows them.
func (w *watcher) observePets(node string, live *truth.Map) {
	petless := w.petless.Load()
	if petless == nil {
		return
	}
	for i := range w.world.Areas {
		a := &w.world.Areas[i]
		tick, owners, animals, ok := live.Frame(a.ID)
		owners = slices.DeleteFunc(owners, func(name string) bool { return (*petless)[name] })
		if slices.Sort(owners); ok {
			w.history.RecordPets(time.Now(), node, a.Name, uint64(tick), owners, animals[pony])
		}
	}
}

// placesOn returns the areas in which a live map shows the players.
func (w *watcher) placesOn(live *truth.Map) map[string][]string {
	places := map[string][]string{}
	for _, p := range w.players {
		name := p.base().name
		for _, b := range live.Bodies(name) {
			places[name] = append(places[name], w.world.Areas[b.Area].Name)
		}
	}
	return places
}
