//go:build linux

package main

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/truestep-io/truestep/e2e/cluster/checker"
	"github.com/truestep-io/truestep/e2e/truth"
	"github.com/truestep-io/truestep/sim"
)

const (
	gapPolls   = 5 * time.Millisecond   // interval at which the newest frame of each web client is read
	areaPolls  = 50 * time.Millisecond  // interval at which the area of each client is read
	placePolls = 700 * time.Millisecond // interval at which the live maps are read
)

// watcher polls clients and live maps while the test runs. It measures gaps between frames at web clients, counts area changes
// and deaths, and records in which areas the live maps show the players.
type watcher struct {
	players []player
	nodes   []*node
	history *checker.History
	world   *truth.World

	mu        sync.Mutex
	frames    map[string]frameSeen     // newest frame by name of the web player
	gaps      map[string]time.Duration // longest time between two frames since begin, by name of the web player
	areas     map[string]*truth.Area   // last known area by player name
	visited   map[string][]*truth.Area // areas in which the player was since begin, by player name
	crossings int                      // changes of area
	deaths    int
	dead      map[string]bool // by player name
	stale     []*staleConn
	ticks     map[string][]sim.Tick // by node name: ticks of the live maps when they were last read; used by the method run alone
}

// frameSeen is the number of the newest frame that a client has received, and when the watcher first saw it.
type frameSeen struct {
	number uint64
	at     time.Time
}

func newWatcher(t *test) *watcher {
	w := &watcher{
		players: t.players, nodes: t.cluster.nodes[:], history: t.history, world: t.crowd.world,
		frames: map[string]frameSeen{}, gaps: map[string]time.Duration{}, areas: map[string]*truth.Area{}, visited: map[string][]*truth.Area{}, dead: map[string]bool{},
		ticks: map[string][]sim.Tick{},
	}
	for _, n := range w.nodes {
		w.ticks[n.name] = make([]sim.Tick, t.areas)
	}
	return w
}

// run polls clients and live maps until ctx ends.
func (w *watcher) run(ctx context.Context) {
	var areas, places time.Time
	for ; ctx.Err() == nil; wait(ctx, gapPolls) {
		now := time.Now()
		w.observeFrames()
		if now.After(areas) {
			areas = now.Add(areaPolls)
			w.observeAreas()
		}
		if now.After(places) {
			places = now.Add(placePolls)
			w.observePlaces()
		}
	}
}

// observeFrames measures the time between two frames at each web client that is in its home area. Time outside of that area is
// not measured. It records the frames of all web clients, and of stale connections, in the history.
func (w *watcher) observeFrames() {
	for _, p := range w.players {
		web, ok := p.(*webPlayer)
		if !ok {
			continue
		}
		number, area := web.newestTick()
		now := time.Now()
		w.mu.Lock()
		have := w.frames[web.name]
		if number != have.number || area != web.home {
			if area == web.home && number > have.number && have.number != 0 {
				w.gaps[web.name] = max(w.gaps[web.name], now.Sub(have.at))
			}
			w.frames[web.name] = frameSeen{number, now}
			if area != nil && number > 0 {
				w.history.RecordFrame(now, web.name, web.connection(), area.Name, number)
			}
		}
		w.mu.Unlock()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.stale {
		if tick, area := tickOf(c.client); tick > c.tick && !c.ended() {
			c.tick = tick
			w.history.RecordFrame(time.Now(), c.account, c.connection, area, tick)
		}
	}
}

// watchStale adds stale connections to those whose frames are recorded.
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

// begin discards the intervals between frames that were measured so far. The first interval of a client after begin still
// starts at the last frame that the client received before begin.
func (w *watcher) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.gaps)
	clear(w.visited)
	for name, a := range w.areas {
		w.visited[name] = []*truth.Area{a}
	}
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
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	for _, p := range players {
		if web, ok := p.(*webPlayer); ok && w.frames[web.name].number != 0 {
			list = append(list, max(w.gaps[web.name], now.Sub(w.frames[web.name].at)))
		}
	}
	return list
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
			}
		}
		b.mu.Unlock()
		w.mu.Lock()
		if s.area != nil {
			if was := w.areas[b.name]; was != nil && was != s.area {
				w.crossings++
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
