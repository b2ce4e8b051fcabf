package combat

import (
	"math"

	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/rng"
)

// Formula is the rule that calculates damage. The numbers are those of RealmCrafter's Misc.dat. Source: specification
// P_AttackActor.
type Formula uint8

// Values of Formula: the four damage formulas of the RealmCrafter server.
const (
	Normal     Formula = 1 + iota // weapon damage, with a bonus or penalty for strength
	NoStrength                    // damage is that of the weapon, without strength
	Multiplied                    // weapon damage times strength, armour times toughness
	Script                        // calculated by Rules.Program
)

// Constants of the rules that are the same in every world. Source: docs/wire/rcce.md, section combat.
const (
	MaxDamage         = 32766 // maximum damage of an attack in points; the wire carries damage+1 as a signed 16-bit number
	Miss              = -1    // value of AttackResult.Damage for a miss
	maxRating         = 200   // highest rating of an actor with a faction; 0 is the lowest
	neutral           = 100   // rating or resistance that has no effect
	missMaxRoll       = 10    // an attack hits if its roll of 1..100 exceeds this
	criticalOdds      = 10    // one in this many hits is critical
	wearOdds          = 5     // the probability that an attack damages an item is 1 in this many
	maxExperienceRoll = 20    // a kill gives 0 to this many additional experience points
)

// Rules are the combat settings of a world. With the zero value combat does not work; start from DefaultRules.
type Rules struct {
	Formula       Formula  // which formula calculates the damage
	Program       *Program // program that calculates the damage if Formula is Script; otherwise nil
	DelayMS       int32    // minimum ms between two attacks of one actor
	WeaponWear    bool     // true: melee attacks can damage the weapon of the attacker
	ArmourWear    bool     // true: melee attacks can damage armour
	WearAttacker  bool     // true: the armour of the attacker is damaged, as by a bug of the RealmCrafter server; false: that of the victim
	RatingLoss    int32    // points by which a kill lowers the killer's rating with the victim's faction, 0..200
	MeleeReach    float32  // maximum world units between the edges of two actors for a melee attack
	FriendlyAbove uint8    // rating above which an actor cannot be attacked
	HelpAtLeast   uint8    // rating from which on an actor answers a call for help
	HostileBelow  uint8    // rating below which an actor is attacked on sight
}

// DefaultRules returns the rules of the RealmCrafter server with the numbers of its default project.
func DefaultRules() Rules {
	return Rules{
		Formula:       Normal,
		DelayMS:       1000,
		ArmourWear:    true,
		MeleeReach:    7,
		FriendlyAbove: 150,
		HelpAtLeast:   190,
		HostileBelow:  150,
	}
}

// AttackFacts are the facts about a requested attack that CheckAttackRequest checks.
type AttackFacts struct {
	AttackerHere  bool  // the attacker is in the world
	AttackerAlive bool  // the attacker has health left
	SinceLastMS   int64 // ms since the attacker's last executed attack, or since it entered the area
	Mounted       bool  // the attacker is riding
	TargetHere    bool  // the target exists in the attacker's area
	TargetAlive   bool  // the target has health left
	TargetIsNPC   bool  // the target is an NPC, not a player
	PvP           bool  // the area allows players to attack each other; true as well if the attacker is an NPC
	Self          bool  // the attacker is the target
}

// CheckAttackRequest checks the conditions that the handler of P_AttackActor checks (RealmCrafter specification), in the same
// order. It returns the reason of the first one that fails, or reason.None. It also checks that the attacker is alive, that the
// target is not the attacker, and that the target is alive.
func (r *Rules) CheckAttackRequest(g AttackFacts) reason.Reason {
	switch {
	case !g.AttackerHere:
		return reason.AttackerGone
	case !g.AttackerAlive:
		return reason.AttackerDead
	case g.SinceLastMS < int64(r.DelayMS):
		return reason.TooSoon
	case g.Mounted:
		return reason.Mounted
	case !g.TargetHere:
		return reason.TargetGone
	case g.Self:
		return reason.TargetSelf
	case !g.TargetIsNPC && !g.PvP:
		return reason.NoPvP
	case !g.TargetAlive:
		return reason.TargetDead
	}
	return reason.None
}

