package sim

import (
	"math"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// admitPursuit makes the player pursue and attack a target until the player's next request. It makes all checks of an attack
// except that for the delay between attacks. These checks are repeated before every attack.
func (p *pathAuthority) admitPursuit(a *Area, x *actor, target EntityID) {
	y := a.find(target)
	g := a.attackFacts(x, y)
	g.SinceLastMS = math.MaxInt64
	if why := a.world.Rules.Combat.CheckAttackRequest(g); why != reason.None {
		a.refuseAttack(x, target, why)
		return
	}
	p.interrupt()
	p.pursued, x.target = target, target
}

// endPursuit ends a player's pursuit: the player stops on its tile and has no target. The caller emits an event from
// which the client learns that the target is cleared.
func (p *pathAuthority) endPursuit(x *actor) {
	p.interrupt()
	x.target = 0
}

// pursueTarget makes the player follow the pursued actor until it is in reach, and then attack as often as the combat
// delay allows.
func (a *Area) pursueTarget(x *actor, p *pathAuthority) {
	y := a.find(p.pursued)
	if y == nil || y.dead {
		p.endPursuit(x)
		return
	}
	fx, fy := a.fighter(x), a.fighter(y)
	switch why := a.checkReach(x, y, &fx, &fy); why {
	case reason.None:
		p.Stop()
		p.searchDue = false
		if a.ms()-x.lastAttackMS >= int64(a.world.Rules.Combat.DelayMS) {
			a.pendingAttacks = append(a.pendingAttacks, attack{who: x.id, target: y.id})
		}
	case reason.OutOfRange, reason.Covered:
		a.approach(x, p, y, &fx, &fy, why)
	default:
		a.refuseReach(x, y, &fx, &fy, why, sighting{})
		p.endPursuit(x)
	}
}

// approach makes the player x follow the pursued actor y: it requests a path whenever y has moved to another tile. The path ends
// on a tile beside y. There y may still be out of reach, because actors under other authorities need not stand in the centre of
// their tiles. In that case x walks onto the tile of y as soon as neither of them moves. An actor moves until one cycle after its
// last step, when its position has reached its tile.
func (a *Area) approach(x *actor, p *pathAuthority, y *actor, fx, fy *combat.Fighter, why reason.Reason) {
	at, atRest, ok := y.authority.tile(a, y)
	if !ok {
		a.refuseReach(x, y, fx, fy, why, sighting{})
		p.endPursuit(x)
		return
	}
	goal := move.Goal{Tile: at, Reach: 1, Orthogonal: true}
	if fx.Shoots() {
		goal = move.WithinTiles(at, wholeTiles(a.world.Rules.Combat.MaxAttackDistance(fx, fy), a.def.Tiles.UnitsPerTile))
	}
	there := p.Tile == at || goal.ReachedFrom(a.def.Ground, p.Tile)
	switch {
	case there && (p.betweenTiles() || !atRest):
		p.Stop()
		p.searchDue = false
		return
	case p.Tile == at && p.Idle():
		a.refuseReach(x, y, fx, fy, why, sighting{})
		p.endPursuit(x)
		return
	case p.searchDue || at == p.pursuedTile && !p.Idle():
		return
	case there:
		goal = move.OnTile(at)
	}
	p.goal, p.ctrl, p.searchDue, p.pursuedTile = goal, false, true, at
}

// wholeTiles converts an attack distance to whole tiles, 1..64. The limit is 64 because a path search covers only that distance,
// so a target farther away is not followed.
func wholeTiles(units, size float32) uint8 { return uint8(min(max(units/size, 1), 64)) }
