package move

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// The tests in this file check docs/decisions/0009-claims-pay-for-detours.md.

// wallFloor is ground at height 0 with blocks of 3.5 units. An actor can step up 2.1 and jump 4.375 units, and is 6.3 units high.
var wallFloor = terrain.Floor{Grid: terrain.BlockGrid{UnitsPerBlock: 3.5, Origin: [3]int32{0, 64, 0}}, Level: 64}

func slab(x0, y0, z0, x1, y1, z1 float32) terrain.Solid {
	return terrain.Solid{Min: geom.Vec{X: x0, Y: y0, Z: z0}, Max: geom.Vec{X: x1, Y: y1, Z: z1}}
}

func sceneOf(t testing.TB, solids ...terrain.Solid) Surroundings {
	t.Helper()
	w, err := terrain.NewWalls(terrain.WallSpec{Floor: wallFloor, Solids: solids})
	if err != nil {
		t.Fatal(err)
	}
	return Surroundings{Walls: w}
}

// claimAt judges a claim of a player at full speed whose allowance is 47 units.
func claimAt(in Surroundings, from, to geom.Vec) ClaimVerdict {
	p, s := entered()
	return p.JudgeIn(in, &s, from, 1, Claim{X: to.X, Y: to.Y, Z: to.Z, DestX: to.X, DestZ: to.Z}, 200)
}

func TestClaimThroughWallIsRejected(t *testing.T) {
	in := sceneOf(t, slab(10, 0, -40, 11, 12, 40))
	v := claimAt(in, geom.Vec{X: 8}, geom.Vec{X: 13})
	if v.Held != reason.Blocked || v.Pos != (geom.Vec{X: 8}) || v.Asked != 5 || v.Allowed < 1.9 || v.Allowed > 2 {
		t.Errorf("straight through: %+v", v)
	}
	if v := claimAt(in, geom.Vec{X: 8}, geom.Vec{X: 10.5}); v.Held != reason.Blocked || v.Pos.X != 8 {
		t.Errorf("into the wall: %+v", v)
	}
	if v := claimAt(in, geom.Vec{X: 8}, geom.Vec{X: 9.9, Z: 30}); v.Held != reason.None {
		t.Errorf("along the wall: %+v", v)
	}
	if v := claimAt(in, geom.Vec{X: 8}, geom.Vec{X: 8, Y: 5}); v.Held != reason.None || v.Pos.Y != 5 {
		t.Errorf("a jump beside the wall: %+v", v)
	}
	if v := claimAt(in, geom.Vec{X: 8, Y: 100}, geom.Vec{X: 13, Y: 100}); v.Held != reason.Blocked {
		t.Errorf("over the wall, by claimed height alone: %+v", v)
	}
	in.Flies = true
	if v := claimAt(in, geom.Vec{X: 8, Y: 100}, geom.Vec{X: 13, Y: 100}); v.Held != reason.None {
		t.Errorf("over the wall, flying: %+v", v)
	}
}

func TestClaimBehindWallUsesAllowanceForDetourAroundWall(t *testing.T) {
	in := sceneOf(t, slab(10, 0, -40, 11, 12, 4))
	p, s := entered()
	v := p.JudgeIn(in, &s, geom.Vec{X: 8}, 1, Claim{X: 13}, 10_000)
	if v.Held != reason.None || v.Pos.X != 13 {
		t.Fatalf("round the end: %+v", v)
	}
	if cost := fullAllowance - s.Credit; cost < 9 || cost > 10.5 { // the detour is 9 to 10.5 units long; a straight line would cost 5
		t.Errorf("it cost %v", cost)
	}
	p, s = entered()
	if v := p.JudgeIn(in, &s, geom.Vec{X: 8}, 1, Claim{X: 13}, 24); v.Held != reason.Blocked || s.Credit < 7 {
		t.Errorf("7.4 units are enough for the straight line alone: %+v, %+v", v, s)
	}
}

