package sim

import (
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// Constants of the RealmCrafter server's AI. Source: docs/wire/rcce.md 5.5 (NPCs).
const (
	scansPerSecond   = 3       // scans for enemies per second, as in the RealmCrafter server: chance 1/10 every 1/30 s
	arriveWithin     = 2       // units on each axis within which a waypoint counts as reached
	minWanderRange   = 5       // units: NPCs of spawns with at least this range wander instead of following waypoints
	waypointJitter   = 2       // units: maximum offset of an NPC's destination from its waypoint
	meleeStandOff    = 4       // units between the edges of two actors at which an NPC stops to attack
	petStandOff      = 5       // units between the edges of a pet and its leader at which the pet stops
	petSightSquared  = 1000    // square units: maximum squared distance between a leader and its enemy at which the leader's pets attack the enemy
	petLeashSquared  = 3500    // square units: squared distance from its leader beyond which a pet ends its fight
	climbPerSecond   = 0.6     // share of the height difference that an NPC climbs per second: 1/50 per 1/30 s
	rangedStandOff   = 0.8     // fraction of the weapon's range at which an NPC with a ranged weapon stops to shoot
	unreachableUnits = 100_000 // units: upper limit of a template's sight range
)

// think runs the AI of one NPC for one tick.
func (a *Area) think(x *actor) {
	if x.mode.roams() && x.tmpl.Temper == combat.Hostile && a.chancePerSecond(scansPerSecond) {
		a.scanForEnemy(x)
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

// scanForEnemy makes x chase an enemy in sight. If several enemies are in sight, it chases the one with the highest id, as the
// RealmCrafter server does.
func (a *Area) scanForEnemy(x *actor) {
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
		a.startChase(x, enemy)
	}
}

// startChase makes an NPC chase an enemy. The chase ends when the NPC is farther than the leash, a maximum distance, from the
// place where the chase began. If the NPC is still returning from an earlier chase, this is the place where that one began.
func (a *Area) startChase(x, enemy *actor) {
	if x.mode != modeChase && x.mode != modeRun {
		x.home = x.pos
	}
	x.target = enemy.id
	x.mode = modeChase
}

// chase makes an NPC run after its target and attack it within reach. The chase ends if the target is dead or gone, or if
// the NPC is beyond its leash; then the NPC returns.
func (a *Area) chase(x *actor) {
	enemy := a.find(x.target)
	leash := a.world.Rules.LeashUnits
	switch {
	case enemy == nil || enemy.dead:
		a.returnToPatrol(x, modePatrol)
	case leash > 0 && geom.Dist2XZ(x.pos, x.home) > float32(leash*leash):
		a.returnToPatrol(x, modeRun)
	case a.approachEnemy(x, enemy):
		a.attackWhenDue(x, enemy)
	}
}

// approachEnemy runs toward an enemy and reports whether it is near enough to attack. Archers stop within their range,
// others within melee reach. An enemy behind a wall is never near enough.
func (a *Area) approachEnemy(x, enemy *actor) bool {
	stopAt := min(meleeStandOff, a.world.Rules.Combat.MeleeReach)
	if w := x.weapon; w != nil && w.Kind == combat.Ranged {
		stopAt = float32(w.Range * rangedStandOff)
	}
	reach := stopAt + x.tmpl.Radius + enemy.tmpl.Radius
	a.adjustHeight(x, enemy.pos.Y)
	if geom.Dist2XZ(x.pos, enemy.pos) > float32(reach*reach) || !a.lineOfSight(x, enemy) {
		x.headFor(enemy.pos.X, enemy.pos.Z)
		x.running = true
		return false
	}
	x.stop()
	return true
}

// adjustHeight moves the height of an actor toward y by a share of the difference per tick. It is for actors that the server does
// not put on the ground, such as those that fly.
func (a *Area) adjustHeight(x *actor, y float32) {
	if a.grounded(x) {
		return
	}
	step := float32((y - x.pos.Y) * climbPerSecond)
	x.pos.Y += step / float32(a.world.TicksPerSecond)
}

// attackWhenDue makes x attack the enemy if the combat delay since its last attack has passed.
func (a *Area) attackWhenDue(x, enemy *actor) {
	if a.ms()-x.lastAttackMS >= int64(a.world.Rules.Combat.DelayMS) {
		a.pendingAttacks = append(a.pendingAttacks, attack{who: x.id, target: enemy.id})
	}
}

// returnToPatrol ends a chase: the NPC walks (modePatrol) or runs (modeRun) back to the waypoint that it was heading for
// or, without a waypoint, to where the chase began.
func (a *Area) returnToPatrol(x *actor, how mode) {
	x.target, x.mode = 0, how
	x.running = how == modeRun
	to := x.home
	if x.waypoint >= 0 {
		to = a.def.Waypoints[x.waypoint].Pos
	}
	x.headFor(to.X, to.Z)
}

// patrol chooses where an NPC goes when it has reached its destination. An NPC that wanders goes to a random point around its
// waypoint. Any other NPC rests for the pause of the waypoint that it has reached, and then goes to the next waypoint.
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
	if r := a.wanderRange(x); r >= minWanderRange {
		x.mode = modePatrol
		x.headFor(at.Pos.X+a.rng.Symmetric(r), at.Pos.Z+a.rng.Symmetric(r))
		return
	}
	next := a.nextWaypoint(at)
	if next < 0 {
		x.mode = modeWait
		return
	}
	x.waypoint = next
	to := a.def.Waypoints[next].Pos
	a.leaveWaypoint(x, at, to.X+a.rng.Symmetric(waypointJitter), to.Z+a.rng.Symmetric(waypointJitter))
}

// movesOn reports whether an NPC that is at a waypoint moves on by itself, because it wanders around the waypoint or because the
// waypoint leads to another one.
func (a *Area) movesOn(x *actor) bool {
	if a.wanderRange(x) >= minWanderRange {
		return true
	}
	at := &a.def.Waypoints[x.waypoint]
	for _, i := range [...]int32{at.NextA, at.NextB, at.Prev} {
		if i >= 0 && int(i) < len(a.def.Waypoints) && a.def.Waypoints[i].Used {
			return true
		}
	}
	return false
}

// leaveWaypoint sends a patrolling NPC from the waypoint "at" to a destination. The NPC first rests for the pause of that waypoint.
func (a *Area) leaveWaypoint(x *actor, at *Waypoint, destX, destZ float32) {
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

// wanderRange returns the range, in units, in which an NPC wanders around its waypoint. It is the range of a spawn that is at
// this waypoint: the NPC's own spawn or, if that is elsewhere, the first one there. Without such a spawn the range is 0 and the
// NPC does not wander.
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

// nextWaypoint returns the index of the waypoint to which a patrol continues. If the present waypoint (the parameter at) has two
// successors, NextA and NextB, it chooses one with equal probability. Without a successor the patrol returns to the previous
// waypoint, Prev. The result is -1 if there is none either.
func (a *Area) nextWaypoint(at *Waypoint) int32 {
	first, second := at.NextA, at.NextB
	if a.rng.IntN(2) == 1 {
		first, second = second, first
	}
	for _, i := range [3]int32{first, second, at.Prev} {
		if i >= 0 && int(i) < len(a.def.Waypoints) && a.def.Waypoints[i].Used {
			return i
		}
	}
	return -1
}

// callForHelp makes NPCs help the attacked actor x. Every NPC that sees x and is friendly to it begins to chase x.target, the
// opponent of x.
func (a *Area) callForHelp(x *actor) {
	enemy := a.find(x.target)
	if enemy == nil {
		return
	}
	// The search covers the longest sight range of any NPC; the loop then checks the sight range of each NPC.
	for _, i := range a.neighbours(x.pos, a.maxSight) {
		y := a.actors[i]
		if y == x || y == enemy || y.player || y.gone || y.dead || y.mode == modeChase || y.leader != 0 || y.rider != 0 {
			continue
		}
		sight := y.tmpl.SightRange
		if geom.Dist2(x.pos, y.pos) >= float32(sight*sight) {
			continue
		}
		if a.world.Rules.Combat.AnswersHelpCall(y.tmpl.Temper, y.ratings[x.homeFaction]) {
			a.startChase(y, enemy)
		}
	}
}

// maxSight returns the longest sight range of all templates, in units. The result is limited to unreachableUnits.
func maxSight(w *World) float32 {
	var far float32
	for i := range w.Templates {
		far = max(far, w.Templates[i].SightRange)
	}
	return min(far, unreachableUnits)
}
