package sim

import (
	"testing"

	"github.com/truestep-io/truestep/internal/race"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/rng"
	"github.com/truestep-io/truestep/sim/terrain"
)

// block is a solid 12 units high.
func block(x0, z0, x1, z1 float32) terrain.Solid {
	return terrain.Solid{Min: geom.Vec{X: x0, Z: z0}, Max: geom.Vec{X: x1, Y: 12, Z: z1}}
}

// wallIn gives the first area of a world flat ground at height 0 and the solids, and returns the world. A block is 3.5 units wide.
func wallIn(t testing.TB, w *World, solids ...terrain.Solid) *World {
	t.Helper()
	def := &w.Areas[0]
	def.BlockGrid = terrain.BlockGrid{UnitsPerBlock: 3.5, Origin: [3]int32{0, 64, 0}}
	spec := terrain.BlocksSpec{Grid: def.BlockGrid, Level: 64, Surface: terrain.GrassBlock, Filler: terrain.Dirt}
	for _, s := range solids {
		spec.Solids = append(spec.Solids, terrain.BlockSolid{Solid: s, Block: terrain.Stone})
	}
	var err error
	try := func(e error) {
		if err == nil {
			err = e
		}
	}
	def.Floor = terrain.FloorFromSpec(&spec)
	var e error
	def.Ground, e = terrain.NewTiles(terrain.TileSpec{Grid: def.Tiles, Floor: def.Floor, Low: 2.1, High: 6.3}, solids)
	try(e)
	def.Walls, e = terrain.NewWalls(terrain.WallSpec{Floor: *def.Floor, Solids: solids})
	try(e)
	def.Blocks, e = terrain.NewBlocks(spec)
	try(e)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// house returns four walls around 40..60 on both axes. The eastern wall has an opening that is as wide as a tile.
func house() []terrain.Solid {
	return []terrain.Solid{block(40, 39, 60, 40), block(40, 60, 60, 61), block(39, 40, 40, 60), block(60, 40, 61, 44), block(60, 51, 61, 60)}
}

func TestWallStopsPlayerMovedByServerBetweenClaims(t *testing.T) {
	s := newStage(t, wallIn(t, testWorld(), block(10, -50, 11, 50)))
	x := s.player(1, geom.Vec{X: 1})
	s.step(walkClaim(x, 60, 20, true))
	s.run(1)
	if x.pos.X < 9.4 || x.pos.X >= 10 || x.destX != 60 || x.destZ != 20 {
		t.Errorf("at %v on the way to %v, %v", x.pos, x.destX, x.destZ)
	}
	m := s.npc(tmplHorse, x.pos)
	s.ride(x, m)
	s.step(walkClaim(x, 60, 20, true))
	if s.run(1); x.pos.X >= 10 || m.pos != x.pos {
		t.Errorf("rode through the wall: rider %v, mount %v", x.pos, m.pos)
	}
}

// A mount is moved to the position of its rider. If mounting through a wall were possible, the mount would be moved
// through the wall.
func TestMountingThroughWallIsRefused(t *testing.T) {
	s := newStage(t, wallIn(t, testWorld(), block(10, -50, 11, 50)))
	x, m := s.player(1, geom.Vec{X: 8}), s.npc(tmplHorse, geom.Vec{X: 14})
	s.expectRefusal(reason.Covered, Intent{Kind: IntentInteract, Who: 1, Target: m.id})
	m.pos = geom.Vec{X: 4}
	s.expectEvent(EventMounted, Intent{Kind: IntentInteract, Who: 1, Target: m.id})
	if x.mount != m.id {
		t.Error("not mounted on the same side of the wall")
	}
}

// checkNoActorInsideSolids fails if a walking actor is inside a solid.
func (s *stage) checkNoActorInsideSolids() {
	s.t.Helper()
	for _, x := range s.a.actors {
		if x.tmpl.Environment != Fly && s.a.def.Walls.Inside(x.pos, false) {
			s.t.Fatalf("tick %d: %s is inside a solid at %v", s.a.now, x.name, x.pos)
		}
	}
}

func TestChasingNPCEntersHouseThroughDoor(t *testing.T) {
	s := newStage(t, wallIn(t, testWorld(), house()...))
	x := s.player(1, geom.Vec{X: 50, Z: 50})
	wolf := s.npc(tmplWolf, geom.Vec{X: 20, Z: 50})
	s.a.startChase(wolf, x)
	was := wolf.pos
	for range 200 {
		s.step()
		s.checkNoActorInsideSolids()
		if !s.a.def.Walls.IsClearBetween(was, wolf.pos, false) {
			t.Fatalf("NPC moved through a wall from %v to %v", was, wolf.pos)
		}
		was = wolf.pos
		if geom.DistXZ(wolf.pos, x.pos) < 7 {
			if s.a.now > 80 {
				t.Errorf("chase took %d ticks", s.a.now)
			}
			return
		}
	}
	t.Errorf("NPC never arrived: at %v, route %+v", wolf.pos, routeOf(wolf))
}

// An NPC without a path to its target waits at the nearest reachable point. The leash and the other rules of a chase
// still apply.
func TestChasingNPCStopsAtNearestReachablePoint(t *testing.T) {
	closed := append(house()[:3:3], block(60, 40, 61, 60))
	s := newStage(t, wallIn(t, testWorld(), closed...))
	x := s.player(1, geom.Vec{X: 50, Z: 50})
	wolf := s.npc(tmplWolf, geom.Vec{X: 20, Z: 50})
	s.a.startChase(wolf, x)
	for range 200 {
		s.step()
		s.checkNoActorInsideSolids()
	}
	if wolf.pos.X > 40 && wolf.pos.X < 60 && wolf.pos.Z > 40 && wolf.pos.Z < 60 || wolf.mode != modeChase || geom.DistXZ(wolf.pos, x.pos) > 20 {
		t.Errorf("NPC at %v in mode %d", wolf.pos, wolf.mode)
	}
	at := wolf.pos
	if s.run(1); wolf.pos != at {
		t.Errorf("NPC does not stand still: %v, then %v", at, wolf.pos)
	}
}

// The check for a straight route runs in pieces of routeProbeUnits. No piece of the line may be skipped.
func TestStraightRouteIsClearOnlyIfNoPartCrossesSolid(t *testing.T) {
	s := newStage(t, wallIn(t, testWorld(), block(150, -20, 151, 20), block(90, 39, 91, 60)))
	wolf := s.npc(tmplWolf, geom.Vec{X: -40})
	for to, want := range map[geom.Vec]bool{
		{X: 149}: true, {X: 152}: false, {X: 3000}: false, {X: -3000}: true, {X: 220, Z: 90}: false, {X: 220, Z: 70}: true, {X: -40}: true,
	} {
		if got := s.a.straightLineIsClear(wolf, to.X, to.Z); got != want {
			t.Errorf("to %v: %v", to, got)
		}
	}
}

// An NPC walks in straight lines between the corners of a route. None of these lines crosses a wall.
func TestStraightLinesBetweenRouteCornersCrossNoWall(t *testing.T) {
	s := newStage(t, wallIn(t, testWorld(), house()...))
	x := s.player(1, geom.Vec{X: 45, Z: 45})
	wolf := s.npc(tmplWolf, geom.Vec{X: 20, Z: 50})
	s.a.startChase(wolf, x)
	s.step()
	w := routeOf(wolf)
	if w == nil || w.count < 3 || w.next >= w.count {
		t.Fatalf("route %+v", w)
	}
	for i := 1; i < int(w.count); i++ {
		if far := geom.DistXZ(s.a.def.Tiles.Centre(w.corners[i]), x.pos); far > 60 || !s.a.def.Ground.IsClearBetween(w.corners[i-1], w.corners[i]) {
			t.Errorf("corner %d of %v is behind a wall or too far", i, w.corners[:w.count])
		}
	}
	if end := s.a.def.Tiles.Centre(w.corners[w.count-1]); geom.DistXZ(end, x.pos) > 10 {
		t.Errorf("route ends at %v", end)
	}
}

// The snapshot contains a route with the maximum number of corners. The hash contains the id of the NPC with which the
// route searches of the next tick begin.
func TestSnapshotAndHashContainRoutesOfNPCs(t *testing.T) {
	s := newStage(t, wallIn(t, testWorld(), house()...))
	wolf := s.npc(tmplWolf, geom.Vec{X: 20, Z: 50})
	s.step()
	r := &route{count: routeCorners, next: routeCorners}
	wolf.authority.(*goalAuthority).route = r
	for i := range r.corners {
		r.corners[i] = tile(uint16(3200+i), 3200)
	}
	again, err := Restore(s.w, s.a.Snapshot(nil))
	if err != nil || *routeOf(again.find(wolf.id)) != *r || again.hash() != s.a.hash() {
		t.Errorf("snapshot loses the route: %v", err)
	}
	before := s.a.hash()
	s.a.nextRouteSearcher = wolf.id
	if s.a.hash() == before {
		t.Error("hash does not cover the round-robin position")
	}
	again, err = Restore(s.w, s.a.Snapshot(nil))
	if err != nil || again.nextRouteSearcher != wolf.id {
		t.Errorf("snapshot loses the round-robin position: %v", err)
	}
}

func TestFreePositionIsFoundOnEverySideOfSolid(t *testing.T) {
	for side, solid := range map[string]terrain.Solid{
		"north": block(-500, -500, 500, 20), "south": block(-500, -20, 500, 500),
		"east": block(-500, -500, 20, 500), "west": block(-20, -500, 500, 500),
	} {
		s := newStage(t, wallIn(t, testWorld(), solid))
		at := s.a.freeSpotNear(geom.Vec{X: 1, Z: 1}, false)
		if s.a.def.Walls.Inside(at, false) || geom.DistXZ(at, geom.Vec{X: 1, Z: 1}) > 30 {
			t.Errorf("free spot only in the %s: placed at %v", side, at)
		}
		if free := (geom.Vec{X: 600, Z: 600}); s.a.freeSpotNear(free, false) != free {
			t.Error("position outside solids was changed")
		}
	}
	for _, c := range []struct {
		at     move.Tile
		dx, dz int
	}{{tile(0, 9), -1, 0}, {tile(9, 0), 0, -1}, {tile(terrain.MaxTile, 9), 1, 0}, {tile(9, terrain.MaxTile), 0, 1}} {
		if to, ok := neighbourTile(c.at, c.dx, c.dz); ok {
			t.Errorf("tile %v has the neighbour %v outside the map", c.at, to)
		}
	}
}

// A pet that is placed beside its leader is not placed inside a solid.
func TestPetOfTeleportedPlayerIsPlacedOutsideSolids(t *testing.T) {
	s := newStage(t, wallIn(t, testWorld(), block(30, 30, 50, 50)))
	x := s.player(1, geom.Vec{})
	dog := s.a.find(s.pet(x, tmplDog))
	s.step(Intent{Kind: IntentTeleport, Who: 1, To: 0, Join: &Join{Portal: -1, Pos: geom.Vec{X: 40, Z: 40}}})
	if s.a.def.Walls.Inside(dog.pos, false) || geom.DistXZ(dog.pos, x.pos) > 40 {
		t.Errorf("the dog is at %v, its leader at %v", dog.pos, x.pos)
	}
}

func TestPatrollingNPCAvoidsWallsAndWaypointsInsideSolids(t *testing.T) {
	w := wallIn(t, testWorld(), block(140, -30, 160, 30), block(190, -10, 210, 10))
	s := newStage(t, w)
	x := s.patroller(tmplCow, 0)
	legs := map[int32]int{}
	for range 60 * 20 {
		before := x.waypoint
		s.step()
		s.checkNoActorInsideSolids()
		if x.waypoint != before {
			legs[x.waypoint]++
			// The NPC must change waypoints near a waypoint, not at a corner of the path.
			if at := w.Areas[0].Waypoints[before].Pos; geom.DistXZ(x.pos, at) > 20 {
				t.Errorf("stops at %v for the waypoint at %v", x.pos, at)
			}
		}
	}
	if legs[0] < 2 || legs[1] < 2 {
		t.Errorf("reached its waypoints %v times", legs)
	}
}

func TestWanderingNPCsStayOutsideSolids(t *testing.T) {
	w := wallIn(t, testWorld(), block(85, -20, 99.5, 20), block(101, 5, 130, 9), block(104, -8, 106, -2))
	w.Areas[0].Spawns = []Spawn{{Template: tmplCow, Waypoint: 0, Size: 40, Range: 30, Max: 12, PeriodMS: 1000}}
	s := newStage(t, w)
	for range 1500 {
		s.step()
		s.checkNoActorInsideSolids()
		if n := len(s.a.actors); n != 12 {
			t.Fatalf("%d cows", n)
		}
	}
	ways := 0
	for _, x := range s.a.actors {
		if routeOf(x) != nil {
			ways++
		}
	}
	if ways == 0 {
		t.Error("no NPC has a route: the test proves nothing")
	}
}

func TestPetWalksAroundWallsAndFlyingNPCFliesOverWalls(t *testing.T) {
	s := newStage(t, wallIn(t, testWorld(), block(10, -60, 11, 20)))
	x := s.player(1, geom.Vec{X: 5})
	dog := s.a.find(s.pet(x, tmplDog))
	x.place(geom.Vec{X: 20}, 0)
	dog.place(geom.Vec{X: 3}, 0)
	hawk := s.npc(tmplHawk, geom.Vec{X: 3, Y: 30})
	hawk.mode = modeWait
	hawk.headFor(40, 0)
	for range 100 {
		s.step()
		s.checkNoActorInsideSolids()
	}
	if geom.DistXZ(dog.pos, x.pos) > 8 {
		t.Errorf("the dog is at %v", dog.pos)
	}
	if hawk.pos.X < 39 || hawk.pos.Y != 30 {
		t.Errorf("the hawk is at %v", hawk.pos)
	}
}

// The number of route searches per tick is limited, and every NPC that needs a search gets one within a few ticks.
func TestRouteSearchesPerTickAreLimitedAndServeEveryNPCInTurn(t *testing.T) {
	s := newStage(t, wallIn(t, testWorld(), house()...))
	x := s.player(1, geom.Vec{X: 50, Z: 50})
	var pack []*actor
	for i := range 30 {
		y := s.npc(tmplWolf, geom.Vec{X: 10, Z: 20 + 2*float32(i)})
		s.a.startChase(y, x)
		pack = append(pack, y)
	}
	found := func() (n int) {
		for _, y := range pack {
			if routeOf(y) != nil && routeOf(y).searchedTick != 0 {
				n++
			}
		}
		return n
	}
	for tick := 1; found() < len(pack); tick++ {
		before := found()
		s.step()
		if n := found() - before; n > routeSearchesPerTick {
			t.Fatalf("%d searches in one tick", n)
		}
		if tick > 30 {
			t.Fatalf("after %d ticks %d NPCs have a path", tick, found())
		}
	}
}

func TestTickAmongWallsDoesNotAllocate(t *testing.T) {
	s := newStage(t, wallIn(t, testWorld(), house()...))
	x := s.player(1, geom.Vec{X: 50, Z: 50})
	for i := range 20 {
		s.a.startChase(s.npc(tmplDeer, geom.Vec{X: 10, Z: 20 + 2*float32(i)}), x)
	}
	x.ratings[3] = 200
	side := float32(1)
	tick := func() {
		s.health(x, 100)
		side = -side
		x.pos.X = 50 + 4*side
		s.a.Recycle(s.f)
		s.f = s.a.Step(nil)
	}
	for range 200 {
		tick()
	}
	if n := testing.AllocsPerRun(200, tick); n > 0 {
		t.Errorf("%v allocations a tick", n)
	}
}

// An area among walls receives random intents. An area restored from a snapshot of any tick gives the same frames, and no
// NPC is ever inside a solid.
func TestReplayFromSnapshotAmongWallsGivesSameFrames(t *testing.T) {
	var solids []terrain.Solid
	random := rng.New(7)
	for range 60 {
		x, z := random.Symmetric(260), random.Symmetric(120)
		solids = append(solids, block(x, z, x+1+float32(random.IntN(30)), z+1+float32(random.IntN(12))))
	}
	seeds := uint64(3)
	if race.Enabled {
		seeds = 1
	}
	for seed := range seeds {
		w := wallIn(t, busyWorld(), solids...)
		random := rng.New(seed)
		whole, cut := NewArea(w, 0, seed), NewArea(w, 0, seed)
		for tick := range 400 {
			if random.IntN(15) == 0 {
				again, err := Restore(w, cut.Snapshot(nil))
				if err != nil {
					t.Fatalf("seed %d tick %d: %v", seed, tick, err)
				}
				cut = again
			}
			ins := randomIntents(w, random, tick, 30)
			f, g := whole.Step(ins), cut.Step(ins)
			if f.Hash != g.Hash {
				t.Fatalf("seed %d tick %d: hash %x, after restore %x", seed, tick, f.Hash, g.Hash)
			}
			sameFrame(t, f, g)
			for _, x := range whole.actors {
				if !x.player && x.rider == 0 && x.tmpl.Environment != Fly && whole.def.Walls.Inside(x.pos, false) && x.leader == 0 {
					t.Fatalf("seed %d tick %d: %s %d inside a solid at %v", seed, tick, x.name, x.id, x.pos)
				}
			}
		}
	}
}

// All authorities find the same ground height: on flat ground, on a slab, on a liquid and on a hill.
func TestEveryAuthorityUsesSameGroundHeight(t *testing.T) {
	w := wallIn(t, predictWorld())
	def := &w.Areas[0]
	spec := terrain.BlocksSpec{Grid: def.BlockGrid, Ground: terrain.HeightGround, Level: 64, Surface: terrain.GrassBlock, Filler: terrain.Dirt,
		Heightmap: terrain.Heightmap{X: 10, Z: -40, Width: 20, Depth: 80, Tops: make([]int16, 1600)},
		Fills: []terrain.BlockFill{
			{Min: [3]int32{-9, 64, -9}, Max: [3]int32{-4, 64, 9}, Block: terrain.SmoothStoneSlab},
			{Min: [3]int32{-30, 63, -9}, Max: [3]int32{-20, 63, 9}, Block: terrain.SoulSand},
		}}
	for i := range spec.Heightmap.Tops {
		spec.Heightmap.Tops[i] = int16(64 + i%20)
	}
	blocks, err := terrain.NewBlocks(spec)
	if err != nil {
		t.Fatal(err)
	}
	def.Blocks, def.Floor, def.Ground, def.Walls = blocks, terrain.FloorFromSpec(&spec), nil, nil
	s := newStage(t, w)
	for i, c := range []struct {
		name string
		at   geom.Vec
		want float32
	}{
		{"flat", geom.Vec{X: 2.5, Z: 2.5}, 0}, {"slab", geom.Vec{X: -22.5, Z: 2.5}, 1.75}, {"soul sand", geom.Vec{X: -87.5, Z: 2.5}, -0.4375},
		{"hill", geom.Vec{X: 82.5, Z: 2.5}, 13 * 3.5},
	} {
		base := EntityID(10 * (i + 1))
		at, _ := def.Tiles.ToTile(c.at)
		high := c.at
		high.Y = def.GroundHeight(c.at)
		path := s.pathPlayer(base, at)
		body := s.predictClient(base+1, high)
		cow := s.npc(tmplCow, c.at)
		cow.mode = modeWait
		for range 40 {
			s.step(body.idle(def.Blocks))
		}
		if high.Y != c.want || path.pos.Y != c.want || cow.pos.Y != c.want || !near(body.x.pos.Y, c.want, 1e-3) {
			t.Errorf("%s: ground %v, on tiles %v, npc %v, avatar %v; want %v", c.name, high.Y, path.pos.Y, cow.pos.Y, body.x.pos.Y, c.want)
		}
	}
	def.Floor = nil
	cow := s.npc(tmplCow, geom.Vec{X: 82.5, Y: 3, Z: 2.5})
	if s.step(); cow.pos.Y != 3 {
		t.Errorf("without Floor the NPC stands at %v", cow.pos.Y)
	}
}

// idle is an input without any key.
func (k *predictClient) idle(blocks *terrain.Blocks) Intent {
	k.tick++
	in := move.Input{Tick: k.tick, Yaw: k.avatar.Yaw, HeadYaw: k.avatar.Yaw}
	k.avatar.Step(&in, blocks, &k.scratch)
	in.Pos, in.Delta = k.avatar.Pos, k.avatar.Vel
	return Intent{Kind: IntentInput, Who: k.x.id, Input: in}
}

func BenchmarkStepAmongWalls(b *testing.B) {
	for _, walls := range []bool{false, true} {
		name := map[bool]string{false: "none", true: "1000"}[walls]
		b.Run("npcs=500/solids="+name, func(b *testing.B) {
			w := testWorld()
			var solids []terrain.Solid
			for i := range 1000 {
				x, z := float32(i%32*40), float32(i/32*40)
				solids = append(solids, block(x, z, x+20, z+1))
			}
			if walls {
				wallIn(b, w, solids...)
			}
			w.Areas[0].Waypoints = append(w.Areas[0].Waypoints, Waypoint{Pos: geom.Vec{X: 610, Z: 610}, Used: true, NextA: -1, NextB: -1, Prev: -1})
			w.Areas[0].Spawns = []Spawn{{Template: tmplCow, Waypoint: 3, Size: 1000, Range: 600, Max: 500, PeriodMS: 1000}}
			a := NewArea(w, 0, 1)
			for range 400 {
				a.Recycle(a.Step(nil))
			}
			b.ReportAllocs()
			for b.Loop() {
				a.Recycle(a.Step(nil))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/500, "ns/npc")
		})
	}
}
