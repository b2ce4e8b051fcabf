package area

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

func TestEveryFeedReceivesAllFramesInOrder(t *testing.T) {
	running(t, 1, Options{}, func(t *testing.T, w *World, _ []*fake) {
		a, b := w.Subscribe("a", 8, All), w.Subscribe("b", 8, All)
		ticks(5)
		for _, f := range []*Feed{a, b} {
			for want := sim.Tick(1); want <= 5; want++ {
				p := <-f.C()
				if p.Frame.Tick != want || p.Missed != 0 {
					t.Errorf("feed %s: tick %d, missed %d; want %d, 0", f.Name(), p.Frame.Tick, p.Missed, want)
				}
				p.Release()
			}
		}
	})
}

func TestFeedReceivesOnlyFramesOfSubscribedAreas(t *testing.T) {
	running(t, 3, Options{}, func(t *testing.T, w *World, _ []*fake) {
		f := w.Subscribe("f", 8, 1)
		defer f.Close()
		areas := func() (got []sim.AreaID) {
			ticks(1)
			for {
				select {
				case p := <-f.C():
					got = append(got, p.Frame.Area)
					p.Release()
				default:
					slices.Sort(got)
					return got
				}
			}
		}
		check := func(what string, want ...sim.AreaID) {
			t.Helper()
			if got := areas(); !slices.Equal(got, want) {
				t.Errorf("%s: frames of areas %v, want %v", what, got, want)
			}
		}
		check("subscribed to 1", 1)
		f.Add(2, 2, 7, -1) // area 2 twice, and two areas that do not exist
		check("added 2", 1, 2)
		f.Remove(1)
		f.Remove(7)
		check("removed 1", 2)
		f.Add(All)
		check("added all", 0, 1, 2)
		f.Close()
		f.Add(0) // must have no effect: the feed is closed
	})
}

func TestSlowFeedReaderMissesFramesWithoutBlockingArea(t *testing.T) {
	running(t, 1, Options{}, func(t *testing.T, w *World, fakes []*fake) {
		slow := w.Subscribe("slow", 2, All)
		ticks(10)
		if n := len(fakes[0].took); n != 10 {
			t.Fatalf("the area stepped %d times, want 10", n)
		}
		var got []sim.Tick
		for range 2 {
			p := <-slow.C()
			got = append(got, p.Frame.Tick)
			p.Release()
		}
		ticks(1)
		p := <-slow.C()
		if !slices.Equal(got, []sim.Tick{1, 2}) || p.Frame.Tick != 11 || p.Missed != 8 {
			t.Errorf("got ticks %v, then %d with %d missed; want 1, 2, then 11 with 8", got, p.Frame.Tick, p.Missed)
		}
		p.Release()
		ticks(1)
		if p = <-slow.C(); p.Missed != 0 {
			t.Errorf("the next frame has Missed = %d", p.Missed)
		}
		p.Release()
		if n := w.Stats()[0].Missed; n != 8 {
			t.Errorf("stats have Missed = %d", n)
		}
	})
}

func TestFeedCountsMissedFramesPerArea(t *testing.T) {
	running(t, 2, Options{}, func(t *testing.T, w *World, _ []*fake) {
		f := w.Subscribe("f", 1, All) // this feed has room for two frames, one per area
		ticks(3)                      // the frames of tick 1 fill the feed
		for range 2 {
			p := <-f.C()
			if p.Frame.Tick != 1 {
				t.Errorf("tick %d of area %d, want 1", p.Frame.Tick, p.Frame.Area)
			}
			p.Release()
		}
		ticks(1)
		for range 2 {
			p := <-f.C()
			if p.Missed != 2 {
				t.Errorf("area %d: missed %d, want 2", p.Frame.Area, p.Missed)
			}
			p.Release()
		}
	})
}

func TestFrameIsReusedAfterLastReaderHasReleasedIt(t *testing.T) {
	running(t, 1, Options{}, func(t *testing.T, w *World, fakes []*fake) {
		a, b := w.Subscribe("a", 4, All), w.Subscribe("b", 4, All)
		ticks(1)
		first, again := <-a.C(), <-b.C()
		if first.Frame != again.Frame {
			t.Fatal("two readers received different frames")
		}
		drain := func() {
			ticks(1)
			(<-a.C()).Release()
			(<-b.C()).Release()
		}
		first.Release()
		for range 5 {
			drain()
		}
		if again.Frame.Tick != 1 {
			t.Fatalf("a frame was reused before its release; its tick is %d", again.Frame.Tick)
		}
		again.Release()
		made := fakes[0].made
		for range 20 {
			drain()
		}
		if again.Frame.Tick == 1 {
			t.Error("the frame was not reused after its last release")
		}
		if fakes[0].made != made {
			t.Errorf("%d frames allocated in steady ticks", fakes[0].made-made)
		}
	})
}

func TestSecondReleaseOfFramePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	p := Published{ref: &frameRef{pool: new(releasedFrames)}}
	p.ref.refs.Store(1)
	p.Release()
	p.Release()
}

func TestClosedFeedReleasesUnreadFrames(t *testing.T) {
	running(t, 1, Options{}, func(t *testing.T, w *World, fakes []*fake) {
		f := w.Subscribe("f", 8, All)
		ticks(4)
		f.Close()
		f.Close()
		if _, open := <-f.C(); open {
			t.Error("the channel is not closed")
		}
		made := fakes[0].made
		ticks(10)
		if fakes[0].made != made {
			t.Error("frames of the closed feed were not released")
		}
	})
}

