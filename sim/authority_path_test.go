package sim

import (
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/rng"
	"github.com/truestep-io/truestep/sim/terrain"
)

// pathJoinAt is the intent of a login under the path authority.
func pathJoinAt(w *World, who EntityID, at move.Tile) Intent {
	in := joinAt(w, who, w.Areas[0].Tiles.Centre(at))
	in.Join.Authority = move.ByPath
	return in
}

// pathPlayer logs a player in under the path authority.
func (s *stage) pathPlayer(who EntityID, at move.Tile) *actor {
	s.t.Helper()
	s.step(pathJoinAt(s.w, who, at))
	x := s.a.find(who)
	x.lastAttackMS, x.saveTick = -1_000_000, 1<<40
	s.cycle()
	return x
}

// cycle steps the area up to and including the next tick in which players on paths move to their next tiles. It returns the frame
// of that tick.
func (s *stage) cycle(ins ...Intent) *Frame {
	s.step(ins...)
	for s.a.now%s.w.CycleTicks() != 0 {
		s.step()
	}
	return s.f
}

func tile(x, z uint16) move.Tile { return move.Tile{X: x, Z: z} }

// docs/wire/rs.md: a cycle is 600 ms.
func TestCycleLengthInTicksIsNearestTo600MS(t *testing.T) {
	for _, c := range []struct {
		ticksPerSecond int
		want           Tick
	}{{20, 12}, {5, 3}, {60, 36}, {7, 4}, {1, 1}} {
		if got := (&World{TicksPerSecond: c.ticksPerSecond}).CycleTicks(); got != c.want {
			t.Errorf("%d ticks a second: %d, want %d", c.ticksPerSecond, got, c.want)
		}
	}
}

// Specification, movement types: type 1 is walking and type 2 is running. If one step of a run remains, it is walked.
func TestPlayerOnPathWalksOneTileAndRunsTwoTilesPerCycle(t *testing.T) {
	for _, c := range []struct {
		rule   string
		run    uint16
		ctrl   uint16
		tiles  []uint16 // X of the player's tile after each cycle
		gaits  []move.Gait
		single int // index of the cycle in which a running player takes one step, because its path ends; -1 for none
	}{
		{"walking", 0, 0, []uint16{3201, 3202, 3203, 3203}, []move.Gait{move.GaitWalk, move.GaitWalk, move.GaitWalk, move.GaitStand}, -1},
		{"running", 1, 0, []uint16{3202, 3203, 3203}, []move.Gait{move.GaitRun, move.GaitWalk, move.GaitStand}, 1},
		{"walking with the control key", 0, 1, []uint16{3202, 3203, 3203}, []move.Gait{move.GaitRun, move.GaitWalk, move.GaitStand}, 1},
		{"running with the control key", 1, 1, []uint16{3201, 3202, 3203}, []move.Gait{move.GaitWalk, move.GaitWalk, move.GaitWalk}, -1},
	} {
		s := newStage(t, testWorld())
		x := s.pathPlayer(1, tile(3200, 3205))
		ins := []Intent{{Kind: IntentGait, Who: 1, Amount: c.run}, {Kind: IntentPath, Who: 1, Tile: tile(3203, 3205), Amount: c.ctrl}}
		for i, want := range c.tiles {
			row := s.cycle(ins...).Find(1)
			ins = nil
			if row.Tile != tile(want, 3205) || row.Gait != c.gaits[i] || row.LastStep != (i == c.single) || !row.Is(FlagOnTiles) {
				t.Errorf("%s, cycle %d: on %v, gait %d, last step %v; want x %d, gait %d", c.rule, i, row.Tile, row.Gait, row.LastStep, want, c.gaits[i])
			}
		}
		s.cycle()
		if got := s.w.Areas[0].Tiles.Centre(pathOf(x).Tile); geom.DistXZ(got, x.pos) > 0.5 {
			t.Errorf("%s: stands at %v, the tile's centre is %v", c.rule, x.pos, got)
		}
	}
}

// The position moves to the player's tile during the cycle, so that clients of doors that send positions see no jumps.
func TestPlayerOnPathMovesToNextTileAtConstantSpeedWithinCycle(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.pathPlayer(1, tile(3210, 3210))
	was, before := x.pos, s.f.Tick
	s.cycle(Intent{Kind: IntentPath, Who: 1, Tile: tile(3220, 3210)})
	for range s.w.CycleTicks() {
		if step := geom.DistXZ(was, x.pos); step > 5.0/12+0.001 {
			t.Fatalf("tick %d: moved %v units at once", s.f.Tick-before, step)
		}
		was = x.pos
		s.step()
	}
}