func TestActorInsideSolidCanLeave(t *testing.T) {
	in := sceneOf(t, slab(0, 0, 0, 40, 12, 40), slab(55, 0, -40, 56, 12, 80))
	pos := geom.Vec{X: 20, Z: 20}
	p, s := entered()
	for step := range int64(3) {
		v := p.JudgeIn(in, &s, pos, 1, Claim{X: pos.X + 10, Z: pos.Z}, step*200+200)
		if v.Held != reason.None {
			t.Fatalf("at %v: %+v", pos, v)
		}
		pos = v.Pos
	}
	if v := claimAt(in, pos, geom.Vec{X: 30, Z: 20}); v.Held != reason.Blocked {
		t.Errorf("back into the solid: %+v", v)
	}
	if v := claimAt(in, geom.Vec{X: 20, Z: 20}, geom.Vec{X: 62, Z: 20}); v.Held != reason.Blocked {
		t.Errorf("through another solid: %+v", v)
	}
}

func TestHeightClaimThroughFloorIsRejected(t *testing.T) {
	in := sceneOf(t, slab(-20, 12, -20, 60, 13, 60))
	for _, c := range []struct {
		from, to geom.Vec
		y        float32
		held     reason.Reason
	}{
		{geom.Vec{X: 9, Z: 9}, geom.Vec{X: 9, Y: 20, Z: 9}, 0, reason.Blocked},
		{geom.Vec{X: 9, Z: 9}, geom.Vec{X: 12, Y: 20, Z: 9}, 0, reason.Blocked},
		{geom.Vec{X: 9, Y: 13, Z: 8}, geom.Vec{X: 9, Y: 0, Z: 8}, 13, reason.Blocked},
		{geom.Vec{X: 20, Y: 13, Z: 20}, geom.Vec{X: 22, Y: 0, Z: 20}, 13, reason.Blocked},
		{geom.Vec{X: 9, Y: 13, Z: 9}, geom.Vec{X: -21, Y: 0, Z: 9}, 0, reason.None},
		{geom.Vec{X: 9, Z: 9}, geom.Vec{X: 12, Y: 4, Z: 9}, 4, reason.None},
		{geom.Vec{X: -29, Z: 9}, geom.Vec{X: -29, Y: 20, Z: 9}, 20, reason.None},
	} {
		v := claimAt(in, c.from, c.to)
		if v.Held != c.held || v.Pos.Y != c.y && !(c.held != reason.None && v.Pos.X == c.from.X && v.Pos.Z == c.from.Z) {
			t.Errorf("from %v to %v: %+v", c.from, c.to, v)
		}
	}
}

func TestRealmCrafterPolicyIgnoresWalls(t *testing.T) {
	in := sceneOf(t, slab(10, 0, -40, 11, 12, 40))
	p := OriginalClaimPolicy()
	var s ClaimState
	if v := p.JudgeIn(in, &s, geom.Vec{X: 8}, 1, Claim{X: 13}, 100); v.Held != reason.None || v.Pos.X != 13 {
		t.Errorf("%+v", v)
	}
}

