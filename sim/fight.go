package sim

import (
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/reason"
)

// fightAll executes the attacks of the tick in the order of their admission: those of players in inbox order, then those
// of NPCs by id. A target that an earlier attack of this tick killed is dead for the later ones.
func (a *Area) fightAll() {
	for _, w := range a.pendingAttacks {
		a.attack(w)
	}
	a.pendingAttacks = a.pendingAttacks[:0]
}

// attack executes one attack, in this order: checks, range, hit, damage, armour, reactions, death.
func (a *Area) attack(w attack) {
	x, y := a.find(w.who), a.find(w.target)
	if x == nil {
		return // the attacker left the area earlier in this tick
	}
	if why := a.world.Rules.Combat.CheckAttackRequest(a.attackFacts(x, y)); why != reason.None {
		if !x.authority.pursues(w.target) { // a pursuit ends without a refusal, for example because the target died in this tick
			a.refuseAttack(x, w.target, why)
		}
		return
	}
	fx, fy := a.fighter(x), a.fighter(y)
	seen := a.seenAt(x, y, w.seen)
	fy.Pos = seen.pos // a damage script reads this position, too, and may decide by it whether the target is in reach
	why := a.checkReach(x, y, &fx, &fy)
	switch {
	case (why == reason.OutOfRange || why == reason.Covered) && x.authority.pursues(y.id): // not refused: x pursues y
	case why != reason.None:
		a.refuseReach(x, y, &fx, &fy, why, seen)
	case fx.Shoots():
		a.noteFight(x, y)
		a.rangedAttack(x, y, &fx, &fy, seen)
	default:
		a.noteFight(x, y)
		a.meleeAttack(x, y, &fx, &fy, seen)
	}
	if !x.player || y.gone || y.dead {
		return
	}
	x.target = y.id // the target is set even if the attack misses
	if why == reason.None {
		a.rallyPets(x, y)
	}
}

// refuseAttack emits the event that a player's attack was refused, with the reason. NPCs retry by themselves and get no event.
func (a *Area) refuseAttack(x *actor, target EntityID, why reason.Reason) {
	switch {
	case !x.player:
	case why == reason.TooSoon:
		a.refuse(x.id, target, why, float32(a.ms()-x.lastAttackMS), float32(a.world.Rules.Combat.DelayMS))
	default:
		a.refuse(x.id, target, why, 0, 0)
	}
}

// refuseReach emits the event that a player's attack was refused because it does not reach y. The parameter seen is the position
// of y that the player's client showed, by which the attack was judged.
func (a *Area) refuseReach(x, y *actor, fx, fy *combat.Fighter, why reason.Reason, seen sighting) {
	if !x.player {
		return
	}
	e := Event{Kind: EventRefused, Who: x.id, Other: y.id, Reason: why}
	switch why {
	case reason.OutOfRange:
		e.Asked, e.Allowed = combat.Distance(fx, fy), a.world.Rules.Combat.MaxAttackDistance(fx, fy)
		seen.describe(&e, y)
	case reason.Covered:
		seen.describe(&e, y)
	}
	a.emit(e)
	if why == reason.WeaponBroken {
		a.emit(Event{Kind: EventMessage, Who: x.id, Text: "Your weapon is damaged and must be repaired.", N: ToneWarning})
	}
}

// checkReach returns why an attack of x does not reach y at the position in fy: a rule of combat, or a wall between them.
// It returns reason.None if the attack reaches y.
func (a *Area) checkReach(x, y *actor, fx, fy *combat.Fighter) reason.Reason {
	why := a.world.Rules.Combat.CheckAttack(fx, fy)
	if why == reason.None && !a.lineOfSightBetween(x.pos, fy.Pos, a.sceneOf(x).Flies, a.sceneOf(y).Flies) {
		return reason.Covered
	}
	return why
}

// attackFacts returns what combat.Rules.CheckAttackRequest must know to allow or refuse an attack of x on y. The actor y is nil if
// the target is not in the area.
func (a *Area) attackFacts(x, y *actor) combat.AttackFacts {
	g := combat.AttackFacts{
		AttackerHere: true, AttackerAlive: !x.dead && a.health(x) > 0,
		SinceLastMS: a.ms() - x.lastAttackMS,
		Mounted:     x.mount != 0,
		PvP:         a.def.PvP,
	}
	if y != nil {
		g.TargetHere, g.TargetIsNPC, g.Self = true, !y.player, x == y
		g.TargetAlive = !y.dead && a.health(y) > 0
	}
	if !x.player { // the AI has chosen the target, and PvP restricts only attacks between players
		g.PvP = true
	}
	return g
}

// meleeAttack executes a melee attack. With damage formula 4 a script decides everything: the attacked actor does not call for
// help, and items are not damaged.
func (a *Area) meleeAttack(x, y *actor, fx, fy *combat.Fighter, seen sighting) {
	rules := &a.world.Rules.Combat
	x.lastAttackMS = a.ms()
	a.provoke(y, x)
	if rules.Formula != combat.Script {
		a.callForHelp(y)
	}
	result := rules.Melee(fx, fy, a.rng)
	if result.Critical && x.player {
		a.emit(Event{Kind: EventMessage, Who: x.id, Text: "Critical damage!", N: ToneCombat})
	}
	if rules.Formula != combat.Script {
		a.wearItems(x, y, fx)
	}
	a.applyDamage(y, result)
	e := Event{Kind: EventAttacked, Who: x.id, Other: y.id, N: result.Damage, Type: result.Type, Text: y.name}
	seen.describe(&e, y)
	a.emit(e)
	a.finishAttack(x, y, result)
}

