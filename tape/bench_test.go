package tape

import (
	"fmt"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// batchOf returns one movement claim of each of n players.
func batchOf(n int) []sim.Intent {
	list := make([]sim.Intent, n)
	for i := range list {
		list[i] = sim.Intent{Kind: sim.IntentClaim, Who: sim.EntityID(i + 1), AtMS: 1_000_000 + int64(i),
			Claim: move.Claim{X: 100.5 + float32(i), Y: 3, Z: 7.25, DestX: 120, DestZ: 90, Running: true}}
	}
	return list
}

// noDisk is a file system that discards what is written, so that a benchmark does not measure the disk of the machine.
type noDisk struct{ *disk }

func (noDisk) Create(string) (File, error) { return noDisk{}, nil }
func (noDisk) SyncDir(string) error        { return nil }
func (noDisk) Write(b []byte) (int, error) { return len(b), nil }
func (noDisk) Sync() error                 { return nil }
func (noDisk) Close() error                { return nil }

// openLog opens a tape whose log starts at tick 0.
func openLog(tb testing.TB) (*Tape, area.Log) {
	o := options(noDisk{newDisk()})
	o.SegmentTicks = 1 << 30
	t, err := Open(o)
	if err != nil {
		tb.Fatal(err)
	}
	log, _ := t.OpenArea(0)
	tb.Cleanup(func() {
		if err := log.Close(false); err != nil {
			tb.Error(err)
		}
		if err := t.Close(); err != nil {
			tb.Error(err)
		}
	})
	return t, log
}

func BenchmarkSeal(b *testing.B) {
	for _, n := range []int{0, 100, 1000} {
		b.Run(fmt.Sprint("intents=", n), func(b *testing.B) {
			_, log := openLog(b)
			intents := batchOf(n)
			tick := sim.Tick(0)
			var spent time.Duration
			b.ReportAllocs()
			for b.Loop() {
				tick++
				began := time.Now()
				log.Seal(area.Batch{Tick: tick, PrevHash: uint64(tick), Intents: intents})
				spent += time.Since(began)
				log.Commit()
			}
			b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N)/float64(max(n, 1)), "ns/intent-sealed")
			b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N), "ns/seal")
		})
	}
}

func TestWritingTickToTapeDoesNotAllocate(t *testing.T) {
	_, log := openLog(t)
	intents := batchOf(100)
	tick := sim.Tick(0)
	step := func() {
		tick++
		log.Seal(area.Batch{Tick: tick, Intents: intents})
		log.Commit()
	}
	for range 100 {
		step()
	}
	if n := testing.AllocsPerRun(200, step); n > 0 {
		t.Errorf("%v allocations in a tick", n)
	}
}
