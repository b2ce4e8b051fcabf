package move

import (
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim/terrain"
)

// labyrinth returns long walls that fill the search window of 128 x 128 tiles, each with a gap at alternating ends.
func labyrinth() []terrain.Solid {
	var rows []string
	for n := range 140 {
		switch n % 4 {
		case 1:
			rows = append(rows, strings.Repeat("#", 139)+".")
		case 3:
			rows = append(rows, "."+strings.Repeat("#", 139))
		default:
			rows = append(rows, strings.Repeat(".", 140))
		}
	}
	return solidsOf(rows)
}

// hall returns a closed room with more tiles than the search checks (maxRoomTiles) before it searches the whole window.
func hall() []terrain.Solid {
	rows := []string{strings.Repeat("#", 22)}
	for range 20 {
		rows = append(rows, "#"+strings.Repeat(".", 20)+"#")
	}
	return solidsOf(append(rows, rows[0]))
}

var searches = []struct {
	name     string
	solids   []terrain.Solid
	from, to Tile
	reach    uint8
}{
	{"open=15", nil, on(0, 0), on(15, 6), 0},
	{"open=63", nil, on(0, 0), on(63, 20), 0},
	{"beside=10", nil, on(0, 0), on(10, 4), 1},
	{"wall=15", solidsOf([]string{"#"}), on(15, 6), on(0, 0), 0},
	{"labyrinth", labyrinth(), on(70, 70), on(70, 60), 0},
	{"detour=40", solidsOf(strings.Split(strings.Repeat("# ", 30)+"#", " ")), on(-9, 15), on(9, 15), 0},
	{"closed hall", hall(), on(-5, 9), on(2, 9), 0}, // the worst case: the search visits the whole window
	{"closed room", solidsOf([]string{"###", "#.#", "###"}), on(9, 9), on(1, 1), 0},
	{"within=10 closed", solidsOf([]string{"###", "#.#", "###"}), on(9, 9), on(1, 1), 10},
	{"nothing near", solidsOf(strings.Split(strings.Repeat(strings.Repeat("#", 25)+" ", 25), " ")), on(-1, 12), on(12, 12), 0},
}

func BenchmarkStartPath(b *testing.B) {
	for _, c := range searches {
		b.Run(c.name, func(b *testing.B) {
			tiles, f, policy, s := tilesOf(b, c.solids), new(Searcher), DefaultPathPolicy(), standing(c.from)
			b.ReportAllocs()
			for b.Loop() {
				policy.StartPath(&s, f, tiles, Goal{Tile: c.to, Reach: c.reach}, false)
			}
		})
	}
}

func BenchmarkPathStep(b *testing.B) {
	tiles, policy, s := tilesOf(b, solidsOf([]string{"#"})), DefaultPathPolicy(), standing(on(0, 5))
	policy.StartPath(&s, new(Searcher), tiles, OnTile(on(60, 5)), true)
	begin := s
	b.ReportAllocs()
	for b.Loop() {
		if policy.Step(&s, tiles, true); s.Idle() {
			s = begin
		}
	}
}

func TestPathSearchAndPathStepDoNotAllocate(t *testing.T) {
	for _, c := range searches {
		tiles, f, policy, s := tilesOf(t, c.solids), new(Searcher), DefaultPathPolicy(), standing(c.from)
		n := testing.AllocsPerRun(10, func() {
			begin := s
			policy.StartPath(&s, f, tiles, Goal{Tile: c.to, Reach: c.reach}, false)
			policy.Step(&s, tiles, true)
			s = begin
		})
		if n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
}
