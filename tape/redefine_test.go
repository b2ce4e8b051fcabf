package tape

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// reloadedField is the world of the tests after a reload of its file. Its cows have other attributes and live elsewhere.
func reloadedField() *sim.World {
	w := field()
	w.ContentHash = 2
	w.Templates[0].Attr[0].Value, w.Templates[0].Attr[0].Max = 300, 300
	w.Areas[0].Spawns[0].Range = 10
	return w
}

// settle tells the tape that the records of all ticks are stored, and waits until all ticks are durable.
func (p *play) settle() {
	p.log.Saved(p.area.Now())
	for p.log.Durable() < p.area.Now() {
		p.log.Sync()
		time.Sleep(time.Millisecond)
	}
}

// redefine continues the play in another world, as area.World.Redefine does.
func (p *play) redefine(t *testing.T, w *sim.World) {
	t.Helper()
	p.settle()
	now := p.area.Now()
	a, err := p.area.Redefine(w)
	if err != nil {
		t.Fatal(err)
	}
	p.area, p.hash, p.states = a, a.Hash(), map[sim.Tick]uint64{now: stateOf(a)}
	memory := new(sim.Area)
	a.CloneInto(memory)
	p.log.Redefine(t.Context(), w, memory)
}

// A server is killed, or loses power, at any moment around a reload of the world file. It continues with the new file, or with the
// former one if the reload was not completed.
func TestAreaRecoversFromCrashDuringWorldReloadWithNewOrFormerWorld(t *testing.T) {
	o := options(nil)
	d := newDisk()
	o.FS, o.Records = d, true
	var former, now map[sim.Tick]uint64
	var tick sim.Tick // tick of the reload
	var began, ended int
	synctest.Test(t, func(t *testing.T) {
		p := start(t, o, 1)
		p.run(27)
		former, tick = p.states, p.area.Now()
		p.settle()
		began = d.opCount()
		p.redefine(t, reloadedField())
		ended = d.opCount()
		p.run(33)
		now = p.states
		time.Sleep(time.Second)
		p.stop(t, false)
	})
	restoreIn := func(w *sim.World, n int, kind cutKind) (*Recovered, error) {
		o := options(d.cut(n, kind, rand.New(rand.NewPCG(3, uint64(n)))))
		o.World, o.Records = w, true
		return restore(o)
	}
	for n := began; n <= len(d.ops); n++ {
		for kind := range numCutKinds {
			r, err := restoreIn(reloadedField(), n, kind)
			if err != nil {
				if _, refused := errors.AsType[*RefusedError](err); !refused {
					t.Fatalf("cut %d, kind %d: %v", n, kind, err)
				}
				if n >= ended {
					t.Fatalf("cut %d, kind %d: refused after the reload was completed: %v", n, kind, err)
				}
				r, err := restoreIn(field(), n, kind)
				if err != nil || r.Area == nil || r.Area.Now() != tick || stateOf(r.Area) != former[tick] {
					t.Fatalf("cut %d, kind %d: in the former world %+v, %v", n, kind, r, err)
				}
				continue
			}
			if r.Area == nil || stateOf(r.Area) != now[r.Area.Now()] || r.Saved < tick {
				t.Fatalf("cut %d, kind %d: restored %+v", n, kind, r)
			}
			for _, line := range r.Report {
				if strings.Contains(line, "may be missing") {
					t.Fatalf("cut %d, kind %d: %s", n, kind, line)
				}
			}
		}
	}
}

// An area that is restored in the former world because the reload was incomplete continues in that world and can be restored again.
func TestIncompleteWorldReloadIsUndoneWhenStartedWithFormerWorld(t *testing.T) {
	o := options(nil)
	d := newDisk()
	o.FS = d
	synctest.Test(t, func(t *testing.T) {
		p := start(t, o, 1)
		p.run(27)
		p.redefine(t, reloadedField())
		p.stop(t, false) // the process ends before the first tick in the new world
		p = start(t, o, 2)
		if p.area.Now() != 27 {
			t.Fatalf("restored to tick %d", p.area.Now())
		}
		saysOneLine(t, p.tape.Recovered(0).Report, "was not completed", "former world")
		p.run(30)
		state := stateOf(p.area)
		p.stop(t, false)
		p = start(t, o, 3)
		if p.area.Now() != 57 || stateOf(p.area) != state {
			t.Errorf("restored to tick %d", p.area.Now())
		}
		p.stop(t, true)
	})
}