// rangedAttack fires a projectile. The damage applies immediately, not when clients show the hit. A miss provokes no reaction.
// Damage formula 4 (a script) differs in three points: (1) the weapon may have no projectile to show, (2) a miss provokes the
// target, too, and (3) the target does not call for help.
func (a *Area) rangedAttack(x, y *actor, fx, fy *combat.Fighter, seen sighting) {
	rules := &a.world.Rules.Combat
	scripted := rules.Formula == combat.Script
	p := x.weapon.Projectile
	x.lastAttackMS = a.ms()
	shot := Event{Kind: EventShotFired, Who: x.id, Other: y.id}
	seen.describe(&shot, y)
	a.emit(shot)
	if p != nil {
		a.emit(Event{Kind: EventProjectile, Who: x.id, Other: y.id, Projectile: p})
	}
	if scripted {
		a.provoke(y, x)
	}
	result := rules.Shoot(fx, fy, p, a.rng)
	if !result.Hit {
		return
	}
	a.applyDamage(y, result)
	hit := Event{Kind: EventAttacked, Who: x.id, Other: y.id, N: result.Damage, Type: result.Type, Ranged: true, Text: y.name}
	seen.describe(&hit, y)
	a.emit(hit)
	if !scripted {
		a.provoke(y, x)
		a.callForHelp(y)
	}
	a.finishAttack(x, y, result)
}

// applyDamage subtracts the damage from the health of y. It emits no event: the event of the attack must come first, and
// finishAttack then emits the new health.
func (a *Area) applyDamage(y *actor, result combat.AttackResult) {
	if result.Damage > 0 {
		h := &y.attr[a.world.Roles.Health]
		h.Value = max(0, h.Value-result.Damage)
	}
}

// finishAttack emits the new health of y. If the health is 0, it kills y. Otherwise it applies the knockback of the attack.
func (a *Area) finishAttack(x, y *actor, result combat.AttackResult) {
	if result.Damage <= 0 {
		return
	}
	a.setHealth(y, a.health(y))
	if a.health(y) <= 0 {
		a.kill(y, x)
		return
	}
	y.authority.knockback(a, y, x)
}

// provoke makes an NPC chase its attacker if the aggressiveness of its template allows it.
func (a *Area) provoke(y, by *actor) {
	if y.player || y.leader != 0 || y.rider != 0 || !combat.Retaliates(y.tmpl.Temper, y.target != 0) {
		return
	}
	a.startChase(y, by)
}

// wearItems reduces the health of items after an attack of x on y, each with a probability of 1/5, as far as the rules enable
// wear: of the weapon of x, and of each piece of armour of y or, with the rule WearAttacker, of x.
func (a *Area) wearItems(x, y *actor, fx *combat.Fighter) {
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
	if s.Empty() || s.Health == 0 || !combat.RollWear(a.rng) {
		return
	}
	if it := a.world.Item(s.Item); it == nil || !it.TakesDamage {
		return
	}
	s.Health--
	if s.Health == 0 {
		a.updateEquipment(x)
	}
	x.bodyStale = true
	if x.player {
		a.emit(Event{Kind: EventItemDamaged, Who: x.id, N: int32(slot), Value: int32(s.Health)})
	}
}

// kill makes an actor die. The parameter killer is nil if no actor killed it, for example if it drowned. An NPC leaves the area;
// a player stays dead until it respawns.
func (a *Area) kill(x, killer *actor) {
	if x.dead || x.gone {
		return
	}
	a.stopRiding(x)
	e := Event{Kind: EventDied, Who: x.id, Text: x.name}
	if killer != nil {
		e.Other = killer.id
	}
	a.emit(e)
	if killer != nil {
		a.reward(x, killer)
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
	a.clearEffects(x)
	x.respawnTick = a.now + a.ticks(a.world.Rules.RespawnDelayMS)
	a.emit(Event{Kind: EventRecord, Who: x.id, Record: a.snapshotRecord(x)})
}

// reward gives the killer (the parameter by) experience for the death of x, and lowers the killer's rating with the faction of x.
func (a *Area) reward(x, by *actor) {
	if loss := a.world.Rules.Combat.RatingLoss; loss > 0 {
		by.ratings[x.homeFaction] = combat.ReduceRating(by.ratings[x.homeFaction], loss)
		by.bodyStale = true
	}
	xp := combat.KillExperience(by.level, x.level, x.tmpl.XPMultiplier, a.rng)
	if leader := a.find(by.leader); leader != nil {
		by = leader // a pet's kill counts for its leader
	}
	a.shareXP(by, xp)
}

// shareXP divides the experience for a kill by x among x and the members of its party in this area.
func (a *Area) shareXP(x *actor, xp int32) {
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
			a.addXP(y, each)
		}
	}
	a.addXP(x, own)
}

func (a *Area) addXP(x *actor, xp int32) {
	x.xp = int32(min(int64(x.xp)+int64(xp), 1<<31-1))
	x.bodyStale = true
	if x.player && xp > 0 {
		a.emit(Event{Kind: EventXP, Who: x.id, Value: xp})
	}
}
