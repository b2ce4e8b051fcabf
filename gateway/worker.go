package gateway

import (
	"context"
	"log/slog"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

const (
	tickInterval = 10 * time.Millisecond // between two calls of Transport.Tick
	maxDrain     = 256                   // datagrams that are received before frames and timers get their turn
)

// Transport is the connections of one worker of a UDP gateway. Loop calls it from one goroutine.
type Transport interface {
	Receive(d *Datagram) // one datagram, which is borrowed
	Tick()               // timers, every 10 ms
	Show(f *sim.Frame)   // one frame of any area, which is borrowed
	Flush()              // writes what waits for clients; called after each of the others

	// Dismiss tells every client that the server stops, and ends their sessions. From then on only Receive, Tick and Flush
	// are called; messages and new connections are ignored.
	Dismiss()
	Connections() int // that are not closed yet, on either side
}

// Loop runs one worker: datagrams, frames, results of calls and timers come to its Transport one after the other, so that
// a worker needs no locks.
type Loop struct {
	Door     string // for errors
	Log      *slog.Logger
	In       <-chan *Datagram
	Feed     *area.Feed
	Calls    *Calls
	Farewell time.Duration // how long clients may take to acknowledge the end of their connection
}

// Run serves until ctx ends or the world stops, and then dismisses the clients. It turns a panic into an error.
func (l *Loop) Run(ctx context.Context, t Transport) error {
	return Guard(l.Door, l.Log, func() {
		defer l.Calls.Open(ctx)()
		defer l.Feed.Close()
		l.serve(ctx, t)
		t.Dismiss()
		l.linger(t)
	})
}

func (l *Loop) serve(ctx context.Context, t Transport) {
	ticker := time.NewTicker(tickInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case d := <-l.In:
			Drain(d, l.In, maxDrain, t.Receive)
		case p, ok := <-l.Feed.C():
			if !ok {
				return
			}
			t.Show(p.Frame)
			p.Release()
		case done := <-l.Calls.Results:
			done()
		case <-ticker.C:
			t.Tick()
		}
		t.Flush()
	}
}

// linger retransmits for a while what clients have not acknowledged.
func (l *Loop) linger(t Transport) {
	t.Flush()
	for end := time.Now().Add(l.Farewell); time.Now().Before(end) && t.Connections() > 0; {
		select {
		case d := <-l.In:
			t.Receive(d)
			d.Release()
		case <-time.After(tickInterval):
			t.Tick()
		}
		t.Flush()
	}
}

// Offer passes a datagram to a worker. If its queue is full, the datagram is counted and dropped, as a network would.
func Offer(in chan<- *Datagram, d *Datagram, door *telemetry.Door) {
	select {
	case in <- d:
	default:
		door.Bad.With("overload").Inc()
		d.Release()
	}
}

// AnyArea is where a client is expected whose departure was missed: the first area with its player will do.
const AnyArea = area.All

// maxArrivalFrames is how many frames of an area may lack the player of a client that is expected there. A join takes one
// tick, so the player has left the area again before the feed subscribed to it: the client is then expected in AnyArea.
// guess: 2 s at 20 ticks/s, far more than a join takes and far less than a player waits
const maxArrivalFrames = 40

// Scene is what one worker shows of one area to its clients there.
type Scene interface {
	Show(f *sim.Frame)      // follows the area to f and sends its events to the members
	Broadcast(f *sim.Frame) // sends each member whose turn it is what has changed around it
	Sweep() (empty bool)    // forgets members that have left
	Close()                 // releases what the scene holds; it has no members
}

// SceneClient is a client that is shown into scenes.
type SceneClient[S Scene] interface {
	comparable
	// Arrive makes the client a member of s if f has its player. It stops expecting a client that will not come.
	Arrive(s S, f *sim.Frame)
}

// Scenes are the areas in which a worker has clients. It belongs to the worker's goroutine.
type Scenes[S Scene, C SceneClient[S]] struct {
	Open     map[sim.AreaID]S // those with members
	Expected map[C]sim.AreaID // clients without a scene, and the area whose next frame may have their player

	waited map[C]int // frames of its area in which an expected client did not arrive; not for AnyArea
	create func(sim.AreaID) S
	feed   *area.Feed
}

// NewScenes returns scenes that are made by create. The feed subscribes to the areas of open scenes and expected clients.
func NewScenes[S Scene, C SceneClient[S]](feed *area.Feed, create func(sim.AreaID) S) Scenes[S, C] {
	return Scenes[S, C]{Open: map[sim.AreaID]S{}, Expected: map[C]sim.AreaID{}, waited: map[C]int{}, create: create, feed: feed}
}

// Expect notes that frames of an area will show the client in; sim.NoArea: none will.
func (s *Scenes[S, C]) Expect(c C, in sim.AreaID) {
	delete(s.waited, c)
	if in == sim.NoArea {
		delete(s.Expected, c)
	} else {
		s.Expected[c] = in
		s.feed.Add(in)
	}
}

// Show passes one frame to the clients that are in its area or expected there.
func (s *Scenes[S, C]) Show(f *sim.Frame) {
	scene, open := s.Open[f.Area]
	if !open {
		if !s.expects(f.Area) {
			s.feed.Remove(f.Area)
			return
		}
		scene = s.create(f.Area)
		s.Open[f.Area] = scene
	}
	scene.Show(f)
	for c, in := range s.Expected { // each client is sent its own burst, so the order does not matter
		if in == f.Area || in == AnyArea {
			c.Arrive(scene, f)
			s.countWait(c, f.Area)
		}
	}
	scene.Broadcast(f)
	if scene.Sweep() {
		scene.Close()
		delete(s.Open, f.Area)
	}
}

// countWait counts a frame of the area in which c is still expected.
func (s *Scenes[S, C]) countWait(c C, a sim.AreaID) {
	if in, expected := s.Expected[c]; !expected || in != a {
		return
	}
	if s.waited[c]++; s.waited[c] > maxArrivalFrames {
		s.Expect(c, AnyArea)
	}
}

// expects reports whether a client may arrive with a frame of the area.
func (s *Scenes[S, C]) expects(a sim.AreaID) bool {
	for _, in := range s.Expected {
		if in == a || in == AnyArea {
			return true
		}
	}
	return false
}