func TestPlaybackReportsWorldReloadAndContinuesAfterIt(t *testing.T) {
	o := options(nil)
	d := newDisk()
	o.FS = d
	is := reloadedField()
	synctest.Test(t, func(t *testing.T) {
		p := start(t, o, 1)
		before := p.playFor(45)
		p.redefine(t, is)
		after := p.playFor(45)
		both := o
		both.WorldOf = func(digest uint64) *sim.World {
			if digest == is.Digest() {
				return is
			}
			return nil
		}
		pb := openPlayback(t, both)
		spans, err := pb.Spans()
		want := []Span{
			{From: before[0].at, To: before[44].at, First: 1, Last: 45}, {From: after[0].at, To: after[44].at, First: 46, Last: 90, Reloaded: true},
		}
		if err != nil || !slices.Equal(spans, want) {
			t.Errorf("spans %+v, %v; want %+v", spans, err, want)
		}
		for _, want := range []played{after[10], before[10], after[44], before[44], before[0], after[0]} {
			pb.seek(t, want.at, want)
		}
		pb.seek(t, before[44].at, before[44])
		err = pb.Step()
		if gap, ok := errors.AsType[*GapError](err); !ok || !gap.Reloaded || !strings.Contains(gap.Error(), "the world file was reloaded") {
			t.Errorf("at the reload: %v", err)
		}
		if err := pb.Step(); err != nil {
			t.Fatal(err)
		}
		pb.expect(t, after[0])

		former := openPlayback(t, o) // the playback of a program that has only the former world
		former.seek(t, before[44].at, before[44])
		if err := former.Step(); !strings.Contains(err.Error(), "the world file was reloaded") {
			t.Errorf("at the reload: %v", err)
		}
		if err := former.Step(); err == nil || errors.Is(err, io.EOF) || !strings.Contains(err.Error(), "another world file") {
			t.Errorf("behind the reload: %v", err)
		}
		time.Sleep(time.Second)
		p.stop(t, false)
	})
	o.World = is
	v, err := Verify(o)
	if err != nil || len(v.Problems) > 0 || v.Ticks != 45 || v.Former != 3 {
		t.Errorf("verification in the new world: %+v, %v", v, err)
	}
	var out strings.Builder
	if err := v.Print(&out, time.Second); err != nil || !strings.Contains(out.String(), "3 segments are from before the world file was reloaded") {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestWorldReloadDuringDiskFailureBeginsSegmentWhenDiskWorksAgain(t *testing.T) {
	o := options(nil)
	d := newDisk()
	o.FS = d
	is := reloadedField()
	synctest.Test(t, func(t *testing.T) {
		p := start(t, o, 1)
		p.run(10)
		full := errors.New("disk full")
		p.settle()
		d.setFault(func(*diskOp) error { return full })
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		a, err := p.area.Redefine(is)
		if err != nil {
			t.Fatal(err)
		}
		memory := new(sim.Area)
		a.CloneInto(memory)
		p.log.Redefine(ctx, is, memory)
		cancel()
		p.area, p.hash, p.tape.opt.World = a, a.Hash(), is
		p.run(10)
		d.setFault(nil)
		p.run(300)
		state := stateOf(p.area)
		p.stop(t, false)
		again := o
		again.World = is
		p = start(t, again, 2)
		if p.area.Now() != 320 || stateOf(p.area) != state {
			t.Error(fmt.Sprintf("restored to tick %d", p.area.Now()), p.tape.Recovered(0).Report)
		}
		p.stop(t, true)
	})
}
