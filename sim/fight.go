package sim

import (
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/reason"
)

// fightAll carries out the attacks of the tick in the order in which they were asked for: players in inbox order,
// then NPCs by id. A target that an earlier attack of this tick killed is dead for the later ones.
func (a *Area) fightAll() {
	for _, w := range a.attacks {
		a.attack(w)
	}
	a.attacks = a.attacks[:0]
}

// attack takes one attack through the gates and then through the rules: range, hit, damage, armour, reactions, death.
func (a *Area) attack(w attack) {
	x, y := a.find(w.who), a.find(w.target)
	if x == nil {
		return // it died or left earlier in this tick
	}
	if why := a.world.Rules.Combat.Permit(a.gate(x, y)); why != reason.None {
		if !x.authority.pursues(w.target) { // or it died in this very tick
			a.refuseGate(x, w.target, why)
		}
		return
	}
	fx, fy := a.fighter(x), a.fighter(y)
	why := a.checkReach(x, y, &fx, &fy)
	switch {
	case (why == reason.OutOfRange || why == reason.Covered) && x.authority.pursues(y.id): // it moved away in this very tick, and is followed
	case why != reason.None:
		a.refuseReach(x, y, &fx, &fy, why)
	case fx.Shoots():
		a.shoot(x, y, &fx, &fy)
	default:
		a.strike(x, y, &fx, &fy)
	}
	if !x.player || y.gone || y.dead {
		return
	}
	x.target = y.id // whatever became of the blow
	if why == reason.None {
		a.rally(x, y)
	}
}

// refuseGate tells a player which gate refused its attack. NPCs try again by themselves and need no answer.
func (a *Area) refuseGate(x *actor, target EntityID, why reason.Reason) {
	switch {
	case !x.player:
	case why == reason.TooSoon:
		a.refuse(x.id, target, why, float32(a.ms()-x.attackedMS), float32(a.world.Rules.Combat.DelayMS))
	default:
		a.refuse(x.id, target, why, 0, 0)
	}
}

// refuseReach tells a player why its attack does not reach y.
func (a *Area) refuseReach(x, y *actor, fx, fy *combat.Fighter, why reason.Reason) {
	switch {
	case !x.player:
	case why == reason.OutOfRange:
		a.refuse(x.id, y.id, why, combat.Distance(fx, fy), a.world.Rules.Combat.AttackRange(fx, fy))
	default:
		a.refuse(x.id, y.id, why, 0, 0)
	}
	if why == reason.WeaponBroken && x.player {
		a.emit(Event{Kind: EventMessage, Who: x.id, Text: "Your weapon is damaged and must be repaired.", N: ToneWarning})
	}
}

// checkReach is why an attack of x does not reach y: for the rules of combat, or because a wall is between them.
func (a *Area) checkReach(x, y *actor, fx, fy *combat.Fighter) reason.Reason {
	why := a.world.Rules.Combat.CheckTarget(fx, fy)
	if why == reason.None && !a.lineOfSight(x, y) {
		return reason.Covered
	}
	return why
}

// gate collects the facts that the six gates ask for.
func (a *Area) gate(x, y *actor) combat.Gate {
	g := combat.Gate{
		AttackerHere: true, AttackerAlive: !x.dead && a.health(x) > 0,
		SinceLastMS: a.ms() - x.attackedMS,
		Mounted:     x.mount != 0,
		PvP:         a.def.PvP,
	}
	if y != nil {
		g.TargetHere, g.TargetIsNPC, g.Self = true, !y.player, x == y
		g.TargetAlive = !y.dead && a.health(y) > 0
	}
	if !x.player { // an NPC strikes whom its mind chose; the area's PvP flag protects players from players
		g.PvP = true
	}
	return g
}

// strike is one blow of melee. With formula 4 the program is all: nobody calls for help and nothing wears.
func (a *Area) strike(x, y *actor, fx, fy *combat.Fighter) {
	rules := &a.world.Rules.Combat
	x.attackedMS = a.ms()
	a.provoke(y, x)
	if rules.Formula != combat.Script {
		a.callForHelp(y)
	}
	blow := rules.Melee(fx, fy, a.luck)
	if blow.Critical && x.player {
		a.emit(Event{Kind: EventMessage, Who: x.id, Text: "Critical damage!", N: ToneCombat})
	}
	if rules.Formula != combat.Script {
		a.wear(x, y, fx)
	}
	a.hurt(y, blow)
	a.emit(Event{Kind: EventAttacked, Who: x.id, Other: y.id, N: blow.Damage, Type: blow.Type, Text: y.name})
	a.settle(x, y, blow)
}

