package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// goalAuthority moves an NPC toward the goal that its AI chose. The AI in ai.go ignores walls: it only sets the actor's
// destination (destX, destZ). In an area with walls the NPC follows a route to its goal. The route is a straight line if
// nothing obstructs it; otherwise it is a path over the area's tiles, which the NPC shortens by walking straight to the
// farthest corner in sight. On a path the actor's destination is the next corner, and frames contain that corner. Before the AI
// runs, restoreGoal replaces it by the end of the route; afterwards steer sets the next corner again.
type goalAuthority struct {
	authorityDefaults
	route *route // nil until the NPC has a goal in an area with walls
}

func newGoalAuthority(_ *Area, _ *actor, _ *Join) authority { return &goalAuthority{} }

func (*goalAuthority) kind() authorityKind { return goalKind }

func (*goalAuthority) move(a *Area, x *actor) {
	if x.vehicle != nil {
		a.driftVehicle(x)
		return
	}
	a.walkToDest(x)
	a.snapToGround(x)
}

func (*goalAuthority) describe(a *Area, x *actor, s *ActorState) { a.describeWalk(x, s) }

func (*goalAuthority) grounded(x *actor) bool {
	return x.tmpl.Environment != Fly && x.tmpl.Environment != Swim
}

// knockback pushes a vehicle whose driver is under the predict authority; other NPCs are not pushed. The server changes the
// velocity of the vehicle immediately. It also sends the change to the driver's client, which rewinds to the tick of its last
// input (rule VH-7 of docs/wire/bedrock.md).
func (*goalAuthority) knockback(a *Area, x, by *actor) {
	driver, p := a.driverOf(x)
	k := a.world.Rules.Knockback
	if p == nil || k == (Knockback{}) || !p.Started {
		return
	}
	p.Vehicle.Vel = k.velocity(x, by)
	a.emitBarrier(driver, p, EventKnockback, reason.None)
}

func (g *goalAuthority) stored() bool { return g.route != nil }

// Limits of the routes of NPCs. When the limits of a tick are reached, the remaining searches run in later ticks. Line-of-sight
// checks have no limit per tick.
const (
	routeSearchesPerTick = 4      // maximum searches of one tick
	routeTilesPerTick    = 20_000 // maximum tiles that all searches of one tick visit, which takes less than 1 ms (measured)
	routeRetryMS         = 500    // minimum ms between two searches of one NPC
	routeCheckTicks      = 4      // an NPC on a path checks once in this many ticks whether its goal is in sight
	routeRecheckTicks    = 16     // an NPC on a straight line checks once in this many ticks whether the line is free: a push may change that
	routeProbeUnits      = 48     // maximum units of one line-of-sight check; a longer line is checked part by part, because most blocked lines are blocked nearby
	routeCorners         = 16     // maximum corners stored of a path; on arrival at the last corner the NPC searches again
	freeSpotRings        = 8      // maximum distance in tiles from a position inside a solid to a free tile
)

// route leads an NPC to its goal: a straight line or the corners of a path.
type route struct {
	goalX, goalZ float32 // goal that the NPC's AI set last
	endX, endZ   float32 // the goal, or the nearest point to it that a path reaches
	legX, legZ   float32 // destination that the route set last; if the actor's destination differs from it, the AI has set a new one
	corners      [routeCorners]move.Tile
	count, next  uint8 // number of corners and index of the next one; equal if no corner is left
	searchDue    bool  // a path must be searched
	straight     bool  // nothing obstructs the straight line from the NPC to endX, endZ
	searchedTick Tick  // tick of the last search, 0 for none
}

// restoreGoal prepares the destination of an NPC for the AI, which must not see the corners of a path there. On a path the
// destination is the next corner. restoreGoal replaces the corner by the end of the route: the goal of the AI or, if no path
// reaches it, the nearest point that a path reaches.
func (g *goalAuthority) restoreGoal(x *actor) {
	r := g.route
	switch {
	case r == nil:
	case x.destX == r.legX && x.destZ == r.legZ:
		x.destX, x.destZ = r.endX, r.endZ
	default:
		r.straight = false
	}
}

