package console

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// movingCrowd returns a function that moves n actors and returns their frame.
func movingCrowd(n int) func() *sim.Frame {
	f := &sim.Frame{Actors: make([]sim.ActorState, n)}
	for i := range f.Actors {
		f.Actors[i] = sim.ActorState{ID: sim.EntityID(i + 1), Body: &sim.Body{Name: fmt.Sprintf("Actor %d", i), Template: 1}, Health: 80, HealthMax: 100}
		if i%10 == 0 {
			f.Actors[i].Flags = sim.FlagPlayer
		}
	}
	return func() *sim.Frame {
		f.Tick++
		for i := range f.Actors {
			f.Actors[i].Pos = f.Actors[i].Pos.Add(geom.Vec{X: 0.25, Z: 0.5})
			f.Actors[i].Yaw += 3
		}
		return f
	}
}

// drainViewer discards the messages of a viewer as soon as they are queued.
func drainViewer(v *viewer, done <-chan struct{}) {
	var texts []textMessage
	for {
		select {
		case <-v.wake:
			var s *frameBuffer
			texts, s, _ = v.dequeue(texts)
			s.release()
		case <-done:
			return
		}
	}
}

// benchViewers returns the numbers of viewers that the benchmarks measure. In short mode they only check that they run.
func benchViewers() []int {
	if testing.Short() {
		return []int{1, 10}
	}
	return []int{1, 10, 100}
}

func noDoor(sim.EntityID) string { return "rcce" }

// BenchmarkBroadcast measures a broadcast without sockets: roster, encoding and queueing.
func BenchmarkBroadcast(b *testing.B) {
	for _, viewers := range benchViewers() {
		b.Run(fmt.Sprintf("actors=2000/viewers=%d", viewers), func(b *testing.B) {
			c := &viewerGroup{rate: 10, perSecond: 10}
			done := make(chan struct{})
			var wg sync.WaitGroup
			for range viewers {
				v := newViewer()
				c.addViewer(v)
				wg.Go(func() { drainViewer(v, done) })
			}
			next := movingCrowd(2000)
			c.broadcast(next(), anyTime, noDoor)
			b.ReportAllocs()
			for b.Loop() {
				c.broadcast(next(), anyTime, noDoor)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2000, "ns/actor")
			close(done)
			wg.Wait()
		})
	}
}

// BenchmarkFrameWithoutViewers measures readFrame for an area without open live maps.
func BenchmarkFrameWithoutViewers(b *testing.B) {
	w := newFrameReader(smallWorld(1), noDoor, func() time.Time { return anyTime })
	next := movingCrowd(2000)
	b.ReportAllocs()
	for b.Loop() {
		w.readFrame(area.Published{Frame: next()})
	}
}

