package rsscene

import (
	"maps"
	"slices"

	"github.com/truestep-io/truestep/proto/rs"
)

// scenes contains the test scenarios, by name.
var scenes = map[string]script{
	// In crowd all players are in a square of 13 x 13 tiles, with many teleports and chat lines, as in rsprot's benchmark.
	// There can be far more players than the 250 local players of a viewer.
	"crowd": {place: placeCrowd, act: actCrowd},
	// In walkers players are in towns and around them. Most stand, some walk and a few run.
	"walkers": {place: placeWalker, act: actWalker},
	// In chaos all kinds of events happen at the edges of map squares and of the world.
	"chaos": {place: placeChaos, beginCycle: startChaosCycle, act: actChaos},
}

// SceneNames returns the names of the scenes that New simulates, sorted.
func SceneNames() []string { return slices.Sorted(maps.Keys(scenes)) }

func placeCrowd(w *World) rs.Tile { return w.randomNear(rs.Tile{X: 3222, Z: 3222}, 6) }

func actCrowd(w *World, i rs.Index) {
	if w.percent(60) {
		w.teleport(i, placeCrowd(w))
		if w.percent(30) {
			w.setInstant(i)
		}
	}
	if w.percent(20) {
		w.setRandomInfo(i, rs.KindSay)
	}
}

// placeWalker returns the tile of a new player. Of all players, 60 % are in one of nine towns, and 40 % within 128 tiles of the
// middle of the scene.
func placeWalker(w *World) rs.Tile {
	if w.percent(60) {
		town := rs.Tile{X: uint16(3136 + 64*w.rng.IntN(3)), Z: uint16(3136 + 64*w.rng.IntN(3))}
		return w.randomNear(town, 10)
	}
	return w.randomNear(rs.Tile{X: 3200, Z: 3200}, 128)
}

func actWalker(w *World, i rs.Index) {
	p := &w.Players[i]
	switch {
	case p.stepsLeft > 0:
		p.stepsLeft--
		w.walk(i, int(p.direction[0]), int(p.direction[1]))
	case w.percent(6):
		p.stepsLeft = 1 + w.rng.IntN(8)
		p.direction = w.randomStep(1)
		if w.percent(20) {
			p.direction = w.randomStep(2)
		}
	case p.Tile.Within(p.home, 20):
	case w.percent(10):
		w.teleport(i, p.home)
	}
	if w.percent(2) {
		w.setRandomInfo(i, rs.KindSay)
	}
	if w.percent(1) {
		w.setRandomInfo(i, rs.KindAnim)
	}
}

// randomStep returns a non-zero step of at most r tiles on each axis.
func (w *World) randomStep(r int) (c [2]int8) {
	for c == [2]int8{} {
		c = [2]int8{int8(w.rng.IntN(2*r+1) - r), int8(w.rng.IntN(2*r+1) - r)}
	}
	return c
}
