package terrain

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/geom"
)

// flat is ground at height 0 with blocks of two units. An actor can step up 1.2 and jump 2.5 units, and is 3.6 units high.
var flat = Floor{Grid: BlockGrid{UnitsPerBlock: 2, Origin: [3]int32{0, 64, 0}}, Level: 64}

func wallsOf(t testing.TB, solids ...Solid) *Walls {
	t.Helper()
	w, err := NewWalls(WallSpec{Floor: flat, Solids: solids})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func boxOf(x0, y0, z0, x1, y1, z1 float32) Solid {
	return Solid{Min: geom.Vec{X: x0, Y: y0, Z: z0}, Max: geom.Vec{X: x1, Y: y1, Z: z1}}
}

func at(x, y, z float32) geom.Vec { return geom.Vec{X: x, Y: y, Z: z} }

func TestSolidObstructsStraightMovement(t *testing.T) {
	w := wallsOf(t, boxOf(10, 0, -5, 11, 6, 5), boxOf(20, 0, 0, 20, 6, 8))
	for _, c := range []struct {
		name string
		a, b geom.Vec
		want bool
	}{
		{"through it", at(5, 0, 0), at(15, 0, 0), false},
		{"into it", at(5, 0, 0), at(10.5, 0, 0), false},
		{"up to it", at(5, 0, 0), at(9.9, 0, 0), true},
		{"along it", at(9.9, 0, -9), at(9.9, 0, 9), true},
		{"past its end", at(5, 0, 5.1), at(15, 0, 5.1), true},
		{"over its corner", at(9, 0, 4.2), at(12, 0, 7.2), true},
		{"through its corner", at(9, 0, 3), at(12, 0, 6), false},
		{"exactly at its corner", at(10, 0, 6), at(12, 0, 4), false},
		{"through a wall without thickness", at(19, 0, 1), at(21, 0, 1), false},
		{"onto a wall without thickness", at(19, 0, 1), at(20, 0, 1), false},
		{"far away", at(-500, 0, 0), at(-400, 0, 300), true},
		{"nowhere", at(1, 0, 1), at(1, 0, 1), true},
		{"out of it", at(10.5, 0, 0), at(15, 0, 0), true},
		{"deeper into it", at(10.5, 0, 0), at(10.5, 0, 4), true},
		{"out of it and into another", at(10.5, 0, 1), at(21, 0, 1), false},
	} {
		if got := w.IsClearBetween(c.a, c.b, false); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if share, clear := w.ClearShare(at(0, 0, 0), at(20, 0, 0), false); clear || share < 0.498 || share > 0.5 {
		t.Errorf("share %v, clear %v; want half of the line free", share, clear)
	}
	var open *Walls
	if !open.IsClearBetween(at(0, 0, 0), at(1e5, 0, 0), false) || open.Inside(at(0, 0, 0), false) || !open.CanRise(at(0, 0, 0), 9, false) {
		t.Error("a nil *Walls obstructs")
	}
}

// A solid does not obstruct an actor inside it. Therefore no actor may be able to reach even the outermost point of a
// solid, at any angle.
func TestStraightMovementIntoCornerOfSolidIsObstructed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, err := NewWalls(WallSpec{Floor: flat, Solids: []Solid{boxOf(36, 0, -27, 40, 6, -20)}})
		if err != nil {
			t.Fatal(err)
		}
		corner := at(rapid.SampledFrom([]float32{36 - wallSkin, 40 + wallSkin}).Draw(t, "x"), 0,
			rapid.SampledFrom([]float32{-27 - wallSkin, -20 + wallSkin}).Draw(t, "z"))
		size := rapid.SampledFrom([]float32{1e-6, 1e-3, 1, 30}).Draw(t, "size")
		from := at(rapid.Float32Range(-1, 1).Draw(t, "from x")*size, 0, rapid.Float32Range(-1, 1).Draw(t, "from z")*size)
		if !w.Inside(from, false) && w.IsClearBetween(from, corner, false) {
			t.Fatalf("clear from %v into the corner %v", from, corner)
		}
	})
	w := wallsOf(t, boxOf(36, 0, -27, 40, 6, -20))
	if from, corner := at(3.3380186e-07, 0, 9.906149e-07), at(36-wallSkin, 0, -27-wallSkin); w.IsClearBetween(from, corner, false) {
		t.Errorf("clear from %v into the corner %v", from, corner)
	}
}

