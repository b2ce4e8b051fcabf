package rsscene

import (
	"maps"
	"slices"

	"github.com/truestep-io/truestep/proto/rs"
)

// scenes are the scripts by name.
var scenes = map[string]script{
	// crowd: everybody in a box of 13 x 13 tiles, many teleports and chats. What rsprot measures, and far more players
	// than a viewer may see.
	"crowd": {place: placeInBox, act: actInCrowd},
	// walkers: towns and country, most stand, some walk and a few run.
	"walkers": {place: placeInCountry, act: actAsWalker},
	// chaos: everything that can happen, where it is hardest: on the corners of squares and of the world.
	"chaos": {place: placeInChaos, begin: beginChaos, act: actInChaos},
}

// Scenes returns the names of the scenes, sorted.
func Scenes() []string { return slices.Sorted(maps.Keys(scenes)) }

func placeInBox(w *World) rs.Tile { return w.near(rs.Tile{X: 3222, Z: 3222}, 6) }

func actInCrowd(w *World, i rs.Index) {
	if w.chance(60) {
		w.jump(i, placeInBox(w))
		if w.chance(30) {
			w.sayAtOnce(i)
		}
	}
	if w.chance(20) {
		w.say(i, rs.KindSay)
	}
}

// placeInCountry puts six of ten into one of nine towns.
func placeInCountry(w *World) rs.Tile {
	if w.chance(60) {
		town := rs.Tile{X: uint16(3136 + 64*w.rng.IntN(3)), Z: uint16(3136 + 64*w.rng.IntN(3))}
		return w.near(town, 10)
	}
	return w.near(rs.Tile{X: 3200, Z: 3200}, 128)
}

func actAsWalker(w *World, i rs.Index) {
	p := &w.Players[i]
	switch {
	case p.steps > 0:
		p.steps--
		w.walk(i, int(p.course[0]), int(p.course[1]))
	case w.chance(6):
		p.steps = 1 + w.rng.IntN(8)
		p.course = w.course(1)
		if w.chance(20) {
			p.course = w.course(2)
		}
	case p.At.Within(p.home, 20):
	case w.chance(10):
		w.jump(i, p.home)
	}
	if w.chance(2) {
		w.say(i, rs.KindSay)
	}
	if w.chance(1) {
		w.say(i, rs.KindAnim)
	}
}

// course is a step of at most r tiles in each axis, not none.
func (w *World) course(r int) (c [2]int8) {
	for c == [2]int8{} {
		c = [2]int8{int8(w.rng.IntN(2*r+1) - r), int8(w.rng.IntN(2*r+1) - r)}
	}
	return c
}