// steer sets the destination of an NPC to the goal of its AI, or to the next corner of its path to that goal.
func (a *Area) steer(x *actor, g *goalAuthority) {
	if a.def.Walls == nil || x.rider != 0 || x.tmpl.Environment == Fly {
		return
	}
	r := g.route
	if r == nil {
		if move.Arrived(x.pos, x.destX, x.destZ) {
			return
		}
		r = &route{goalX: x.destX, goalZ: x.destZ, endX: x.destX, endZ: x.destZ}
		g.route = r
	}
	if (x.destX != r.endX || x.destZ != r.endZ) && (x.destX != r.goalX || x.destZ != r.goalZ) {
		a.setGoal(r, x.destX, x.destZ)
	}
	onPath := r.next < r.count
	checks := !onPath || (a.now+Tick(x.id))%routeCheckTicks == 0
	if checks && (r.endX != r.goalX || r.endZ != r.goalZ) && a.straightLineIsClear(x, r.goalX, r.goalZ) {
		r.endX, r.endZ = r.goalX, r.goalZ
	}
	r.straight = r.straight && (a.now+Tick(x.id))%routeRecheckTicks != 0
	switch {
	case r.straight, move.Arrived(x.pos, r.endX, r.endZ), checks && a.straightLineIsClear(x, r.endX, r.endZ):
		r.count, r.next, r.searchDue, r.straight = 0, 0, false, true
		r.headFor(x, r.endX, r.endZ)
		return
	case onPath:
		a.advanceCorner(x, r)
	default:
		r.searchDue = true
	}
	if r.next < r.count {
		to := a.def.Tiles.Centre(r.corners[r.next])
		r.headFor(x, to.X, to.Z)
	} else {
		r.headFor(x, r.endX, r.endZ) // the actor heads for the nearest point that a path reaches
	}
	if r.searchDue && (r.searchedTick == 0 || a.now >= r.searchedTick+a.ticks(routeRetryMS)) {
		a.dueRoutes = append(a.dueRoutes, x)
	}
}

// setGoal gives a route a new goal. If the new goal is in the same tile as the old one, the route keeps its path. Otherwise the
// NPC follows the old path until a search has found a new one.
func (a *Area) setGoal(r *route, x, z float32) {
	was, _ := a.def.Tiles.ToTile(geom.Vec{X: r.goalX, Z: r.goalZ})
	is, ok := a.def.Tiles.ToTile(geom.Vec{X: x, Z: z})
	r.straight = false
	endsElsewhere := r.endX != r.goalX || r.endZ != r.goalZ
	r.goalX, r.goalZ = x, z
	if ok && is == was {
		if !endsElsewhere {
			r.endX, r.endZ = x, z
		}
		return
	}
	r.endX, r.endZ = x, z
	r.searchDue = r.next < r.count
}

// advanceCorner selects the next corner of the path if the NPC has reached the current corner or sees the next one.
func (a *Area) advanceCorner(x *actor, r *route) {
	to := a.def.Tiles.Centre(r.corners[r.next])
	if r.next+1 < r.count {
		after := a.def.Tiles.Centre(r.corners[r.next+1])
		if move.Arrived(x.pos, to.X, to.Z) || (a.now+Tick(x.id))%routeCheckTicks == 1 && a.straightLineIsClear(x, after.X, after.Z) {
			r.next++
			return
		}
	} else if move.Arrived(x.pos, to.X, to.Z) {
		r.next, r.searchDue = r.count, true // search again: this was the last corner, and the end is not in sight
		return
	}
	if !a.straightLineIsClear(x, to.X, to.Z) {
		r.next, r.searchDue = r.count, true // search again: the NPC was pushed off its path
	}
}

