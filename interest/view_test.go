package interest

import (
	"slices"
	"testing"

	"github.com/truestep-io/truestep/sim"
)

func frameOf(ids ...sim.EntityID) *sim.Frame {
	f := new(sim.Frame)
	for _, id := range ids {
		f.Actors = append(f.Actors, sim.ActorState{ID: id})
	}
	return f
}

func TestViewDiffReturnsActorsThatEnteredAndLeftView(t *testing.T) {
	v := View{Self: 5}
	for i, c := range []struct {
		f             *sim.Frame
		entered, left []sim.EntityID
	}{
		{frameOf(2, 5, 9), []sim.EntityID{2, 9}, nil},
		{frameOf(2, 5, 9), nil, nil},
		{frameOf(1, 5, 9, 12), []sim.EntityID{1, 12}, []sim.EntityID{2}},
		{frameOf(), nil, []sim.EntityID{1, 9, 12}},
	} {
		entered, left := v.Diff(c.f)
		if !slices.Equal(entered, c.entered) || !slices.Equal(left, c.left) {
			t.Errorf("frame %d: entered %v, left %v; want %v, %v", i, entered, left, c.entered, c.left)
		}
	}
}

func TestViewSyncReportsReplacedActorEvenIfActorCountIsUnchanged(t *testing.T) {
	pol := OriginalPolicy()
	var c FrameIndex
	var v View
	c.Build(frameOf(1, 2), &pol)
	v.Sync(&c)
	c.Build(frameOf(1, 2), &pol)
	if entered, left := v.Sync(&c); len(entered)+len(left) != 0 {
		t.Errorf("unchanged actors, but %v entered and %v left", entered, left)
	}
	c.Build(frameOf(1, 3), &pol)
	entered, left := v.Sync(&c)
	if !slices.Equal(entered, []sim.EntityID{3}) || !slices.Equal(left, []sim.EntityID{2}) {
		t.Errorf("entered %v, left %v; want 3 and 2", entered, left)
	}
}

func TestViewReportsAllActorsAgainAfterReset(t *testing.T) {
	pol := OriginalPolicy()
	var c FrameIndex
	var v View
	c.Build(frameOf(1, 2), &pol)
	v.Sync(&c)
	v.Reset()
	if entered, left := v.Sync(&c); len(entered) != 2 || len(left) != 0 {
		t.Errorf("after Reset: entered %v, left %v", entered, left)
	}
	if !v.Contains(2) || v.Contains(3) || len(v.Shown()) != 2 {
		t.Errorf("in view: %v", v.Shown())
	}
}

func TestActorBetweenEnterAndLeaveRadiusStaysInView(t *testing.T) {
	pol := OriginalPolicy()
	pol.EnterRadius, pol.LeaveRadius = 1000, 1100
	v := View{Self: 1}
	for i, step := range []struct {
		x     float32
		shown bool
	}{
		{1050, false}, {1000, true}, {1050, true}, {1100, true}, {1101, false}, {1050, false}, {900, true},
	} {
		c := crowdOf(at(0, 0), at(step.x, 0))
		was := v.Contains(2)
		u := v.Update(c, 0, true, &pol)
		if v.Contains(2) != step.shown {
			t.Errorf("step %d: at %v shown is %v", i, step.x, v.Contains(2))
		}
		if entered := len(u.Enter) == 1 && u.Enter[0] == 1; entered != (!was && step.shown) {
			t.Errorf("step %d: enter is %v", i, u.Enter)
		}
		if left := len(u.Leave) == 1 && u.Leave[0] == 2; left != (was && !step.shown) {
			t.Errorf("step %d: leave is %v", i, u.Leave)
		}
	}
}

func TestViewUpdateSeparatesNearActorsFromActorsAtMiddleDistance(t *testing.T) {
	pol := OriginalPolicy()
	c := crowdOf(at(0, 0), at(100, 0), at(700, 0), at(5000, 0))
	v := View{Self: 1}
	u := v.Update(c, 0, true, &pol)
	slices.Sort(u.Close)
	if !slices.Equal(u.Enter, []int32{1, 2, 3}) || !slices.Equal(u.Close, []int32{0, 1}) || !slices.Equal(u.Middle, []int32{2}) {
		t.Errorf("update is %+v", u)
	}
	if u = v.Update(c, 0, false, &pol); len(u.Enter) != 0 || len(u.Close) != 2 || len(u.Middle) != 0 {
		t.Errorf("update without middle actors is %+v", u)
	}
}

// An actor beyond EnterRadius that is still in view is updated. Otherwise the client would show it at an outdated position when
// it comes closer again.
func TestVisibleActorBeyondEnterRadiusIsStillUpdated(t *testing.T) {
	pol := OriginalPolicy()
	pol.EnterRadius, pol.LeaveRadius = 1000, 1100
	v := View{Self: 1}
	for i, step := range []struct {
		x      float32
		middle bool
		told   bool
	}{
		{1050, true, false}, {990, true, true}, {1050, true, true}, {1050, false, false}, {1100, true, true}, {1101, true, false},
	} {
		u := v.Update(crowdOf(at(0, 0), at(step.x, 0)), 0, step.middle, &pol)
		if told := slices.Contains(u.Middle, 1); told != step.told || slices.Contains(u.Close, 1) || len(u.Middle) > 1 {
			t.Errorf("step %d: at %v, close %v, middle %v", i, step.x, u.Close, u.Middle)
		}
	}
	foe := at(1050, 0)
	foe.Target = 1
	if u := v.Update(crowdOf(at(0, 0), foe), 0, true, &pol); len(u.Close) != 2 || len(u.Middle) != 0 {
		t.Errorf("distant attacker of the viewer: close %v, middle %v", u.Close, u.Middle)
	}
}
