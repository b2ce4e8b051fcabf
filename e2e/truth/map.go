//go:build linux

package truth

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/e2e/process"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Body is the state of an actor in a frame of the console's live map.
type Body struct {
	ID     sim.EntityID // id of the actor
	Area   sim.AreaID   // area in which the actor is
	Pos    geom.Vec     // position in units
	Health uint8        // health in 1/255 of the maximum, rounded up
	Dead   bool         // the actor is dead
	Player bool         // the actor is a player, not an NPC
	At     time.Time    // time at which the frame was received
}

// Map follows the live maps of all areas of a server. Its methods may be called by any goroutine.
type Map struct {
	cancel context.CancelFunc
	tasks  sync.WaitGroup

	mu     sync.Mutex
	names  map[sim.EntityID]string
	areas  []map[string][]Body // actors in the newest frame of each area, by actor name; nil before the area's first frame
	ticks  []sim.Tick          // tick of the newest frame of each area
	began  []time.Time         // time at which the first frame of each area was received; zero before it
	at     []time.Time         // time at which the newest frame of each area was received; zero before the first
	pauses []time.Duration     // longest time between two frames of each area since ForgetPauses
	firsts map[string]Body     // the first state of each actor name in any frame
	died   map[string]bool     // names of actors that were dead in any frame
	err    error               // error of the first live map that failed; nil while all run
}

const maxMessage = 16 << 20 // maximum bytes of a message of the live map

// Watch subscribes to the live maps of all areas of a server, and follows them until Close or the end of ctx. The parameter areas
// is the number of areas, and rate is the number of frames per second to ask for.
func Watch(ctx context.Context, s *process.Server, areas, rate int) *Map {
	ctx, cancel := context.WithCancel(ctx)
	m := newMap(areas)
	m.cancel = cancel
	base, token := strings.Replace(s.Console, "http", "ws", 1), s.Token
	for area := range areas {
		url := fmt.Sprintf("%s/api/v1/live?area=%d&rate=%d", base, area, rate)
		m.tasks.Go(func() {
			if err := m.read(ctx, url, token); err != nil && ctx.Err() == nil {
				m.mu.Lock()
				m.err = err
				m.mu.Unlock()
			}
		})
	}
	return m
}

func newMap(areas int) *Map {
	return &Map{
		names: map[sim.EntityID]string{}, areas: make([]map[string][]Body, areas), ticks: make([]sim.Tick, areas), began: make([]time.Time, areas), at: make([]time.Time, areas), pauses: make([]time.Duration, areas),
		firsts: map[string]Body{}, died: map[string]bool{},
	}
}

// Close ends the connections. The other methods then return what the last frames contained. Close of a nil Map does nothing.
func (m *Map) Close() {
	if m != nil {
		m.cancel()
		m.tasks.Wait()
	}
}

// read follows the live map of one area until the connection or ctx ends.
func (m *Map) read(ctx context.Context, url, token string) error {
	conn, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + token}}})
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

// readText stores the names of actors that a text message of the live map contains.
func (m *Map) readText(b []byte) error {
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

func (m *Map) addFrame(f *console.LiveFrame) {
	now := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	bodies := make(map[string][]Body, len(f.Actors))
	for _, a := range f.Actors {
		b := Body{ID: a.ID, Area: f.Area, Pos: a.Pos, Health: a.Health, Dead: a.Flags&console.LiveDead != 0, Player: a.Flags&console.LivePlayer != 0, At: now}
		name := m.names[a.ID]
		bodies[name] = append(bodies[name], b)
		if _, seen := m.firsts[name]; !seen {
			m.firsts[name] = b
		}
		m.died[name] = m.died[name] || b.Dead
	}
	if m.began[f.Area].IsZero() {
		m.began[f.Area] = now
	}
	m.pauses[f.Area] = m.pause(f.Area, now)
	m.areas[f.Area], m.ticks[f.Area], m.at[f.Area] = bodies, f.Tick, now
}

// pause returns the longest time between two frames of an area since ForgetPauses, or since the newest frame if that is longer.
func (m *Map) pause(area sim.AreaID, now time.Time) time.Duration {
	if m.at[area].IsZero() {
		return 0
	}
	return max(m.pauses[area], now.Sub(m.at[area]))
}

// Pause returns the longest time for which the live map of an area has had no new frame since ForgetPauses. The time since the newest
// frame counts, too. A nil Map, and an area without a frame, have no pause.
func (m *Map) Pause(area sim.AreaID) time.Duration {
	if m == nil {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.pause(area, time.Now())
}

// ForgetPauses makes Pause ignore the pauses so far, except the time since the newest frame of each area.
func (m *Map) ForgetPauses() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.pauses)
}

// Bodies returns all actors with a name in the newest frames of all areas. The name of a player in the world should give exactly
// one actor.
func (m *Map) Bodies(name string) (list []Body) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range m.areas {
		list = append(list, a[name]...)
	}
	return list
}

// Frame returns the newest frame of an area: its tick, the names of the players in it in no particular order, and the number of NPCs with
// each name. ok is false before the first frame.
func (m *Map) Frame(area sim.AreaID) (tick sim.Tick, players []string, npcs map[string]int, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	npcs = map[string]int{}
	for name, bodies := range m.areas[area] {
		for _, b := range bodies {
			if b.Player {
				players = append(players, name)
			} else {
				npcs[name]++
			}
		}
	}
	return m.ticks[area], players, npcs, m.areas[area] != nil
}

// First returns the state of the actor with a name in the first frame that contained it, or the zero Body if no frame has.
func (m *Map) First(name string) Body {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.firsts[name]
}

// Began returns the time at which the first frame of an area was received, the zero time before it.
func (m *Map) Began(area sim.AreaID) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.began[area]
}

// Ticks returns the tick of each area's newest frame, indexed by area. ok is false until every area has sent a frame.
func (m *Map) Ticks() (ticks []sim.Tick, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	ok = !slices.ContainsFunc(m.areas, func(a map[string][]Body) bool { return a == nil })
	return slices.Clone(m.ticks), ok
}

// ForgetDeaths clears what HasDied reports. HasDied then returns false for an actor until a later frame shows the actor dead.
func (m *Map) ForgetDeaths() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.died)
}

// HasDied reports whether a frame since Watch, or since the last ForgetDeaths, has shown the actor with a name dead.
func (m *Map) HasDied(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.died[name]
}

// Err returns the error that ended the connection to the live map of an area, the latest one if several have ended. It is nil as long
// as no connection has failed.
func (m *Map) Err() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.err
}