// shoot looses a projectile. Its damage applies at once, not when it is seen to arrive; one that misses provokes nobody.
// With formula 4 the weapon may have no projectile to show, the attempt alone provokes, and nobody calls for help.
func (a *Area) shoot(x, y *actor, fx, fy *combat.Fighter) {
	rules := &a.world.Rules.Combat
	scripted := rules.Formula == combat.Script
	p := x.weapon.Projectile
	x.attackedMS = a.ms()
	a.emit(Event{Kind: EventShotFired, Who: x.id, Other: y.id})
	if p != nil {
		a.emit(Event{Kind: EventProjectile, Who: x.id, Other: y.id, Projectile: p})
	}
	if scripted {
		a.provoke(y, x)
	}
	blow := rules.Shoot(fx, fy, p, a.luck)
	if !blow.Hit {
		return
	}
	a.hurt(y, blow)
	a.emit(Event{Kind: EventAttacked, Who: x.id, Other: y.id, N: blow.Damage, Type: blow.Type, Ranged: true, Text: y.name})
	if !scripted {
		a.provoke(y, x)
		a.callForHelp(y)
	}
	a.settle(x, y, blow)
}

// hurt takes the damage off; settle tells it after the blow itself has been told.
func (a *Area) hurt(y *actor, blow combat.AttackResult) {
	if blow.Damage > 0 {
		h := &y.attr[a.world.Roles.Health]
		h.Value = max(0, h.Value-blow.Damage)
	}
}

// settle tells the new health to everybody and, at none, kills.
func (a *Area) settle(x, y *actor, blow combat.AttackResult) {
	if blow.Damage <= 0 {
		return
	}
	a.setHealth(y, a.health(y))
	if a.health(y) <= 0 {
		a.kill(y, x)
		return
	}
	y.authority.knockback(a, y, x)
}

// provoke makes an NPC answer whoever attacked it, as its temper says.
func (a *Area) provoke(y, by *actor) {
	if y.player || y.leader != 0 || y.rider != 0 || !combat.Retaliates(y.tmpl.Temper, y.target != 0) {
		return
	}
	a.pursue(y, by)
}

// wear takes health off weapon and armour, each with chance 1/5, where the world has it.
func (a *Area) wear(x, y *actor, fx *combat.Fighter) {
	rules := &a.world.Rules.Combat
	if rules.WeaponWear && fx.Weapon != nil {
		a.wearSlot(x, SlotWeapon)
	}
	if !rules.ArmourWear {
		return
	}
	victim := y
	if rules.WearAttacker {
		victim = x
	}
	for slot := SlotShield; slot <= SlotFeet; slot++ {
		a.wearSlot(victim, slot)
	}
}

func (a *Area) wearSlot(x *actor, slot int) {
	s := &x.inv[slot]
	if s.Empty() || s.Health == 0 || !combat.RollWear(a.luck) {
		return
	}
	if it := a.world.Item(s.Item); it == nil || !it.TakesDamage {
		return
	}
	s.Health--
	if s.Health == 0 {
		a.dress(x)
	}
	x.changed = true
	if x.player {
		a.emit(Event{Kind: EventItemDamaged, Who: x.id, N: int32(slot), Value: int32(s.Health)})
	}
}

// kill ends a life. by is nil when water or the like did it. NPCs leave the area, players lie until they respawn.
func (a *Area) kill(x, by *actor) {
	if x.dead || x.gone {
		return
	}
	a.unseat(x)
	e := Event{Kind: EventDied, Who: x.id, Text: x.name}
	if by != nil {
		e.Other = by.id
	}
	a.emit(e)
	if by != nil {
		a.reward(x, by)
	}
	a.forget(x.id)
	if !x.player {
		a.remove(x)
		return
	}
	x.dead = true
	x.target = 0
	x.stop()
	x.authority.interrupt()
	x.respawnTick = a.now + a.ticks(a.world.Rules.RespawnDelayMS)
	a.emit(Event{Kind: EventRecord, Who: x.id, Record: a.snapshotCharacter(x)})
}

// reward gives the killer what a kill is worth: less rating with the dead one's faction, and experience.
func (a *Area) reward(x, by *actor) {
	if loss := a.world.Rules.Combat.RatingLoss; loss > 0 {
		by.ratings[x.homeFaction] = combat.ReduceRating(by.ratings[x.homeFaction], loss)
		by.changed = true
	}
	xp := combat.KillExperience(by.level, x.level, x.tmpl.XPMultiplier, a.luck)
	if leader := a.find(by.leader); leader != nil {
		by = leader // the kill of a pet is its leader's
	}
	a.giveXP(by, xp)
}

// giveXP shares experience among the members of the party that are here.
func (a *Area) giveXP(x *actor, xp int32) {
	members := int32(1)
	if x.party != 0 {
		for _, y := range a.actors {
			if y != x && y.player && !y.gone && y.party == x.party {
				members++
			}
		}
	}
	each, own := combat.SplitExperience(xp, members)
	for _, y := range a.actors {
		if members > 1 && y != x && y.player && !y.gone && y.party == x.party {
			a.gain(y, each)
		}
	}
	a.gain(x, own)
}

func (a *Area) gain(x *actor, xp int32) {
	x.xp = int32(min(int64(x.xp)+int64(xp), 1<<31-1))
	x.changed = true
	if x.player && xp > 0 {
		a.emit(Event{Kind: EventXP, Who: x.id, Value: xp})
	}
}
