package rsscene

import "github.com/truestep-io/truestep/proto/rs"

// sites are where squares, cells of 8192 tiles and the world itself end.
var sites = []rs.Tile{
	{X: 3200, Z: 3200}, {X: 3264, Z: 3200}, {X: 8192, Z: 8190, Plane: 1}, {X: 5, Z: rs.MaxCoord - 7}, {X: rs.MaxCoord, Z: 30, Plane: 3},
}

func placeInChaos(w *World) rs.Tile { return w.near(sites[w.rng.IntN(len(sites))], 12) }

// still is for ten cycles in every forty: nobody moves, and runs of idle players become long.
func still(w *World) bool { return w.Cycle%40 >= 30 }

// beginChaos lets players leave and come, also at an index that became free in this very cycle.
func beginChaos(w *World) {
	if still(w) {
		return
	}
	for _, i := range w.present {
		if !w.chance(2) || !w.leave(i) {
			continue
		}
		if w.chance(50) {
			w.join(i)
		} else {
			w.free = append(w.free, i)
		}
	}
	for there := rs.MaxIndex - len(w.free); there < w.most && (there < w.most-fewer || w.chance(70)); there++ {
		w.joinAny()
	}
}

// fewer is by how many players a chaos may fall below its size before they come as fast as they leave.
const fewer = 50

func actInChaos(w *World, i rs.Index) {
	if still(w) {
		return
	}
	p := &w.Players[i]
	switch n := w.rng.IntN(100); {
	case n < 40: // stands
	case n < 60:
		c := w.course(1)
		w.walk(i, int(c[0]), int(c[1]))
	case n < 75:
		c := w.course(2)
		w.walk(i, int(c[0]), int(c[1]))
	case n < 83:
		w.jump(i, w.near(p.At, 15))
	case n < 88:
		w.jump(i, w.near(p.At, 30))
	case n < 92:
		w.jump(i, w.near(p.At, 1))
		w.sayAtOnce(i)
	case n < 94:
		to := p.At
		to.Plane = (to.Plane + uint8(1+w.rng.IntN(3))) & 3
		w.jump(i, to)
	case n < 98:
		w.jump(i, placeInChaos(w))
	}
	if p.Hidden {
		p.Hidden = w.chance(50)
	} else {
		p.Hidden = w.chance(2)
	}
	if w.chance(20) {
		for range 1 + w.rng.IntN(4) {
			w.say(i, w.kinds[w.rng.IntN(len(w.kinds))])
		}
	}
	if w.chance(3) {
		w.say(i, rs.KindAppearance)
	}
}