func TestWalkingActorStopsBeforeWallAndFlyingActorPassesAboveIt(t *testing.T) {
	in := sceneOf(t, slab(10, 0, -40, 11, 12, 40))
	pos := geom.Vec{X: 2}
	for range 50 {
		pos = WalkWithWalls(in.Walls, false, pos, 50, 3, 4.5, Euclidean)
	}
	if pos.X < 9.5 || pos.X > 9.97 {
		t.Errorf("walker stands at %v", pos)
	}
	if pos = WalkWithWalls(in.Walls, true, geom.Vec{X: 9, Y: 20}, 50, 0, 4.5, Euclidean); pos.X != 13.5 {
		t.Errorf("flyer is at %v", pos)
	}
	if n := testing.AllocsPerRun(100, func() { WalkWithWalls(in.Walls, false, pos, 50, 3, 4.5, Euclidean) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// rooms are closed rooms around 0..20 on both axes that cannot be entered or left.
var rooms = map[string][]terrain.Solid{
	"walls that meet in points":   {slab(0, 0, -1, 20, 12, 0), slab(0, 0, 20, 20, 12, 21), slab(-1, 0, 0, 0, 12, 20), slab(20, 0, 0, 21, 12, 20)},
	"walls without thickness":     {slab(0, 0, 0, 20, 12, 0), slab(0, 0, 20, 20, 12, 20), slab(0, 0, 0, 0, 12, 20), slab(20, 0, 0, 20, 12, 20)},
	"thick walls, and a crate":    {slab(-9, 0, -9, 29, 12, 0), slab(-9, 0, 20, 29, 12, 29), slab(-9, 0, 0, 0, 12, 20), slab(20, 0, 0, 29, 12, 20), slab(29, 0, 5, 33, 4.3, 9)},
	"a roof":                      {slab(0, 0, -1, 20, 9, 0), slab(0, 0, 20, 20, 9, 21), slab(-1, 0, 0, 0, 9, 20), slab(20, 0, 0, 21, 9, 20), slab(-1, 9, -1, 21, 10, 21)},
	"a fence just above a jump":   {slab(0, 0, -1, 20, 4.5, 0), slab(0, 0, 20, 20, 4.5, 21), slab(-1, 0, 0, 0, 4.5, 20), slab(20, 0, 0, 21, 4.5, 20), slab(5, 0, -2, 6, 0, -1)},
	"a wall of many small pieces": pieces(),
	"a tower of many floors":      tower(),
}

func tower() []terrain.Solid {
	list := []terrain.Solid{slab(0, 0, -1, 20, 300, 0), slab(0, 0, 20, 20, 300, 21), slab(-1, 0, 0, 0, 300, 20), slab(20, 0, 0, 21, 300, 20)}
	for i := range 40 {
		y := float32(7 * i)
		list = append(list, slab(-4, y+6.7, -4, 24, y+7, 24))
	}
	return list
}

func pieces() (list []terrain.Solid) {
	for i := range 10 {
		a, b := float32(2*i), float32(2*i+2)
		list = append(list, slab(a, 0, -1, b, 12, 0), slab(a, 0, 20, b, 12, 21), slab(-1, 0, a, 0, 12, b), slab(20, 0, a, 21, 12, b))
	}
	return list
}

// No sequence of claims, whatever their times and destinations, moves an actor into a closed room or out of it.
func TestNoSequenceOfClaimsEntersOrLeavesClosedRoom(t *testing.T) {
	for name, solids := range rooms {
		in := sceneOf(t, solids...)
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				within := func(p geom.Vec) bool { return p.X > 0 && p.X < 20 && p.Z > 0 && p.Z < 20 }
				edge := rapid.SampledFrom([]float32{-9.04, -1.04, -1 - 1.0/32, -1, -1.0 / 32, 0, 1.0 / 32, 0.04, 5, 10, 19.96, 20 - 1.0/32, 20, 20 + 1.0/32, 20.5, 21, 21 + 1.0/32, 21.04, 29.04, 33.04})
				coord := rapid.OneOf(edge, rapid.Float32Range(-15, 35))
				high := rapid.SampledFrom([]float32{0, 0, 2.1, 4.3, 4.375, 6.7, 9, 10, 12, 40, -30})
				p, s := entered()
				pos := geom.Vec{X: 10, Z: 10}
				if rapid.Bool().Draw(t, "outside") {
					pos = geom.Vec{X: -12, Z: 10}
				}
				start := within(pos)
				now := int64(0)
				for range rapid.IntRange(1, 40).Draw(t, "claims") {
					now += rapid.SampledFrom([]int64{0, 20, 200, 5000}).Draw(t, "ms")
					to := geom.Vec{X: coord.Draw(t, "x"), Y: high.Draw(t, "y"), Z: coord.Draw(t, "z")}
					if rapid.Bool().Draw(t, "near") {
						to.X, to.Z = pos.X+rapid.Float32Range(-3, 3).Draw(t, "dx"), pos.Z+rapid.Float32Range(-3, 3).Draw(t, "dz")
					}
					v := p.JudgeIn(in, &s, pos, 1, Claim{X: to.X, Y: to.Y, Z: to.Z}, now)
					if v.Held != reason.None && !(v.Asked > v.Allowed) {
						t.Fatalf("held without a figure: %+v", v)
					}
					pos = v.Pos
					pos = WalkWithWalls(in.Walls, false, pos, coord.Draw(t, "dest x"), coord.Draw(t, "dest z"), 4.5, Euclidean)
					if within(pos) != start {
						t.Fatalf("passed to %v by %+v", pos, v)
					}
				}
			})
		})
	}
}
