package area

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// redefined returns the world twoFields with stronger cows and with a spawn of cows in the eastern field.
func redefined() *sim.World {
	def := twoFields()
	def.ContentHash = 2
	def.Templates[0].Attr[0].Value, def.Templates[0].Attr[0].Max = 300, 300
	def.Areas[1].Waypoints = def.Areas[0].Waypoints
	def.Areas[1].Spawns = []sim.Spawn{{Template: 1, Size: 10, Max: 1, PeriodMS: 100}}
	return def
}

// cowHealth returns, for each maximum health, the number of cows in a frame that have it.
func cowHealth(f *sim.Frame) map[int32]int {
	list := map[int32]int{}
	for i := range f.Actors {
		if a := &f.Actors[i]; !a.Is(sim.FlagPlayer) {
			list[a.HealthMax]++
		}
	}
	return list
}

func TestRedefineReplacesWorldDefinitionBetweenTicksAndKeepsPlayers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logs := []*memoryLog{newMemoryLog(nil), newMemoryLog(nil)}
		logs[0].every, logs[1].every = 1000, 1000
		was, is := twoFields(), redefined()
		w := NewWorld(was, Options{Seed: 1, Open: func(id sim.AreaID) (Log, *sim.Area) { return logs[id], nil }})
		f := w.Subscribe("f", 1024, All)
		w.Start(t.Context())
		submit(t, w, 0, enter(was, 1, 50))
		ticks(20)
		var settled []sim.Tick
		err := w.Redefine(t.Context(), is, func(_ context.Context, through []sim.Tick) error {
			settled = through
			time.Sleep(time.Second) // no tick passes
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if w.Def() != is {
			t.Error("the definition is not replaced")
		}
		ticks(20)
		if err := w.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		last := [2]sim.Tick{}
		for p := range f.C() {
			id := p.Frame.Area
			if p.Missed > 0 || p.Frame.Tick != last[id]+1 {
				t.Fatalf("area %d: tick %d after tick %d", id, p.Frame.Tick, last[id])
			}
			last[id] = p.Frame.Tick
			health := int32(100)
			if p.Frame.Tick > settled[id] {
				health = 300
			}
			for have := range cowHealth(p.Frame) {
				if have != health {
					t.Fatalf("area %d: cows with a health of %d at tick %d; redefined after tick %d", id, have, p.Frame.Tick, settled[id])
				}
			}
			if id == 1 && p.Frame.Tick > settled[1] && len(cowHealth(p.Frame)) != 1 {
				t.Fatalf("no cow in the east at tick %d", p.Frame.Tick)
			}
			if id == 0 && p.Frame.Tick > 2 && p.Frame.Tick <= settled[0]+10 && p.Frame.Find(1) == nil {
				t.Fatalf("the player is gone at tick %d", p.Frame.Tick)
			}
			p.Release()
		}
		for i, l := range logs { // leave what recovery uses: the snapshot of the redefined area and the ticks after it
			l.batches = l.batches[settled[i]:]
			l.snapshots = l.snapshots[len(l.snapshots)-1:]
			if l.snapshots[0].tick != settled[i] {
				t.Fatalf("area %d: the log begins at tick %d, want %d", i, l.snapshots[0].tick, settled[i])
			}
			a := l.restore(t, is, sim.AreaID(i), l.sealed)
			if got := w.areas[i].sim.(*sim.Area); !bytes.Equal(a.Snapshot(nil), got.Snapshot(nil)) {
				t.Errorf("area %d: the restored state differs", i)
			}
		}
	})
}

func TestRefusedRedefineKeepsWorldDefinition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		was := twoFields()
		w := NewWorld(was, Options{Seed: 1})
		if err := w.Redefine(t.Context(), redefined(), nil); err == nil || !strings.Contains(err.Error(), "has not been started") {
			t.Errorf("before the start: %v", err)
		}
		w.Start(t.Context())
		ticks(5)
		shorter := redefined()
		shorter.Areas = shorter.Areas[:1]
		full := errors.New("the disk is full")
		for want, call := range map[string]func() error{
			`must have area "East"`: func() error { return w.Redefine(t.Context(), shorter, nil) },
			"the disk is full": func() error {
				return w.Redefine(t.Context(), redefined(), func(context.Context, []sim.Tick) error { return full })
			},
			"deadline exceeded": func() error {
				return w.Redefine(t.Context(), redefined(), func(ctx context.Context, _ []sim.Tick) error { <-ctx.Done(); return ctx.Err() })
			},
		} {
			if err := call(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want one with %q", err, want)
			}
			if w.Def() != was {
				t.Error("the definition was replaced")
			}
		}
		before := w.Stats()[0].Tick
		ticks(10)
		if w.Stats()[0].Tick < before+9 {
			t.Errorf("tick %d, was %d: the areas do not go on", w.Stats()[0].Tick, before)
		}
		if err := w.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := w.Redefine(t.Context(), redefined(), nil); err == nil {
			t.Error("a stopped world is redefined")
		}
	})
}

