package combat

import (
	"math"

	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/rng"
)

// Formula is how damage is calculated. The numbers are those of RealmCrafter's Misc.dat. Source: seed P_AttackActor.
type Formula uint8

// The four formulas.
const (
	Normal     Formula = 1 + iota // weapon damage, with a bonus or penalty for strength
	NoStrength                    // weapon damage alone
	Multiplied                    // weapon damage times strength, armour times toughness
	Script                        // what Rules.Program says
)

// Figures of the rules that are the same in every world. Source: docs/wire/rcce.md, section combat.
const (
	MaxDamage         = 32766 // points; the wire carries damage+1 as a signed 16-bit number
	Miss              = -1    // Blow.Damage of a miss
	maxRating         = 200   // of a faction toward another; 0 the worst
	neutral           = 100   // rating and resistance that change nothing
	missMaxRoll       = 10    // of 100: a roll to hit must be above it
	criticalOdds      = 10    // one blow in so many is critical
	wearOdds          = 5     // one blow in so many wears a thing
	maxExperienceRoll = 20    // points of experience that luck adds at most
)

// Rules are what the operator may set about fights. The zero value is not useful; start from DefaultRules.
type Rules struct {
	Formula       Formula
	Program       *Program // of formula Script, nil otherwise
	DelayMS       int32    // ms between two attacks of one actor
	WeaponWear    bool     // melee weapons wear
	ArmourWear    bool     // armour wears
	WearAttacker  bool     // armour wears on the attacker, a bug of the original; else on the victim
	RatingLoss    int32    // rating with the victim's faction that a kill costs the killer, 0..200
	MeleeReach    float32  // units between the edges of two actors
	FriendlyAbove uint8    // a rating above it forbids an attack
	HelpAtLeast   uint8    // a rating of at least it answers a call for help
	HostileBelow  uint8    // a rating below it is attacked on sight
}

// DefaultRules are those of the seed with the figures of RealmCrafter's default project.
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

// Gate is what Permit needs to know of an attack that somebody asks for.
type Gate struct {
	AttackerHere  bool  // in the world
	AttackerAlive bool  //
	SinceLastMS   int64 // ms since the attacker's last attack that was struck, or since it entered
	Mounted       bool  // the attacker rides
	TargetHere    bool  // known, and in the same live area
	TargetAlive   bool  //
	TargetIsNPC   bool  //
	PvP           bool  // the area lets players fight each other; true also when the attacker is an NPC
	Self          bool  // attacker and target are the same
}

// Permit asks the gates of the seed's handler in their order and returns the first that is shut, or None. Added to the
// seed's: the dead do not attack, nobody attacks himself, and a dead target is told here already.
func (r *Rules) Permit(g Gate) reason.Reason {
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

// Reach asks what the attack engine asks before a blow: v lives, the ranged weapon of a works, both fight at all,
// their factions are no friends, v is within range, and there is something to shoot. The original tells onlookers of a
// ranged attack, and starts its delay, before the middle three; here a refused attack leaves no trace.
//
// Ranged attacks of formula Script have no range: the program sees the distance and the reach and decides.
func (r *Rules) CheckTarget(a, v *Fighter) reason.Reason {
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
	case !scripted && !within(dist2(a, v), r.AttackRange(a, v)):
		return reason.OutOfRange
	case shoots && !scripted && a.Weapon.Projectile == nil:
		return reason.NoProjectile
	}
	return reason.None
}

// ReachOf is how far apart a and v may be for an attack of a, in units as Distance measures: the weapon's range, or
// MeleeReach, and both radii.
func (r *Rules) AttackRange(a, v *Fighter) float32 {
	reach := r.MeleeReach
	if a.Shoots() {
		reach = a.Weapon.Range
	}
	return reach + a.Radius + v.Radius
}

// Provoked tells whether an NPC turns on whoever attacked it: the defensive always, the hostile if it has no target.
func Retaliates(temper Aggressiveness, hasTarget bool) bool {
	return temper == Defensive || temper == Hostile && !hasTarget
}

// Helps tells whether an NPC of this temper answers a call for help of an actor whose home faction it rates so. That
// it sees the caller (Sees), chases nobody yet and has no leader is for the caller to know.
func (r *Rules) AnswersHelpCall(temper Aggressiveness, rating uint8) bool {
	return (temper == Defensive || temper == Hostile) && rating >= r.HelpAtLeast
}

// Hates tells whether a hostile NPC attacks on sight an actor of this temper whose home faction it rates so.
func (r *Rules) AttacksOnSight(rating uint8, victim Aggressiveness) bool {
	return rating < r.HostileBelow && victim != NonCombatant
}

// Wears tells whether a blow wears one thing: 1 in 5. It draws once.
func RollWear(luck *rng.Stream) bool { return luck.Between(1, wearOdds) == 1 }

// Experience is what a kill is worth: multiplier points for each level that the victim was above the killer, at least
// for one, and 0..20 more. Negative results are 0, large ones the largest int32. It draws once.
func KillExperience(killerLevel, victimLevel, multiplier int32, luck *rng.Stream) int32 {
	levels := max(1, int64(victimLevel)-int64(killerLevel))
	points := levels*int64(multiplier) + int64(luck.Between(0, maxExperienceRoll))
	return int32(min(max(points, 0), math.MaxInt32))
}

// Share divides experience among the members of a party who are in the area, the killer among them: each other gets
// each, the killer own, which includes the remainder. Fewer than two members share nothing.
func SplitExperience(xp, members int32) (each, own int32) {
	if members < 2 {
		return 0, xp
	}
	return xp / members, xp/members + xp%members
}

// LoseRating is the rating after a loss of by, never below 0 nor above 200.
func ReduceRating(rating uint8, by int32) uint8 {
	return uint8(min(max(int64(rating)-int64(by), 0), maxRating))
}