func TestPlayerOnPathStopsRunningWithoutEnergy(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.pathPlayer(1, tile(3210, 3210)) // 60 points of energy, of which running uses 30 per second
	s.step(Intent{Kind: IntentGait, Who: 1, Amount: 1}, Intent{Kind: IntentPath, Who: 1, Tile: tile(3230, 3210)})
	var gaits []move.Gait
	for range 6 {
		gaits = append(gaits, s.cycle().Find(1).Gait)
	}
	if gaits[0] != move.GaitRun || gaits[2] != move.GaitRun || gaits[4] != move.GaitWalk || x.attr[attrEnergy].Value != 0 {
		t.Errorf("gaits %v with %v energy left", gaits, x.attr[attrEnergy])
	}
}

// Running uses 30 points of energy per second, whatever the length of a cycle. A player that regains 2 points per second can
// therefore run in 1 of 16 cycles.
func TestRunningOnPathCostsEnergyForWholeCycle(t *testing.T) {
	w := testWorld()
	w.Rules.EnergyRegen = 2
	s := newStage(t, w)
	x := s.pathPlayer(1, tile(3210, 3210))
	x.attr[attrEnergy].Value = 0
	s.step(Intent{Kind: IntentGait, Who: 1, Amount: 1}, Intent{Kind: IntentPath, Who: 1, Tile: tile(3270, 3210)})
	ran := 0
	for range 48 {
		if s.cycle().Find(1).Gait == move.GaitRun {
			ran++
		}
	}
	if ran < 2 || ran > 4 {
		t.Errorf("%d of 48 cycles were run", ran)
	}
}

func TestInvalidPathIntentsAreRefusedWithReason(t *testing.T) {
	w := testWorld()
	s := newStage(t, w)
	s.player(1, geom.Vec{X: 300})
	s.pathPlayer(2, tile(3220, 3220))
	dead := s.pathPlayer(3, tile(3230, 3220))
	s.step(attackIntent(s.killer(dead), dead))
	for _, c := range []struct {
		in   Intent
		want reason.Reason
	}{
		{Intent{Kind: IntentPath, Who: 1, Tile: tile(3200, 3200)}, reason.OtherAuthority},
		{Intent{Kind: IntentPursue, Who: 1, Target: 2}, reason.OtherAuthority},
		{Intent{Kind: IntentClaim, Who: 2}, reason.OtherAuthority},
		{Intent{Kind: IntentInteract, Who: 2, Target: 1}, reason.OtherAuthority},
		{Intent{Kind: IntentPath, Who: 2, Tile: tile(20000, 3200)}, reason.OffMap},
		{Intent{Kind: IntentPath, Who: 3, Tile: tile(3200, 3200)}, reason.Dead},
		{Intent{Kind: IntentPursue, Who: 2, Target: 2}, reason.TargetSelf},
		{Intent{Kind: IntentPursue, Who: 2, Target: 99}, reason.TargetGone},
		{Intent{Kind: IntentPursue, Who: 2, Target: 3}, reason.TargetDead},
	} {
		found := events(s.step(c.in), EventRefused)
		if len(found) != 1 || found[0].Reason != c.want || found[0].Who != c.in.Who {
			t.Errorf("%+v: %+v, want %v", c.in, found, c.want)
		}
	}
}

// With a wall between start and goal the path leads around it.
func TestPathLeadsAroundSolids(t *testing.T) {
	w := testWorld()
	def := &w.Areas[0]
	wall := terrain.Solid{Min: geom.Vec{X: 24, Z: 0}, Max: geom.Vec{X: 25, Y: 9, Z: 40}}
	ground, err := terrain.NewTiles(terrain.TileSpec{Grid: def.Tiles}, []terrain.Solid{wall})
	if err != nil {
		t.Fatal(err)
	}
	def.Ground = ground
	s := newStage(t, w)
	x := s.pathPlayer(1, tile(3203, 3203))
	s.step(Intent{Kind: IntentPath, Who: 1, Tile: tile(3206, 3203)})
	for range 20 {
		s.cycle()
		if p := x.pos; p.X > 24 && p.X < 25 && p.Z > 0 && p.Z < 40 {
			t.Fatalf("inside the wall at %v", p)
		}
	}
	if pathOf(x).Tile != tile(3206, 3203) {
		t.Errorf("ended on %v", pathOf(x).Tile)
	}
}

