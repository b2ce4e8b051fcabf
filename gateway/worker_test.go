package gateway

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// fakeTransport records the calls of a Loop.
type fakeTransport struct {
	frames, ticks, datagrams int
	open                     int // number of open connections
	dismissed                bool
	afterDismiss             int // number of calls of Show after Dismiss
}

func (f *fakeTransport) Receive(*Datagram) { f.datagrams++ }
func (f *fakeTransport) Tick()             { f.ticks++ }
func (f *fakeTransport) Flush()            {}
func (f *fakeTransport) Dismiss()          { f.dismissed = true }
func (f *fakeTransport) Connections() int  { return f.open }
func (f *fakeTransport) Show(*sim.Frame) {
	f.frames++
	if f.dismissed {
		f.afterDismiss++
	}
}

func TestStoppingWorkerServesConnectionsUntilTheyClose(t *testing.T) {
	for name, stop := range map[string]func(cancel func(), w *area.World) error{
		"context ends": func(cancel func(), _ *area.World) error { cancel(); return nil },
		"world stops":  func(_ func(), w *area.World) error { return w.Stop(context.Background()) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := area.NewWorld(content.DefaultWorld().World, area.Options{Log: quiet})
				in := make(chan *Datagram, 4)
				l := Loop{Door: "test", Log: quiet, In: in, Feed: w.Subscribe("test", 8, area.All), Blocking: NewBlockingCalls(1, quiet), Farewell: 300 * time.Millisecond}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				f := &fakeTransport{open: 1}
				ended := make(chan error)
				go func() { ended <- l.Run(ctx, f) }()
				w.Start(t.Context())
				in <- NewDatagram()
				var applied []string
				l.Blocking.Post(func() { applied = append(applied, "posted") })
				synctest.Wait()
				l.Blocking.Start(func(context.Context) func() { return func() { applied = append(applied, "result") } })
				time.Sleep(time.Second)
				synctest.Wait()
				if f.datagrams != 1 || f.ticks < 90 || f.frames < 19*len(w.Def().Areas) || !slices.Equal(applied, []string{"posted", "result"}) {
					t.Errorf("%d datagrams, %d ticks, %d frames in a second, applied %v", f.datagrams, f.ticks, f.frames, applied)
				}
				stopped := time.Now()
				if err := stop(cancel, w); err != nil {
					t.Error(err)
				}
				in <- NewDatagram() // its connection may have to acknowledge the end
				if err := <-ended; err != nil || !f.dismissed || f.afterDismiss != 0 || f.datagrams != 2 {
					t.Errorf("ended with %v, dismissed %v, %d frames after it, %d datagrams", err, f.dismissed, f.afterDismiss, f.datagrams)
				}
				if took := time.Since(stopped); took != 300*time.Millisecond {
					t.Errorf("the loop lingered for %v with a connection open, want 300ms", took)
				}
				if err := w.Stop(context.Background()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestFullQueueOfWorkerDropsDatagramsAndIsDrainedUpToLimit(t *testing.T) {
	in, door := make(chan *Datagram, maxDrain+10), telemetry.New().Door("test")
	for range cap(in) + 3 {
		Offer(in, NewDatagram(), door)
	}
	received := 0
	receive := func(*Datagram) { received++ }
	Drain(<-in, in, maxDrain, receive)
	if dropped := door.Bad.With("overload").Load(); dropped != 3 || received != maxDrain+1 {
		t.Errorf("%d dropped, %d received at once, want 3 and %d", dropped, received, maxDrain+1)
	}
	if Drain(<-in, in, maxDrain, receive); received != cap(in) {
		t.Errorf("%d received, want all %d", received, cap(in))
	}
}

// fakeScene counts the frames that it is shown. It is empty once its only client has left.
type fakeScene struct {
	area   sim.AreaID
	shown  int
	member *fakeClient
	closed bool
}

func (s *fakeScene) Show(*sim.Frame)      { s.shown++ }
func (s *fakeScene) Broadcast(*sim.Frame) {}
func (s *fakeScene) Close()               { s.closed = true }
func (s *fakeScene) Sweep() bool          { return s.member == nil || s.member.left }

// fakeClient is a client whose player has appeared in an area when a frame of the area contains actor 1.
type fakeClient struct {
	scenes *Scenes[*fakeScene, *fakeClient]
	left   bool
	own    []sim.Tick // ticks of the frames whose own events the client was sent
}

func (c *fakeClient) ShowOwn(s *fakeScene, f *sim.Frame) {
	if s.member == c {
		c.own = append(c.own, f.Tick)
	}
}

func (c *fakeClient) Arrive(s *fakeScene, f *sim.Frame) {
	if f.Find(1) != nil {
		s.member = c
		c.scenes.Expect(c, sim.NoArea)
	}
}

func TestSceneOfAreaExistsWhileClientsAreExpectedOrPresentInArea(t *testing.T) {
	var made []string
	world := area.NewWorld(&sim.World{TicksPerSecond: 20, Areas: make([]sim.AreaDef, 3)}, area.Options{Log: quiet})
	feed := world.Subscribe("test", 1)
	defer feed.Close()
	s := NewScenes[*fakeScene, *fakeClient](feed, func(a sim.AreaID) *fakeScene {
		made = append(made, string(rune('a'+a)))
		return &fakeScene{area: a}
	})
	tick := sim.Tick(0)
	with := func(a sim.AreaID) *sim.Frame {
		tick++
		return &sim.Frame{Area: a, Tick: tick, Actors: []sim.ActorState{{ID: 1}}}
	}
	s.Show(with(0)) // no client is expected
	c := &fakeClient{scenes: &s}
	if feed.Has(1) {
		t.Error("subscribed to an area without clients")
	}
	s.Expect(c, 1)
	if !feed.Has(1) || feed.Has(0) {
		t.Errorf("client expected in area 1: subscribed to it %v, to area 0 %v", feed.Has(1), feed.Has(0))
	}
	s.Show(with(0))             // a frame of another area
	s.Show(&sim.Frame{Area: 1}) // a frame without the player
	s.Show(with(1))             // the player arrives
	s.Show(&sim.Frame{Area: 1}) // the client stays a member
	if !slices.Equal(c.own, []sim.Tick{3}) {
		t.Errorf("sent the own events of the frames %v, want those of the third, with which the player arrives", c.own)
	}
	if got := strings.Join(made, ""); got != "bb" || len(s.Open) != 1 || len(s.Expected) != 0 {
		t.Errorf("made scenes %q, %d are open, %d clients expected", got, len(s.Open), len(s.Expected))
	}
	scene := s.Open[1]
	c.left = true
	s.Show(&sim.Frame{Area: 1})
	if len(s.Open) != 0 || !scene.closed || scene.shown != 3 {
		t.Errorf("%d open, closed %v after %d frames", len(s.Open), scene.closed, scene.shown)
	}
	if s.Show(&sim.Frame{Area: 1}); feed.Has(1) {
		t.Error("still subscribed to an area whose last client has left")
	}
	s.Expect(&fakeClient{scenes: &s}, AnyArea)
	s.Show(with(2))
	if s.Open[2] == nil {
		t.Error("a client that is expected anywhere did not arrive")
	}
}

// A player moves from the first area to a second one and on to a third one. Its client's worker subscribes to the
// frames of the second area only after the player has left it, and then finds the player in the third one.
func TestClientFindsPlayerThatMovedOnToThirdArea(t *testing.T) {
	world := area.NewWorld(&sim.World{TicksPerSecond: 20, Areas: make([]sim.AreaDef, 3)}, area.Options{Log: quiet})
	feed := world.Subscribe("test", 1)
	defer feed.Close()
	s := NewScenes[*fakeScene, *fakeClient](feed, func(a sim.AreaID) *fakeScene { return &fakeScene{area: a} })
	c := &fakeClient{scenes: &s}
	s.Expect(c, 1)
	for n := 0; !feed.Has(2); n++ {
		if n > 1000 {
			t.Fatal("the client waits for an area in which its player never appears")
		}
		s.Show(&sim.Frame{Area: 1})
	}
	s.Show(&sim.Frame{Area: 2, Actors: []sim.ActorState{{ID: 1}}})
	if s.Open[2] == nil || len(s.Expected) != 0 {
		t.Errorf("%d scenes open, %d clients expected", len(s.Open), len(s.Expected))
	}
	for a := range sim.AreaID(2) { // frames without clients
		if s.Show(&sim.Frame{Area: a}); feed.Has(a) {
			t.Errorf("still subscribed to area %d", a)
		}
	}
}