// headFor makes an actor walk to a corner of its route, and remembers that destination in legX and legZ. If the actor's
// destination differs from them later, the AI has set a new goal.
func (r *route) headFor(x *actor, destX, destZ float32) {
	x.headFor(destX, destZ)
	r.legX, r.legZ = destX, destZ
}

// straightLineIsClear reports whether the straight line from the actor to a point is free of solids.
func (a *Area) straightLineIsClear(x *actor, destX, destZ float32) bool {
	from, to := x.pos, geom.Vec{X: destX, Y: x.pos.Y, Z: destZ}
	for {
		d := geom.DistXZ(from, to)
		if !(d > routeProbeUnits) {
			return a.def.Walls.IsClearBetween(from, to, false)
		}
		next := from
		next.X += float32((to.X - from.X) * (routeProbeUnits / d))
		next.Z += float32((to.Z - from.Z) * (routeProbeUnits / d))
		if !a.def.Walls.IsClearBetween(from, next, false) {
			return false
		}
		from = next
	}
}

// runRouteSearches runs the due path searches of NPCs until the limits of a tick are reached. It serves the NPCs in order of id,
// and begins with the NPC at which the last tick reached a limit, so that every NPC has its turn.
func (a *Area) runRouteSearches() {
	a.nextRouteSearcher = a.searchInTurn(a.dueRoutes, a.nextRouteSearcher, routeSearchesPerTick, routeTilesPerTick, a.searchRoute)
	clear(a.dueRoutes)
	a.dueRoutes = a.dueRoutes[:0]
}

// searchRoute finds the path of one NPC. If no path leads to its goal, the NPC walks to the nearest reachable point, and its AI
// treats that as arrival.
func (a *Area) searchRoute(x *actor) {
	r := x.authority.(*goalAuthority).route
	r.searchDue, r.searchedTick = false, a.now
	r.count, r.next = 0, 0
	want := geom.Vec{X: r.goalX, Y: x.pos.Y, Z: r.goalZ}
	start, goal := a.accessTile(x.pos), a.accessTile(want)
	s := move.PathState{Tile: start}
	v := a.world.Rules.Path.StartPath(&s, a.pathfinder, a.def.Ground, move.OnTile(goal), false)
	end := a.def.Tiles.Centre(v.End)
	switch {
	case v.Held != reason.None:
		r.endX, r.endZ = x.pos.X, x.pos.Z
	case v.End == goal && a.def.Walls.IsClearBetween(geom.Vec{X: end.X, Y: x.pos.Y, Z: end.Z}, want, false):
		r.endX, r.endZ = want.X, want.Z
	default:
		r.endX, r.endZ = end.X, end.Z
	}
	if v.Held == reason.None {
		r.corners[0], r.count = start, 1
		for i := 0; i < int(s.Path.LegCount) && r.count < routeCorners; i++ {
			r.corners[r.count] = s.Path.LegEnds[i]
			r.count++
		}
		for r.next+1 < r.count {
			after := a.def.Tiles.Centre(r.corners[r.next+1])
			if !a.straightLineIsClear(x, after.X, after.Z) {
				break
			}
			r.next++
		}
		to := a.def.Tiles.Centre(r.corners[r.next])
		r.headFor(x, to.X, to.Z)
	}
}

// accessTile returns the tile from which an actor at p can begin a path. The candidates are the tile of p and its 8 neighbours,
// except blocked tiles and those with a solid between p and the centre of the tile. accessTile returns the candidate whose
// centre is nearest to p. That need not be the tile of p, because a solid thinner than a tile may separate p from the centre of
// that tile. Without a candidate it returns the tile of p.
func (a *Area) accessTile(p geom.Vec) move.Tile {
	own := nearestTile(&a.def.Tiles, p)
	best, bestDist := own, float32(-1)
	for dz := -1; dz <= 1; dz++ {
		for dx := -1; dx <= 1; dx++ {
			t, ok := neighbourTile(own, dx, dz)
			if !ok || a.def.Ground.Blocked(t.X, t.Z) {
				continue
			}
			c := a.def.Tiles.Centre(t)
			c.Y = p.Y
			if d := geom.Dist2XZ(p, c); (bestDist < 0 || d < bestDist) && a.def.Walls.IsClearBetween(p, c, false) {
				best, bestDist = t, d
			}
		}
	}
	return best
}

