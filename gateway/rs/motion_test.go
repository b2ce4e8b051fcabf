package rs

import (
	"math"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// motionTest is a manualWorker with one viewer, which decodes its packets, and one actor that the test moves.
type motionTest struct {
	*manualWorker
	t         *testing.T
	viewer    *player
	client    *client
	mover     sim.EntityID
	startTile proto.Tile // first tile of the mover

	rendered     renderedPlayer
	renderedPath path
	truePath     path
	counts       map[motion]int // number of cycles by the shown motion
}

// newMotionTest returns a motionTest without walls, in which the mover stands in the middle of the tile east of the viewer.
func newMotionTest(t *testing.T, flags sim.Flags) *motionTest {
	s := &motionTest{manualWorker: newManualWorker(t, 1, 1, 1, true), t: t, counts: map[motion]int{}}
	for s.viewer, s.client = range s.clients {
	}
	s.scene.def = &sim.AreaDef{Tiles: s.scene.def.Tiles}
	a := &s.frame.Actors[1]
	s.mover, a.Flags = a.ID, flags
	a.Motion.FacesYaw = flags&(sim.FlagOnTiles|sim.FlagAvatar) != 0
	s.startTile = proto.Tile{X: s.base + 1, Z: s.base}
	s.setPosition(s.centre(0, 0))
	for range 3 {
		s.frame.Tick += s.w.cycleTicks
		s.sendCycle()
	}
	s.rendered.x, s.rendered.z = fineUnits(s.startTile.X), fineUnits(s.startTile.Z)
	return s
}

// centre returns the centre of a tile. dx and dz are the offset in tiles from the mover's first tile.
func (s *motionTest) centre(dx, dz int) geom.Vec {
	return s.scene.def.Tiles.Centre(terrain.Tile{X: uint16(int(s.startTile.X) + dx), Z: uint16(int(s.startTile.Z) + dz)})
}

func (s *motionTest) setPosition(at geom.Vec) {
	a := &s.frame.Actors[1]
	a.Pos = at
	if a.Is(sim.FlagOnTiles) {
		a.Tile, _ = s.scene.def.Tiles.ToTile(at)
	}
}

// tiles converts a position to tiles.
func (s *motionTest) tiles(at geom.Vec) (x, z float64) {
	g := &s.scene.def.Tiles
	return float64(at.X/g.UnitsPerTile) + float64(g.BaseX), float64(at.Z/g.UnitsPerTile) + float64(g.BaseZ)
}

// moveTo runs one cycle. The mover is at mid in the middle of the cycle and at end after it. moveTo returns the update
// about the mover that the viewer was sent, or nil if there was none.
func (s *motionTest) moveTo(mid, end geom.Vec, events ...sim.Event) *playerUpdate {
	f := s.frame
	f.Tick += s.w.cycleTicks / 2
	s.setPosition(mid)
	s.scene.recordMidCycle(f)
	f.Tick += s.w.cycleTicks - s.w.cycleTicks/2
	s.setPosition(end)
	f.Events = events
	s.client.startRecording()
	s.sendCycle()
	f.Events = nil
	s.client.requireNoError(s.t)
	row := s.w.actors.rowOf(s.mover)
	if row < 0 {
		return nil
	}
	i := s.viewer.viewer.Index(int(row))
	for _, m := range s.client.updatesOf(i) {
		return &m
	}
	return nil
}

// requireNoError fails the test if the client could not decode the received bytes. Unlike checkNoError, it needs no testServer.
func (c *client) requireNoError(t *testing.T) {
	t.Helper()
	if c.err != nil {
		t.Fatal(c.err)
	}
}

// followPath moves the mover along a path and simulates the viewer's display. way returns the mover's offset from its first
// tile, in tiles, after a number of seconds.
func (s *motionTest) followPath(cycles int, way func(sec float64) (x, z float64)) {
	g := &s.scene.def.Tiles
	at := func(sec float64) geom.Vec {
		x, z := way(sec)
		c := s.centre(0, 0)
		return geom.Vec{X: c.X + float32(x)*g.UnitsPerTile, Z: c.Z + float32(z)*g.UnitsPerTile}
	}
	for k := range cycles {
		begin := 0.6 * float64(k)
		for i := range 30 { // the packet arrives at the end of the cycle that it describes
			s.rendered.tick()
			s.renderedPath.add(s.rendered.at())
			s.truePath.add(s.tiles(at(begin + 0.02*float64(i+1))))
		}
		if t, ok := g.ToTile(at(begin + 0.6)); ok { // keep the viewer near the mover
			s.frame.Actors[0].Tile, s.frame.Actors[0].Gait = terrain.Tile{X: t.X, Z: t.Z + 3}, move.GaitTeleport
		}
		m := s.moveTo(at(begin+0.3), at(begin+0.6))
		s.counts[s.w.actors.rowStates[s.w.actors.rowOf(s.mover)].motion]++
		if m != nil {
			s.rendered.packet(m)
		}
	}
}

// Section "Delays" of docs/one-world.md: clients of revision 667 draw actors that do not move on tiles smoothly and with a bounded
// delay.
func TestMotionOfOtherPlayersIsDrawnSmoothlyAndOnTime(t *testing.T) {
	line := func(dx, dz float64) func(float64) (float64, float64) {
		return func(sec float64) (float64, float64) { return dx * sec, dz * sec }
	}
	const unit = 1.0 / 7 // tiles per world unit
	for _, c := range []struct {
		desc       string
		flags      sim.Flags
		way        func(sec float64) (x, z float64)
		kind       motion // motion expected in nearly all cycles
		minShare   float64
		maxStep    float64 // largest allowed step in tiles per client tick
		maxDelayMS int     // largest allowed delay in ms
	}{
		{"a claim that walks, 45 units/s", sim.FlagPlayer, line(45*unit, 0), forced, 0.95, 0.15, 600},
		{"a claim that walks diagonally", sim.FlagPlayer, line(45*unit*0.7, 45*unit*0.7), forced, 0.95, 0.16, 600},
		{"a claim that runs, 90 units/s", sim.FlagPlayer, line(90*unit, 0), forced, 0.95, 0.30, 600},
		{"a predicted player that walks, 4.32 blocks/s", sim.FlagPlayer | sim.FlagAvatar, line(0, 4.317*3.5*unit), stepped, 0.95, 0.07, 700},
		{"a predicted player that sprints, 5.61 blocks/s", sim.FlagPlayer | sim.FlagAvatar, line(0, 5.612*3.5*unit), stepped, 0.95, 0.07, 700},
		{"a player that steps from tile to tile, for comparison", sim.FlagPlayer | sim.FlagOnTiles, line(1/0.6, 0), stepped, 0.95, 0.07, 1300},
		{"2.5 tiles in a cycle", sim.FlagPlayer, line(2.5/0.6, 0), forced, 0.90, 0.11, 600},
		{"an npc at 65 % of full speed", 0, line(45*0.65*unit, 0), forced, 0.90, 0.11, 600},
		{"an npc that goes back and forth", 0, func(sec float64) (float64, float64) {
			return 6 * math.Abs(math.Mod(sec/3, 2)-1), 0 // moves at 2 tiles/s
		}, stepped, 0.80, 0.09, 700},
		{"a predicted player in a circle", sim.FlagPlayer | sim.FlagAvatar, func(sec float64) (float64, float64) {
			return 3 * math.Cos(sec*0.7), 3 * math.Sin(sec*0.7)
		}, stepped, 0.90, 0.09, 750},
	} {
		s := newMotionTest(t, c.flags)
		s.followPath(5, func(float64) (float64, float64) { return c.way(0) })
		s.renderedPath, s.truePath, s.counts = path{}, path{}, map[motion]int{}
		s.followPath(40, c.way)
		maxDelayMS, apart := s.renderedPath.delayBehind(&s.truePath)
		share := func(m motion) float64 { return float64(s.counts[m]) / 40 }
		t.Logf("%-46s largest step %.3f tiles in 20 ms, %3d ms behind, then %.2f tiles apart; stood %.0f %%, steps %.0f %%, forced %.0f %%, teleports %.0f %%",
			c.desc, s.renderedPath.largestStep(), maxDelayMS, apart, 100*share(stood), 100*share(stepped), 100*share(forced), 100*share(teleported))
		if got := s.renderedPath.largestStep(); got > c.maxStep {
			t.Errorf("%s: steps of %.3f tiles in a client tick, want at most %.3f", c.desc, got, c.maxStep)
		}
		if maxDelayMS > c.maxDelayMS || apart > 1 {
			t.Errorf("%s: %d ms behind and %.2f tiles apart", c.desc, maxDelayMS, apart)
		}
		if share(c.kind) < c.minShare || s.counts[teleported] > 0 {
			t.Errorf("%s: shown as %v", c.desc, s.counts)
		}
	}
}

// A player or an NPC that steps from tile to tile is shown on its tile, even while its position is still on the way there.
// Its steps are shown as steps.
func TestActorThatStepsFromTileToTileIsShownOnItsTile(t *testing.T) {
	for _, flags := range []sim.Flags{sim.FlagOnTiles, sim.FlagOnTiles | sim.FlagPlayer} {
		s := newMotionTest(t, flags)
		a := &s.frame.Actors[1]
		row := &s.w.actors.rowStates[s.w.actors.rowOf(a.ID)]
		for _, steps := range []uint16{1, 2} {
			row.motion = forced // from then on, clients would be shown other actors' movements over two tiles as forced movements
			a.Tile.X += steps
			s.frame.Tick += s.w.cycleTicks
			s.sendCycle()
			if row.tile.X != a.Tile.X || row.motion != stepped {
				t.Errorf("flags %b, %d tiles: shown at %v with motion %d, want %v with motion %d", flags, steps, row.tile, row.motion, a.Tile, stepped)
			}
		}
	}
}

// An actor that moves back and forth across a tile edge is shown on one tile. When it stands still, it is shown on its exact
// tile.
func TestActorMovingAcrossTileEdgeDoesNotFlickerBetweenTiles(t *testing.T) {
	s := newMotionTest(t, sim.FlagPlayer)
	edge := s.centre(0, 0)
	edge.X += s.scene.def.Tiles.UnitsPerTile / 2
	by := func(tiles float32) geom.Vec {
		return geom.Vec{X: edge.X + tiles*s.scene.def.Tiles.UnitsPerTile, Z: edge.Z}
	}
	s.moveTo(by(0.2), by(0.2))
	for i := range 20 {
		at := by(-0.2)
		if i%2 == 1 {
			at = by(0.2)
		}
		if m := s.moveTo(at, at); m != nil && m.change.From != m.change.To {
			t.Fatalf("cycle %d: shown to go from %v to %v", i, m.change.From, m.change.To)
		}
	}
	if m := s.moveTo(by(-0.1), by(-0.1)); m != nil {
		t.Fatalf("still near the edge: sent %+v", m)
	}
	if m := s.moveTo(by(-0.1), by(-0.1)); m == nil || m.change.To.X != s.startTile.X || m.change.Kind != proto.ChangeWalk {
		t.Fatalf("standing a tile back: sent %+v", m)
	}
	if m := s.moveTo(by(0.3), by(0.3)); m == nil || m.change.To.X != s.startTile.X+1 {
		t.Fatalf("well past the edge: sent %+v", m)
	}
}

// addWalls blocks the tiles at the given offsets from the mover's first tile.
func (s *motionTest) addWalls(cells ...[2]int) {
	var solids []terrain.Solid
	u := s.scene.def.Tiles.UnitsPerTile
	for _, c := range cells {
		m := s.centre(c[0], c[1])
		solids = append(solids, terrain.Solid{Min: geom.Vec{X: m.X - u/2, Z: m.Z - u/2}, Max: geom.Vec{X: m.X + u/2, Y: 10, Z: m.Z + u/2}})
	}
	var err error
	if s.scene.def.Ground, err = terrain.NewTiles(terrain.TileSpec{Grid: s.scene.def.Tiles}, solids); err != nil {
		s.t.Fatal(err)
	}
}

// A movement around a corner is drawn via the actor's tile in the middle of the cycle or via a free corner tile, not through
// the obstacle.
func TestForcedMovementIsDrawnAroundCornersOfWalls(t *testing.T) {
	for _, c := range []struct {
		desc  string
		walls [][2]int
		mid   [2]int
		end   [2]int
		via   [2]int // corner of the movement relative to its end; 0, 0 if it is straight
	}{
		{"open ground", nil, [2]int{0, 1}, [2]int{1, 1}, [2]int{0, 0}},
		{"a step around a corner in the east", [][2]int{{1, 0}}, [2]int{0, 1}, [2]int{1, 1}, [2]int{-1, 0}},
		{"a step around a corner in the north", [][2]int{{0, 1}}, [2]int{1, 0}, [2]int{1, 1}, [2]int{0, -1}},
		{"the mid-cycle tile is not in line: a free corner", [][2]int{{1, 0}}, [2]int{0, 0}, [2]int{1, 1}, [2]int{-1, 0}},
		{"three tiles around a block, by the mid-cycle tile", [][2]int{{1, 0}}, [2]int{0, 1}, [2]int{3, 2}, [2]int{-3, -1}},
		{"three tiles around a block, by a corner", [][2]int{{1, 0}}, [2]int{1, 1}, [2]int{3, 1}, [2]int{-3, 0}},
		{"no detour is free: straight", [][2]int{{1, 1}, {1, 0}, {1, -1}, {0, 1}, {0, -1}}, [2]int{1, 0}, [2]int{2, 0}, [2]int{0, 0}},
	} {
		s := newMotionTest(t, sim.FlagPlayer)
		s.addWalls(c.walls...)
		m := s.moveTo(s.centre(c.mid[0], c.mid[1]), s.centre(c.end[0], c.end[1]))
		switch {
		case m == nil:
			t.Errorf("%s: nothing was sent", c.desc)
			continue
		case len(c.walls) == 0:
			if m.change.Kind != proto.ChangeWalk || m.info.Has.Has(proto.KindExactMove) {
				t.Errorf("%s: sent %+v", c.desc, m.change)
			}
			continue
		}
		e := m.info.ExactMove
		if m.change.Kind != proto.ChangeTeleport || !m.info.Has.Has(proto.KindExactMove) || m.change.Speed != speedWalk || int(e.X1) != c.via[0] || int(e.Z1) != c.via[1] || e.X2 != 0 || e.Z2 != 0 || e.T2 != 30 {
			t.Errorf("%s: sent %+v, %+v", c.desc, m.change, e)
		}
		if bent := e.T1 == 15; bent != (c.via != [2]int{}) {
			t.Errorf("%s: the first part ends after %d client ticks", c.desc, e.T1)
		}
	}
}

// A teleport is shown immediately, even over a short distance.
func TestTeleportOfOtherPlayersIsShownWithoutInterpolation(t *testing.T) {
	for _, kind := range []sim.EventKind{sim.EventPlaced, sim.EventRespawned} {
		for _, far := range []int{1, 2, 5} {
			s := newMotionTest(t, sim.FlagPlayer)
			m := s.moveTo(s.centre(0, 0), s.centre(far, 0), sim.Event{Kind: kind, Who: s.mover})
			if m == nil || m.change.Kind != proto.ChangeTeleport || m.change.Speed != proto.SpeedInstant || m.info.Has.Has(proto.KindExactMove) {
				t.Errorf("event %d, %d tiles: sent %+v", kind, far, m)
			}
			if m := s.moveTo(s.centre(far, 0), s.centre(far+1, 0)); m == nil || m.change.Kind != proto.ChangeWalk {
				t.Errorf("event %d: the next step is sent as %+v", kind, m)
			}
		}
	}
}

// A knockback is shown as a movement, and a dead actor stays where it is.
func TestKnockbackIsShownAsMovement(t *testing.T) {
	s := newMotionTest(t, sim.FlagPlayer|sim.FlagAvatar)
	m := s.moveTo(s.centre(1, 0), s.centre(1, 0), sim.Event{Kind: sim.EventKnockback, Who: s.mover, Rewind: &sim.Rewind{}})
	if m == nil || m.change.Kind != proto.ChangeWalk {
		t.Fatalf("the knockback is sent as %+v", m)
	}
	s.frame.Actors[1].Flags |= sim.FlagDead
	for range 3 {
		if m := s.moveTo(s.centre(1, 0), s.centre(1, 0)); m != nil && m.change.From != m.change.To {
			t.Fatalf("a dead actor moves from %v to %v", m.change.From, m.change.To)
		}
	}
}

// Clients turn a walking actor in the direction of its steps and discard its angle, so the angle is sent when the actor
// stands still. In a forced movement the actor faces in the direction of the movement.
func TestFacingAngleIsSentWhenActorStandsStill(t *testing.T) {
	turn := func(m *playerUpdate) int {
		if m == nil || !m.info.Has.Has(proto.KindTurn) {
			return -1
		}
		return int(m.info.Turn)
	}
	s := newMotionTest(t, sim.FlagPlayer|sim.FlagAvatar)
	look := func(yaw float32) { s.frame.Actors[1].Yaw = yaw }
	look(90) // the actor faces west
	if got := turn(s.moveTo(s.centre(1, 0), s.centre(1, 0))); got != -1 {
		t.Errorf("a step is sent with turn %d, which clients forget", got)
	}
	if got := turn(s.moveTo(s.centre(1, 0), s.centre(1, 0))); got != 4096 {
		t.Errorf("the standing actor is sent turn %d", got)
	}
	if got := turn(s.moveTo(s.centre(1, 0), s.centre(1, 0))); got != -1 {
		t.Errorf("turn %d is sent again", got)
	}
	s = newMotionTest(t, 0)
	for _, c := range []struct{ dx, dz, want int }{{4, 4, 10240}, {8, 4, 12288}, {8, 8, 8192}, {4, 8, 4096}, {4, 4, 0}} {
		m := s.moveTo(s.centre(c.dx, c.dz), s.centre(c.dx, c.dz))
		if got := turn(m); got != c.want || m.info.ExactMove.Dir != noDirection {
			t.Errorf("forced movement to %d, %d has turn %d, want %d: %+v", c.dx, c.dz, got, c.want, m)
		}
	}
	if got := turn(s.moveTo(s.centre(4, 4), s.centre(4, 4))); got != -1 {
		t.Errorf("an NPC that stops is sent turn %d, want none", got)
	}
}

// Clients play no animation during a forced movement, so the movement animation is sent, and stopped after the movement.
func TestActorInForcedMovementPlaysAnimationOfItsModel(t *testing.T) {
	anim := func(m *playerUpdate) int {
		if m == nil || !m.info.Has.Has(proto.KindAnim) {
			return -1
		}
		return int(m.info.Anim.Seq[0])
	}
	s := newMotionTest(t, sim.FlagPlayer)
	s.frame.Actors[1].Body = &sim.Body{Name: "Dee", Template: 60000} // an unknown template is shown as a player
	for i, c := range []struct{ x, want int }{{0, -1}, {4, 824}, {8, 824}, {8, int(proto.None)}, {8, -1}, {12, 824}, {13, int(proto.None)}, {14, -1}} {
		if got := anim(s.moveTo(s.centre(c.x, 0), s.centre(c.x, 0))); got != c.want {
			t.Errorf("cycle %d: animation %d, want %d", i, got, c.want)
		}
	}
	m := s.moveTo(s.centre(10, 0), s.centre(10, 0), sim.Event{Kind: sim.EventAttacked, Who: s.mover, Other: 1, N: 3})
	if got := anim(m); got != int(appearance.DefaultRuneScapeActor.Attack) {
		t.Errorf("an attack during the movement plays animation %d", got)
	}
}

// docs/wire/rs.md, mounts: clients cannot draw a player on top of another, and draw only one of two players on the same tile.
func TestMountIsNotDisplayedWhileItIsRidden(t *testing.T) {
	s := newMotionTest(t, sim.FlagPlayer)
	horse, second := s.frame.Actors[1], s.frame.Actors[1]
	horse.ID, horse.Flags, horse.Body = s.mover+1, 0, &sim.Body{Name: "Horse"}
	second.ID = s.mover + 2
	s.frame.Actors = append(s.frame.Actors, horse, second)
	shown := func() []sim.EntityID {
		ids := slices.Clone(s.viewer.shownIDs)
		slices.Sort(ids)
		return ids
	}
	ride := func(dx, dz int, riders ...int) {
		for i := range s.frame.Actors {
			s.frame.Actors[i].Mount = 0
		}
		for _, i := range riders {
			s.frame.Actors[i].Mount = horse.ID
		}
		s.frame.Actors[2].Pos = s.centre(dx, dz)
		s.moveTo(s.centre(dx, dz), s.centre(dx, dz))
	}
	for _, c := range []struct {
		riders []int
		want   []sim.EntityID
	}{
		{nil, []sim.EntityID{1, s.mover, horse.ID, second.ID}},
		{[]int{1}, []sim.EntityID{1, s.mover, second.ID}},
		{[]int{1, 3}, []sim.EntityID{1, s.mover, second.ID}},
		{[]int{3}, []sim.EntityID{1, s.mover, second.ID}},
		{nil, []sim.EntityID{1, s.mover, horse.ID, second.ID}},
	} {
		for dx := range 3 {
			ride(dx, 0, c.riders...)
		}
		if got := shown(); !slices.Equal(got, c.want) {
			t.Errorf("with the riders %v: shown are %v, want %v", c.riders, got, c.want)
		}
	}
	if tile := s.w.actors.rowStates[s.w.actors.rowOf(horse.ID)].tile; int(tile.X)-int(s.startTile.X) != 2 {
		t.Errorf("after the ride the mount is at %v", tile)
	}
}

// A steady cycle with any kind of movement does not allocate.
func TestUpdatingMotionOfActorsDoesNotAllocate(t *testing.T) {
	s := newManualWorker(t, 1, 200, 12, false)
	for i := range s.frame.Actors[1:] {
		a := &s.frame.Actors[1+i]
		a.Flags &^= sim.FlagOnTiles
		a.Tile, a.Gait = move.Tile{}, move.GaitStand
		a.Pos = s.scene.def.Tiles.Centre(terrain.Tile{X: s.base + uint16(i%12), Z: s.base + uint16(i/12)})
	}
	rng := s.rng
	s.frame.Events = nil
	run := func() {
		s.frame.Tick += s.w.cycleTicks / 2
		s.scene.recordMidCycle(s.frame)
		s.frame.Tick += s.w.cycleTicks / 2
		for i := range s.frame.Actors[1:] {
			s.frame.Actors[1+i].Pos.X += float32(rng.IntN(41) - 20)
		}
		s.sendCycle()
	}
	for range 300 {
		run()
	}
	if n := testing.AllocsPerRun(100, run); n > 0 {
		t.Errorf("%v allocations in a cycle", n)
	}
}
