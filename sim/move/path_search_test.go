package move

import (
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// The tests in this file check the doc comment of PathPolicy.StartPath on maps that are drawn in text.

const mapX, mapZ = 3200, 3200 // the tile of the south-west corner of a drawn map

// solidsOf reads a drawn map whose first row is the northernmost. '#' is a solid tile, '|' a wall on the west edge of a
// tile, '_' a wall on its south edge; all other characters are free tiles.
func solidsOf(rows []string) (solids []terrain.Solid) {
	for n, row := range rows {
		z := float32(len(rows) - 1 - n)
		for column, what := range []byte(row) {
			x := float32(column)
			s := terrain.Solid{Min: geom.Vec{X: x, Z: z}, Max: geom.Vec{X: x + 1, Z: z + 1}}
			switch what {
			case '#':
			case '|':
				s.Max.X = x
			case '_':
				s.Max.Z = z
			default:
				continue
			}
			solids = append(solids, s)
		}
	}
	return solids
}

func tilesOf(t testing.TB, solids []terrain.Solid) *terrain.Tiles {
	t.Helper()
	grid := TileGrid{UnitsPerTile: 1, BaseX: mapX, BaseZ: mapZ}
	tiles, err := terrain.NewTiles(terrain.TileSpec{Grid: grid}, solids)
	if err != nil {
		t.Fatal(err)
	}
	return tiles
}

// roomOf returns the tiles of a drawn map with open ground around it.
func roomOf(t testing.TB, rows []string) *terrain.Tiles {
	t.Helper()
	tiles, err := terrain.NewTiles(terrain.TileSpec{
		Grid:   TileGrid{UnitsPerTile: 1, BaseX: mapX, BaseZ: mapZ},
		Bounds: terrain.TileRect{MinX: mapX, MinZ: mapZ, MaxX: uint16(mapX + len(rows[0])), MaxZ: uint16(mapZ + len(rows))},
	}, solidsOf(rows))
	if err != nil {
		t.Fatal(err)
	}
	return tiles
}

// on returns the tile at a column and row of a drawn map, counted from the south-west corner.
func on(column, row int) Tile { return Tile{X: uint16(mapX + column), Z: uint16(mapZ + row)} }

// standing returns the state of an actor that has stood on a tile for at least one cycle.
func standing(at Tile) PathState { return PathState{Tile: at, LastTile: at} }

// drawn draws a path into a map: '@' at the start, then digits and letters for the steps.
func drawn(rows []string, from Tile, steps []Tile) string {
	canvas := make([][]byte, len(rows))
	for n := range rows {
		canvas[n] = []byte(rows[n])
	}
	for n, at := range append([]Tile{from}, steps...) {
		canvas[len(rows)-1-(int(at.Z)-mapZ)][int(at.X)-mapX] = "@123456789abcdefghijklmnopqrstuvwxyz"[n]
	}
	var b strings.Builder
	for _, row := range canvas {
		b.WriteString("\n\t\t\t" + string(row))
	}
	return b.String()
}

// follow walks a path to its end without checking the terrain.
func follow(s PathState) (steps []Tile) {
	for !s.Idle() {
		s.advance(nil)
		steps = append(steps, s.Tile)
	}
	return steps
}

func TestPathSearchFindsExpectedPathsOnSmallMaps(t *testing.T) {
	for _, c := range []struct {
		name    string
		rows    []string // 'a' is the actor, 'g' the goal, other letters as in solidsOf
		want    []string
		arrives bool
	}{
		{"straight", []string{
			".....",
			"a...g",
			".....",
		}, []string{
			".....",
			"@1234",
			".....",
		}, true},
		{"diagonal", []string{
			"...g",
			"....",
			"....",
			"a...",
		}, []string{
			"...3",
			"..2.",
			".1..",
			"@...",
		}, true},
		{"around a wall", []string{
			".......",
			"...#...",
			"a..#..g",
			"...#...",
			"...#...",
		}, []string{
			"..234..",
			".1.#.5.",
			"@..#..6",
			"...#...",
			"...#...",
		}, true},
		{"no corner is cut", []string{
			".g",
			"a#",
		}, []string{
			"12",
			"@#",
		}, true},
		{"through a gap", []string{
			"...#...",
			"a..#..g",
			"...#...",
			".......",
			"...#...",
			"...#...",
		}, []string{
			"...#...",
			"@..#..6",
			".1.#.5.",
			"..234..",
			"...#...",
			"...#...",
		}, true},
		{"around the end of a thin wall", []string{
			"...",
			"a|g",
			".|.",
		}, []string{
			"12.",
			"@|3",
			".|.",
		}, true},
		{"into a closed room", []string{
			"..........",
			"...#####..",
			"a..#...#..",
			"...#.g.#..",
			"...#...#..",
			"...#####..",
			"..........",
			"..........",
		}, []string{
			"..........",
			"...#####..",
			"@1.#...#..",
			"..2#.g.#..",
			"...#...#..",
			"...#####..",
			"..........",
			"..........",
		}, false},
		{"onto a wall", []string{
			".....",
			"a..G.", // the goal is inside a solid
			".....",
		}, []string{
			".....",
			"@12G.",
			".....",
		}, false},
		{"from inside a solid", []string{
			"#....",
			"A...g", // the start is inside a solid
			"#....",
		}, []string{
			"#....",
			"@1234",
			"#....",
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var start, goal Tile
			rows := append([]string(nil), c.rows...)
			for n, row := range rows {
				if x := strings.IndexAny(row, "aA"); x >= 0 {
					start = on(x, len(rows)-1-n)
				}
				if x := strings.IndexAny(row, "gG"); x >= 0 {
					goal = on(x, len(rows)-1-n)
				}
				rows[n] = strings.NewReplacer("A", "#", "G", "#").Replace(row)
			}
			tiles := tilesOf(t, solidsOf(rows))
			s, policy := standing(start), DefaultPathPolicy()
			v := policy.StartPath(&s, new(Searcher), tiles, OnTile(goal), false)
			steps := follow(s)
			if got, want := drawn(c.rows, start, steps), "\n\t\t\t"+strings.Join(c.want, "\n\t\t\t"); got != want {
				t.Errorf("got%s\nwant%s", got, want)
			}
			if v.ReachesGoal != c.arrives || v.Held != reason.None || v.Steps != len(steps) {
				t.Errorf("%+v after %d steps, want reaches goal %v", v, len(steps), c.arrives)
			}
		})
	}
}

// On open ground the direct path equals the path of the search.
func TestDirectPathOverOpenGroundEqualsSearchedPath(t *testing.T) {
	f, policy := new(Searcher), DefaultPathPolicy()
	for dx := -63; dx < 64; dx += 14 {
		for dz := -62; dz < 64; dz += 9 {
			for reach := range uint8(3) {
				g := Goal{Tile: on(dx, dz), Reach: reach}
				s, searched := standing(on(0, 0)), standing(on(0, 0))
				v := policy.StartPath(&s, f, nil, g, false)
				f.tiles, f.ox, f.oz = nil, mapX-64, mapZ-64
				end, arrives := f.search(&policy, g)
				if steps, whole := f.traceLegs(end, &searched.Path); steps != v.Steps || !arrives || !whole || !v.ReachesGoal {
					t.Fatalf("to %d, %d: %+v, the search has %d steps", dx, dz, v, steps)
				}
				if s.Path.LegCount != searched.Path.LegCount || s.Path.LegCount > 0 && s.Path.LegEnds[0] != searched.Path.LegEnds[0] || v.End != f.tile(end) {
					t.Fatalf("within %d of %d, %d: by %v, the search by %v", reach, dx, dz, s.Path.LegEnds[:2], searched.Path.LegEnds[:2])
				}
			}
		}
	}
}

// In the first case the closed room around the goal has more tiles than the search checks in advance (maxRoomTiles). In
// the second case the actor stands inside a wall of a small house.
func TestPathIntoClosedRoomEndsAtNearestReachableTile(t *testing.T) {
	small := solidsOf([]string{"#####", "#...#", "#...#", "#####"})
	for _, c := range []struct {
		name     string
		solids   []terrain.Solid
		from, to Tile
		arrives  bool
		end      Tile
	}{
		{"large", hall(), on(-5, 9), on(2, 9), false, on(-1, 9)},
		{"small", small, on(-5, 1), on(1, 1), false, on(-1, 1)},
		{"from its wall", small, on(0, 1), on(3, 2), true, on(3, 2)},
		{"out of it", small, on(1, 1), on(9, 1), false, on(3, 1)},
		{"within it", small, on(1, 1), on(3, 2), true, on(3, 2)},
	} {
		s, policy := standing(c.from), DefaultPathPolicy()
		v := policy.StartPath(&s, new(Searcher), tilesOf(t, c.solids), OnTile(c.to), false)
		if v.End != c.end || v.ReachesGoal != c.arrives || v.Held != reason.None {
			t.Errorf("%s: %+v, want the end %v", c.name, v, c.end)
		}
	}
}

func TestPathToGoalBeyondSearchWindowLeadsTowardGoal(t *testing.T) {
	policy, f := DefaultPathPolicy(), new(Searcher)
	for _, c := range []struct {
		goal, end Tile
		arrives   bool
	}{
		{on(63, 0), on(63, 0), true},
		{on(64, 5), on(63, 5), false},
		{on(9000, -3000), on(63, -64), false},
		{on(-64, 63), on(-64, 63), true},
		{on(-65, 64), on(-64, 63), false},
	} {
		s := standing(on(0, 0))
		v := policy.StartPath(&s, f, nil, OnTile(c.goal), false)
		if v.End != c.end || v.ReachesGoal != c.arrives || v.Held != reason.None {
			t.Errorf("to %v: %+v, want the end %v", c.goal, v, c.end)
		}
	}
	s := standing(Tile{X: 3, Z: terrain.MaxTile})
	if v := policy.StartPath(&s, f, nil, OnTile(Tile{}), false); v.End != (Tile{X: 0, Z: terrain.MaxTile - 64}) || v.Held != reason.None {
		t.Errorf("from the edge of the world: %+v", v)
	}
}

func TestPlayerKeepsCurrentPathWhenNewGoalIsRefused(t *testing.T) {
	var rows []string
	for range 25 {
		rows = append(rows, strings.Repeat("#", 25))
	}
	tiles := tilesOf(t, solidsOf(rows))
	policy, f := DefaultPathPolicy(), new(Searcher)
	s := standing(on(-1, 12))
	policy.StartPath(&s, f, tiles, OnTile(on(-9, 12)), true)
	before := s
	for _, c := range []struct {
		goal Goal
		want reason.Reason
	}{
		{OnTile(on(12, 12)), reason.NoPath}, // middle of a block with 10 solid tiles on each side
		{BesideTile(on(12, 12)), reason.NoPath},
		{WithinTiles(on(12, 12), 2), reason.NoPath},
		{OnTile(Tile{X: 16384, Z: 5}), reason.OffMap},
		{BesideTile(Tile{X: 5, Z: 65535}), reason.OffMap},
	} {
		if v := policy.StartPath(&s, f, tiles, c.goal, false); v != (StartPathResult{Held: c.want}) {
			t.Errorf("%+v: %+v, want %v", c.goal, v, c.want)
		}
		if s != before {
			t.Errorf("%+v changed the state", c.goal)
		}
	}
	if v := policy.StartPath(&s, f, tiles, OnTile(on(9, 12)), false); v.Held != reason.None || v.ReachesGoal || v.Steps != 0 || !s.Idle() {
		t.Errorf("the nearest tile is the actor's own: %+v, want an empty path", v)
	}
}

func TestPathTowardUnreachableGoalHasAtMostMaxFallbackSteps(t *testing.T) {
	// The goal's closed room is directly behind a long fence. The tile north of the fence is two tiles away from the
	// actor, but 89 steps to walk.
	var rows []string
	for range 45 {
		rows = append(rows, "...|....")
	}
	rows[44] = "...|.###"
	rows[43] = "...|.#.#"
	rows[42] = "...|.###"
	tiles := roomOf(t, append([]string{"........", "...|...."}, rows...))
	f := new(Searcher)
	for _, c := range []struct {
		detour uint16
		end    Tile
	}{{100, on(6, 3)}, {10, on(2, 1)}} {
		s, policy := standing(on(2, 1)), DefaultPathPolicy()
		policy.MaxFallbackSteps = c.detour
		v := policy.StartPath(&s, f, tiles, OnTile(on(6, 1)), false)
		if v.End != c.end || v.ReachesGoal {
			t.Errorf("with a detour of %d: %+v, want the end %v", c.detour, v, c.end)
		}
	}
}

func TestPathIsTruncatedAfterMaximumNumberOfLegs(t *testing.T) {
	// The map is a comb: the path leads up and down between its teeth, with four legs per tooth.
	long := []byte(strings.Repeat(".#", 30) + ".")
	rows := make([]string, 5)
	for n := range rows {
		rows[n] = string(long)
	}
	top, bottom := []byte(strings.Repeat("...#", 15)+"."), []byte(strings.Repeat(".#..", 15)+".")
	rows[0], rows[4] = string(top), string(bottom)
	rows = append(append([]string{strings.Repeat("#", 61)}, rows...), strings.Repeat("#", 61))
	tiles := roomOf(t, rows)
	s, policy := standing(on(0, 1)), DefaultPathPolicy()
	v := policy.StartPath(&s, new(Searcher), tiles, OnTile(on(60, 1)), false)
	if s.Path.LegCount != MaxLegs || v.ReachesGoal || v.Steps != len(follow(s)) || v.End != s.Path.LegEnds[MaxLegs-1] {
		t.Errorf("%+v with %d legs", v, s.Path.LegCount)
	}
	for n := 0; !v.ReachesGoal; n++ { // each further click continues from the end of the path
		if n > 9 {
			t.Fatalf("never arrives: %+v", v)
		}
		s = standing(v.End)
		v = policy.StartPath(&s, new(Searcher), tiles, OnTile(on(60, 1)), false)
	}
}

func TestPursuitPathEndsWithinReachOfTarget(t *testing.T) {
	tiles := tilesOf(t, solidsOf([]string{
		".......",
		"...|...",
		"...|...",
		"..#....",
		".......",
	}))
	for _, c := range []struct {
		name   string
		goal   Goal
		on     Tile
		reach  bool
		from   Tile // start of the path
		steps  int
		finish Tile
	}{
		{"beside", BesideTile(on(5, 2)), on(4, 2), true, on(0, 2), 4, on(4, 3)},
		{"diagonally beside", BesideTile(on(5, 2)), on(4, 1), true, on(4, 0), 1, on(4, 1)},
		{"not on it", BesideTile(on(5, 2)), on(5, 2), false, on(5, 2), 1, on(4, 2)},
		{"not through a wall", BesideTile(on(3, 2)), on(2, 2), false, on(2, 2), 4, on(3, 3)},
		{"not around a corner", BesideTile(on(3, 2)), on(2, 1), false, on(4, 0), 1, on(4, 1)},
		{"within range", WithinTiles(on(5, 2), 3), on(5, 0), true, on(5, 0), 0, on(5, 0)},
		{"not through a wall, however near", WithinTiles(on(4, 2), 3), on(2, 2), false, on(2, 2), 3, on(3, 4)},
	} {
		if got := c.goal.ReachedFrom(tiles, c.on); got != c.reach {
			t.Errorf("%s: reached is %v", c.name, got)
		}
		s, policy := standing(c.from), DefaultPathPolicy()
		v := policy.StartPath(&s, new(Searcher), tiles, c.goal, false)
		if !v.ReachesGoal || v.Steps != c.steps || v.End != c.finish {
			t.Errorf("%s: from %v %+v, want %d steps to %v", c.name, c.from, v, c.steps, c.finish)
		}
	}
	straight := BesideTile(on(5, 2))
	straight.Orthogonal = true
	if straight.ReachedFrom(tiles, on(4, 1)) || !straight.ReachedFrom(tiles, on(5, 1)) {
		t.Error("an orthogonal goal was reached diagonally")
	}
}

func TestPathSearchFindsPathAfterGenerationCounterOverflows(t *testing.T) {
	f, policy := new(Searcher), DefaultPathPolicy()
	tiles := tilesOf(t, solidsOf([]string{"...", ".#.", "..."}))
	for range 4 {
		s := standing(on(0, 1))
		if v := policy.StartPath(&s, f, tiles, OnTile(on(2, 1)), false); v.Steps != 4 || !v.ReachesGoal {
			t.Errorf("search %d: %+v", f.floodGen, v)
		}
		if f.floodGen == 2 {
			f.floodGen = ^uint32(0) - 1
		}
	}
}

func TestPathSearchReportsNumberOfVisitedTiles(t *testing.T) {
	policy := DefaultPathPolicy()
	for _, c := range []struct {
		name           string
		solids         []terrain.Solid
		to             Tile
		least, maximum int // tiles expected to be visited
	}{
		{"no search", nil, on(-20, 9), 0, 0},
		{"a wall", hall(), on(0, 9), 2, 200},
		{"the whole window", hall(), on(2, 9), 128*128 - 22*22, 128 * 128},
	} {
		f, s := new(Searcher), standing(on(-5, 9))
		policy.StartPath(&s, f, tilesOf(t, c.solids), OnTile(c.to), false)
		if f.TilesVisited < c.least || f.TilesVisited > c.maximum {
			t.Errorf("%s: looked at %d tiles, want %d to %d", c.name, f.TilesVisited, c.least, c.maximum)
		}
	}
}
