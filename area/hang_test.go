package area

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// brokenGame has a command that panics, and two that do not end until wait is closed; the last one then panics.
type brokenGame struct{ wait chan struct{} }

func (g *brokenGame) Command(_ *sim.Hand, _ sim.EntityID, c *sim.Command) {
	switch c.ID {
	case 0:
		panic("no such spell")
	case 1:
		g.stall()
	case 2:
		g.stall()
		panic("the spell took too long")
	}
}

func (g *brokenGame) stall() { <-g.wait }

func (g *brokenGame) Tick(*sim.Hand) {}

func brokenWorld() (*sim.World, *brokenGame) {
	w, g := twoFields(), &brokenGame{make(chan struct{})}
	w.Schema.Commands = []sim.GameCommand{{Name: "crash"}, {Name: "stall"}, {Name: "stall and crash"}}
	w.Game = g
	return w, g
}

// startBroken starts a world of brokenWorld with the player 1 in its first area.
func startBroken(t *testing.T) (*World, *brokenGame) {
	def, game := brokenWorld()
	w := NewWorld(def, Options{Seed: 1, Log: slog.New(slog.DiscardHandler)})
	w.Start(t.Context())
	submit(t, w, 0, enter(def, 1, 0))
	ticks(2)
	return w, game
}

func TestErrorAfterPanicInGameRulesIncludesNameOfFunction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := startBroken(t)
		submit(t, w, 0, sim.Intent{Kind: sim.IntentCommand, Who: 1})
		<-w.Done()
		err := w.Err().Error()
		for _, want := range []string{`area "West" stopped: no such spell, in the rules of the game: `, "(*brokenGame).Command, ", "hang_test.go:"} {
			if !strings.Contains(err, want) {
				t.Errorf("%q does not contain %q", err, want)
			}
		}
		_ = w.Stop(t.Context())
	})
}

func TestHangingTickStopsOneAreaAndOtherAreasSavePlayers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		def, game := brokenWorld()
		w := NewWorld(def, Options{Seed: 1, Log: slog.New(slog.DiscardHandler)})
		f := w.Subscribe("f", 4096, All)
		w.Start(t.Context())
		submit(t, w, 0, enter(def, 1, 0))
		submit(t, w, 1, enter(def, 2, 0))
		ticks(2)
		began := time.Now()
		submit(t, w, 0, sim.Intent{Kind: sim.IntentCommand, Who: 1, SlotA: 1})
		<-w.Done()
		if took := time.Since(began); took < hangChecks*hangCheck || took > (hangChecks+2)*hangCheck {
			t.Errorf("stopped after %v", took)
		}
		for _, want := range []string{`area "West" stopped: tick `, " has not ended for 10s, in the rules of the game: ", "(*brokenGame).Command, ", "hang_test.go:"} {
			if err := w.Err().Error(); !strings.Contains(err, want) {
				t.Errorf("%q does not contain %q", err, want)
			}
		}
		if s := w.Stats(); s[0].Err == nil || s[1].Err != nil {
			t.Errorf("stats say %v and %v", s[0].Err, s[1].Err)
		}
		if err := w.Submit(0, enter(def, 3, 0)); err == nil {
			t.Error("the stopped area accepts joins")
		}
		n := w.Stats()[1].Tick
		ticks(5)
		if w.Stats()[1].Tick != n+5 {
			t.Error("the other area does not step")
		}
		if err := w.Stop(context.Background()); err == nil {
			t.Error("Stop returns no error for the area that hangs")
		}
		if err := w.CloseLogs(true); err != nil {
			t.Error(err)
		}
		close(game.wait) // the tick ends after all: its frame must not be published
		synctest.Wait()
		saved, last := false, sim.Tick(0)
		for p := range f.C() {
			for _, e := range p.Frame.Events {
				saved = saved || e.Kind == sim.EventLeft && e.Who == 2
			}
			if p.Frame.Area == 0 {
				last = p.Frame.Tick
			}
			p.Release()
		}
		if !saved {
			t.Error("the player of the other area was not saved")
		}
		if last > 4 {
			t.Errorf("frame %d of the stopped area was published", last)
		}
	})
}

// When the hanging tick of a stopped area ends or panics, the goroutine of the area ends too, and takes no further batch.
func TestStoppedAreaExecutesNoFurtherBatchAfterHangingTickPanics(t *testing.T) {
	stallAndCrash := sim.Intent{Kind: sim.IntentCommand, Who: 1, SlotA: 2}
	t.Run("agreed batches", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w, sources, f := newSourceFields(t)
			restored := 0
			sources[0].restore = func() (*sim.Area, error) {
				restored++
				return sim.NewArea(w.Def(), 0, 1), nil
			}
			sources[0].agreed <- Agreed{Intents: []sim.Intent{enter(w.Def(), 1, 50), stallAndCrash}}
			<-w.Done()
			close(w.Def().Game.(*brokenGame).wait)
			synctest.Wait()
			for range 2 {
				select {
				case sources[0].agreed <- Agreed{}:
					t.Error("the stopped area takes another batch")
				default:
				}
				synctest.Wait()
			}
			if restored > 0 || len(sources[0].stepped) > 0 {
				t.Errorf("restored %d times and stepped %v after it was stopped", restored, sources[0].stepped)
			}
			if err := w.Stop(context.Background()); err == nil || !strings.Contains(err.Error(), "has not ended") {
				t.Errorf("Stop returns %v", err)
			}
			for p := range f.C() {
				p.Release()
			}
		})
	})
	t.Run("own inbox", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w, game := startBroken(t)
			submit(t, w, 0, stallAndCrash)
			<-w.Done()
			close(game.wait)
			synctest.Wait()
			if err := w.Stats()[0].Err; err == nil || !strings.Contains(err.Error(), "has not ended") {
				t.Errorf("the area failed with %v", err)
			}
			if err := w.Stop(context.Background()); err == nil || !strings.Contains(err.Error(), "has not ended") {
				t.Errorf("Stop returns %v", err)
			}
		})
	})
}

// An area is not stopped for a tick that is merely slow, or that lasted long because the process was suspended.
func TestSlowTickDoesNotStopArea(t *testing.T) {
	running(t, 1, Options{}, func(t *testing.T, w *World, _ []*fake) {
		submit(t, w, 0, join(1))
		ticks(1)
		for range 5 {
			submit(t, w, 0, say(1, "slow 8500"))
			ticks(200)
		}
		if w.Err() != nil {
			t.Errorf("the area stopped: %v", w.Err())
		}
	})
}

func TestStopReturnsErrorIfTickHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, game := startBroken(t)
		submit(t, w, 0, sim.Intent{Kind: sim.IntentCommand, Who: 1, SlotA: 1})
		ticks(1)
		if err := w.Stop(context.Background()); err == nil || !strings.Contains(err.Error(), "has not ended") {
			t.Errorf("Stop returns %v", err)
		}
		close(game.wait)
		synctest.Wait()
	})
}
