package sim

import (
	"math"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// pathAuthority moves a player whose client sends the tiles to walk to. The server finds the path and moves the player's
// tile along it once per cycle (600 ms). The player's position follows to the new tile during the next cycle.
type pathAuthority struct {
	authorityDefaults
	move.PathState
	goal         move.Goal // goal of the next search; valid if searchDue
	searchDue    bool
	ctrl         bool      // the player held the control key when it clicked
	pursued      EntityID  // actor that the player pursues and attacks until its next request, 0 for none
	pursuedTile  move.Tile // tile of the pursued actor when a path to it was last searched
	searchedTick Tick      // tick of the last search
	gait         move.Gait // how the player moved in the last cycle
	lastStep     bool      // the player ran in the last cycle but moved only one tile, because its path ended
	unitsPerTick float32   // world units per tick by which the position approaches the tile
}

func newPathAuthority(_ *Area, _ *actor, j *Join) authority {
	p := &pathAuthority{}
	if j != nil {
		p.Running = j.Running
	}
	return p
}

func (*pathAuthority) kind() authorityKind { return pathKind }

func (*pathAuthority) stored() bool { return true }

func (*pathAuthority) grounded(*actor) bool { return true }

func (p *pathAuthority) pursues(target EntityID) bool { return p.pursued == target }

func (p *pathAuthority) leave(j *Join) { j.Authority, j.Running = move.ByPath, p.Running }

// interrupt makes the player stand still on its tile and ends its path and pursuit.
func (p *pathAuthority) interrupt() {
	p.Stop()
	p.searchDue, p.pursued = false, 0
}

func (p *pathAuthority) forget(id EntityID) {
	if p.pursued == id {
		p.interrupt()
	}
}

func (p *pathAuthority) tile(*Area, *actor) (at move.Tile, atRest, ok bool) {
	return p.Tile, !p.betweenTiles(), true
}

// betweenTiles reports whether the player's position has not yet reached the tile of the player's last step.
func (p *pathAuthority) betweenTiles() bool { return p.gait == move.GaitWalk || p.gait == move.GaitRun }

// recordPos returns the middle of the player's tile. The exact position is not stored, because while the player walks around a
// corner the position may be inside a wall.
func (p *pathAuthority) recordPos(a *Area, x *actor) geom.Vec {
	at := a.def.Tiles.Centre(p.Tile)
	at.Y = x.pos.Y
	return at
}

// placed sets the player's tile after the server has moved the player: the tile at the new position, or the nearest tile
// of the map.
func (p *pathAuthority) placed(a *Area, x *actor) {
	t := nearestTile(&a.def.Tiles, x.pos)
	p.interrupt()
	p.Teleport(t)
	p.gait = move.GaitTeleport
	y := x.pos.Y
	x.pos = a.def.Tiles.Centre(t)
	x.pos.Y = y
	a.snapToGround(x)
	x.stop()
}

func (p *pathAuthority) admit(a *Area, x *actor, in *Intent) {
	switch in.Kind {
	case IntentPath:
		p.admitClick(a, x, in)
	case IntentFace:
		p.admitFace(a, x, in.Tile)
	case IntentPursue:
		p.admitPursuit(a, x, in.Target)
	case IntentGait:
		p.Running = in.Amount != 0
	default:
		p.authorityDefaults.admit(a, x, in)
	}
}

// admitClick records a player's click on a tile. The path is searched in this tick or, if the limit of searches is reached, in
// a later one. A later click replaces the recorded click.
func (p *pathAuthority) admitClick(a *Area, x *actor, in *Intent) {
	if x.dead {
		a.refuse(x.id, 0, reason.Dead, 0, 0)
		return
	}
	p.goal, p.ctrl, p.searchDue = move.OnTile(in.Tile), in.Amount == 1, true
	p.pursued, x.target = 0, 0
}

// admitFace turns the player toward the tile t, to the nearest of eight directions, without a step.
func (p *pathAuthority) admitFace(a *Area, x *actor, t move.Tile) {
	switch {
	case x.dead:
		a.refuse(x.id, 0, reason.Dead, 0, 0)
	case t != p.Tile:
		x.yaw = tileYaw(p.Tile, t)
	}
}

// yawOfDirection is the yaw in degrees of a step of dx and dz tiles, each -1..1; the indices are dz+1 and dx+1. Yaw 0 is +Z;
// angles increase to the left.
var yawOfDirection = [3][3]float32{{135, 180, -135}, {90, 0, -90}, {45, 0, -45}}

// tileYaw returns the yaw in degrees from one tile to another, rounded to the nearest of eight directions: straight if
// one distance is more than twice the other, else diagonal.
func tileYaw(from, to move.Tile) float32 {
	dx, dz := int(to.X)-int(from.X), int(to.Z)-int(from.Z)
	x, z := min(max(dx, -1), 1), min(max(dz, -1), 1)
	switch {
	case dx*dx > 4*dz*dz:
		z = 0
	case dz*dz > 4*dx*dx:
		x = 0
	}
	return yawOfDirection[z+1][x+1]
}

// followPaths does the path authority's part of a tick. It updates pursuits and runs the path searches that are due. In the last
// tick of a cycle it also moves every player by the steps of that cycle.
func (a *Area) followPaths() {
	ticks := a.world.CycleTicks()
	cycle := a.now%ticks == 0
	for _, x := range a.actors {
		p, ok := x.authority.(*pathAuthority)
		if !ok || x.gone || x.dead {
			continue
		}
		if p.pursued != 0 {
			a.pursueTarget(x, p)
		}
		// A path to the first click of a cycle is searched at once. Further clicks wait until the tick in which the player steps,
		// because only the last click before that tick matters.
		if p.searchDue && (cycle || p.searchedTick == 0 || p.searchedTick/ticks != a.now/ticks) {
			a.duePaths = append(a.duePaths, x)
		}
	}
	a.runPathSearches()
	if !cycle {
		return
	}
	for _, x := range a.actors {
		if p, ok := x.authority.(*pathAuthority); ok && !x.gone {
			a.takeSteps(x, p)
		}
	}
}

// CycleTicks returns the number of ticks in a cycle of the path authority: 600 ms, rounded to whole ticks. All players step in
// the same ticks, those whose number is a multiple of CycleTicks. A door that sends once per cycle uses the frames of these
// ticks.
func (w *World) CycleTicks() Tick {
	return Tick(max((move.CycleMS*w.TicksPerSecond+500)/1000, 1))
}

// takeSteps moves the player's tile by the steps of one cycle. The position then moves to that tile, which it reaches by the next cycle.
func (a *Area) takeSteps(x *actor, p *pathAuthority) {
	y := x.pos.Y
	if !p.Teleported {
		x.pos = a.def.Tiles.Centre(p.Tile) // the centre of the tile that the player reached in the last cycle
		x.pos.Y = y
	}
	if x.dead {
		p.Stop()
	}
	stride := a.world.Rules.Path.Step(&p.PathState, a.def.Ground, a.mayRun(x))
	p.gait, p.lastStep = stride.Gait, stride.SingleStep
	if stride.Held != reason.None {
		a.emit(Event{Kind: EventRefused, Who: x.id, Reason: stride.Held, Pos: x.pos})
	}
	x.running = stride.Gait == move.GaitRun
	if stride.Steps > 0 && p.Tile != stride.From { // a walking player faces its direction of movement
		x.yaw = tileYaw(stride.From, p.Tile)
	}
	to := a.def.Tiles.Centre(p.Tile)
	x.headFor(to.X, to.Z)
	p.unitsPerTick = geom.DistXZ(x.pos, to) / float32(a.world.CycleTicks())
}

// mayRun reports whether the player has the energy to run.
func (a *Area) mayRun(x *actor) bool {
	e := a.world.Roles.Energy
	return e < 0 || x.attr[e].Value > 0
}

// move moves the position toward the player's tile. Each tick of a running cycle uses energy. If the player has too little
// energy for it, the rest is recorded as a debt. Without the debt, the last point of energy would be enough for a run of two
// tiles.
func (p *pathAuthority) move(a *Area, x *actor) {
	a.spendEnergy(x)
	x.pos = move.MoveToward(x.pos, x.destX, x.destZ, p.unitsPerTick)
	a.snapToGround(x)
}

func (p *pathAuthority) describe(a *Area, x *actor, s *ActorState) {
	s.Flags |= FlagOnTiles
	s.Tile, s.Gait, s.LastStep = p.Tile, p.gait, p.lastStep
	s.Motion.InAir, s.Motion.FacesYaw, s.Motion.OwnSpeed = x.tmpl.Environment == Fly, true, true
	s.Motion.WalkSpeed = float32(a.def.Tiles.UnitsPerTile * (1000 / float32(move.CycleMS)))
	s.Motion.RunSpeed = float32(s.Motion.WalkSpeed * float32(max(a.world.Rules.Path.RunSteps, 1)))
	switch p.gait {
	case move.GaitWalk:
		s.Motion.Mode = MotionWalk
	case move.GaitRun:
		s.Motion.Mode = MotionRun
	}
}

func (p *pathAuthority) clone(m *cloneMemory) authority { return m.paths.clone(p) }

func (p *pathAuthority) hash(h hash64) hash64 {
	h.u64(uint64(p.Tile.X)<<48 | uint64(p.Tile.Z)<<32 | uint64(p.LastTile.X)<<16 | uint64(p.LastTile.Z))
	h.u64(uint64(p.goal.Tile.X)<<48 | uint64(p.goal.Tile.Z)<<32 | uint64(p.pursuedTile.X)<<16 | uint64(p.pursuedTile.Z))
	h.u64(bits(p.Running, p.Teleported, p.Path.InvertRun, p.goal.Orthogonal, p.searchDue, p.ctrl, p.lastStep) |
		uint64(p.goal.Reach)<<8 | uint64(p.gait)<<16 | uint64(p.Path.Leg)<<24 | uint64(p.Path.LegCount)<<32)
	h.u64(uint64(p.pursued))
	h.u64(uint64(p.searchedTick))
	h.f32(p.unitsPerTick, 0)
	for _, t := range p.Path.LegEnds[:p.Path.LegCount] {
		h.i32(int32(t.X), int32(t.Z))
	}
	return h
}

func (p *pathAuthority) codec(c *codec) {
	for _, t := range [...]*move.Tile{&p.Tile, &p.LastTile, &p.goal.Tile, &p.pursuedTile} {
		c.tile(t)
	}
	c.flag(&p.Running, &p.Teleported, &p.Path.InvertRun, &p.goal.Orthogonal, &p.searchDue, &p.ctrl, &p.lastStep)
	num(c, &p.goal.Reach)
	num(c, &p.pursued)
	num(c, &p.searchedTick)
	num(c, &p.gait)
	c.f32(&p.unitsPerTick)
	num(c, &p.Path.Leg)
	num(c, &p.Path.LegCount)
	if p.Path.LegCount > move.MaxLegs || p.Path.Leg > p.Path.LegCount || p.gait > move.GaitTeleport {
		c.fail()
		p.Stop()
	}
	for i := range p.Path.LegCount {
		c.tile(&p.Path.LegEnds[i])
	}
}

// nearestTile returns the tile that contains pos. If pos is outside the map, it returns the nearest tile of the map.
func nearestTile(g *terrain.TileGrid, pos geom.Vec) move.Tile {
	if t, ok := g.ToTile(pos); ok {
		return t
	}
	return move.Tile{X: nearestOnAxis(pos.X, g.UnitsPerTile, g.BaseX), Z: nearestOnAxis(pos.Z, g.UnitsPerTile, g.BaseZ)}
}

func nearestOnAxis(v, size float32, base uint16) uint16 {
	tiles := math.Floor(float64(v)/float64(size)) + float64(base)
	return uint16(min(max(tiles, 0), terrain.MaxTile))
}
