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
	tickInterval = 10 * time.Millisecond // time between two calls of Transport.Tick
	maxDrain     = 256                   // maximum number of datagrams that a worker receives before it handles frames and timers
)

// Transport holds the connections of one worker of a UDP gateway. Loop calls its methods from one goroutine.
type Transport interface {
	Receive(d *Datagram) // handles one datagram; d is valid only during the call
	Tick()               // runs timers; called every 10 ms
	Show(f *sim.Frame)   // handles one frame of any area; f is valid only during the call
	Flush()              // sends queued output to clients; called after each other method

	// Dismiss sends every client that the server stops, and ends their sessions. After it, only Receive, Tick and Flush are
	// called, and messages and new connections must be ignored.
	Dismiss()
	Connections() int // returns the number of connections that are not closed on both sides yet
}

// Loop runs one worker. It handles datagrams, frames, results of blocking calls and timers in one goroutine, so that a worker needs no locks.
type Loop struct {
	Door     string // name of the door for errors
	Log      *slog.Logger
	In       <-chan *Datagram // received datagrams
	Feed     *area.Feed       // frames of the subscribed areas
	Calls    *Calls           // blocking calls of the worker
	Farewell time.Duration    // maximum wait after Dismiss until clients acknowledge the end of their connection
}

// Run serves until ctx ends or the world stops, and then dismisses the clients. It returns a panic as an error.
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
		case <-l.Calls.wake:
			l.Calls.runPosted()
		case <-ticker.C:
			t.Tick()
		}
		t.Flush()
	}
}

// linger continues to serve connections while the server stops, until all connections are closed, but for at most l.Farewell.
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

// Offer puts a datagram into a worker's queue. If the queue is full, the datagram is counted and dropped.
func Offer(in chan<- *Datagram, d *Datagram, door *telemetry.Door) {
	select {
	case in <- d:
	default:
		door.Bad.With("overload").Inc()
		d.Release()
	}
}

// AnyArea is the expected area of a client whose player's departure was missed: the client arrives in the first area whose frame contains its player.
const AnyArea = area.All

// maxArrivalFrames is the number of frames of its expected area without its player after which a client is expected in
// AnyArea. A join takes one tick, so a player that is still missing has left the area again before the feed subscribed to
// it. guess: 2 s at 20 ticks/s is much longer than a join takes and much shorter than a player waits.
const maxArrivalFrames = 40

// Scene is one worker's copy of an area, from which its clients in that area (the members) are updated.
type Scene interface {
	Show(f *sim.Frame)      // updates the scene to frame f and sends its events to the members
	Broadcast(f *sim.Frame) // sends changes of actors to the members whose update is due
	Sweep() (empty bool)    // removes members that have left; empty reports whether none remain
	Close()                 // releases the scene's resources; called only without members
}

// SceneClient is the connection of one client as Scenes uses it: it becomes a member of the scene of the area that its player
// has entered.
type SceneClient[S Scene] interface {
	comparable
	// Arrive makes the client a member of s if f contains its player. If the client can no longer arrive, Arrive ends the
	// expectation (Scenes.Expect with sim.NoArea).
	Arrive(s S, f *sim.Frame)
}

// Scenes holds the scenes of the areas in which a worker has clients. Only the worker's goroutine may use it.
type Scenes[S Scene, C SceneClient[S]] struct {
	Open     map[sim.AreaID]S // scenes that have members
	Expected map[C]sim.AreaID // clients without a scene, each with the area in which its player should appear

	waited map[C]int // frames of the expected area in which the client did not arrive; unused for AnyArea
	create func(sim.AreaID) S
	feed   *area.Feed
}

// NewScenes returns an empty set of scenes. create is called when a new scene is needed. The feed is kept subscribed to the
// areas of open scenes and expected clients.
func NewScenes[S Scene, C SceneClient[S]](feed *area.Feed, create func(sim.AreaID) S) Scenes[S, C] {
	return Scenes[S, C]{Open: map[sim.AreaID]S{}, Expected: map[C]sim.AreaID{}, waited: map[C]int{}, create: create, feed: feed}
}

// Expect records that the client's player should appear in frames of an area. sim.NoArea ends the expectation.
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
	for c, in := range s.Expected { // the order does not matter, because clients receive separate packets
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
