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

// get sends a request to the console API and decodes the JSON answer into to.
func (s *server) get(ctx context.Context, call string, to any) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.console+"/api/v1/"+call, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("console: %s: %s", call, resp.Status)
	}
	return json.NewDecoder(resp.Body).Decode(to)
}

// entities returns the entity of each player that has a session, by name.
func (s *server) entities(ctx context.Context) (map[string]sim.EntityID, error) {
	var body struct {
		Players []struct {
			Entity sim.EntityID
			Name   string
		}
	}
	if err := s.get(ctx, "players", &body); err != nil {
		return nil, err
	}
	ids := map[string]sim.EntityID{}
	for _, p := range body.Players {
		ids[p.Name] = p.Entity
	}
	return ids, nil
}

// body is an actor of the live map.
type body struct {
	id     sim.EntityID
	area   sim.AreaID
	pos    geom.Vec
	health uint8 // in 1/255 of the maximum, rounded up
	dead   bool
	at     time.Time // when it was seen
}

// liveMap follows the live maps of all areas of a server.
type liveMap struct {
	cancel context.CancelFunc
	tasks  sync.WaitGroup

	mu     sync.Mutex
	names  map[sim.EntityID]string
	areas  [areaCount]map[string][]body // bodies of each area in its newest frame, by name; nil before the first frame
	firsts map[string]body              // each body when it was seen first
	died   map[string]bool              // bodies that were seen dead
	err    error
}

// watch starts to follow the live maps.
func (s *server) watch(ctx context.Context) *liveMap {
	ctx, cancel := context.WithCancel(ctx)
	m := &liveMap{cancel: cancel, names: map[sim.EntityID]string{}, firsts: map[string]body{}, died: map[string]bool{}}
	for area := range m.areas {
		m.tasks.Go(func() {
			if err := m.read(ctx, s, sim.AreaID(area)); err != nil && ctx.Err() == nil {
				m.mu.Lock()
				m.err = err
				m.mu.Unlock()
			}
		})
	}
	return m
}

func (m *liveMap) close() {
	m.cancel()
	m.tasks.Wait()
}

// read follows the live map of one area until the connection or ctx ends.
func (m *liveMap) read(ctx context.Context, s *server, area sim.AreaID) error {
	const maxMessage = 16 << 20
	url := fmt.Sprintf("%s/api/v1/live?area=%d&rate=20", strings.Replace(s.console, "http", "ws", 1), area)
	conn, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + s.token}}})
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
	now := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	bodies := make(map[string][]body, len(f.Actors))
	for _, a := range f.Actors {
		b := body{id: a.ID, area: f.Area, pos: a.Pos, health: a.Health, dead: a.Flags&console.LiveDead != 0, at: now}
		name := m.names[a.ID]
		bodies[name] = append(bodies[name], b)
		if _, seen := m.firsts[name]; !seen {
			m.firsts[name] = b
		}
		m.died[name] = m.died[name] || b.dead
	}
	m.areas[f.Area] = bodies
}

// bodies returns all bodies with a name in the newest frames, and the first state of the body after the start of the server. ok
// is set if every area has sent a frame.
func (m *liveMap) bodies(name string) (now []body, first body, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	ok = true
	for _, a := range m.areas {
		ok = ok && a != nil
		now = append(now, a[name]...)
	}
	return now, m.firsts[name], ok
}

// hasDied reports whether the body of that name was seen dead.
func (m *liveMap) hasDied(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.died[name]
}

// failed returns the error because of which the live map of an area ended, or nil if all live maps are still open.
func (m *liveMap) failed() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.err
}
