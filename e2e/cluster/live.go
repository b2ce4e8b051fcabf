//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// body is an actor of the live map.
type body struct {
	id   sim.EntityID
	area sim.AreaID
	pos  geom.Vec
	dead bool
}

// liveMap follows the live maps of all areas of a node.
type liveMap struct {
	cancel context.CancelFunc
	tasks  sync.WaitGroup

	mu    sync.Mutex
	names map[sim.EntityID]string
	areas [areaCount]map[string][]body // bodies of each area in its newest frame, by name; nil before the first frame
	ticks [areaCount]sim.Tick          // of the newest frame
	died  map[string]bool              // bodies that were seen dead
}

// watch starts to follow the live maps of a node, instead of those of its last run.
func (n *node) watch(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	m := &liveMap{cancel: cancel, names: map[sim.EntityID]string{}, died: map[string]bool{}}
	for area := range m.areas {
		m.tasks.Go(func() { _ = m.read(ctx, n, sim.AreaID(area)) }) // a map that ends is found by awaitFrames and by the comparisons
	}
	n.live.Swap(m).close()
}

func (m *liveMap) close() {
	if m != nil {
		m.cancel()
		m.tasks.Wait()
	}
}

// read follows the live map of one area until the connection or ctx ends.
func (m *liveMap) read(ctx context.Context, n *node, area sim.AreaID) error {
	const maxMessage = 16 << 20
	url := fmt.Sprintf("%s/api/v1/live?area=%d&rate=10", strings.Replace(n.console, "http", "ws", 1), area)
	conn, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + n.token}}})
	if err != nil {
		return err
	}
	defer conn.CloseNow()
	conn.SetReadLimit(maxMessage)
	var actors []console.LiveActor
	for {
		kind, b, err := conn.Read(ctx)
		if err != nil {
			return err
		}
		if kind == websocket.MessageText {
			if err := m.readText(b); err != nil {
				return err
			}
			continue
		}
		f, err := console.ParseLive(b, actors)
		if err != nil {
			return err
		}
		actors = f.Actors
		m.addFrame(&f)
	}
}

// readText stores the names of actors.
func (m *liveMap) readText(b []byte) error {
	var text struct {
		Type string
		Add  []struct {
			ID   sim.EntityID
			Name string
		}
	}
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if text.Type == "actors" {
		for _, a := range text.Add {
			m.names[a.ID] = a.Name
		}
	}
	return nil
}

func (m *liveMap) addFrame(f *console.LiveFrame) {
	m.mu.Lock()
	defer m.mu.Unlock()
	bodies := make(map[string][]body, len(f.Actors))
	for _, a := range f.Actors {
		b := body{id: a.ID, area: f.Area, pos: a.Pos, dead: a.Flags&console.LiveDead != 0}
		name := m.names[a.ID]
		bodies[name] = append(bodies[name], b)
		m.died[name] = m.died[name] || b.dead
	}
	m.areas[f.Area], m.ticks[f.Area] = bodies, f.Tick
}

// bodies returns all bodies with a name in the newest frames.
func (m *liveMap) bodies(name string) (now []body) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range m.areas {
		now = append(now, a[name]...)
	}
	return now
}

// newest returns the ticks of the newest frames; ok is set if every area has sent one.
func (m *liveMap) newest() (ticks [areaCount]sim.Tick, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	ok = true
	for _, a := range m.areas {
		ok = ok && a != nil
	}
	return m.ticks, ok
}

// forgetDeaths makes hasDied count from now on.
func (m *liveMap) forgetDeaths() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.died)
}

// hasDied reports whether the body of that name was seen dead since forgetDeaths.
func (m *liveMap) hasDied(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.died[name]
}

// awaitFrames waits until the live maps of a node show every area, and two frames of it.
func (n *node) awaitFrames(ctx context.Context, limit time.Duration) error {
	first, known := [areaCount]sim.Tick{}, false
	for end := time.Now().Add(limit); ; wait(ctx, polls) {
		if ticks, ok := n.live.Load().newest(); ok && known {
			moved := 0
			for i := range ticks {
				if ticks[i] > first[i] {
					moved++
				}
			}
			if moved == areaCount {
				return nil
			}
		} else if ok {
			first, known = ticks, true
		}
		if time.Now().After(end) || ctx.Err() != nil {
			return fmt.Errorf("node %s does not show new frames of all areas within %v", n.name, limit)
		}
	}
}
