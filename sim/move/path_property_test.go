package move

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// maze is a map of the given size with random walls and solid tiles.
func maze(t *rapid.T, columns, rows int) []terrain.Solid {
	dense := rapid.SampledFrom([]string{"....#", "..|_#", ".......#|_", "#|_."}).Draw(t, "pattern")
	lines := make([]string, rows)
	for n := range lines {
		var b strings.Builder
		for range columns {
			b.WriteByte(dense[rapid.IntRange(0, len(dense)-1).Draw(t, "what")])
		}
		lines[n] = b.String()
	}
	return solidsOf(lines)
}

// reference computes how many steps each tile within the window is away from the tile "from", by the simplest possible search.
func reference(tiles *terrain.Tiles, from Tile) map[Tile]int {
	far := map[Tile]int{from: 0}
	for ring := []Tile{from}; len(ring) > 0; {
		var next []Tile
		for _, at := range ring {
			for dx := -1; dx <= 1; dx++ {
				for dz := -1; dz <= 1; dz++ {
					if !tiles.CanStep(at.X, at.Z, dx, dz) {
						continue
					}
					to := at.Move(dx, dz)
					wx, wz := int(to.X)-int(from.X)+64, int(to.Z)-int(from.Z)+64
					if _, known := far[to]; !known && wx >= 0 && wx < 128 && wz >= 0 && wz < 128 {
						far[to] = far[at] + 1
						next = append(next, to)
					}
				}
			}
		}
		ring = next
	}
	return far
}

// wanted returns what the doc comment of StartPath promises: the number of steps of the path and whether it reaches the
// goal or only a tile near it.
func wanted(p *PathPolicy, tiles *terrain.Tiles, from Tile, g Goal) (steps int, arrives, found bool, near2 int) {
	far := reference(tiles, from)
	for at, n := range far {
		if g.ReachedFrom(tiles, at) && (!arrives || n < steps) {
			steps, arrives = n, true
		}
	}
	if arrives {
		return steps, true, true, 0
	}
	for at, n := range far {
		dx, dz := int(at.X)-int(g.Tile.X), int(at.Z)-int(g.Tile.Z)
		box := int(p.FallbackRadius)
		if n > int(p.MaxFallbackSteps) || max(dx, -dx, dz, -dz) > box {
			continue
		}
		if d := dx*dx + dz*dz; !found || d < near2 || d == near2 && n < steps {
			steps, found, near2 = n, true, d
		}
	}
	return steps, false, found, near2
}

func TestEveryFoundPathIsLegalAndShortest(t *testing.T) {
	f := new(Searcher) // shared by all searches, because a search must not depend on the previous one
	rapid.Check(t, func(t *rapid.T) {
		columns, rows := rapid.IntRange(4, 22).Draw(t, "columns"), rapid.IntRange(4, 22).Draw(t, "rows")
		grid := TileGrid{UnitsPerTile: 1, BaseX: mapX, BaseZ: mapZ}
		spec := terrain.TileSpec{Grid: grid}
		if rapid.Bool().Draw(t, "bounded") {
			spec.Bounds = terrain.TileRect{MinX: mapX, MinZ: mapZ, MaxX: uint16(mapX + columns), MaxZ: uint16(mapZ + rows)}
		}
		tiles, err := terrain.NewTiles(spec, maze(t, columns, rows))
		if err != nil {
			t.Fatal(err)
		}
		tile := rapid.Custom(func(t *rapid.T) Tile {
			return on(rapid.IntRange(-2, columns+1).Draw(t, "x"), rapid.IntRange(-2, rows+1).Draw(t, "z"))
		})
		policy := DefaultPathPolicy()
		policy.MaxFallbackSteps = rapid.SampledFrom([]uint16{100, 12}).Draw(t, "detour")
		policy.FallbackRadius = rapid.SampledFrom([]uint8{10, 2, 0}).Draw(t, "box")
		s := standing(tile.Draw(t, "from"))
		g := Goal{Tile: tile.Draw(t, "goal"), Reach: rapid.SampledFrom([]uint8{0, 0, 1, 3}).Draw(t, "reach"), Orthogonal: rapid.Bool().Draw(t, "straight")}

		v := policy.StartPath(&s, f, tiles, g, false)
		steps, arrives, found, near2 := wanted(&policy, tiles, s.Tile, g)
		if (v.Held == reason.None) != found {
			t.Fatalf("%+v, want found %v", v, found)
		}
		if !found {
			return
		}
		at, taken := s.Tile, follow(s)
		for _, next := range taken {
			if !tiles.CanStep(at.X, at.Z, int(next.X)-int(at.X), int(next.Z)-int(at.Z)) {
				t.Fatalf("the step from %v to %v is not legal", at, next)
			}
			at = next
		}
		if s.Path.LegCount == MaxLegs && !v.ReachesGoal {
			return // the path was truncated after MaxLegs
		}
		if len(taken) != steps || v.Steps != steps || v.ReachesGoal != arrives || v.End != at || g.ReachedFrom(tiles, at) != arrives {
			t.Fatalf("%+v after %d steps, at %v; want %d steps, arrives %v", v, len(taken), at, steps, arrives)
		}
		if dx, dz := int(at.X)-int(g.Tile.X), int(at.Z)-int(g.Tile.Z); !arrives && dx*dx+dz*dz != near2 {
			t.Fatalf("ends at %v, squared distance %d; want %d", at, dx*dx+dz*dz, near2)
		}
		again := standing(s.Tile)
		if w := policy.StartPath(&again, new(Searcher), tiles, g, false); w != v || !slices.Equal(follow(again), taken) {
			t.Fatalf("another searcher finds %+v, not %+v", w, v)
		}
	})
}
