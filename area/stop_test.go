package area

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

func TestStopPublishesLeaveEventOfEveryPlayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := newFakes(3, Options{})
		f := w.Subscribe("saver", 64, All)
		w.Start(t.Context())
		submit(t, w, 0, join(1), join(2))
		submit(t, w, 1, join(3))
		ticks(2)
		submit(t, w, 0, say(2, "go 2")) // the player is on its way when the world stops
		submit(t, w, 2, join(4))        // the area has not admitted this player yet
		if err := w.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		var left []string
		for _, e := range collect(f) {
			if strings.Contains(e, "left") {
				left = append(left, e)
			}
		}
		slices.Sort(left)
		if want := []string{"0 left 1", "1 left 3", "2 left 2", "2 left 4"}; !slices.Equal(left, want) {
			t.Errorf("got %q, want %q", left, want)
		}
		select {
		case <-w.Done():
		default:
			t.Error("Done is not closed")
		}
	})
}

// Readers that close their feed as soon as it ends must not prevent Stop from ending the other feeds.
func TestStopEndsEveryFeedWhileReadersCloseFeeds(t *testing.T) {
	for range 100 {
		synctest.Test(t, func(t *testing.T) {
			w, _ := newFakes(1, Options{})
			for range 20 {
				f := w.Subscribe("reader", 64, All)
				go func() { // this reader ends only if its feed ends, and the synctest bubble waits for it
					for p := range f.C() {
						p.Release()
					}
					f.Close()
				}()
			}
			w.Start(t.Context())
			ticks(2)
			if err := w.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestStoppedWorldRejectsIntentsAndReturnsClosedFeeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := newFakes(1, Options{})
		w.Start(t.Context())
		_ = w.Stop(t.Context())
		if err := w.Submit(0, join(1)); !errors.Is(err, ErrClosed) {
			t.Errorf("a join after the stop: %v", err)
		}
		if _, open := <-w.Subscribe("late", 1, All).C(); open {
			t.Error("a feed of a stopped world is open")
		}
		if err := w.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		w.Start(t.Context()) // a stopped world does not start again
	})
}

func TestStopBeforeStartRemovesPlayersThatWaitToJoin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := newFakes(2, Options{})
		f := w.Subscribe("f", 4, All)
		submit(t, w, 0, join(1))
		if err := w.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		if got := collect(f); !slices.Equal(got, []string{"0 joined 1", "0 left 1"}) {
			t.Errorf("got %q", got)
		}
	})
}

func TestStopWaitsUntilSlowFeedReaderHasLastFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := newFakes(2, Options{})
		w.Start(t.Context())
		submit(t, w, 0, join(1))
		submit(t, w, 1, join(2), join(3))
		ticks(2)
		f := w.Subscribe("slow", 1, All)
		got := make(chan []string, 1)
		go func() {
			var left []string
			for p := range f.C() {
				time.Sleep(300 * time.Millisecond)
				for _, e := range p.Frame.Events {
					if e.Kind == sim.EventLeft {
						left = append(left, e.Record.Name)
					}
				}
				p.Release()
			}
			got <- left
		}()
		ticks(5)
		if err := w.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		if left := <-got; len(left) != 3 {
			t.Errorf("the reader saw %d players leave, want 3", len(left))
		}
	})
}

// Several stuck readers together delay Stop by at most stopTime.
func TestStopIsNotBlockedByStuckFeedReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := newFakes(4, Options{})
		good := w.Subscribe("good", 64, All)
		for range 3 {
			defer w.Subscribe("stuck", 1, All).Close()
		}
		w.Start(t.Context())
		for id := range sim.AreaID(4) {
			submit(t, w, id, join(sim.EntityID(id+1)))
		}
		ticks(5)
		began := time.Now()
		if err := w.Stop(context.Background()); err != nil {
			t.Error(err)
		}
		if d := time.Since(began); d > stopTime {
			t.Errorf("the stop took %v", d)
		}
		if n := len(collect(good)); n != 8 {
			t.Errorf("the other reader saw %d events, want 4 joins and 4 leaves", n)
		}
	})
}

func TestAreaStopsSteppingWhenStartContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, fakes := newFakes(1, Options{})
		f := w.Subscribe("f", 64, All)
		ctx, cancel := context.WithCancel(t.Context())
		w.Start(ctx)
		submit(t, w, 0, join(1))
		ticks(3)
		cancel()
		synctest.Wait()
		n := len(fakes[0].took)
		ticks(10)
		if len(fakes[0].took) != n {
			t.Error("the area stepped after its context had ended")
		}
		if err := w.Stop(context.Background()); err != nil {
			t.Error(err)
		}
		if got := collect(f); !slices.Equal(got, []string{"0 joined 1", "0 left 1"}) {
			t.Errorf("got %q: the player was not saved", got)
		}
	})
}

func TestErrorOfStopContainsNumberOfPlayersThatCouldNotLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, fakes := newFakes(1, Options{})
		w.areas[0].sim = clinging{fakes[0]}
		w.Start(t.Context())
		submit(t, w, 0, join(1))
		ticks(2)
		if err := w.Stop(t.Context()); err == nil || !strings.Contains(err.Error(), "1 players") {
			t.Errorf("the error is %v", err)
		}
	})
}

// clinging is a fake area whose players cannot leave.
type clinging struct{ *fake }

func (a clinging) Step(intents []sim.Intent) *sim.Frame {
	return a.fake.Step(slices.DeleteFunc(slices.Clone(intents), func(in sim.Intent) bool {
		return in.Kind == sim.IntentLeave
	}))
}
