//go:build linux

package main

import (
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/tape"
)

// recordTape records ticks of all areas of the world as a node does, and returns the states that are on the tape. The state after the
// tick wrong of the second area is recorded with another hash; 0 for none.
func recordTape(t *testing.T, world *sim.World, ticks, wrong sim.Tick) recordedStates {
	t.Helper()
	o := tape.Options{Dir: t.TempDir(), World: world, Program: "test", Seed: 7, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	all, err := tape.OpenForClusterNode(o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range world.Areas {
		a, to := sim.NewArea(world, sim.AreaID(i), o.Seed), all.Follower(sim.AreaID(i))
		to.Continue(0)
		for tick := sim.Tick(1); tick <= ticks; tick++ {
			b := area.Batch{Tick: tick, PrevHash: a.Hash(), AtMS: 50 * int64(tick)}
			if i == 1 && wrong != 0 && tick == wrong+1 {
				b.PrevHash++
			}
			to.Seal(b)
			a.Recycle(a.Step(nil))
			to.Commit()
		}
		if err := to.(*tape.Follower).Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := all.Close(); err != nil {
		t.Fatal(err)
	}
	states, err := readStates(o.Dir, world)
	if err != nil {
		t.Fatal(err)
	}
	return states
}

func TestTapesOfNodesAreComparedTickByTick(t *testing.T) {
	text, err := worldText(minAreas)
	if err != nil {
		t.Fatal(err)
	}
	loaded, _, err := content.LoadWorldFiles("world.toml", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	world := loaded.World
	a, shorter, wrong, short := recordTape(t, world, 100, 0), recordTape(t, world, 80, 0), recordTape(t, world, 100, 60), recordTape(t, world, 30, 0)
	for _, c := range []struct {
		what  string
		tapes []recordedStates
		n     int
		want  []string // parts of the errors
	}{
		{"equal tapes", []recordedStates{a, a}, 3 * 99, nil}, // the last state is recorded with the next tick
		{"a shorter tape", []recordedStates{a, shorter, a}, 3 * (79 + 99 + 79), nil},
		{"a tape with another state", []recordedStates{a, shorter, wrong}, 3 * (79 + 99 + 79), []string{`nodes a and c have different states of area "Ring": the first after tick 60,`, `nodes b and c have different states of area "Ring": the first after tick 60,`}},
		{"a tape that lacks most ticks", []recordedStates{short, a}, 3 * 29, []string{`only 29 ticks of area "Camp" in common, of 99`, `only 29 ticks of area "Ring"`, `only 29 ticks of area "Den"`}},
		{"tapes without ticks", []recordedStates{make(recordedStates, minAreas), make(recordedStates, minAreas)}, 0, []string{`only 0 ticks of area "Camp"`, `only 0 ticks of area "Ring"`, `only 0 ticks of area "Den"`}},
	} {
		n, errs := compareStates(world, c.tapes)
		if n != c.n || len(errs) != len(c.want) {
			t.Errorf("%s: %d states compared, want %d; errors %v", c.what, n, c.n, errors.Join(errs...))
			continue
		}
		for i, err := range errs {
			if !strings.Contains(err.Error(), c.want[i]) {
				t.Errorf("%s: error %q, want %q", c.what, err, c.want[i])
			}
		}
	}
}