// docs/wire/rs.md: a click on an option of an actor sends no walk packet. The server walks the player to the actor.
func TestPursuingPlayerAttacksUntilNextClick(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.pathPlayer(1, tile(3220, 3220))
	y := s.npc(tmplCow, s.w.Areas[0].Tiles.Centre(tile(3226, 3223)))
	s.step(Intent{Kind: IntentPursue, Who: 1, Target: y.id})
	if s.f.Find(1).Target != y.id {
		t.Error("target is not set at once")
	}
	s.until(EventAttacked, 10)
	s.until(EventAttacked, 3)
	if d := pathOf(x).Tile.Distance(tile(3226, 3223)); d != 1 {
		t.Errorf("attacks from %d tiles away", d)
	}
	s.step(Intent{Kind: IntentPath, Who: 1, Tile: tile(3220, 3220)})
	s.run(2)
	if n := len(events(s.run(2), EventAttacked)); n > 0 || pathOf(x).pursued != 0 {
		t.Error("still attacks after a click")
	}
	s.step(Intent{Kind: IntentPursue, Who: 1, Target: y.id})
	s.until(EventDied, 60)
	if pathOf(x).pursued != 0 || x.target != 0 {
		t.Error("still pursues a dead target")
	}
}

func TestPursuingPlayerFollowsMovingTarget(t *testing.T) {
	s := newStage(t, testWorld())
	x, y := s.pathPlayer(1, tile(3220, 3220)), s.pathPlayer(2, tile(3222, 3220))
	x.ratings[y.homeFaction] = 100
	s.step(Intent{Kind: IntentGait, Who: 1, Amount: 1}, Intent{Kind: IntentPath, Who: 2, Tile: tile(3232, 3228)}, Intent{Kind: IntentPursue, Who: 1, Target: 2})
	s.run(12)
	if d := pathOf(x).Tile.Distance(pathOf(y).Tile); d > 1 {
		t.Errorf("pursuer is %d tiles behind: %v and %v", d, pathOf(x).Tile, pathOf(y).Tile)
	}
}

func TestTransferKeepsPathAuthorityAndGait(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.pathPlayer(1, tile(3182, 3200)) // the portal is at X -100, on tile 3180
	x.lastPortalTick = 0
	s.step(Intent{Kind: IntentGait, Who: 1, Amount: 1}, Intent{Kind: IntentPath, Who: 1, Tile: tile(3178, 3200)})
	e := s.until(EventDeparted, 10)
	if e.Join.Authority != move.ByPath || !e.Join.Running {
		t.Errorf("%+v", e.Join)
	}
}

// Between two steps the interpolated position may be inside a solid at the corner of a tile. The tile itself is always
// free.
func TestPlayerOnPathIsSavedAtItsTileNotAtInterpolatedPosition(t *testing.T) {
	const x0, z0 = 3107, 3333
	s := solidStage(t, [4]int{x0, z0 + 1, x0 + 1, z0 + 2})
	g := &s.w.Areas[0].Tiles
	x := s.pathPlayer(1, tile(x0, z0))
	s.cycle(Intent{Kind: IntentGait, Who: 1, Amount: 1}, Intent{Kind: IntentPath, Who: 1, Tile: tile(x0-1, z0+1)})
	inside := false
	for s.step(); s.a.now%s.w.CycleTicks() != 0; s.step() {
		at, _ := g.ToTile(x.pos)
		inside = inside || s.w.Areas[0].Ground.Blocked(at.X, at.Z)
		if at, _ := g.ToTile(s.a.snapshotRecord(x).Pos); at != pathOf(x).Tile {
			t.Fatalf("recorded on %v, stands on %v", at, pathOf(x).Tile)
		}
	}
	if !inside {
		t.Error("the position never cut the corner: the test proves nothing")
	}
}

// The number of path searches per tick is limited, and every player that needs a search gets one within a few ticks.
func TestPathSearchesPerTickAreLimitedAndServeEveryPlayerInTurn(t *testing.T) {
	w := testWorld()
	s := newStage(t, w)
	var ins []Intent
	const crowd = 3*searchesPerTick + 5
	for i := range EntityID(crowd) {
		ins = append(ins, pathJoinAt(w, i+1, tile(3300+uint16(i%40), 3300+uint16(i/40))))
	}
	s.step(ins...)
	ins = ins[:0]
	for i := range EntityID(crowd) {
		ins = append(ins, Intent{Kind: IntentPath, Who: i + 1, Tile: tile(3320, 3350)})
	}
	s.step(ins...)
	for range 3 {
		s.step()
	}
	for _, x := range s.a.actors {
		if pathOf(x).searchDue || pathOf(x).Idle() {
			t.Fatalf("player %d still waits for a path", x.id)
		}
	}
}