// A solid that a predicted player steps over, jumps onto or passes under does not obstruct the straight movement of other
// actors either.
func TestLowStepsAndHighBeamsDoNotObstructStraightMovement(t *testing.T) {
	w := wallsOf(t,
		boxOf(10, 0, -5, 12, 1.2, 5),  // a solid that can be stepped over
		boxOf(20, 0, -5, 22, 2.5, 5),  // a solid that can be jumped onto
		boxOf(30, 0, -5, 32, 2.6, 5),  // a solid too high to jump onto
		boxOf(40, 3.6, -5, 42, 9, 5),  // a beam high enough to walk under
		boxOf(50, 3.5, -5, 52, 9, 5),  // a beam too low to walk under
		boxOf(60, -3, -5, 62, 0, 5),   // a solid below the ground
		boxOf(70, 0, -5, 72, 1.2, 5),  // stairs
		boxOf(72, 0, -5, 74, 2.4, 5),  //
		boxOf(74, 0, -5, 76, 3.6, 5),  //
		boxOf(74, 0, 10, 76, 3.6, 12), // the same block without stairs
	)
	for _, c := range []struct {
		name     string
		a, b     geom.Vec
		on, jump bool // whether the line is clear with the feet on the ground, and with a claimed height of 2.5 at its start
	}{
		{"a step", at(5, 0, 0), at(15, 0, 0), true, true},
		{"a jump", at(15, 0, 0), at(25, 0, 0), false, true},
		{"a wall", at(25, 0, 0), at(35, 0, 0), false, false},
		{"a beam", at(35, 0, 0), at(45, 0, 0), true, false},
		{"a low beam", at(45, 0, 0), at(55, 0, 0), false, false},
		{"nothing", at(55, 0, 0), at(65, 0, 0), true, true},
		{"stairs", at(65, 0, 0), at(80, 0, 0), true, true},
		{"no stairs", at(65, 0, 11), at(80, 0, 11), false, false},
	} {
		if got := w.IsClearBetween(c.a, c.b, false); got != c.on {
			t.Errorf("%s, on foot: %v", c.name, got)
		}
		c.a.Y = 2.5
		if got := w.IsClearBetween(c.a, c.b, false); got != c.jump {
			t.Errorf("%s, with a jump: %v", c.name, got)
		}
	}
	for _, high := range []float32{100, -100} {
		if w.IsClearBetween(at(25, high, 0), at(35, high, 0), false) {
			t.Errorf("a claimed height of %v passes a wall", high)
		}
	}
	if !w.IsClearBetween(at(25, 3, 0), at(35, 3, 0), true) || w.IsClearBetween(at(25, 2, 0), at(35, 2, 0), true) {
		t.Error("a flying actor must pass over solids below its feet, and only those")
	}
	if !w.IsClearBetween(at(75, 3.6, 0), at(75, 3.6, 4), false) || !w.Inside(at(75, 0, 0), false) || w.Inside(at(75, 3.6, 0), false) {
		t.Error("on top of a solid must not count as inside")
	}
}

