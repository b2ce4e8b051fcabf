// Package combat has the rules of combat: which attacks are allowed, their damage, and the reactions to them.
//
// It holds no state. The area describes attacker and victim in two Fighter values. It asks CheckAttackRequest and CheckAttack
// whether the attack is allowed, and Melee or Shoot for the result:
//
//	if why := rules.CheckAttackRequest(facts); why != reason.None { refuse }
//	if why := rules.CheckAttack(&a, &v); why != reason.None { refuse }
//	result := rules.Melee(&a, &v, luck)
//
// The area applies damage, wear, aggression and death, and informs the clients. This package decides whether an attack damages
// an item (RollWear) and whether an actor retaliates (Retaliates).
//
// Random numbers are drawn in a fixed order, so that a replay of a recorded fight gives the same results: to hit,
// spread, critical (Melee); to hit, spread (Shoot); three rolls of 1..100 (formula 4). Each function documents its
// draws. Source of every rule: specification P_AttackActor and docs/wire/rcce.md, section combat.
package combat