func TestFeedCanBeClosedWhileAreaPublishesFrame(t *testing.T) {
	running(t, 3, Options{}, func(t *testing.T, w *World, _ []*fake) {
		for i := range 40 {
			f := w.Subscribe("f", 1, All)
			go func() {
				for p := range f.C() {
					p.Release()
				}
			}()
			time.Sleep(time.Duration(i*7) * time.Millisecond)
			f.Close()
		}
		synctest.Wait()
		if n := len(w.feeds); n != 0 {
			t.Errorf("%d feeds remain", n)
		}
	})
}

func TestFeedDeliversDepartureBeforeArrivalOfSamePlayer(t *testing.T) {
	running(t, 3, Options{}, func(t *testing.T, w *World, fakes []*fake) {
		f := w.Subscribe("f", 64, All)
		submit(t, w, 2, join(7))
		ticks(1)
		submit(t, w, 2, say(7, "go 0"))
		ticks(1)
		submit(t, w, 0, say(7, "go 1"))
		ticks(2)
		if !slices.Equal(fakes[1].inside, []sim.EntityID{7}) || len(fakes[0].inside)+len(fakes[2].inside) != 0 {
			t.Error("the traveller did not arrive")
		}
		f.world.unsubscribe(f)
		f.end()
		want := []string{"2 joined 7", "2 departed 7", "0 joined 7", "0 departed 7", "1 joined 7"}
		if got := collect(f); !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	})
}

func TestTickOfSteadyAreaDoesNotAllocateMemory(t *testing.T) {
	for name, l := range map[string]Log{"without a log": nil, "with a log": &bufferLog{}} {
		w, fakes := newFakes(1, Options{})
		f := w.Subscribe("f", 4, All)
		r := w.areas[0]
		r.sim, r.log = &steady{fakes[0]}, l
		who := make([]sim.Intent, 100)
		for i := range who {
			who[i] = sim.Intent{Kind: sim.IntentClaim, Who: sim.EntityID(i + 1)}
		}
		tick := func() {
			for _, in := range who {
				if err := w.Submit(0, in); err != nil {
					t.Fatal(err)
				}
			}
			r.step(nil, nil)
			(<-f.C()).Release()
		}
		for range 10 {
			tick()
		}
		if n := testing.AllocsPerRun(100, tick); n != 0 {
			t.Errorf("%s: %v allocations per tick", name, n)
		}
	}
}

// steady is a fake area that does not record its intents.
type steady struct{ *fake }

func (a *steady) Step([]sim.Intent) *sim.Frame {
	a.now++
	return a.frame()
}

func BenchmarkTick(b *testing.B) {
	for _, part := range []struct {
		name string
		log  Log
	}{{"none", nil}, {"buffer", &bufferLog{}}} {
		w, fakes := newFakes(1, Options{})
		r := w.areas[0]
		r.sim, r.log = &steady{fakes[0]}, part.log
		var feeds []*Feed
		for range 4 {
			feeds = append(feeds, w.Subscribe("f", 4, All))
		}
		b.Run("intents=1000/feeds=4/log="+part.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for i := range 1000 {
					if err := w.Submit(0, sim.Intent{Kind: sim.IntentClaim, Who: sim.EntityID(i), AtMS: 123456, Claim: move.Claim{X: 1, Y: 2, Z: 3, DestX: 4, DestZ: 5}}); err != nil {
						b.Fatal(err)
					}
				}
				r.step(nil, nil)
				for _, f := range feeds {
					(<-f.C()).Release()
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*1000), "ns/intent")
		})
	}
}

func TestFeedsSubscribeAndCloseConcurrentlyWithRunningWorld(t *testing.T) {
	w, _ := newFakes(4, Options{})
	w.period = time.Millisecond
	w.Start(t.Context())
	var readers sync.WaitGroup
	for i := range 8 {
		f := w.Subscribe("reader", 2, sim.AreaID(i%4))
		readers.Go(func() {
			for n := 0; ; n++ {
				p, ok := <-f.C()
				if !ok {
					break // the feed was closed by Stop or by this reader's own Close
				}
				a := p.Frame.Area
				p.Release()
				f.Remove(a)
				f.Add([]sim.AreaID{a, (a + 1) % 4, All, 99}[n%4])
				if !f.Has(a) {
					f.Add(a)
				}
				if i >= 4 && n == 20 {
					f.Close()
				}
			}
			f.Close()
			if f.Add(All); f.Has(0) {
				t.Error("a closed feed is still subscribed to an area")
			}
		})
	}
	time.Sleep(50 * time.Millisecond)
	if err := w.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	readers.Wait() // returns only if every feed ends when the world stops
}

func TestFramesMissedWhileAreaStepsThePastAreReportedAsCatchUp(t *testing.T) {
	running(t, 1, Options{}, func(t *testing.T, w *World, _ []*fake) {
		f := w.Subscribe("f", 1, All)
		offer := func(age int64) {
			h := &frameRef{frame: &sim.Frame{}, atMS: w.NowMS() - age}
			h.refs.Store(2)
			f.offer(h, nil)
		}
		read := func(missed uint64, catchUp bool) {
			t.Helper()
			p := <-f.C()
			if p.Missed != missed || p.CatchUp != catchUp {
				t.Errorf("missed %d, catch-up %t, want %d, %t", p.Missed, p.CatchUp, missed, catchUp)
			}
			p.Release()
		}
		offer(9000)
		offer(8000) // the feed is full
		offer(0)
		read(0, false)
		offer(0)
		offer(pastMS)
		read(2, true)
		offer(0)
		read(1, false)
		f.miss(0, true)
		offer(0)
		read(1, true)
	})
}