// BenchmarkLive measures one second of a live map at 10 Hz with 2,000 actors over real sockets, including the viewers, which
// read in the same process.
func BenchmarkLive(b *testing.B) {
	for _, viewers := range benchViewers() {
		b.Run(fmt.Sprintf("actors=2000/viewers=%d", viewers), func(b *testing.B) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			r := newHarness(b, l, smallWorld(1), nil) // the world is not started: the benchmark creates the frames
			go r.Run()
			got := make(chan error, viewers)
			ctx, cancel := context.WithCancel(context.Background())
			for range viewers {
				header := http.Header{"Authorization": {"Bearer " + r.tokens[Viewer]}}
				c, _, err := websocket.Dial(ctx, r.url+apiBase+"/live?area=0&rate=10", &websocket.DialOptions{HTTPHeader: header})
				if err != nil {
					b.Fatal(err)
				}
				c.SetReadLimit(8 << 20)
				go func() {
					for ctx.Err() == nil {
						kind, m, err := c.Read(ctx)
						if err != nil || kind == websocket.MessageBinary && len(m) > liveHeader+1900*liveActorBytes {
							got <- err
						}
						if err != nil {
							return
						}
					}
				}()
			}
			r.eventually("all live maps are open", func() bool { return int(r.viewers.Load()) == viewers })
			next := movingCrowd(2000)
			c := r.frames.areas[0].viewers.current()[0]
			b.ReportAllocs()
			for b.Loop() {
				for range 10 {
					c.broadcast(next(), r.clock.now(), noDoor)
					for range viewers {
						if err := <-got; err != nil {
							b.Fatal(err)
						}
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "us/second-of-map")
			cancel()
		})
	}
}

// A broadcast with an unchanged roster does not allocate once its buffers have grown.
func TestLiveMapBroadcastDoesNotAllocate(t *testing.T) {
	c := &viewerGroup{rate: 20, perSecond: 20}
	for range 3 {
		c.addViewer(newViewer()) // nothing reads this viewer's queue, so only the newest frame is queued
	}
	next := movingCrowd(500)
	for range 5 {
		c.broadcast(next(), anyTime, noDoor)
	}
	if n := testing.AllocsPerRun(100, func() { c.broadcast(next(), anyTime, noDoor) }); n > 0 {
		t.Errorf("%v allocations per broadcast", n)
	}
	w := newFrameReader(smallWorld(1), noDoor, func() time.Time { return anyTime })
	w.readFrame(area.Published{Frame: next()})
	if n := testing.AllocsPerRun(100, func() { w.readFrame(area.Published{Frame: next()}) }); n > 0 {
		t.Errorf("%v allocations per frame without viewers", n)
	}
}

// Every viewer receives each roster change once, even if it reads late or joins late.
func TestViewerThatJoinsLiveMapLateIsSentAllActors(t *testing.T) {
	c := &viewerGroup{rate: 20, perSecond: 20}
	early, late := newViewer(), newViewer()
	c.addViewer(early)
	body := func(name string) *sim.Body { return &sim.Body{Name: name} }
	frames := []*sim.Frame{
		{Tick: 1, Actors: []sim.ActorState{{ID: 1, Body: body("a")}, {ID: 3, Body: body("c")}}},
		{Tick: 2, Actors: []sim.ActorState{{ID: 1, Body: body("a")}, {ID: 2, Body: body("b")}, {ID: 3, Body: body("c")}}},
		{Tick: 3, Actors: []sim.ActorState{{ID: 2, Body: body("b")}, {ID: 3, Body: body("d")}}},
		{Tick: 4, Actors: []sim.ActorState{{ID: 2, Body: body("b")}, {ID: 3, Body: body("d")}}},
	}
	for i, f := range frames {
		if i == 2 {
			c.addViewer(late)
		}
		c.broadcast(f, anyTime, noDoor)
	}
	texts, s, _ := early.dequeue(nil)
	var all []string
	for _, m := range texts {
		all = append(all, string(m))
	}
	want := []string{
		`{"type":"actors","add":[{"id":1,"name":"a","door":null,"template":0,"player":false},{"id":3,"name":"c","door":null,"template":0,"player":false}],"remove":[]}`,
		`{"type":"actors","add":[{"id":2,"name":"b","door":null,"template":0,"player":false}],"remove":[]}`,
		`{"type":"actors","add":[{"id":3,"name":"d","door":null,"template":0,"player":false}],"remove":[1]}`,
	}
	if fmt.Sprint(all) != fmt.Sprint(want) {
		t.Errorf("the messages are %v", all)
	}
	if f, err := ParseLive(s.b, nil); err != nil || f.Tick != 4 {
		t.Errorf("the newest frame is tick %d, %v", f.Tick, err)
	}
	texts, _, _ = late.dequeue(nil)
	if len(texts) != 1 || string(texts[0]) != `{"type":"actors","add":[{"id":2,"name":"b","door":null,"template":0,"player":false},{"id":3,"name":"d","door":null,"template":0,"player":false}],"remove":[]}` {
		t.Errorf("the messages are %s", texts)
	}
}

// A viewer that does not read is marked as too slow when its queue exceeds the maximum.
func TestLiveMapViewerWithFullQueueIsMarkedTooSlow(t *testing.T) {
	c := &viewerGroup{rate: 20, perSecond: 20}
	v := newViewer()
	c.addViewer(v)
	for i := range 100 {
		f := &sim.Frame{Tick: sim.Tick(i)}
		for n := range 500 {
			f.Actors = append(f.Actors, sim.ActorState{ID: sim.EntityID(i*500 + n), Body: &sim.Body{Name: "actor"}})
		}
		c.broadcast(f, anyTime, noDoor)
		if v.queuedBytes > maxQueuedBytes+100_000 {
			t.Fatalf("%d bytes are queued", v.queuedBytes)
		}
	}
	if _, _, behind := v.dequeue(nil); !behind {
		t.Error("the viewer is not marked as too slow")
	}
}

func TestLiveMapBroadcastRateStaysTheSameWhenFramesAreMissed(t *testing.T) {
	for rate, want := range map[int]int{1: 10, 3: 30, 7: 70, 10: 100, 20: 200} {
		c := &viewerGroup{rate: rate, perSecond: 20}
		n := 0
		for tick := sim.Tick(1); tick <= 200; tick++ {
			if c.frameDue(tick) {
				n++
			}
		}
		if n != want {
			t.Errorf("%d Hz: %d in 10 s, want %d", rate, n, want)
		}
		if c.frameDue(200) || !c.frameDue(300) {
			t.Errorf("%d Hz: a broadcast is repeated, or a broadcast is lost because frames were missed", rate)
		}
	}
}

func TestLiveMapHitMessagesAreLimitedPerSecond(t *testing.T) {
	c := &viewerGroup{rate: 20, perSecond: 20}
	v := newViewer()
	c.addViewer(v)
	for range 500 {
		c.addHit(&sim.Event{Kind: sim.EventAttacked, Who: 1, Other: 2, N: 4}, anyTime)
	}
	c.addDeath(&sim.Event{Kind: sim.EventDied, Who: 2}, anyTime.Add(time.Second))
	c.broadcast(&sim.Frame{Tick: 1}, anyTime, noDoor)
	texts, _, _ := v.dequeue(nil)
	last := string(texts[len(texts)-1])
	if hits := len(texts) - 2; hits != maxHitsPerSecond || string(texts[1]) != `{"type":"hit","by":1,"on":2,"damage":4}` || last != `{"type":"died","id":2}` {
		t.Errorf("%d hits, the last message is %s", hits, last)
	}
}
