package area

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/truestep-io/truestep/sim"
)

// callTape is a Tape that records which of its methods are called, in order.
type callTape struct {
	calls  []string
	hashes map[sim.Tick]uint64 // Batch.PrevHash of each sealed tick
	memory *sim.Area           // result of the next call of SnapshotBuffer
}

func (t *callTape) note(format string, args ...any) {
	t.calls = append(t.calls, fmt.Sprintf(format, args...))
}

func (t *callTape) Continue(tick sim.Tick) { t.note("continue %d", tick) }
func (t *callTape) Seal(b Batch) {
	t.note("seal %d with %d intents at %d", b.Tick, len(b.Intents), b.AtMS)
	t.hashes[b.Tick] = b.PrevHash
}
func (t *callTape) Commit() { t.note("commit") }
func (t *callTape) SnapshotBuffer() *sim.Area {
	memory := t.memory
	t.memory = nil
	return memory
}
func (t *callTape) Snapshot(a *sim.Area) { t.note("snapshot %d", a.Now()) }
func (t *callTape) Close() error         { t.note("close"); return nil }

func TestCommittedBatchesAndInstalledSnapshotsAreRecordedOnTape(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		def, _ := brokenWorld()
		sources, tapes := []*feedSource{}, []*callTape{}
		w := NewWorld(def, Options{Seed: 1, Clock: func() int64 { return 7 },
			Source: func(a sim.AreaID) Source {
				sources = append(sources, &feedSource{state: sim.NewArea(def, a, 1), agreed: make(chan Agreed)})
				return sources[a]
			},
			Tape: func(sim.AreaID) Tape {
				tapes = append(tapes, &callTape{hashes: map[sim.Tick]uint64{}, memory: new(sim.Area)})
				return tapes[len(tapes)-1]
			},
		})
		f := w.Subscribe("f", 1024, 0)
		w.Start(t.Context())
		kept := sim.NewArea(def, 0, 1)
		kept.Recycle(kept.Step(nil))
		hash := kept.Hash()
		sources[0].restore = func() (*sim.Area, error) { return kept, nil }
		later := sim.NewArea(def, 0, 1)
		for range 9 {
			later.Recycle(later.Step(nil))
		}
		sources[0].agreed <- Agreed{AtMS: 50}
		sources[0].agreed <- Agreed{AtMS: 100, Intents: []sim.Intent{enter(def, 3, 50), {Kind: sim.IntentCommand, Who: 3}}} // panics
		sources[0].agreed <- Agreed{AtMS: 150}
		synctest.Wait()
		tapes[0].memory = new(sim.Area)
		sources[0].agreed <- Agreed{State: later}
		sources[0].agreed <- Agreed{AtMS: 600, Intents: []sim.Intent{enter(def, 2, 50)}}
		sources[0].agreed <- Agreed{AtMS: 550} // another leader, whose clock is 50 ms behind
		synctest.Wait()
		if err := w.Stop(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := w.CloseLogs(true); err != nil {
			t.Fatal(err)
		}
		want := []string{"continue 0", "snapshot 0", "seal 1 with 0 intents at 50", "commit", "seal 2 with 2 intents at 100",
			"seal 2 with 0 intents at 150", "commit", "continue 9", "snapshot 9", "seal 10 with 1 intents at 600", "commit",
			"seal 11 with 0 intents at 600", "commit", "close"}
		if got := tapes[0].calls; !slices.Equal(got, want) {
			t.Errorf("calls %q, want %q", got, want)
		}
		var times []int64
		for p := range f.C() {
			times = append(times, p.Time().UnixMilli())
			p.Release()
		}
		if !slices.Equal(times, []int64{50, 150, 600, 600}) {
			t.Errorf("times of the frames: %d", times)
		}
		if tapes[0].hashes[2] != hash {
			t.Errorf("hashes %x, want %x before tick 2", tapes[0].hashes, hash)
		}
	})
}