func TestWorldStopCancelsRunningRedefine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWorld(twoFields(), Options{Seed: 1})
		w.Start(t.Context())
		ticks(3)
		result := make(chan error, 1)
		go func() {
			result <- w.Redefine(t.Context(), redefined(), func(ctx context.Context, _ []sim.Tick) error { <-ctx.Done(); return ctx.Err() })
		}()
		ticks(2)
		began := time.Now()
		if err := w.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := <-result; err == nil {
			t.Error("the world is redefined while it stops")
		}
		if took := time.Since(began); took > 100*time.Millisecond {
			t.Errorf("Stop took %v", took)
		}
	})
}

// Readers use Def from any goroutine while it is replaced.
func TestWorldDefinitionCanBeReadWhileItIsRedefined(t *testing.T) {
	w := NewWorld(twoFields(), Options{Seed: 1, PauseTime: time.Minute})
	f := w.Subscribe("f", 64, All)
	w.Start(t.Context())
	var readers sync.WaitGroup
	readers.Go(func() {
		for p := range f.C() {
			for i := range p.Frame.Actors {
				if w.Def().Template(p.Frame.Actors[i].Body.Template) == nil {
					t.Error("an actor has no template")
				}
			}
			p.Release()
		}
	})
	defs := []*sim.World{redefined(), twoFields()}
	for i := range 20 {
		if err := w.Redefine(t.Context(), defs[i%2], nil); err != nil {
			t.Error(err)
		}
	}
	if err := w.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	readers.Wait()
}

// A replay begins again with each redefinition, so that it can be stepped with the definition under which its area panicked.
func TestReplayOfPanicAfterRedefineHasNewDefinition(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		was, _ := brokenWorld()
		is, _ := brokenWorld()
		is.ContentHash = 2
		w := NewWorld(was, Options{Seed: 1, Log: slog.New(slog.DiscardHandler), ReplayDir: dir})
		w.Start(t.Context())
		submit(t, w, 0, enter(was, 1, 0))
		ticks(3)
		if err := w.Redefine(t.Context(), is, nil); err != nil {
			t.Fatal(err)
		}
		ticks(3)
		submit(t, w, 0, sim.Intent{Kind: sim.IntentCommand, Who: 1})
		<-w.Done()
		p := onlyReplay(t, dir)
		if err := p.Verify(is); err != nil || len(p.Ticks) > 5 {
			t.Errorf("%d ticks, verified with %v", len(p.Ticks), err)
		}
		if err := p.Verify(was); !isError(err, "differs from the recorded one") {
			t.Errorf("verified under the former definition: %v", err)
		}
		if err := w.Redefine(t.Context(), was, nil); err == nil || err != w.Err() {
			t.Errorf("redefinition after the panic: %v", err)
		}
		_ = w.Stop(t.Context())
	})
}

func TestRedefineWaitsForHangingTickAtMostTwoSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, game := startBroken(t)
		submit(t, w, 0, sim.Intent{Kind: sim.IntentCommand, Who: 1, SlotA: 1})
		ticks(1)
		before := w.Stats()[1].Tick
		is, _ := brokenWorld()
		for _, want := range []string{"an area", `area "West"`} { // the second time, the request to pause still waits
			began := time.Now()
			if err := w.Redefine(t.Context(), is, nil); !isError(err, "cannot pause the world: "+want+" has not finished its tick in time") || time.Since(began) != pauseTime {
				t.Errorf("%v after %v", err, time.Since(began))
			}
		}
		close(game.wait)
		ticks(20)
		if now := w.Stats()[1].Tick; now < before+20 {
			t.Errorf("tick %d, was %d before: the other area does not go on", now, before)
		}
		if err := w.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
