package sim

import (
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// Figures of the original's minds. Source: docs/wire/rcce.md, actors that think.
const (
	looksPerSecond   = 3    // a look with chance 1/10 per 1/30 s
	arriveWithin     = 2    // units on each axis: the waypoint is reached
	wanderFrom       = 5    // units: a spawn range from which an NPC wanders instead of following waypoints
	strayAround      = 2    // units: how far beside its next waypoint an NPC walks
	stopChaseAt      = 4    // units beside both radii: close enough to strike
	petStopsAt       = 5    // units beside both radii
	petSeesSquared   = 1000 // square units: how near its leader's enemy must be to the leader
	petLosesSquared  = 3500 // square units: farther than that from its leader it gives up
	climbPerSecond   = 0.6  // share of the height gap closed per second: 1/50 per 1/30 s
	rangedStandOff   = 0.8  // share of its range at which an archer stops
	unreachableUnits = 100_000
)

// thinkAll lets every NPC decide, in order of id.
func (a *Area) thinkAll() {
	for _, x := range a.actors {
		g, ok := x.authority.(*goalAuthority)
		if !ok || x.gone || x.dead {
			continue
		}
		g.restoreGoal(x)
		a.think(x)
		if !x.gone {
			a.steer(x, g)
		}
	}
	a.searchRoutes()
}

func (a *Area) think(x *actor) {
	if a.strayed(x) {
		a.vanish(x)
		return
	}
	if x.mode.roams() && x.tmpl.Temper == combat.Hostile && a.perSecond(looksPerSecond) {
		a.look(x)
	}
	switch x.mode {
	case modePatrol, modeRun:
		a.patrol(x)
	case modePause:
		if a.now >= x.pauseTick {
			x.mode = modePatrol
			x.headFor(x.goalX, x.goalZ)
		}
	case modeChase:
		a.chase(x)
	case modePet:
		a.petFollow(x)
	case modePetChase:
		a.petChase(x)
	case modePetWait:
		if a.find(x.leader) != nil {
			x.mode = modePet
		}
	}
}

// look finds somebody to hate in sight. The last match in the table wins, as in the original.
func (a *Area) look(x *actor) {
	sight := x.tmpl.SightRange
	var enemy *actor
	for _, i := range a.neighbours(x.pos, sight) {
		y := a.actors[i]
		if y == x || y.gone || y.dead || geom.Dist2(x.pos, y.pos) >= float32(sight*sight) {
			continue
		}
		if a.world.Rules.Combat.AttacksOnSight(x.ratings[y.homeFaction], y.tmpl.Temper) && (enemy == nil || y.id > enemy.id) {
			enemy = y
		}
	}
	if enemy != nil {
		a.pursue(x, enemy)
	}
}

// pursue sends an NPC after an enemy. Its leash is tied where it stands now; on the way back from another chase it is
// still tied where that one began.
func (a *Area) pursue(x, enemy *actor) {
	if x.mode != modeChase && x.mode != modeRun {
		x.home = x.pos
	}
	x.target = enemy.id
	x.mode = modeChase
}

// chase runs after the target and strikes when close. A dead or lost one is given up, and so is one that leads farther
// than the leash: then the NPC runs back.
func (a *Area) chase(x *actor) {
	enemy := a.find(x.target)
	leash := a.world.Rules.LeashUnits
	switch {
	case enemy == nil || enemy.dead:
		a.returnToPatrol(x, modePatrol)
	case leash > 0 && geom.Dist2XZ(x.pos, x.home) > float32(leash*leash):
		a.returnToPatrol(x, modeRun)
	case a.closeIn(x, enemy):
		a.strikeWhenDue(x, enemy)
	}
}

// closeIn runs toward an enemy and tells whether it is near enough to strike. Archers stop within their range, others
// within their reach. Whoever stands behind a wall is not near.
func (a *Area) closeIn(x, enemy *actor) bool {
	stopAt := min(stopChaseAt, a.world.Rules.Combat.MeleeReach)
	if w := x.weapon; w != nil && w.Kind == combat.Ranged {
		stopAt = float32(w.Range * rangedStandOff)
	}
	reach := stopAt + x.tmpl.Radius + enemy.tmpl.Radius
	a.climb(x, enemy.pos.Y)
	if geom.Dist2XZ(x.pos, enemy.pos) > float32(reach*reach) || !a.lineOfSight(x, enemy) {
		x.headFor(enemy.pos.X, enemy.pos.Z)
		x.running = true
		return false
	}
	x.stop()
	return true
}

// climb closes a share of the height gap each tick, where NPCs have no ground to stand on.
func (a *Area) climb(x *actor, y float32) {
	if a.grounded(x) {
		return
	}
	step := float32((y - x.pos.Y) * climbPerSecond)
	x.pos.Y += step / float32(a.world.TicksPerSecond)
}

// strikeWhenDue attacks once the combat delay has passed.
func (a *Area) strikeWhenDue(x, enemy *actor) {
	if a.ms()-x.attackedMS >= int64(a.world.Rules.Combat.DelayMS) {
		a.attacks = append(a.attacks, attack{x.id, enemy.id})
	}
}

// returnToPatrol ends a chase: the NPC walks (modePatrol) or runs (modeRun) back to the waypoint that it was heading
// for; without one, to where the chase began.
func (a *Area) returnToPatrol(x *actor, how mode) {
	x.target, x.mode = 0, how
	x.running = how == modeRun
	to := x.home
	if x.waypoint >= 0 {
		to = a.def.Waypoints[x.waypoint].Pos
	}
	x.headFor(to.X, to.Z)
}

// patrol goes on when the destination is reached: wander around a spawn's waypoint without a rest, or take the next
// waypoint, after the rest that the one reached asks for.
func (a *Area) patrol(x *actor) {
	if geom.Abs(x.destX-x.pos.X) > arriveWithin || geom.Abs(x.destZ-x.pos.Z) > arriveWithin {
		return
	}
	x.running = false
	if x.waypoint < 0 {
		x.mode = modeWait
		x.pos.Y = x.home.Y
		return
	}
	at := &a.def.Waypoints[x.waypoint]
	x.pos.Y = at.Pos.Y
	if r := a.wanderRange(x); r >= wanderFrom {
		x.mode = modePatrol
		x.headFor(at.Pos.X+a.luck.Symmetric(r), at.Pos.Z+a.luck.Symmetric(r))
		return
	}
	next := a.nextWaypoint(at)
	if next < 0 {
		x.mode = modeWait
		return
	}
	x.waypoint = next
	to := a.def.Waypoints[next].Pos
	a.setOut(x, at, to.X+a.luck.Symmetric(strayAround), to.Z+a.luck.Symmetric(strayAround))
}

// setOut makes a patrol leave the waypoint for a point, after the rest that the waypoint asks for.
func (a *Area) setOut(x *actor, at *Waypoint, destX, destZ float32) {
	x.goalX, x.goalZ = destX, destZ
	if at.PauseMS > 0 {
		x.mode = modePause
		x.pauseTick = a.now + a.ticks(at.PauseMS)
		x.stop()
		return
	}
	x.mode = modePatrol
	x.headFor(destX, destZ)
}

// wanderRange is the range of the NPC's own spawn if that stands at its waypoint, else of the first spawn there.
func (a *Area) wanderRange(x *actor) float32 {
	if x.spawn >= 0 && a.def.Spawns[x.spawn].Waypoint == x.waypoint {
		return a.def.Spawns[x.spawn].Range
	}
	for i := range a.def.Spawns {
		if s := &a.def.Spawns[i]; s.Waypoint == x.waypoint && s.Max > 0 {
			return s.Range
		}
	}
	return 0
}

// nextWaypoint picks A or B, one half each, the other if one is missing, then the previous one, -1 if none.
func (a *Area) nextWaypoint(at *Waypoint) int32 {
	first, second := at.NextA, at.NextB
	if a.luck.IntN(2) == 1 {
		first, second = second, first
	}
	for _, i := range [3]int32{first, second, at.Prev} {
		if i >= 0 && int(i) < len(a.def.Waypoints) && a.def.Waypoints[i].Used {
			return i
		}
	}
	return -1
}

// callForHelp lets the friends of a struck actor, who see it, chase its enemy.
func (a *Area) callForHelp(x *actor) {
	enemy := a.find(x.target)
	if enemy == nil {
		return
	}
	// The farthest sight of any helper bounds the search; each helper's own sight then decides.
	for _, i := range a.neighbours(x.pos, a.farSight) {
		y := a.actors[i]
		if y == x || y == enemy || y.player || y.gone || y.dead || y.mode == modeChase || y.leader != 0 || y.rider != 0 {
			continue
		}
		sight := y.tmpl.SightRange
		if geom.Dist2(x.pos, y.pos) >= float32(sight*sight) {
			continue
		}
		if a.world.Rules.Combat.AnswersHelpCall(y.tmpl.Temper, y.ratings[x.homeFaction]) {
			a.pursue(y, enemy)
		}
	}
}

// farSight is the longest sight of all templates.
func farSight(w *World) float32 {
	var far float32
	for i := range w.Templates {
		far = max(far, w.Templates[i].SightRange)
	}
	return min(far, unreachableUnits)
}