// Of the many floors of a tower and layers of a hill, only those at the height of an actor obstruct it.
func TestOnlyFloorsAtHeightOfActorObstructStraightMovement(t *testing.T) {
	var tower, hill []Solid
	for n := range 60 {
		i := float32(n)
		tower = append(tower, boxOf(0, 8*i+7, 0, 30, 8*i+8, 30))
		hill = append(hill, boxOf(i, i, -90, 200-i, i+1, 90))
	}
	w := wallsOf(t, append(tower, boxOf(20, 160, 0, 21, 170, 30))...)
	for _, c := range []struct {
		name string
		a, b geom.Vec
		want bool
	}{
		{"below them", at(5, 0, 5), at(15, 0, 5), true},
		{"into the tower", at(-5, 0, 5), at(15, 0, 5), true},
		{"on the twentieth", at(5, 160, 5), at(15, 160, 5), true},
		{"into a wall there", at(5, 160, 5), at(25, 160, 5), false},
		{"below that wall", at(5, 152, 5), at(25, 152, 5), true},
		{"down through a floor", at(5, 160, 5), at(15, 152, 5), false},
		{"up through a floor", at(5, 160, 5), at(15, 168, 5), false},
	} {
		if got := w.IsClearBetween(c.a, c.b, false); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if !w.HasLineOfAttack(at(5, 160, 5), at(15, 160, 5), false, false) || w.HasLineOfAttack(at(5, 160, 5), at(5, 152, 5), false, false) {
		t.Error("a floor must block attacks")
	}
	w = wallsOf(t, append(hill, boxOf(100, 60, -90, 101, 70, 0))...)
	if !w.IsClearBetween(at(70, 60, 9), at(130, 60, 9), false) || w.IsClearBetween(at(70, 60, -9), at(130, 60, -9), false) {
		t.Error("blocked on the hill")
	}
	if !w.IsClearBetween(at(70, 60, 9), at(70, 60, 9.5), false) || !w.IsClearBetween(at(62, 60, 9), at(58, 59, 9), false) {
		t.Error("blocked at the edge of the hill")
	}
}

// A wall on a rampart obstructs an actor that climbs the rampart between two claims, although an actor on the ground
// would pass below the wall.
func TestWallOnTopOfStairsObstructsStraightMovement(t *testing.T) {
	var rampart []Solid
	for n := range 12 {
		i := float32(n)
		rampart = append(rampart, boxOf(i, 0, -50, 30-i, i+1, 50))
	}
	w := wallsOf(t, append(rampart, boxOf(15, 12, -50, 16, 20, 50))...)
	if w.IsClearBetween(at(-1, 0, 0), at(31, 0, 0), false) {
		t.Error("passed through the wall on the rampart")
	}
	if w := wallsOf(t, rampart...); !w.IsClearBetween(at(-1, 0, 0), at(31, 0, 0), false) {
		t.Error("blocked above the wall")
	}
}

func TestActorCannotRiseThroughSolid(t *testing.T) {
	w := wallsOf(t, boxOf(0, 6, 0, 10, 7, 10))
	for _, c := range []struct {
		from, to float32
		want     bool
	}{{0, 2, true}, {0, 3, false}, {0, 20, false}, {7, 0, false}, {7, 30, true}, {30, 7, true}, {30, 0, false}, {7, 6, true}} {
		if got := w.CanRise(at(5, c.from, 5), c.to, false); got != c.want {
			t.Errorf("from %v to %v: %v", c.from, c.to, got)
		}
	}
	if w.IsClearBetween(at(5, 7, 5), at(6, 0, 6), false) {
		t.Error("a step on a roof leads through the roof")
	}
}

func TestPathLengthIncludesDetourAroundCorners(t *testing.T) {
	w := wallsOf(t, boxOf(10, 0, -5, 11, 6, 5))
	length, ok := w.PathLength(at(9, 0, 4), at(12, 0, 4), 100, false)
	if !ok || length < 3.6 || length > 4.2 { // a detour of 3.6 to 4.2 units around the corner
		t.Errorf("around one end: %v, %v", length, ok)
	}
	if _, ok := w.PathLength(at(9, 0, 4), at(12, 0, 4), 3.5, false); ok {
		t.Error("a path beyond the limit was found")
	}
	if length, ok := w.PathLength(at(0, 0, 0), at(3, 0, 4), 5, false); !ok || length != 5 {
		t.Errorf("straight: %v, %v", length, ok)
	}
	// A fence of many pieces, and a U whose entrance leads around two corners.
	var pieces []Solid
	for x := range 8 {
		pieces = append(pieces, boxOf(float32(2*x), 0, 0, float32(2*x+2), 6, 1))
	}
	if length, ok := wallsOf(t, pieces...).PathLength(at(7, 0, -1), at(7, 0, 2), 100, false); !ok || length < 15 || length > 16 {
		t.Errorf("along a fence: %v, %v", length, ok)
	}
	room := wallsOf(t, boxOf(0, 0, 0, 20, 6, 1), boxOf(0, 0, 1, 1, 6, 20), boxOf(0, 0, 20, 20, 6, 21), boxOf(20, 0, 0, 21, 6, 9), boxOf(20, 0, 12, 21, 6, 21))
	if length, ok := room.PathLength(at(-2, 0, 10), at(10, 0, 10), 200, false); !ok || length < 40 || length > 60 {
		t.Errorf("in through the door: %v, %v", length, ok)
	}
}

// The shortest path around one box leads along the box's corners, for any start and end.
func TestPathLengthAroundBoxIsShortest(t *testing.T) {
	w := wallsOf(t, boxOf(0, 0, 0, 12, 6, 5))
	const off = wallSkin + wallCorner
	corners := [4]geom.Vec{at(-off, 0, -off), at(12+off, 0, -off), at(12+off, 0, 5+off), at(-off, 0, 5+off)}
	rapid.Check(t, func(t *rapid.T) {
		along := rapid.Float32Range(-9, 20)
		a, b := at(along.Draw(t, "ax"), 0, along.Draw(t, "az")), at(along.Draw(t, "bx"), 0, along.Draw(t, "bz"))
		if w.Inside(a, false) || w.Inside(b, false) {
			return
		}
		want := float32(1e9)
		if w.IsClearBetween(a, b, false) {
			want = geom.DistXZ(a, b)
		}
		for _, p := range corners { // the path goes around one corner, or two
			for _, q := range corners {
				if w.IsClearBetween(a, p, false) && w.IsClearBetween(p, q, false) && w.IsClearBetween(q, b, false) {
					want = min(want, geom.DistXZ(a, p)+geom.DistXZ(p, q)+geom.DistXZ(q, b))
				}
			}
		}
		if got, ok := w.PathLength(a, b, 1000, false); !ok || got > want+0.01 || got < want-0.01 {
			t.Fatalf("from %v to %v: %v, want %v", a, b, got, want)
		}
	})
}

// A straight movement may leave the top of a solid that the actor reached, and continue through the air for the length of a jump
// beyond the solid's edge. A solid under which the actor passes does not count as reached.
func TestStraightMovementOverGapWiderThanJumpIsObstructed(t *testing.T) {
	w := wallsOf(t,
		boxOf(0, 0, 0, 2, 2.5, 5), boxOf(8, 0, 0, 10, 5, 5), // a gap of 6 units between two solids, the second a jump higher
		boxOf(0, 0, 20, 2, 2.5, 25), boxOf(12, 0, 20, 14, 5, 25), // the same solids with a gap of 10 units
		boxOf(0, 3.6, 40, 2, 4.8, 45), boxOf(3, 0, 40, 4, 6, 45), // a beam with a wall behind it
		boxOf(0, 0, 60, 60, 3, 65), boxOf(0, 0, 60, 2, 4.2, 65), boxOf(30, 0, 60, 32, 4.2, 65)) // a terrace with a crate and a step on it
	for _, c := range []struct {
		name string
		a, b geom.Vec
		want bool
	}{
		{"a leap", at(1, 2.5, 2), at(9, 5, 2), true},
		{"from the ground", at(4, 0, 2), at(9, 5, 2), false},
		{"too far", at(1, 2.5, 22), at(13, 5, 22), false},
		{"below a beam into a wall", at(-2, 0, 42), at(6, 0, 42), false},
		{"down onto a lower solid, and on", at(1, 4.2, 62), at(40, 4.2, 62), true},
		{"below a beam", at(-2, 0, 42), at(2.5, 0, 42), true},
	} {
		if got := w.IsClearBetween(c.a, c.b, false); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// closedRoom has four walls, one unit thick, around 0..20. Neighbouring walls touch only at a corner.
var closedRoom = []Solid{boxOf(0, 0, -1, 20, 6, 0), boxOf(0, 0, 20, 20, 6, 21), boxOf(-1, 0, 0, 0, 6, 20), boxOf(20, 0, 0, 21, 6, 20)}

func TestClosedRoomBlocksLineOfSightAndPaths(t *testing.T) {
	w := wallsOf(t, closedRoom...)
	rapid.Check(t, func(t *rapid.T) {
		edge := rapid.SampledFrom([]float32{-1, 0, 20, 21, -1.03125, 21.03125})
		axis := rapid.OneOf(edge, rapid.Float32Range(-5, 25))
		high := rapid.SampledFrom([]float32{-50, 0, 1, 2.5, 6, 100})
		p := at(axis.Draw(t, "ax"), high.Draw(t, "ay"), axis.Draw(t, "az"))
		q := at(rapid.Float32Range(0.05, 19.95).Draw(t, "bx"), high.Draw(t, "by"), rapid.Float32Range(0.05, 19.95).Draw(t, "bz"))
		within := func(p geom.Vec) bool { return p.X > -1 && p.X < 21 && p.Z > -1 && p.Z < 21 }
		if within(p) || w.Inside(at(p.X, 0, p.Z), false) {
			return
		}
		if w.IsClearBetween(p, q, false) || w.IsClearBetween(q, p, false) {
			t.Fatalf("clear between %v and %v", p, q)
		}
		if length, ok := w.PathLength(p, q, 1000, false); ok {
			t.Fatalf("a path of %v from %v to %v", length, p, q)
		}
	})
}

// Queries with the index return the same results as a scan of every box.
func TestWallQueriesMatchFullScanOfSolids(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]float32{5, 300, 20_000}).Draw(t, "size")
		coord := rapid.Float32Range(-size, size)
		var solids []Solid
		for range rapid.IntRange(1, 30).Draw(t, "solids") {
			x, z := coord.Draw(t, "x"), coord.Draw(t, "z")
			dx, dz := rapid.SampledFrom([]float32{0, 1, 7, size}).Draw(t, "dx"), rapid.SampledFrom([]float32{0, 1, 7, size}).Draw(t, "dz")
			solids = append(solids, boxOf(x, 0, z, x+dx, 9, z+dz))
		}
		w, err := NewWalls(WallSpec{Floor: flat, Solids: solids})
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			p, q := at(coord.Draw(t, "ax"), 0, coord.Draw(t, "az")), at(coord.Draw(t, "bx"), 0, coord.Draw(t, "bz"))
			if rapid.Bool().Draw(t, "short") {
				q = at(p.X+rapid.Float32Range(-9, 9).Draw(t, "dx"), 0, p.Z+rapid.Float32Range(-9, 9).Draw(t, "dz"))
			}
			want, inside := true, false
			for i := range w.boxes {
				b := &w.boxes[i]
				inside = inside || b.containsXZ(p)
				want = want && !b.crosses(float64(p.X), float64(p.Z), float64(q.X), float64(q.Z))
			}
			if got := w.IsClearBetween(p, q, false); !inside && got != want || w.Inside(p, false) != inside {
				t.Fatalf("from %v to %v: clear %v, want %v; inside %v", p, q, got, want, inside)
			}
		}
	})
}

