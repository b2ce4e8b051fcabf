package area

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/truestep-io/truestep/sim"
)

// feedSource is a Source whose batches a test supplies.
type feedSource struct {
	state   *sim.Area
	agreed  chan Agreed
	stepped []sim.Tick
	restore func() (*sim.Area, error)
}

func (s *feedSource) State() *sim.Area { return s.state }

func (s *feedSource) Next(stop <-chan struct{}) (Agreed, bool) {
	select {
	case a := <-s.agreed:
		return a, true
	case <-stop:
		return Agreed{}, false
	}
}

func (s *feedSource) Stepped(a *sim.Area, f *sim.Frame) { s.stepped = append(s.stepped, f.Tick) }
func (s *feedSource) Restore() (*sim.Area, error)       { return s.restore() }

func newSourceFields(t *testing.T) (*World, []*feedSource, *Feed) {
	def, _ := brokenWorld()
	sources := []*feedSource{}
	w := NewWorld(def, Options{Seed: 1, ReplayDir: t.TempDir(), Clock: func() int64 { return 7 }, Source: func(a sim.AreaID) Source {
		s := &feedSource{state: sim.NewArea(def, a, 1), agreed: make(chan Agreed)}
		sources = append(sources, s)
		return s
	}})
	f := w.Subscribe("f", 1024, All)
	w.Start(t.Context())
	return w, sources, f
}

func TestAreaInClusterExecutesOnlyBatchesAgreedByNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, sources, f := newSourceFields(t)
		submit(t, w, 0, enter(w.Def(), 1, 50))
		if got := w.Drain(0, nil, true); len(got) != 1 || got[0].Who != 1 {
			t.Errorf("the inbox had %v", got)
		}
		sources[0].agreed <- Agreed{Intents: []sim.Intent{enter(w.Def(), 2, 50)}}
		sources[0].agreed <- Agreed{}
		synctest.Wait()
		if w.NowMS() != 7 {
			t.Errorf("NowMS is %d", w.NowMS())
		}
		other := sim.NewArea(w.Def(), 0, 1)
		for range 9 {
			other.Recycle(other.Step(nil))
		}
		sources[0].agreed <- Agreed{State: other}
		sources[0].agreed <- Agreed{}
		synctest.Wait()
		if err := w.Stop(context.Background()); err != nil {
			t.Fatal(err)
		}
		var ticks []sim.Tick
		var missed uint64
		for p := range f.C() {
			ticks = append(ticks, p.Frame.Tick)
			missed += p.Missed
			p.Release()
		}
		if len(ticks) != 3 || ticks[1] != 2 || ticks[2] != 10 || missed != 1 || len(sources[0].stepped) != 3 {
			t.Errorf("frames of ticks %v with %d missed, and %v were stepped", ticks, missed, sources[0].stepped)
		}
	})
}

func TestAreaIsRestoredAfterPanicAndSkipsBatchThatCausedIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, sources, f := newSourceFields(t)
		kept := sim.NewArea(w.Def(), 0, 1)
		kept.Recycle(kept.Step(nil))
		sources[0].restore = func() (*sim.Area, error) { return kept, nil }
		sources[1].restore = func() (*sim.Area, error) { return nil, errors.New("no snapshot") }
		bad := []sim.Intent{enter(w.Def(), 3, 50), {Kind: sim.IntentCommand, Who: 3}} // the command "crash"
		sources[0].agreed <- Agreed{}
		sources[0].agreed <- Agreed{Intents: bad}
		sources[0].agreed <- Agreed{}
		synctest.Wait()
		if w.Err() != nil {
			t.Errorf("the world has stopped: %v", w.Err())
		}
		if p := onlyReplay(t, w.opt.ReplayDir); len(p.Ticks) != 2 || p.Verify(w.Def()) != nil {
			t.Errorf("a replay of %d ticks, verified with %v", len(p.Ticks), p.Verify(w.Def()))
		}
		sources[1].agreed <- Agreed{Intents: bad}
		synctest.Wait()
		if w.Err() == nil {
			t.Error("an area goes on that its source cannot restore")
		}
		if err := w.Redefine(t.Context(), w.Def(), nil); err != ErrShared {
			t.Errorf("redefinition by one node: %v", err)
		}
		_ = w.Stop(context.Background())
		var last sim.Tick
		for p := range f.C() {
			if p.Frame.Area == 0 {
				last = p.Frame.Tick
			}
			p.Release()
		}
		if last != 2 {
			t.Errorf("the last tick is %d, want 2", last)
		}
	})
}
