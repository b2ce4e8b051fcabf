package journal

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// fightFrame returns a frame in which each player hits the next one, and a journal that tracks them.
func fightFrame(tb testing.TB, players int) (*Journal, area.Published) {
	tb.Helper()
	j := &Journal{players: map[sim.EntityID]*playerState{}}
	j.opt.setDefaults()
	f := &sim.Frame{Tick: 1}
	for i := range players {
		id := sim.EntityID(1 + i)
		f.Actors = append(f.Actors, sim.ActorState{ID: id, Flags: sim.FlagPlayer, Body: &sim.Body{Name: fmt.Sprint("Player", i)}})
		f.Events = append(f.Events, sim.Event{Kind: sim.EventJoined, Who: id})
	}
	j.readFrame(area.Published{Frame: f})
	f.Events = f.Events[:0]
	for i := range players {
		f.Events = append(f.Events, sim.Event{Kind: sim.EventAttacked, Who: sim.EntityID(1 + i), Other: sim.EntityID(1 + (i+1)%players), N: 3})
	}
	return j, area.Published{Frame: f}
}

func TestJournalDoesNotAllocateForFramesWithoutRefusals(t *testing.T) {
	j, p := fightFrame(t, 100)
	if n := testing.AllocsPerRun(100, func() { j.readFrame(p) }); n > 0 {
		t.Errorf("%v allocations for a frame of hits", n)
	}
	p.Frame.Events = nil
	if n := testing.AllocsPerRun(100, func() { j.readFrame(p) }); n > 0 {
		t.Errorf("%v allocations for a frame without events", n)
	}
}

func BenchmarkReadFrame(b *testing.B) {
	for _, players := range []int{0, 1000} {
		b.Run(fmt.Sprintf("hits=%d", players), func(b *testing.B) {
			j, p := fightFrame(b, max(players, 1))
			if players == 0 {
				p.Frame.Events = nil
			}
			b.ReportAllocs()
			for b.Loop() {
				j.readFrame(p)
			}
			if players > 0 {
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*players), "ns/hit")
			}
		})
	}
}

// BenchmarkWrite measures how long it takes to turn the events of a frame into entries and to write these to the disk.
func BenchmarkWrite(b *testing.B) {
	for _, n := range []int{1, 100, 1000} {
		b.Run(fmt.Sprintf("entries=%d", n), func(b *testing.B) {
			j, w := journalWithoutWriter(b)
			f := &sim.Frame{Tick: 1}
			next := sim.EntityID(1)
			b.ReportAllocs()
			for b.Loop() {
				f.Events = f.Events[:0]
				for range n {
					f.Events = append(f.Events, sim.Event{Kind: sim.EventRefused, Who: next, Reason: reason.TooSoon, Asked: 1, Allowed: 2})
					next++
				}
				j.readFrame(area.Published{Frame: f})
				clear(j.players)
				if err := w.writeAndPrune(b.Context(), false); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "entries/s")
		})
	}
}

// journalWithoutWriter returns a journal without a writer goroutine, and a writer that the benchmark calls.
func journalWithoutWriter(b *testing.B) (*Journal, *writer) {
	b.Helper()
	o := Options{Path: filepath.Join(b.TempDir(), FileName), Log: slog.New(slog.DiscardHandler), MaxEntries: 1 << 30}
	o.setDefaults()
	db, err := fileKind.Open(o.Path, o.Log)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	def := &sim.World{}
	j := &Journal{opt: o, log: o.Log, db: db, players: map[sim.EntityID]*playerState{}, areas: []string{"Vale"}, def: func() *sim.World { return def }}
	w := newWriter(j)
	if err := w.load(context.Background()); err != nil {
		b.Fatal(err)
	}
	return j, w
}

// BenchmarkEntries measures queries of a journal that has the maximum number of entries.
func BenchmarkEntries(b *testing.B) {
	j, w := journalWithoutWriter(b)
	size := DefaultMaxEntries
	if testing.Short() {
		size = 2000
	}
	for i := 0; i < size; i += maxBatch {
		f := &sim.Frame{Tick: sim.Tick(i)}
		for k := range maxBatch {
			id := sim.EntityID(1 + k)
			f.Actors = append(f.Actors, sim.ActorState{ID: id, Flags: sim.FlagPlayer, Body: &sim.Body{Name: fmt.Sprint("Player", k)}})
			f.Events = append(f.Events, sim.Event{Kind: sim.EventRefused, Who: id, Reason: reason.All()[1+k%40]})
		}
		j.readFrame(area.Published{Frame: f})
		clear(j.players)
		if err := w.writeAndPrune(b.Context(), false); err != nil {
			b.Fatal(err)
		}
	}
	r, err := OpenReader(j.opt.Path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { r.Close() })
	for name, q := range map[string]Query{
		"newest": {}, "player": {Player: "player7"}, "reason": {Reasons: []reason.Reason{reason.TooFast}}, "area": {Area: "Moor"},
	} {
		b.Run(fmt.Sprintf("%s/entries=%d", name, size), func(b *testing.B) {
			for b.Loop() {
				if _, err := r.Entries(b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
