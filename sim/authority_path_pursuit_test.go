package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// tileSolid returns a solid that covers the tiles from x0, z0 to x1, z1. If it has no thickness, it is a wall between
// tiles.
func tileSolid(g terrain.TileGrid, x0, z0, x1, z1 int) terrain.Solid {
	corner := func(x, z int) geom.Vec {
		return geom.Vec{X: float32(x-int(g.BaseX)) * g.UnitsPerTile, Z: float32(z-int(g.BaseZ)) * g.UnitsPerTile}
	}
	s := terrain.Solid{Min: corner(x0, z0), Max: corner(x1, z1)}
	s.Max.Y = 12
	return s
}

// solidStage returns a stage whose area has solids. Each solid is given by two opposite corners: x, z, x, z in tiles.
func solidStage(t *testing.T, corners ...[4]int) *stage {
	t.Helper()
	w := testWorld()
	def := &w.Areas[0]
	var solids []terrain.Solid
	for _, c := range corners {
		solids = append(solids, tileSolid(def.Tiles, c[0], c[1], c[2], c[3]))
	}
	ground, err := terrain.NewTiles(terrain.TileSpec{Grid: def.Tiles}, solids)
	if err != nil {
		t.Fatal(err)
	}
	def.Ground = ground
	floor := terrain.Floor{Grid: terrain.BlockGrid{UnitsPerBlock: 3.5, Origin: [3]int32{0, 64, 0}}, Level: 64}
	if def.Walls, err = terrain.NewWalls(terrain.WallSpec{Floor: floor, Solids: solids}); err != nil {
		t.Fatal(err)
	}
	return newStage(t, w)
}

// cowOnTile puts a cow on a tile.
func (s *stage) cowOnTile(at move.Tile) *actor { return s.npc(tmplCow, s.w.Areas[0].Tiles.Centre(at)) }

func TestPursuingPlayerWalksAroundWallBeforeAttacking(t *testing.T) {
	s := solidStage(t, [4]int{3221, 3217, 3221, 3223})
	x, y := s.pathPlayer(1, tile(3220, 3220)), s.cowOnTile(tile(3221, 3220))
	s.expectRefusal(reason.Covered, attackIntent(x, y))
	s.step(Intent{Kind: IntentPursue, Who: 1, Target: y.id})
	s.until(EventAttacked, 10)
	if at := pathOf(x).Tile; at.X != 3221 {
		t.Errorf("attacks from %v, across the wall", at)
	}
}

// A wall stops attacks, even if the attacker claims a height in the air. A low fence does not stop attacks. An NPC walks
// around the wall before it attacks.
func TestNPCsAndPlayersUnderClaimAuthorityCannotAttackThroughWall(t *testing.T) {
	w := wallIn(t, testWorld(), block(10, -20, 11, 20), terrain.Solid{Min: geom.Vec{X: 10, Z: 30}, Max: geom.Vec{X: 11, Y: 3.5, Z: 60}})
	s := newStage(t, w)
	x, cow := s.player(1, geom.Vec{X: 8}), s.npc(tmplCow, geom.Vec{X: 13})
	s.expectRefusal(reason.Covered, attackIntent(x, cow))
	x.pos.Y = 9 // a claimed height in the air
	s.expectRefusal(reason.Covered, attackIntent(x, cow))
	if x.lastAttackMS > 0 {
		t.Error("a refused attack started the combat delay")
	}
	x.pos, cow.pos = geom.Vec{X: 8, Z: 45}, geom.Vec{X: 13, Z: 45}
	s.expectEvent(EventAttacked, attackIntent(x, cow)) // an attack over a fence is allowed
	wolf := s.npc(tmplWolf, geom.Vec{X: 13})
	x.pos = geom.Vec{X: 8}
	s.a.startChase(wolf, x)
	for range 400 {
		if s.step(); len(events(s.f, EventAttacked)) > 0 && events(s.f, EventAttacked)[0].Who == wolf.id {
			break
		}
		if s.a.now == 399 {
			t.Fatalf("NPC found no way around the wall: %v", wolf.pos)
		}
	}
	if !s.a.def.Walls.HasLineOfAttack(wolf.pos, x.pos, false, false) {
		t.Errorf("NPC attacks through the wall from %v", wolf.pos)
	}
}

// An NPC that walks in a straight line may enter a solid. The solid must not protect the NPC from attacks.
func TestActorInsideSolidCanBeAttacked(t *testing.T) {
	s := solidStage(t, [4]int{3224, 3220, 3225, 3221})
	s.pathPlayer(1, tile(3220, 3220))
	y := s.cowOnTile(tile(3224, 3220))
	s.step(Intent{Kind: IntentPursue, Who: 1, Target: y.id})
	s.until(EventAttacked, 10)
}

func TestPursuitOfUnreachableTargetEnds(t *testing.T) {
	s := solidStage(t, [4]int{3225, 3215, 3225, 3225}, [4]int{3235, 3215, 3235, 3225}, [4]int{3225, 3215, 3235, 3215}, [4]int{3225, 3225, 3235, 3225})
	x, y := s.pathPlayer(1, tile(3220, 3220)), s.cowOnTile(tile(3230, 3220))
	s.step(Intent{Kind: IntentPursue, Who: 1, Target: y.id})
	if e := s.until(EventRefused, 20); e.Reason != reason.NoPath || e.Other != y.id || pathOf(x).pursued != 0 {
		t.Errorf("%+v, pursues %d", e, pathOf(x).pursued)
	}
	if at := s.f.Find(1); at.Target != 0 { // otherwise the client would show attacks that do not happen
		t.Errorf("still targets %d", at.Target)
	}
	if pathOf(x).Tile == tile(3220, 3220) {
		t.Error("player did not move toward the target")
	}
}

// A player's position reaches its tile one cycle late. This delay must not end the pursuit of an actor that approaches.
func TestPlayersThatPursueEachOtherMeetAndFight(t *testing.T) {
	for gap := uint16(2); gap < 8; gap++ {
		s := newStage(t, testWorld())
		x, y := s.pathPlayer(1, tile(3220, 3220)), s.pathPlayer(2, tile(3220+gap, 3220))
		x.ratings[y.homeFaction] = 100
		s.step(Intent{Kind: IntentPursue, Who: 1, Target: 2}, Intent{Kind: IntentPath, Who: 2, Tile: tile(3210, 3220)})
		for range 60 {
			if len(events(s.step(), EventRefused)) > 0 || pathOf(x).pursued == 0 {
				t.Fatalf("%d tiles apart: pursuit ended: %+v", gap, s.f.Events)
			}
		}
		if x.lastAttackMS < 0 {
			t.Errorf("%d tiles apart: no attack", gap)
		}
	}
}
