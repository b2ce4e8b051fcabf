package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Minds of NPCs know no walls: they head for a point. In an area with walls the body finds the way there. As long as
// nothing stands between, it goes straight; else along the area's tiles, from one turn of the path to the farthest next
// one that is in sight. Minds see what they headed for, not the turns, and readers of frames see the turns.

// What the ways of NPCs can cost a tick, beside the straight looks of each. Whoever comes too late is served in the next.
const (
	waysPerTick     = 4
	wayLooksPerTick = 20_000 // tiles that searches look at, below 1 ms   measured
	wayAgainMS      = 500    // between two searches of one NPC
	wayLooks        = 4      // ticks between two looks from a path at where it leads...
	wayDoubts       = 16     // ...and from a straight way, which nothing but a push can change
	wayGlance       = 48     // units that one look goes: near walls end most of them
	wayTurns        = 16     // of a path that it remembers; what lies beyond is looked for when it is there
	wayRings        = 8      // tiles around a place inside a solid in which room is looked for
)

// way is how an NPC comes to where its mind wants it. It is state.
type way struct {
	wantX, wantZ float32 // what its mind asked for last
	aimX, aimZ   float32 // that, or as near to it as a path leads
	legX, legZ   float32 // where it was sent; another destination is of somebody else's making
	turns        [wayTurns]move.Tile
	count, at    uint8 // turns, and which is next; equal if there is none
	lost         bool  // a path has to be looked for
	straight     bool  // nothing stands between it and its aim
	sought       Tick  // when one was looked for last
}

// recall lets the mind of an NPC see what it headed for, and not the turn before that.
func (x *actor) recall() {
	w := x.way
	switch {
	case w == nil:
	case x.destX == w.legX && x.destZ == w.legZ:
		x.destX, x.destZ = w.aimX, w.aimZ
	default:
		w.straight = false
	}
}

// steer sends an NPC straight to where its mind wants it, or along its path.
func (a *Area) steer(x *actor) {
	if a.def.Walls == nil || x.rider != 0 || x.tmpl.Environment == Fly {
		return
	}
	w := x.way
	if w == nil {
		if move.Arrived(x.pos, x.destX, x.destZ) {
			return
		}
		w = &way{wantX: x.destX, wantZ: x.destZ, aimX: x.destX, aimZ: x.destZ}
		x.way = w
	}
	if (x.destX != w.aimX || x.destZ != w.aimZ) && (x.destX != w.wantX || x.destZ != w.wantZ) {
		a.wish(w, x.destX, x.destZ)
	}
	onPath := w.at < w.count
	looks := !onPath || (a.now+Tick(x.id))%wayLooks == 0
	if looks && (w.aimX != w.wantX || w.aimZ != w.wantZ) && a.sees(x, w.wantX, w.wantZ) {
		w.aimX, w.aimZ = w.wantX, w.wantZ
	}
	w.straight = w.straight && (a.now+Tick(x.id))%wayDoubts != 0
	switch {
	case w.straight, move.Arrived(x.pos, w.aimX, w.aimZ), looks && a.sees(x, w.aimX, w.aimZ):
		w.count, w.at, w.lost, w.straight = 0, 0, false, true
		a.headsFor(x, w.aimX, w.aimZ)
		return
	case onPath:
		a.turn(x)
	default:
		w.lost = true
	}
	if w.at < w.count {
		to := a.def.Tiles.Centre(w.turns[w.at])
		a.headsFor(x, to.X, to.Z)
	} else {
		a.headsFor(x, w.aimX, w.aimZ) // as far as he gets
	}
	if w.lost && (w.sought == 0 || a.now >= w.sought+a.ticks(wayAgainMS)) {
		a.lost = append(a.lost, x)
	}
}

// wish takes a new destination. Within a tile the path stays as it is; to another one it is followed until there is a
// better one.
func (a *Area) wish(w *way, x, z float32) {
	was, _ := a.def.Tiles.ToTile(geom.Vec{X: w.wantX, Z: w.wantZ})
	is, ok := a.def.Tiles.ToTile(geom.Vec{X: x, Z: z})
	w.straight = false
	elsewhere := w.aimX != w.wantX || w.aimZ != w.wantZ
	w.wantX, w.wantZ = x, z
	if ok && is == was {
		if !elsewhere {
			w.aimX, w.aimZ = x, z
		}
		return
	}
	w.aimX, w.aimZ = x, z
	w.lost = w.at < w.count
}

// turn takes the next turn of the path when the NPC is there or sees the one behind it.
func (a *Area) turn(x *actor) {
	w := x.way
	to := a.def.Tiles.Centre(w.turns[w.at])
	if w.at+1 < w.count {
		next := a.def.Tiles.Centre(w.turns[w.at+1])
		if move.Arrived(x.pos, to.X, to.Z) || (a.now+Tick(x.id))%wayLooks == 1 && a.sees(x, next.X, next.Z) {
			w.at++
			return
		}
	} else if move.Arrived(x.pos, to.X, to.Z) {
		w.at, w.lost = w.count, true // and the aim is not in sight
		return
	}
	if !a.sees(x, to.X, to.Z) {
		w.at, w.lost = w.count, true // something has brought him off his path
	}
}

// headsFor heads for a point that is remembered as the body's own.
func (a *Area) headsFor(x *actor, destX, destZ float32) {
	x.heads(destX, destZ)
	x.way.legX, x.way.legZ = destX, destZ
}

