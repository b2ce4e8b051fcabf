package interest

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// drawFrame makes a frame with distances exactly at the radii, fights, parties and mounts.
func drawFrame(t *rapid.T) *sim.Frame {
	n := rapid.IntRange(1, 40).Draw(t, "actors")
	coord := rapid.OneOf(
		rapid.Float32Range(-2000, 2000),
		rapid.SampledFrom([]float32{-1000, -800, -600, -500, -400, -300, 0, 300, 400, 500, 600, 800, 1000}))
	other := rapid.OneOf(rapid.Just(0), rapid.IntRange(0, 45)) // id of another actor, 0 for none; some ids belong to no actor
	f := new(sim.Frame)
	id := sim.EntityID(0)
	for range n {
		id += sim.EntityID(rapid.IntRange(1, 2).Draw(t, "gap"))
		f.Actors = append(f.Actors, sim.ActorState{
			ID:     id,
			Pos:    geom.Vec{X: coord.Draw(t, "x"), Z: coord.Draw(t, "z")},
			Target: sim.EntityID(other.Draw(t, "target")),
			Mount:  sim.EntityID(other.Draw(t, "mount")),
			Party:  sim.PartyID(rapid.IntRange(0, 3).Draw(t, "party")),
		})
	}
	return f
}

// band returns "close", "middle" or "far" by the rule of the RealmCrafter specification P_StandardUpdate, implemented literally.
func band(a, b *sim.ActorState) string {
	bound := a.ID == b.ID ||
		a.Target == b.ID || b.Target == a.ID || a.Mount == b.ID || b.Mount == a.ID ||
		a.Party != 0 && a.Party == b.Party
	d := geom.Dist2XZ(a.Pos, b.Pos)
	switch {
	case bound || d < 250_000:
		return "close"
	case d <= 1_000_000:
		return "middle"
	}
	return "far"
}

func TestActorsSelectedForBroadcastMatchBruteForceSearch(t *testing.T) {
	pol := OriginalPolicy()
	var c FrameIndex
	rapid.Check(t, func(t *rapid.T) {
		f := drawFrame(t)
		c.Build(f, &pol)
		for viewer := range f.Actors {
			var near, all []int32
			for j := range f.Actors {
				switch band(&f.Actors[viewer], &f.Actors[j]) {
				case "close":
					near = append(near, int32(j))
					all = append(all, int32(j))
				case "middle":
					all = append(all, int32(j))
				}
			}
			for _, want := range []struct {
				middle bool
				list   []int32
			}{{false, near}, {true, all}} {
				got := c.Collect([]int32{-1}, viewer, want.middle, &pol)
				if got[0] != -1 {
					t.Fatal("Collect overwrote the content of dst")
				}
				got = got[1:]
				slices.Sort(got)
				if !slices.Equal(got, want.list) {
					t.Fatalf("viewer %d, middle %v: got %v, want %v", viewer, want.middle, got, want.list)
				}
			}
		}
	})
}

func TestViewUpdateContainsOnlyActorsInView(t *testing.T) {
	pol := OriginalPolicy()
	var c FrameIndex
	rapid.Check(t, func(t *rapid.T) {
		pol.EnterRadius, pol.LeaveRadius = 0, 0
		if rapid.Bool().Draw(t, "bounded") {
			pol.EnterRadius, pol.LeaveRadius = 1000, 1200
		}
		var v View
		told := map[sim.EntityID]bool{}
		for range 4 {
			f := drawFrame(t)
			c.Build(f, &pol)
			viewer := rapid.IntRange(0, len(f.Actors)-1).Draw(t, "viewer")
			v.Self = 0 // the viewer changes between frames, so no actor may be left out as its own
			u := v.Update(&c, viewer, rapid.Bool().Draw(t, "middle"), &pol)
			for _, id := range u.Leave {
				if !told[id] {
					t.Fatalf("%d left without having entered", id)
				}
				delete(told, id)
			}
			for _, i := range u.Enter {
				id := f.Actors[i].ID
				if told[id] {
					t.Fatalf("%d entered twice", id)
				}
				told[id] = true
			}
			for _, i := range append(slices.Clone(u.Close), u.Middle...) {
				if !told[f.Actors[i].ID] {
					t.Fatalf("%d is updated but not in view", f.Actors[i].ID)
				}
			}
			if len(told) != len(v.Shown()) {
				t.Fatalf("%d entered minus left, the view has %d", len(told), len(v.Shown()))
			}
			if pol.EnterRadius == 0 && len(told) != len(f.Actors) {
				t.Fatalf("%d of the area's %d actors are in view", len(told), len(f.Actors))
			}
		}
	})
}

// A view may miss any frames: after the next frame it equals a view that has missed none.
func TestViewAfterMissedFramesEqualsViewWithoutMissedFrames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all, some View
		var f *sim.Frame
		for range rapid.IntRange(1, 8).Draw(t, "frames") {
			f = drawFrame(t)
			all.Diff(f)
			if rapid.Bool().Draw(t, "got it") {
				some.Diff(f)
			}
		}
		some.Diff(f)
		if !slices.Equal(all.Shown(), some.Shown()) {
			t.Fatalf("views differ: %v and %v", all.Shown(), some.Shown())
		}
	})
}
