package move

import (
	"testing"

	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// walking returns the state of an actor whose path leads over open ground to the east. The parameter far is the path's length in tiles.
func walking(t *testing.T, tiles *terrain.Tiles, far int, running, ctrl bool) (PathPolicy, PathState) {
	t.Helper()
	policy, s := DefaultPathPolicy(), standing(on(0, 0))
	s.Running = running
	if v := policy.StartPath(&s, new(Searcher), tiles, OnTile(on(far, 0)), ctrl); !v.ReachesGoal {
		t.Fatalf("no path: %+v", v)
	}
	return policy, s
}

func TestPathStepWalksOneTileOrRunsTwoTiles(t *testing.T) {
	for _, c := range []struct {
		name                  string
		running, ctrl, energy bool
		want                  []Stride // strides along a path of 3 tiles; From and To are checked below
	}{
		{"walk", false, false, true, []Stride{
			{Gait: GaitWalk, Steps: 1}, {Gait: GaitWalk, Steps: 1}, {Gait: GaitWalk, Steps: 1, Arrived: true}, {}}},
		{"run, the last step single", true, false, true, []Stride{
			{Gait: GaitRun, Steps: 2}, {Gait: GaitWalk, Steps: 1, SingleStep: true, Arrived: true}, {}}},
		{"run without energy", true, false, false, []Stride{
			{Gait: GaitWalk, Steps: 1}, {Gait: GaitWalk, Steps: 1}, {Gait: GaitWalk, Steps: 1, Arrived: true}, {}}},
		{"control key runs a walker", false, true, true, []Stride{
			{Gait: GaitRun, Steps: 2}, {Gait: GaitWalk, Steps: 1, SingleStep: true, Arrived: true}, {}}},
		{"control key walks a runner", true, true, true, []Stride{
			{Gait: GaitWalk, Steps: 1}, {Gait: GaitWalk, Steps: 1}, {Gait: GaitWalk, Steps: 1, Arrived: true}, {}}},
	} {
		policy, s := walking(t, nil, 3, c.running, c.ctrl)
		x := 0
		for n, want := range c.want {
			want.From = on(x, 0)
			x += int(want.Steps)
			want.To = on(x, 0)
			if got := policy.Step(&s, nil, c.energy); got != want || s.Tile != want.To {
				t.Errorf("%s: cycle %d is %+v, want %+v", c.name, n+1, got, want)
			}
		}
	}
}

func TestControlKeyInvertsRunSettingForOnePath(t *testing.T) {
	policy, s := walking(t, nil, 5, false, true)
	policy.StartPath(&s, new(Searcher), nil, OnTile(on(0, 5)), false)
	if got := policy.Step(&s, nil, true); got.Gait != GaitWalk {
		t.Errorf("the next path is %+v", got)
	}
}

func TestPathEndsBeforeStepThatNewWallBlocks(t *testing.T) {
	wall := tilesOf(t, solidsOf([]string{"...|.."})) // this wall is built after the path was found
	policy, s := walking(t, nil, 5, true, false)
	for n, want := range []Stride{
		{From: on(0, 0), To: on(2, 0), Gait: GaitRun, Steps: 2},
		{From: on(2, 0), To: on(2, 0), Held: reason.NoPath},
		{From: on(2, 0), To: on(2, 0)},
	} {
		if got := policy.Step(&s, wall, true); got != want {
			t.Errorf("cycle %d is %+v, want %+v", n+1, got, want)
		}
	}
	policy, s = walking(t, nil, 5, true, false)
	policy.Step(&s, nil, false)
	if got, want := policy.Step(&s, wall, true), (Stride{From: on(1, 0), To: on(2, 0), Gait: GaitWalk, Steps: 1, SingleStep: true, Held: reason.NoPath}); got != want {
		t.Errorf("stopped halfway: %+v, want %+v", got, want)
	}
}

func TestPathRequestedImmediatelyAfterTeleportStartsOneCycleLate(t *testing.T) {
	policy, s := walking(t, nil, 5, false, false)
	policy.Step(&s, nil, true)
	s.Teleport(on(900, 9))
	policy.StartPath(&s, new(Searcher), nil, OnTile(on(901, 9)), false) // the player clicks right after the teleport
	for n, want := range []Stride{
		{From: on(1, 0), To: on(900, 9), Gait: GaitTeleport},
		{From: on(900, 9), To: on(901, 9), Gait: GaitWalk, Steps: 1, Arrived: true},
		{From: on(901, 9), To: on(901, 9)},
	} {
		if got := policy.Step(&s, nil, true); got != want {
			t.Errorf("cycle %d is %+v, want %+v", n+1, got, want)
		}
	}
}

func TestFirstPathStepAfterPlacementIsReportedAsTeleport(t *testing.T) {
	var s PathState
	s.Teleport(on(3, 3))
	policy := DefaultPathPolicy()
	if got := policy.Step(&s, nil, true); got.To != on(3, 3) || got.Gait != GaitTeleport || !s.Idle() {
		t.Errorf("%+v", got)
	}
}