// sees tells whether nothing stands in the straight way of the actor to a point.
func (a *Area) sees(x *actor, destX, destZ float32) bool {
	from, to := x.pos, geom.Vec{X: destX, Y: x.pos.Y, Z: destZ}
	for {
		d := geom.DistXZ(from, to)
		if !(d > wayGlance) {
			return a.def.Walls.Clear(from, to, false)
		}
		next := from
		next.X += float32((to.X - from.X) * (wayGlance / d))
		next.Z += float32((to.Z - from.Z) * (wayGlance / d))
		if !a.def.Walls.Clear(from, next, false) {
			return false
		}
		from = next
	}
}

// guideAll finds paths for NPCs that are lost, in order of id from where the last tick ran out of time.
func (a *Area) guideAll() {
	a.guideFrom = a.inTurn(a.lost, a.guideFrom, waysPerTick, wayLooksPerTick, a.guide)
	clear(a.lost)
	a.lost = a.lost[:0]
}

// guide finds the path of one NPC. Where none leads to what its mind wants, it goes as near as it gets, and for its mind
// that is the place.
func (a *Area) guide(x *actor) {
	w := x.way
	w.lost, w.sought = false, a.now
	w.count, w.at = 0, 0
	want := geom.Vec{X: w.wantX, Y: x.pos.Y, Z: w.wantZ}
	start, goal := a.foothold(x.pos), a.foothold(want)
	s := move.PathState{Tile: start}
	v := a.world.Rules.Path.StartPath(&s, a.searcher, a.def.Ground, move.OnTile(goal), false)
	end := a.def.Tiles.Centre(v.End)
	switch {
	case v.Held != reason.None:
		w.aimX, w.aimZ = x.pos.X, x.pos.Z
	case v.End == goal && a.def.Walls.Clear(geom.Vec{X: end.X, Y: x.pos.Y, Z: end.Z}, want, false):
		w.aimX, w.aimZ = want.X, want.Z
	default:
		w.aimX, w.aimZ = end.X, end.Z
	}
	if v.Held == reason.None {
		w.turns[0], w.count = start, 1
		for i := 0; i < int(s.Path.LegCount) && w.count < wayTurns; i++ {
			w.turns[w.count] = s.Path.LegEnds[i]
			w.count++
		}
		for w.at+1 < w.count {
			next := a.def.Tiles.Centre(w.turns[w.at+1])
			if !a.sees(x, next.X, next.Z) {
				break
			}
			w.at++
		}
		to := a.def.Tiles.Centre(w.turns[w.at])
		a.headsFor(x, to.X, to.Z)
	}
}

// foothold is the tile from whose middle one gets straight to p: that in which p lies, or the nearest beside it. Solids
// that are thinner than a tile may part p from the middle of its own.
func (a *Area) foothold(p geom.Vec) move.Tile {
	own := nearestTile(&a.def.Tiles, p)
	best, far := own, float32(-1)
	for dz := -1; dz <= 1; dz++ {
		for dx := -1; dx <= 1; dx++ {
			t, ok := tileBeside(own, dx, dz)
			if !ok || a.def.Ground.Blocked(t.X, t.Z) {
				continue
			}
			c := a.def.Tiles.Centre(t)
			c.Y = p.Y
			if d := geom.Dist2XZ(p, c); (far < 0 || d < far) && a.def.Walls.Clear(p, c, false) {
				best, far = t, d
			}
		}
	}
	return best
}

// tileBeside is the tile dx, dz from another, false if there is none.
func tileBeside(t move.Tile, dx, dz int) (move.Tile, bool) {
	x, z := int(t.X)+dx, int(t.Z)+dz
	if x < 0 || z < 0 || x > terrain.MaxTile || z > terrain.MaxTile {
		return t, false
	}
	return move.Tile{X: uint16(x), Z: uint16(z)}, true
}

// roomNear is p, or if that is inside a solid, the middle of the nearest tile around it that is not. Without one it is p:
// whoever is inside a solid gets out.
func (a *Area) roomNear(p geom.Vec, flies bool) geom.Vec {
	if !a.def.Walls.Inside(p, flies) {
		return p
	}
	own := nearestTile(&a.def.Tiles, p)
	best, far := p, float32(-1)
	for ring := 0; ring <= wayRings && far < 0; ring++ {
		for dz := -ring; dz <= ring; dz++ {
			for dx := -ring; dx <= ring; dx++ {
				t, ok := tileBeside(own, dx, dz)
				if max(dx, -dx, dz, -dz) != ring || !ok || a.def.Ground.Blocked(t.X, t.Z) {
					continue
				}
				c := a.def.Tiles.Centre(t)
				c.Y = p.Y
				if d := geom.Dist2XZ(p, c); (far < 0 || d < far) && !a.def.Walls.Inside(c, flies) {
					best, far = c, d
				}
			}
		}
	}
	return best
}

// hash is of everything in which two ways can differ.
func (w *way) hash(h *hash64) {
	h.f32(w.wantX, w.wantZ)
	h.f32(w.aimX, w.aimZ)
	h.f32(w.legX, w.legZ)
	h.u64(bits(w.lost, w.straight) | uint64(w.at)<<8 | uint64(w.count)<<16)
	h.u64(uint64(w.sought))
	for _, t := range w.turns[:w.count] {
		h.i32(int32(t.X), int32(t.Z))
	}
}

// walk names every field.
func (w *way) walk(c *codec) {
	c.f32(&w.wantX, &w.wantZ, &w.aimX, &w.aimZ, &w.legX, &w.legZ)
	c.flag(&w.lost, &w.straight)
	num(c, &w.sought)
	num(c, &w.at)
	num(c, &w.count)
	if w.count > wayTurns || w.at > w.count {
		c.fail()
		w.count, w.at = 0, 0
	}
	for i := range w.count {
		c.tile(&w.turns[i])
	}
}