// CheckAttack makes the checks of RealmCrafter's attack engine for an attack of a on v, in this order: (1) v is alive, (2) a is
// alive, (3) a ranged weapon is not broken, (4) neither fighter is a non-combatant, (5) a's rating of v's faction is not
// friendly, (6) v is within range, (7) a ranged weapon has a projectile. It returns the reason of the first check that fails, or
// reason.None. The RealmCrafter server shows a ranged attack to onlookers, and starts the delay until the next attack, before the
// checks (4), (5) and (6). On this server a refused attack has no effect.
//
// With formula Script, the checks (6) and (7) are omitted for ranged attacks: the damage program reads the distance and the reach
// and decides, and it needs no projectile.
func (r *Rules) CheckAttack(a, v *Fighter) reason.Reason {
	shoots := a.Shoots()
	scripted := shoots && r.Formula == Script
	switch {
	case v.Health <= 0:
		return reason.TargetDead
	case a.Health <= 0:
		return reason.AttackerDead
	case shoots && a.WeaponHealth == 0:
		return reason.WeaponBroken
	case a.Temper == NonCombatant || v.Temper == NonCombatant:
		return reason.NonCombatant
	case a.RatingOf(v.HomeFaction) > r.FriendlyAbove:
		return reason.FriendlyRating
	case !scripted && !within(combatDist2(a, v), r.MaxAttackDistance(a, v)):
		return reason.OutOfRange
	case shoots && !scripted && a.Weapon.Projectile == nil:
		return reason.NoProjectile
	}
	return reason.None
}

// MaxAttackDistance returns the maximum distance of an attack of a on v, in world units as measured by Distance. It is the sum of
// both radii and of the weapon's range or, without a ranged weapon, MeleeReach.
func (r *Rules) MaxAttackDistance(a, v *Fighter) float32 {
	reach := r.MeleeReach
	if a.Shoots() {
		reach = a.Weapon.Range
	}
	return reach + a.Radius + v.Radius
}

// Retaliates reports whether an NPC attacks its attacker. A defensive NPC always does, a hostile one only if it has no
// target.
func Retaliates(temper Aggressiveness, hasTarget bool) bool {
	return temper == Defensive || temper == Hostile && !hasTarget
}

// AnswersHelpCall reports whether an NPC answers a call for help. The parameter temper is the aggressiveness of the NPC, and
// rating is how the NPC rates the home faction of the actor that calls. AnswersHelpCall does not check whether the NPC sees that
// actor, or has a target or a leader.
func (r *Rules) AnswersHelpCall(temper Aggressiveness, rating uint8) bool {
	return (temper == Defensive || temper == Hostile) && rating >= r.HelpAtLeast
}

// AttacksOnSight reports whether a hostile NPC attacks an actor on sight. The parameter rating is how the NPC rates the home
// faction of the actor, and victim is the aggressiveness of the actor.
func (r *Rules) AttacksOnSight(rating uint8, victim Aggressiveness) bool {
	return rating < r.HostileBelow && victim != NonCombatant
}

// RollWear decides at random whether an attack damages an item; the probability is 1 in 5. It draws one random number.
func RollWear(luck *rng.Stream) bool { return luck.Between(1, wearOdds) == 1 }

// KillExperience returns the experience points for a kill, the sum of two parts: (1) multiplier points for each level by which
// the victim's level exceeds the killer's, but for at least one level, and (2) a random number 0..20. The sum is limited to
// 0..2^31-1. KillExperience draws one random number.
func KillExperience(killerLevel, victimLevel, multiplier int32, luck *rng.Stream) int32 {
	levels := max(1, int64(victimLevel)-int64(killerLevel))
	points := levels*int64(multiplier) + int64(luck.Between(0, maxExperienceRoll))
	return int32(min(max(points, 0), math.MaxInt32))
}

// SplitExperience divides experience among the party members in one area. The parameter members is their number, the killer
// included. The result own is the share of the killer, which includes the remainder of the division; each is the share of every
// other member. With fewer than two members the killer receives all.
func SplitExperience(xp, members int32) (each, own int32) {
	if members < 2 {
		return 0, xp
	}
	return xp / members, xp/members + xp%members
}

// ReduceRating returns rating minus loss, limited to 0..200. A negative loss raises the rating.
func ReduceRating(rating uint8, loss int32) uint8 {
	return uint8(min(max(int64(rating)-int64(loss), 0), maxRating))
}
