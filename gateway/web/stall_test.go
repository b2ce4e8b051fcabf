package web_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/client/keys"
	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/sim"
)

// wander returns a function that presses pseudorandom keys: turns, jumps, sneaking and sprinting.
func wander(seed uint64) func(w *webcl.World) keys.Keys {
	var k keys.Keys
	return func(*webcl.World) keys.Keys {
		seed = seed*6364136223846793005 + 1442695040888963407
		n := seed >> 33
		switch n % 16 {
		case 0:
			k.Yaw = float32(n>>4%360) - 180
		case 1:
			k.Jump = n>>4&1 == 0
		case 2:
			k.Sprint = n>>4&1 == 0
		case 3:
			k.Sneak = n>>4&3 == 0
		case 4:
			k.Forward, k.Strafe = float32(n>>4%3)-1, float32(n>>8%3)-1
		case 5:
			k.Forward = 1
		}
		return k
	}
}

// stallingLog is the log of an area. It writes nothing, and makes the next tick take as long as the test wants.
type stallingLog struct{ next atomic.Int64 }

// Commit implements area.Log.
func (l *stallingLog) Commit() { time.Sleep(time.Duration(l.next.Swap(0))) }

func (*stallingLog) Seal(area.Batch)                                 {}
func (*stallingLog) SnapshotBuffer() *sim.Area                       { return nil }
func (*stallingLog) Snapshot(*sim.Area)                              {}
func (*stallingLog) Durable() sim.Tick                               { return 1 << 62 }
func (*stallingLog) Storable() sim.Tick                              { return 1 << 62 }
func (*stallingLog) Sync()                                           {}
func (*stallingLog) Saved(sim.Tick)                                  {}
func (*stallingLog) Redefine(context.Context, *sim.World, *sim.Area) {}
func (*stallingLog) Close(bool) error                                { return nil }

// A machine without time for the server stalls the workers of the door, or the area, six times within half a minute. Each time the
// area skips ticks, or inputs wait in the door. None is lost, so the honest client is not corrected. Afterwards the client has
// slowed down until about one input waits again.
func TestHonestClientIsNotCorrectedWhenServerStalls(t *testing.T) {
	t.Parallel()
	stallWorkers := func(d time.Duration) func(r *rig, l *stallingLog) {
		return func(r *rig, _ *stallingLog) {
			r.gate.StallWorkers(d)
			time.Sleep(d)
		}
	}
	for name, c := range map[string]struct {
		inbox int // maximum number of intents of a player that wait for the area; 0: the default
		stall func(r *rig, l *stallingLog)
	}{
		"workers for 1 s":                     {0, stallWorkers(time.Second)},
		"workers for 2.5 s":                   {0, stallWorkers(2500 * time.Millisecond)},
		"workers for 1 s, full queue of area": {8, stallWorkers(time.Second)},
		"area for 1.5 s": {0, func(_ *rig, l *stallingLog) {
			l.next.Store(int64(1500 * time.Millisecond))
			time.Sleep(1500 * time.Millisecond)
		}},
		"20 ticks of 125 ms": {0, func(_ *rig, l *stallingLog) {
			for range 20 {
				l.next.Store(int64(125 * time.Millisecond))
				time.Sleep(125 * time.Millisecond)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _, err := content.LoadWorld("test.toml", []byte(testWorld))
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				log := &stallingLog{}
				r := openWith(t, w, dir, web.Options{}, netsim.Impairment{DelayMS: 50, JitterMS: 10}, area.Options{MaxInbox: c.inbox, Open: func(a sim.AreaID) (area.Log, *sim.Area) {
					if a != 0 {
						return nil, nil
					}
					return log, nil
				}})
				defer r.start()()
				p := r.join("Ann", false)
				time.Sleep(time.Second)
				p.do(wander(9))
				time.Sleep(4 * time.Second)
				for range 6 {
					c.stall(r, log)
					time.Sleep(4 * time.Second)
				}
				time.Sleep(20 * time.Second)
				bad := r.metrics.Door("web").Bad
				for _, kind := range []string{"overflow", "overload", "input_gap"} {
					if n := bad.With(kind).Load(); n != 0 {
						t.Errorf("%d counted as %s, want none", n, kind)
					}
				}
				if n := bad.With("budget").Load(); n > 0 != (c.inbox > 0) { // refused by the area and submitted again with a later frame
					t.Errorf("%d counted as budget", n)
				}
				p.look(func(w *webcl.World) {
					if c := w.Counts; c.Corrections != 0 || c.Teleports != 0 || c.Inputs < 600 || w.Waits > 2 {
						t.Errorf("%d inputs wait, last own message %+v, counts %+v", w.Waits, w.LastOwn, c)
					}
				})
				if err := p.stop(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// All inputs of a client are lost for 0.6 s, more than an input message repeats. The gap is counted once, so that a correction which
// follows from it has a known cause.
func TestGapBetweenReceivedInputsIsCounted(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{DelayMS: 20}, func(r *rig) {
		p := r.join("Ann", false)
		p.do(wander(9))
		time.Sleep(2 * time.Second)
		gaps := r.metrics.Door("web").Bad.With("input_gap")
		lose := func(d time.Duration) {
			r.network.Impair(p.host, r.host, netsim.Impairment{Loss: 1}, r.line)
			time.Sleep(d)
			r.network.Impair(p.host, r.host, r.line, r.line)
			time.Sleep(time.Second)
		}
		if lose(300 * time.Millisecond); gaps.Load() != 0 {
			t.Errorf("%d gaps after a loss of 6 inputs, which a message repeats", gaps.Load())
		}
		if lose(600 * time.Millisecond); gaps.Load() != 1 {
			t.Errorf("%d gaps after a loss of 12 inputs, want 1", gaps.Load())
		}
		if err := p.stop(); err != nil {
			t.Error(err)
		}
	})
}
