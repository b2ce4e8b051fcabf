package gateway

import (
	"context"
	"log/slog"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Limits of the loop in which a worker handles datagrams, frames and timers.
const (
	tickInterval = 10 * time.Millisecond // time between two calls of Transport.Tick
	maxDrain     = 256                   // maximum number of datagrams that a worker receives before it handles frames and timers
)

// Transport is the protocol of one worker of a UDP gateway and holds the worker's connections. Loop calls its methods from
// one goroutine.
type Transport interface {
	Receive(d *Datagram) // handles one datagram; d is valid only during the call
	Tick()               // runs timers; called every 10 ms
	Show(f *sim.Frame)   // handles one frame of any area; f is valid only during the call
	Flush()              // sends queued output to clients; called after each other method

	// Dismiss tells every client that the server stops, and ends the sessions. From then on the transport ignores messages and
	// new connections, and Loop only calls Receive, Tick, Flush and Connections.
	Dismiss()
	Connections() int // returns the number of connections that at least one side has not closed yet
}

// Loop runs one worker. It handles datagrams, frames, the results of blocking calls, and timers in one goroutine, so the
// worker needs no locks.
type Loop struct {
	Door     string           // name of the door in errors
	Log      *slog.Logger     // receives the stack of a panic
	In       <-chan *Datagram // received datagrams
	Feed     *area.Feed       // frames of the subscribed areas
	Blocking *BlockingCalls   // blocking calls of the worker
	Farewell time.Duration    // maximum time after Dismiss to wait until clients have acknowledged the end of their connections
}

// Run serves clients until ctx ends or the world stops, and then disconnects them. It returns a panic as an error.
func (l *Loop) Run(ctx context.Context, t Transport) error {
	return Guard(l.Door, l.Log, func() {
		defer l.Blocking.Open(ctx)()
		defer l.Feed.Close()
		l.serve(ctx, t)
		t.Dismiss()
		l.linger(t)
	})
}

// serve handles events until ctx ends or the world stops.
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
		case done := <-l.Blocking.Results:
			done()
		case <-l.Blocking.wake:
			l.Blocking.runPosted()
		case <-ticker.C:
			t.Tick()
		}
		t.Flush()
	}
}

// linger keeps serving connections while the server stops, until all connections are closed or l.Farewell has passed.
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

// Offer adds a datagram to a worker's queue. If the queue is full, Offer counts and drops the datagram.
func Offer(in chan<- *Datagram, d *Datagram, door *telemetry.DoorMetrics) {
	select {
	case in <- d:
	default:
		door.Bad.With("overload").Inc()
		d.Release()
	}
}

// AnyArea stands for all areas as the area in which a client is expected. It is used when the client's player has not appeared
// in the expected area in time (see maxArrivalFrames): the client then arrives in the first area whose frame contains its player.
const AnyArea = area.All

// maxArrivalFrames is the number of frames of the expected area after which a client that still waits for its player is expected
// in AnyArea. A join takes one tick, so a player that is still missing has left the area before the feed subscribed to it. At
// 20 ticks/s the wait is 2 s, much longer than a join takes and much shorter than a player waits; other values were not
// compared.
const maxArrivalFrames = 40

// Scene is one worker's copy of an area. The worker updates its clients in the area, the members of the scene, from this copy.
type Scene interface {
	Show(f *sim.Frame)      // updates the scene to frame f and sends its events to the members
	Broadcast(f *sim.Frame) // sends changes of actors to the members whose update is due
	Sweep() (empty bool)    // removes members that have left; empty reports whether none remain
	Close()                 // releases the scene's resources; called only without members
}

// SceneClient is what Scenes needs to know about a client. The client becomes a member of an area's scene when its player
// appears in a frame of that area.
type SceneClient[S Scene] interface {
	comparable
	// Arrive makes the client a member of the scene s if the frame f contains its player. If the client can no longer arrive,
	// Arrive calls Scenes.Expect with sim.NoArea.
	Arrive(s S, f *sim.Frame)
	// ShowOwn sends the client those events of the frame f that concern its own player, if it has become a member of s with that
	// frame. Scene.Show sends them to earlier members only: an operator's order, for example, may be executed in the tick of the arrival.
	ShowOwn(s S, f *sim.Frame)
}

// Scenes holds the scenes of all areas in which a worker has clients. Only the worker's goroutine may use it.
type Scenes[S Scene, C SceneClient[S]] struct {
	Open     map[sim.AreaID]S // scenes that have members
	Expected map[C]sim.AreaID // clients without a scene, each with the area in which its player should appear

	waited map[C]int          // number of frames of the expected area in which the client did not arrive; not used for AnyArea
	create func(sim.AreaID) S // returns a new scene of an area
	feed   *area.Feed         // source of the frames
}

// NewScenes returns an empty set of scenes. The function create returns a new scene of an area. The result keeps the feed
// subscribed to the areas of open scenes and to the areas in which clients are expected.
func NewScenes[S Scene, C SceneClient[S]](feed *area.Feed, create func(sim.AreaID) S) Scenes[S, C] {
	return Scenes[S, C]{Open: map[sim.AreaID]S{}, Expected: map[C]sim.AreaID{}, waited: map[C]int{}, create: create, feed: feed}
}

// Expect marks the client c as waiting until a frame of the area in the parameter "in" contains its player. With sim.NoArea, it
// removes the mark.
func (s *Scenes[S, C]) Expect(c C, in sim.AreaID) {
	delete(s.waited, c)
	if in == sim.NoArea {
		delete(s.Expected, c)
	} else {
		s.Expected[c] = in
		s.feed.Add(in)
	}
}

// Show passes one frame to the members of the scene of its area and to the clients that are expected there.
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
			if _, waits := s.Expected[c]; !waits {
				c.ShowOwn(scene, f)
			}
			s.countWait(c, f.Area)
		}
	}
	scene.Broadcast(f)
	if scene.Sweep() {
		scene.Close()
		delete(s.Open, f.Area)
	}
}

// countWait counts a frame of the area a in which the client c did not arrive, if c is expected in that area. After
// maxArrivalFrames such frames, c is expected in AnyArea.
func (s *Scenes[S, C]) countWait(c C, a sim.AreaID) {
	if in, expected := s.Expected[c]; !expected || in != a {
		return
	}
	if s.waited[c]++; s.waited[c] > maxArrivalFrames {
		s.Expect(c, AnyArea)
	}
}

// expects reports whether at least one client waits for its player to appear in the area a.
func (s *Scenes[S, C]) expects(a sim.AreaID) bool {
	for _, in := range s.Expected {
		if in == a || in == AnyArea {
			return true
		}
	}
	return false
}
