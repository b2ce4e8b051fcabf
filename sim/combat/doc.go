// Package combat has the rules of a fight: who may attack whom, what a blow does, and how others react to it.
//
// It holds no state. The area fills two Fighter views, asks Permit and Reach whether the blow may be struck, and Melee
// or Shoot what comes of it:
//
//	if why := rules.Permit(gate); why != reason.None { refuse }
//	if why := rules.Reach(&a, &v); why != reason.None { refuse }
//	blow := rules.Melee(&a, &v, luck)
//
// Applying the damage, telling clients, wear, anger and death are the area's; the predicates for them are here.
//
// Luck is drawn in a fixed order, so that a recorded fight replays: to hit, spread, critical (Melee); to hit, spread
// (Shoot); three rolls of 1..100 (formula 4). Each function says which draws it makes. Source of every rule: seed
// P_AttackActor and docs/wire/rcce.md, section combat.
package combat
