package session

import (
	"log/slog"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// missingWorld is a world with one area, which this process owns unless it has missed ticks.
type missingWorld struct {
	testLog
	missed  sim.Tick
	atOwner func() // called by the next call of Owner; nil for nothing
}

func (w *missingWorld) Storable(sim.AreaID) sim.Tick       { return 1 << 40 }
func (w *missingWorld) SavedTick(sim.AreaID) sim.Tick      { return 0 }
func (w *missingWorld) Missed(_ sim.AreaID, tick sim.Tick) { w.missed = tick }
func (w *missingWorld) Owner(sim.AreaID) (epoch uint64, _ bool) {
	if f := w.atOwner; f != nil {
		w.atOwner = nil
		f()
	}
	return 1, w.missed == 0
}

func newMissingWriter() (*recordWriter, *missingWorld) {
	w := &missingWorld{}
	k := newRecordWriter(nil, w, 1, Options{Log: slog.New(slog.DiscardHandler), Metrics: telemetry.New()})
	k.cluster = true
	return k, w
}

func TestMissedFramesAreReportedToWorld(t *testing.T) {
	k, w := newMissingWriter()
	k.putFrame(&sim.Frame{Tick: 1}, false)
	k.putFrame(&sim.Frame{Tick: 2}, true) // after a tick that panicked: no tick is missing
	if w.missed != 0 {
		t.Errorf("missed are %d", w.missed)
	}
	k.putFrame(&sim.Frame{Tick: 9}, true)
	if w.missed != 8 {
		t.Errorf("missed are %d, want 8", w.missed)
	}
	started, w := newMissingWriter()
	started.putFrame(&sim.Frame{Tick: 601}, false) // the process continues from a snapshot of tick 600
	if w.missed != 600 {
		t.Errorf("missed are %d, want 600", w.missed)
	}
}

// The frames are read by one goroutine, and the records are stored by another one.
func TestTicksMissedDuringSaveAreNotReportedAsSaved(t *testing.T) {
	k, w := newMissingWriter()
	k.putFrame(&sim.Frame{Tick: 1}, false)
	saved := func() sim.Tick {
		t.Helper()
		if _, err := k.flush(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		return w.saved[0]
	}
	if got := saved(); got != 1 {
		t.Fatalf("saved are ticks up to %d", got)
	}
	read := func() { k.putFrame(&sim.Frame{Tick: 9}, true) }
	w.atOwner = func() { // the process still counts as the owner
		w.atOwner = nil
		read()
		w.missed = 0
	}
	if got := saved(); got != 1 {
		t.Errorf("saved are ticks up to %d, and ticks 2 to 8 were missed", got)
	}
	w.missed = 8
	if got := saved(); got != 1 {
		t.Errorf("saved are ticks up to %d, although the process does not own the area", got)
	}
}