func TestFloorHeightEqualsHeightOfTopBlock(t *testing.T) {
	grid := BlockGrid{UnitsPerBlock: 3.5, Origin: [3]int32{0, 64, 0}, Height: 2}
	hill := Heightmap{X: 10, Z: -20, Width: 2, Depth: 1, Tops: []int16{70, 72}}
	f := &Floor{Grid: grid, Ground: HeightGround, Level: 64, Heightmap: hill}
	for _, c := range []struct{ x, z, want float32 }{{0, 0, 2}, {36, 69, 23}, {40, 69, 30}, {40, 63, 2}} {
		if y, ok := f.Height(c.x, c.z); !ok || y != c.want {
			t.Errorf("at %v, %v: %v, want %v", c.x, c.z, y, c.want)
		}
	}
	void := &Floor{Grid: grid, Ground: VoidGround, Level: 64}
	if _, ok := void.Height(0, 0); ok {
		t.Error("a void has ground")
	}
}

func TestFloorBelowIsHighestSurfaceUnderFeet(t *testing.T) {
	b, err := NewBlocks(BlocksSpec{Grid: BlockGrid{UnitsPerBlock: 1, Origin: [3]int32{0, 64, 0}}, Level: 64, Surface: GrassBlock, Filler: Dirt,
		Fills: []BlockFill{
			{Min: [3]int32{0, 64, 0}, Max: [3]int32{0, 64, 0}, Block: SmoothStoneSlab},
			{Min: [3]int32{1, 63, 0}, Max: [3]int32{1, 63, 0}, Block: SoulSand},
			{Min: [3]int32{2, 60, 0}, Max: [3]int32{2, 63, 0}, Block: Water},
			{Min: [3]int32{3, 70, 0}, Max: [3]int32{3, 70, 0}, Block: Stone},
		}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ x, y, want float32 }{{0.5, 64.6, 64.5}, {1.5, 64.6, 63.875}, {2.5, 64.6, 64}, {3.5, 64.6, 64}, {3.5, 75, 71}, {9, 64, 64}} {
		if top, ok := b.FloorBelow(c.x, 0.5, c.y); !ok || top != c.want {
			t.Errorf("below %v at %v: %v, want %v", c.y, c.x, top, c.want)
		}
	}
}

func TestWallQueriesDoNotAllocate(t *testing.T) {
	w := wallsOf(t, closedRoom...)
	if n := testing.AllocsPerRun(100, func() {
		w.IsClearBetween(at(-5, 0, 5), at(5, 0, 5), false)
		w.PathLength(at(-5, 0, 5), at(5, 0, 5), 500, false)
		w.Inside(at(0, 0, 5), false)
		w.CanRise(at(0, 0, 5), 9, false)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
