package rsscene

import "github.com/truestep-io/truestep/proto/rs"

// chaosTiles are tiles at the edges of map squares (64 and 8192 tiles wide) and of the world, near which players of the scene
// chaos appear.
var chaosTiles = []rs.Tile{
	{X: 3200, Z: 3200}, {X: 3264, Z: 3200}, {X: 8192, Z: 8190, Plane: 1}, {X: 5, Z: rs.MaxCoord - 7}, {X: rs.MaxCoord, Z: 30, Plane: 3},
}

func placeChaos(w *World) rs.Tile { return w.randomNear(chaosTiles[w.rng.IntN(len(chaosTiles))], 12) }

// isQuiet reports whether no player moves in this cycle. Ten of every forty cycles are quiet, so packets with long runs of idle
// players occur.
func isQuiet(w *World) bool { return w.Cycle%40 >= 30 }

// startChaosCycle removes and adds players, in some cases at an index that became free in the same cycle.
func startChaosCycle(w *World) {
	if isQuiet(w) {
		return
	}
	for _, i := range w.present {
		if !w.percent(2) || !w.removePlayer(i) {
			continue
		}
		if w.percent(50) {
			w.addPlayer(i)
		} else {
			w.free = append(w.free, i)
		}
	}
	for there := rs.MaxIndex - len(w.free); there < w.maxPlayers && (there < w.maxPlayers-maxMissingPlayers || w.percent(70)); there++ {
		w.addPlayerAtFreeIndex()
	}
}

// maxMissingPlayers is the maximum number of players that may be missing in the scene chaos after a cycle. Removed players are
// replaced after a random time, or in the same cycle if more than this number are missing.
const maxMissingPlayers = 50

func actChaos(w *World, i rs.Index) {
	if isQuiet(w) {
		return
	}
	p := &w.Players[i]
	switch n := w.rng.IntN(100); {
	case n < 40: // the player does not move
	case n < 60:
		c := w.randomStep(1)
		w.walk(i, int(c[0]), int(c[1]))
	case n < 75:
		c := w.randomStep(2)
		w.walk(i, int(c[0]), int(c[1]))
	case n < 83:
		w.teleport(i, w.randomNear(p.Tile, 15))
	case n < 88:
		w.teleport(i, w.randomNear(p.Tile, 30))
	case n < 92:
		w.teleport(i, w.randomNear(p.Tile, 1))
		w.setInstant(i)
	case n < 94:
		to := p.Tile
		to.Plane = (to.Plane + uint8(1+w.rng.IntN(3))) & 3
		w.teleport(i, to)
	case n < 98:
		w.teleport(i, placeChaos(w))
	}
	if p.Hidden {
		p.Hidden = w.percent(50)
	} else {
		p.Hidden = w.percent(2)
	}
	if w.percent(20) {
		for range 1 + w.rng.IntN(4) {
			w.setRandomInfo(i, w.randomKinds[w.rng.IntN(len(w.randomKinds))])
		}
	}
	if w.percent(3) {
		w.setRandomInfo(i, rs.KindAppearance)
	}
}