func TestFaceIntentTurnsPlayerToNearestOfEightDirections(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.pathPlayer(1, tile(3210, 3210))
	for _, c := range []struct {
		x, z uint16
		yaw  float32
	}{{3210, 3215, 0}, {3215, 3215, -45}, {3219, 3211, -90}, {3215, 3207, -135}, {3210, 3201, 180}, {3205, 3206, 135}, {3201, 3210, 90}, {3205, 3215, 45}} {
		s.step(Intent{Kind: IntentFace, Who: 1, Tile: tile(c.x, c.z)})
		if x.yaw != c.yaw {
			t.Errorf("toward %d, %d: yaw %v, want %v", c.x, c.z, x.yaw, c.yaw)
		}
	}
}

// An area restored from a snapshot of any tick gives equal frames under the path authority.
func TestReplayFromSnapshotUnderPathAuthorityGivesSameFrames(t *testing.T) {
	w := busyWorld()
	random := rng.New(7)
	whole, cut := NewArea(w, 0, 7), NewArea(w, 0, 7)
	for tick := range 400 {
		if random.IntN(15) == 0 {
			again, err := Restore(w, cut.Snapshot(nil))
			if err != nil {
				t.Fatalf("tick %d: %v", tick, err)
			}
			cut = again
		}
		ins := randomIntents(w, random, tick, 30)
		for i := range ins {
			if ins[i].Kind == IntentJoin && random.IntN(2) == 0 {
				ins[i].Join.Authority = move.ByPath
			}
		}
		for range random.IntN(6) {
			ins = append(ins, Intent{
				Kind: IntentPath + IntentKind(random.IntN(4)), Who: EntityID(random.Between(1, 30)), AtMS: int64(tick) * 50,
				Tile: tile(uint16(random.Between(3150, 3250)), uint16(random.Between(3150, 3250))), Amount: uint16(random.IntN(2)),
				Target: EntityID(random.Between(1, 30)),
			})
		}
		f, g := whole.Step(ins), cut.Step(ins)
		if f.Hash != g.Hash {
			t.Fatalf("tick %d: hash %x, after restore %x", tick, f.Hash, g.Hash)
		}
		sameFrame(t, f, g)
	}
}

// Every field of the path authority is in the hash and in the snapshot.
func TestHashAndSnapshotCoverWholeStateOfPathAuthority(t *testing.T) {
	w := testWorld()
	fresh := func() (*Area, reflect.Value) {
		a := NewArea(w, 0, 1)
		a.Step([]Intent{pathJoinAt(w, 1, tile(3210, 3210))})
		s := pathOf(a.actors[0])
		// With the maximum LegCount no leg of the array is unused, so that the test covers all of them.
		s.Path.LegCount, s.gait = move.MaxLegs, move.GaitStand
		return a, reflect.ValueOf(s).Elem()
	}
	_, whole := fresh()
	for _, path := range leaves(whole.Type(), nil) {
		a, v := fresh()
		before := a.hash()
		name := ""
		for _, i := range path {
			name += "." + v.Type().Field(i).Name
			v = reflect.NewAt(v.Field(i).Type(), unsafe.Pointer(v.Field(i).UnsafeAddr())).Elem()
		}
		if name == ".PathState.Path.LegCount" {
			v.SetUint(v.Uint() - 1)
		} else if !changeValue(v) {
			t.Fatalf("%s: do not know how to change a %v", name, v.Type())
		}
		if a.hash() == before {
			t.Errorf("the hash does not see a change of %s", name)
		}
		again, err := Restore(w, a.Snapshot(nil))
		if err != nil || again.hash() != a.hash() {
			t.Errorf("the snapshot loses %s: %v", name, err)
		}
	}
}

// leaves returns the index paths, for reflect's FieldByIndex, of all fields within a struct that are not structs themselves.
func leaves(typ reflect.Type, to []int) (paths [][]int) {
	for i := range typ.NumField() {
		path := append(slices.Clone(to), i)
		if field := typ.Field(i).Type; field.Kind() == reflect.Struct {
			paths = append(paths, leaves(field, path)...)
		} else {
			paths = append(paths, path)
		}
	}
	return paths
}
