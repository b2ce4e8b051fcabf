package sim

import (
	"math"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// What the clicks of a crowd can cost a tick. Whoever comes too late is served in the next.
const (
	searchesPerTick = 64
	looksPerTick    = 100_000 // tiles that searches look at, about 3 ms; six of the worst searches   measured
)

// treader is what an area keeps of a player under the path authority. It is state.
type treader struct {
	move.PathState
	goal   move.Goal // where he wants to go, if wants
	wants  bool
	ctrl   bool      // the click was made with the control key
	quarry EntityID  // whom he fights until told otherwise, 0 nobody
	chased move.Tile // where the quarry stood when the way to it was last looked for
	sought Tick      // when a way was last looked for
	gait   move.Gait // of the last cycle
	single bool      // the last cycle was the single last step of a run
	glide  float32   // units per tick: how fast his position follows his tile
}

// stop makes him stand on his tile and want nothing.
func (s *treader) stop() {
	s.Stop()
	s.wants, s.quarry = false, 0
}

// CycleTicks is how many ticks a cycle of the path authority takes: 600 ms, as near as ticks come. Steps are taken in
// the ticks that it divides, so a frame of such a tick is the whole truth about a cycle.
func (w *World) CycleTicks() Tick {
	return Tick(max((move.CycleMS*w.TicksPerSecond+500)/1000, 1))
}

// land makes a player under the path authority stand on the tile of his position, or the nearest that there is.
func (a *Area) land(x *actor) {
	t := nearestTile(&a.def.Tiles, x.pos)
	x.tread.stop()
	x.tread.Teleport(t)
	x.tread.gait = move.Teleported
	y := x.pos.Y
	x.pos = a.def.Tiles.Centre(t)
	x.pos.Y = y
	a.plantFeet(x)
	x.stop()
}

// nearestTile is the tile in which p lies, or the nearest one of the map.
func nearestTile(g *terrain.TileGrid, p geom.Vec) move.Tile {
	if t, ok := g.ToTile(p); ok {
		return t
	}
	return move.Tile{X: nearestOnAxis(p.X, g.UnitsPerTile, g.BaseX), Z: nearestOnAxis(p.Z, g.UnitsPerTile, g.BaseZ)}
}

func nearestOnAxis(v, size float32, base uint16) uint16 {
	tiles := math.Floor(float64(v)/float64(size)) + float64(base)
	return uint16(min(max(tiles, 0), terrain.MaxTile))
}

// head takes a click on a tile. The way is looked for once a tick has time for it; a later click takes its place.
func (a *Area) head(x *actor, in *Intent) {
	switch {
	case x.tread == nil:
		a.refuse(x.id, 0, reason.OtherAuthority, 0, 0)
	case x.dead:
		a.refuse(x.id, 0, reason.Dead, 0, 0)
	default:
		s := x.tread
		s.goal, s.ctrl, s.wants = move.OnTile(in.Tile), in.Amount == 1, true
		s.quarry, x.target = 0, 0
	}
}

// yawOf is where one looks who looks by dx and dz tiles, in degrees: 0 is +Z and angles grow to the left. Index dz+1, dx+1.
var yawOf = [3][3]float32{{135, 180, -135}, {90, 0, -90}, {45, 0, -45}}

// face turns a player toward a tile, to the nearest of eight directions.
func (a *Area) face(x *actor, t move.Tile) {
	switch {
	case x.tread == nil:
		a.refuse(x.id, 0, reason.OtherAuthority, 0, 0)
	case x.dead:
		a.refuse(x.id, 0, reason.Dead, 0, 0)
	case t != x.tread.Tile:
		dx, dz := eighth(int(t.X)-int(x.tread.Tile.X), int(t.Z)-int(x.tread.Tile.Z))
		x.yaw = yawOf[dz+1][dx+1]
	}
}

// eighth is the one of eight directions that is nearest to dx, dz: straight if one part is more than twice the other.
func eighth(dx, dz int) (x, z int) {
	x, z = min(max(dx, -1), 1), min(max(dz, -1), 1)
	switch {
	case dx*dx > 4*dz*dz:
		z = 0
	case dz*dz > 4*dx*dx:
		x = 0
	}
	return x, z
}

// engage lets a player fight somebody until he is told otherwise. The gates are asked now, all but the delay; they are
// asked again for every blow.
func (a *Area) engage(x *actor, target EntityID) {
	if x.tread == nil {
		a.refuse(x.id, target, reason.OtherAuthority, 0, 0)
		return
	}
	y := a.find(target)
	g := a.gate(x, y)
	g.SinceLastMS = math.MaxInt64
	if why := a.world.Rules.Combat.Permit(g); why != reason.None {
		a.shut(x, target, why)
		return
	}
	s := x.tread
	s.stop()
	s.quarry, x.target = target, target
}

// presses tells whether the actor fights somebody until told otherwise, with no need to hear of each blow that fails.
func (x *actor) presses(target EntityID) bool { return x.tread != nil && x.tread.quarry == target }

// treadAll moves everybody under the path authority: who fights follows, who wants to go somewhere gets a path, and in
// the tick of a cycle the steps are taken.
func (a *Area) treadAll() {
	if a.treaders == 0 {
		return
	}
	ticks := a.world.CycleTicks()
	cycle := a.now%ticks == 0
	for _, x := range a.actors {
		if x.tread == nil || x.gone || x.dead {
			continue
		}
		if x.tread.quarry != 0 {
			a.press(x)
		}
		// One search in a cycle is enough, as long as the last wish is served before the steps are taken.
		if x.tread.wants && (cycle || x.tread.sought == 0 || x.tread.sought/ticks != a.now/ticks) {
			a.seekers = append(a.seekers, x)
		}
	}
	a.seekAll()
	if !cycle {
		return
	}
	for _, x := range a.actors {
		if x.tread != nil && !x.gone {
			a.tread(x)
		}
	}
}

// givesUp ends the fight of a player under the path authority: he stands on his tile and looks at nobody any more, by
// which his client knows that it is over.
func (x *actor) givesUp() {
	x.tread.stop()
	x.target = 0
}

// press follows the quarry until it is in reach, then strikes as often as the delay between two attacks allows.
func (a *Area) press(x *actor) {
	s := x.tread
	y := a.find(s.quarry)
	if y == nil || y.dead {
		x.givesUp()
		return
	}
	fx, fy := a.fighter(x), a.fighter(y)
	switch why := a.reach(x, y, &fx, &fy); why {
	case reason.None:
		s.Stop()
		s.wants = false
		if a.ms()-x.attackedMS >= int64(a.world.Rules.Combat.DelayMS) {
			a.attacks = append(a.attacks, attack{x.id, y.id})
		}
	case reason.OutOfRange, reason.Covered:
		a.approach(x, y, &fx, &fy, why)
	default:
		a.beyond(x, y, &fx, &fy, why)
		x.givesUp()
	}
}

// approach looks for the way to the quarry whenever that has moved to another tile. Somebody beside it and still out of
// reach goes to its very tile, since only he stands in the middle of his; but first both come to rest, because a
// position is behind its tile for a cycle.
func (a *Area) approach(x, y *actor, fx, fy *combat.Fighter, why reason.Reason) {
	s := x.tread
	at, ok := a.tileOf(y)
	if !ok {
		a.beyond(x, y, fx, fy, why)
		x.givesUp()
		return
	}
	goal := move.Goal{Tile: at, Reach: 1, Orthogonal: true}
	if fx.Shoots() {
		goal = move.WithinTiles(at, tilesOf(a.world.Rules.Combat.AttackRange(fx, fy), a.def.Tiles.UnitsPerTile))
	}
	there := s.Tile == at || goal.ReachedFrom(a.def.Ground, s.Tile)
	switch {
	case there && (x.glides() || y.glides()):
		s.Stop()
		s.wants = false
		return
	case s.Tile == at && s.Idle():
		a.beyond(x, y, fx, fy, why)
		x.givesUp()
		return
	case s.wants || at == s.chased && !s.Idle():
		return
	case there:
		goal = move.OnTile(at)
	}
	s.goal, s.ctrl, s.wants, s.chased = goal, false, true, at
}

// glides tells whether the position of a player under the path authority is still on the way to his tile.
func (x *actor) glides() bool {
	return x.tread != nil && (x.tread.gait == move.Walked || x.tread.gait == move.Ran)
}

// tileOf is the tile on which an actor stands. It is false if there is none.
func (a *Area) tileOf(y *actor) (move.Tile, bool) {
	if y.tread != nil {
		return y.tread.Tile, true
	}
	return a.def.Tiles.ToTile(y.pos)
}

// reach is that of the rules of combat, and nobody strikes or shoots through a wall.
func (a *Area) reach(x, y *actor, fx, fy *combat.Fighter) reason.Reason {
	why := a.world.Rules.Combat.CheckTarget(fx, fy)
	if why == reason.None && !a.bare(x, y) {
		return reason.Covered
	}
	return why
}

// bare tells whether nothing solid stands between two, whatever the authority of either.
func (a *Area) bare(x, y *actor) bool {
	return a.exposed(x.pos, y.pos, a.sceneOf(x).Flies, a.sceneOf(y).Flies)
}

// exposed is bare for two places, and for who flies there. Between two who swim stands only what ends above them.
func (a *Area) exposed(p, q geom.Vec, pFlies, qFlies bool) bool {
	w := a.def.Walls
	return w.HasLineOfAttack(p, q, pFlies, qFlies) || a.swims(p, q) && w.HasLineOfAttack(p, q, true, true)
}

// tilesOf is how many whole tiles lie in a reach, 1..64: farther than the window of a search nobody is followed.
func tilesOf(units, size float32) uint8 { return uint8(min(max(units/size, 1), 64)) }

// seekAll finds paths for those who want one, in order of id from where the last tick ran out of time.
func (a *Area) seekAll() {
	a.seekFrom = a.inTurn(a.seekers, a.seekFrom, searchesPerTick, looksPerTick, a.seek)
	clear(a.seekers)
	a.seekers = a.seekers[:0]
}

// inTurn lets those of a list, which is sorted by id, search for paths from the one on whose turn it is, until so many have
// searched or so many tiles were looked at. It returns whose turn it is next: 0 if all have had theirs.
func (a *Area) inTurn(list []*actor, from EntityID, most, looks int, search func(*actor)) EntityID {
	n := len(list)
	if n == 0 {
		return 0
	}
	if a.searcher == nil {
		a.searcher = new(move.Searcher)
	}
	first, done := 0, 0
	for first < n && list[first].id < from {
		first++
	}
	a.searcher.TilesVisited = 0
	for ; done < min(n, most) && a.searcher.TilesVisited < looks; done++ {
		search(list[(first+done)%n])
	}
	if done == n {
		return 0
	}
	return list[(first+done)%n].id
}

// seek finds the path that one player wants.
func (a *Area) seek(x *actor) {
	s := x.tread
	s.wants, s.sought = false, a.now
	v := a.world.Rules.Path.StartPath(&s.PathState, a.searcher, a.def.Ground, s.goal, s.ctrl)
	if v.Held == reason.None && s.quarry != 0 && !v.ReachesGoal && v.Steps == 0 && !x.glides() {
		v.Held = reason.NoPath // he would stand there and look for it for ever
	}
	if v.Held == reason.None {
		return
	}
	a.emit(Event{Kind: EventRefused, Who: x.id, Other: s.quarry, Reason: v.Held, Pos: x.pos, From: a.def.Tiles.Centre(s.goal.Tile)})
	if s.quarry != 0 {
		x.givesUp()
	}
}

// tread takes the steps of a cycle. The position follows until the next one.
func (a *Area) tread(x *actor) {
	s, y := x.tread, x.pos.Y
	if !s.Teleported {
		x.pos = a.def.Tiles.Centre(s.Tile) // where the last cycle led
		x.pos.Y = y
	}
	if x.dead {
		s.Stop()
	}
	stride := a.world.Rules.Path.Step(&s.PathState, a.def.Ground, a.mayRun(x))
	s.gait, s.single = stride.Gait, stride.SingleStep
	if stride.Held != reason.None {
		a.emit(Event{Kind: EventRefused, Who: x.id, Reason: stride.Held, Pos: x.pos})
	}
	x.running = stride.Gait == move.Ran
	if stride.Steps > 0 && s.Tile != stride.From { // whoever walks looks where he goes
		dx, dz := eighth(int(s.Tile.X)-int(stride.From.X), int(s.Tile.Z)-int(stride.From.Z))
		x.yaw = yawOf[dz+1][dx+1]
	}
	to := a.def.Tiles.Centre(s.Tile)
	x.heads(to.X, to.Z)
	s.glide = geom.DistXZ(x.pos, to) / float32(a.world.CycleTicks())
}

// mayRun tells whether the player has the energy to run.
func (a *Area) mayRun(x *actor) bool {
	e := a.world.Fixed.Energy
	return e < 0 || x.attr[e].Value > 0
}