// neighbourTile returns the tile dx, dz tiles away from t, and false if the map has no such tile.
func neighbourTile(t move.Tile, dx, dz int) (move.Tile, bool) {
	x, z := int(t.X)+dx, int(t.Z)+dz
	if x < 0 || z < 0 || x > terrain.MaxTile || z > terrain.MaxTile {
		return t, false
	}
	return move.Tile{X: uint16(x), Z: uint16(z)}, true
}

// freeSpotNear returns p or, if p is inside a solid, the centre of the nearest free tile around it. Without a free tile
// it returns p: actors inside a solid may leave it.
func (a *Area) freeSpotNear(p geom.Vec, flies bool) geom.Vec {
	if !a.def.Walls.Inside(p, flies) {
		return p
	}
	own := nearestTile(&a.def.Tiles, p)
	best, bestDist := p, float32(-1)
	for ring := 0; ring <= freeSpotRings && bestDist < 0; ring++ {
		for dz := -ring; dz <= ring; dz++ {
			for dx := -ring; dx <= ring; dx++ {
				t, ok := neighbourTile(own, dx, dz)
				if max(dx, -dx, dz, -dz) != ring || !ok || a.def.Ground.Blocked(t.X, t.Z) {
					continue
				}
				c := a.def.Tiles.Centre(t)
				c.Y = p.Y
				if d := geom.Dist2XZ(p, c); (bestDist < 0 || d < bestDist) && !a.def.Walls.Inside(c, flies) {
					best, bestDist = c, d
				}
			}
		}
	}
	return best
}

func (g *goalAuthority) clone(m *cloneMemory) authority {
	copied := m.goals.clone(g)
	if g.route != nil {
		copied.route = m.routes.clone(g.route)
	}
	return copied
}

func (g *goalAuthority) hash(h hash64) hash64 {
	if g.route != nil {
		g.route.hash(&h)
	}
	return h
}

func (r *route) hash(h *hash64) {
	h.f32(r.goalX, r.goalZ)
	h.f32(r.endX, r.endZ)
	h.f32(r.legX, r.legZ)
	h.u64(bits(r.searchDue, r.straight) | uint64(r.next)<<8 | uint64(r.count)<<16)
	h.u64(uint64(r.searchedTick))
	for _, t := range r.corners[:r.count] {
		h.i32(int32(t.X), int32(t.Z))
	}
}

func (g *goalAuthority) codec(c *codec) {
	if c.reading {
		g.route = new(route)
	}
	r := g.route
	c.f32(&r.goalX, &r.goalZ, &r.endX, &r.endZ, &r.legX, &r.legZ)
	c.flag(&r.searchDue, &r.straight)
	num(c, &r.searchedTick)
	num(c, &r.next)
	num(c, &r.count)
	if r.count > routeCorners || r.next > r.count {
		c.fail()
		r.count, r.next = 0, 0
	}
	for i := range r.count {
		c.tile(&r.corners[i])
	}
}

// thinkAll runs the AI of every NPC, in order of id, and then the path searches that are due.
func (a *Area) thinkAll() {
	for _, x := range a.actors {
		g, ok := x.authority.(*goalAuthority)
		if !ok || x.gone || x.dead {
			continue
		}
		if a.isAbandoned(x) {
			a.removeNPC(x)
			continue
		}
		if x.vehicle != nil {
			continue
		}
		g.restoreGoal(x)
		a.think(x)
		if !x.gone {
			a.steer(x, g)
		}
	}
	a.runRouteSearches()
}
