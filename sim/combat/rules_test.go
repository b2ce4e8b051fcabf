package combat

import (
	"math"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/rng"
)

// open returns the facts of an attack that passes every check.
func open() AttackFacts {
	return AttackFacts{AttackerHere: true, AttackerAlive: true, SinceLastMS: 1000, TargetHere: true, TargetAlive: true, TargetIsNPC: true}
}

// Specification P_AttackActor, "C→S handler", and docs/wire/rcce.md 6.1: an attack must pass six checks.
func TestEachForbiddenAttackIsRefused(t *testing.T) {
	r := DefaultRules()
	for _, c := range []struct {
		rule string
		shut func(*AttackFacts)
		want reason.Reason
	}{
		{"all checks pass", func(g *AttackFacts) {}, reason.None},
		{"1 sender validity", func(g *AttackFacts) { g.AttackerHere = false }, reason.AttackerGone},
		{"a dead attacker", func(g *AttackFacts) { g.AttackerAlive = false }, reason.AttackerDead},
		{"3 combat delay, one ms early", func(g *AttackFacts) { g.SinceLastMS = 999 }, reason.TooSoon},
		{"4 not riding a mount", func(g *AttackFacts) { g.Mounted = true }, reason.Mounted},
		{"5 same area", func(g *AttackFacts) { g.TargetHere = false }, reason.TargetGone},
		{"an actor cannot attack itself", func(g *AttackFacts) { g.Self, g.TargetIsNPC = true, false }, reason.TargetSelf},
		{"6 players only where PvP is", func(g *AttackFacts) { g.TargetIsNPC = false }, reason.NoPvP},
		{"6 players where PvP is", func(g *AttackFacts) { g.TargetIsNPC, g.PvP = false, true }, reason.None},
		{"6 NPCs always", func(g *AttackFacts) { g.PvP = false }, reason.None},
		{"a dead target", func(g *AttackFacts) { g.TargetAlive = false }, reason.TargetDead},
	} {
		g := open()
		c.shut(&g)
		if got := r.CheckAttackRequest(g); got != c.want {
			t.Errorf("%s: %v, want %v", c.rule, got, c.want)
		}
	}
}

// CheckAttackRequest returns the reason of the first check that fails, in the order of the RealmCrafter specification P_AttackActor.
func TestRefusedAttackReportsFirstFailedCheckInSpecifiedOrder(t *testing.T) {
	r := DefaultRules()
	g := AttackFacts{Mounted: true, Self: true}
	for _, step := range []struct {
		want reason.Reason
		open func()
	}{
		{reason.AttackerGone, func() { g.AttackerHere = true }},
		{reason.AttackerDead, func() { g.AttackerAlive = true }},
		{reason.TooSoon, func() { g.SinceLastMS = 1000 }},
		{reason.Mounted, func() { g.Mounted = false }},
		{reason.TargetGone, func() { g.TargetHere = true }},
		{reason.TargetSelf, func() { g.Self = false }},
		{reason.NoPvP, func() { g.PvP = true }},
		{reason.TargetDead, func() { g.TargetAlive = true }},
		{reason.None, func() {}},
	} {
		if got := r.CheckAttackRequest(g); got != step.want {
			t.Fatalf("%+v: %v, want %v", g, got, step.want)
		}
		step.open()
	}
}

// pair returns an attacker and a victim that may fight. They are 1 unit apart. The victim has armour 5 and resistance 100
// to damage type 0.
func pair() (a, v Fighter) {
	f := Fighter{Ratings: new([Factions]uint8), Resistances: new([DamageTypes]int32), Health: 100, WeaponHealth: 100}
	for i := range f.Ratings {
		f.Ratings[i] = 100
	}
	for i := range f.Resistances {
		f.Resistances[i] = 100
	}
	a, v = f, f
	v.Pos = geom.Vec{X: 1}
	v.HomeFaction = 3
	return a, v
}

func bow() *Weapon {
	return &Weapon{Kind: Ranged, Range: 50, Damage: 8, Projectile: &Projectile{HitChance: 80, Damage: 12, Type: 4}}
}

// Specification P_AttackActor, "ActorAttack damage engine", and docs/wire/rcce.md 6.2: the checks of the combat engine.
func TestTargetThatCannotBeAttackedIsRefusedWithReason(t *testing.T) {
	for _, c := range []struct {
		rule string
		set  func(r *Rules, a, v *Fighter)
		want reason.Reason
	}{
		{"neighbours fight", func(r *Rules, a, v *Fighter) {}, reason.None},
		{"already-dead target", func(r *Rules, a, v *Fighter) { v.Health = 0 }, reason.TargetDead},
		{"dead attacker", func(r *Rules, a, v *Fighter) { a.Health = -1 }, reason.AttackerDead},
		{"the attacker is a non-combatant", func(r *Rules, a, v *Fighter) { a.Temper = NonCombatant }, reason.NonCombatant},
		{"the target is a non-combatant", func(r *Rules, a, v *Fighter) { v.Temper = NonCombatant }, reason.NonCombatant},
		{"rating 150 is not friendly", func(r *Rules, a, v *Fighter) { a.Ratings[3] = 150 }, reason.None},
		{"rating 151 is friendly", func(r *Rules, a, v *Fighter) { a.Ratings[3] = 151 }, reason.FriendlyRating},
		{"the target's rating does not matter", func(r *Rules, a, v *Fighter) { v.Ratings[0] = 200 }, reason.None},
		{"melee at 7 units", func(r *Rules, a, v *Fighter) { v.Pos.X = 7 }, reason.None},
		{"melee beyond 7 units", func(r *Rules, a, v *Fighter) { v.Pos.X = 7.001 }, reason.OutOfRange},
		{"melee at 7 units + both radii", func(r *Rules, a, v *Fighter) { a.Radius, v.Radius, v.Pos.X = 2, 3, 12 }, reason.None},
		{"melee beyond the radii", func(r *Rules, a, v *Fighter) { a.Radius, v.Radius, v.Pos.X = 2, 3, 12.01 }, reason.OutOfRange},
		{"height counts a fifth", func(r *Rules, a, v *Fighter) { v.Pos = geom.Vec{Y: 35} }, reason.None},
		{"height counts", func(r *Rules, a, v *Fighter) { v.Pos = geom.Vec{Y: -35.1} }, reason.OutOfRange},
		{"a NaN position is out of range", func(r *Rules, a, v *Fighter) { v.Pos.X = float32(math.NaN()) }, reason.OutOfRange},
		{"a broken sword counts as bare hands", func(r *Rules, a, v *Fighter) { a.Weapon, a.WeaponHealth = &Weapon{Kind: OneHanded}, 0 }, reason.None},
		{"a bow at its range", func(r *Rules, a, v *Fighter) { a.Weapon, v.Pos.X = bow(), 50 }, reason.None},
		{"a bow beyond its range", func(r *Rules, a, v *Fighter) { a.Weapon, v.Pos.X = bow(), 50.01 }, reason.OutOfRange},
		{"a broken bow", func(r *Rules, a, v *Fighter) { a.Weapon, a.WeaponHealth = bow(), 0 }, reason.WeaponBroken},
		{"a bow without a projectile", func(r *Rules, a, v *Fighter) { a.Weapon = &Weapon{Kind: Ranged, Range: 50} }, reason.NoProjectile},
		{"ranged attacks check the rating too", func(r *Rules, a, v *Fighter) { a.Weapon, a.Ratings[3] = bow(), 151 }, reason.FriendlyRating},
		{"formula 4: a bow has no range", func(r *Rules, a, v *Fighter) { r.Formula, a.Weapon, v.Pos.X = Script, bow(), 900 }, reason.None},
		{"formula 4: a bow needs no projectile", func(r *Rules, a, v *Fighter) { r.Formula, a.Weapon = Script, &Weapon{Kind: Ranged} }, reason.None},
		{"formula 4: melee keeps its range", func(r *Rules, a, v *Fighter) { r.Formula, v.Pos.X = Script, 8 }, reason.OutOfRange},
	} {
		r := DefaultRules()
		a, v := pair()
		c.set(&r, &a, &v)
		if got := r.CheckAttack(&a, &v); got != c.want {
			t.Errorf("%s: %v, want %v", c.rule, got, c.want)
		}
	}
}

// An unknown faction number, as from a damaged record, and a Fighter without tables count as neutral and cause no panic.
func TestUnknownFactionsAndDamageTypesHaveNeutralRatingAndResistance(t *testing.T) {
	a, _ := pair()
	a.Ratings[99], a.Resistances[19] = 7, 8
	if a.RatingOf(99) != 7 || a.RatingOf(100) != 100 || a.ResistanceTo(19) != 8 || a.ResistanceTo(20) != 100 {
		t.Error("a Fighter with tables reads the wrong entries")
	}
	a.Ratings, a.Resistances = nil, nil
	if a.RatingOf(0) != 100 || a.ResistanceTo(0) != 100 {
		t.Error("a Fighter without tables is not neutral")
	}
}

// docs/wire/rcce.md 6.5, provoke: the aggressiveness of an attacked actor decides whether it attacks its attacker.
func TestNPCRetaliatesIfDefensiveOrIfHostileWithoutTarget(t *testing.T) {
	for _, c := range []struct {
		temper           Aggressiveness
		idle, withTarget bool
	}{{Passive, false, false}, {Defensive, true, true}, {Hostile, true, false}, {NonCombatant, false, false}} {
		if got := Retaliates(c.temper, false); got != c.idle {
			t.Errorf("temper %d, idle: %v", c.temper, got)
		}
		if got := Retaliates(c.temper, true); got != c.withTarget {
			t.Errorf("temper %d, with a target: %v", c.temper, got)
		}
	}
}

// docs/wire/rcce.md 5.5, AICallForHelp: an NPC answers a call for help if its rating of the caller is high enough.
func TestDefensiveOrHostileNPCAnswersHelpCallIfItRatesCallerAtLeast190(t *testing.T) {
	r := DefaultRules()
	for temper, fights := range map[Aggressiveness]bool{Passive: false, Defensive: true, Hostile: true, NonCombatant: false} {
		if r.AnswersHelpCall(temper, 190) != fights || r.AnswersHelpCall(temper, 189) {
			t.Errorf("temper %d: %v at 190, %v at 189", temper, r.AnswersHelpCall(temper, 190), r.AnswersHelpCall(temper, 189))
		}
	}
}

// docs/wire/rcce.md 5.5, look for targets: an NPC attacks actors that it rates low as soon as it sees them.
func TestHostileNPCAttacksLowRatedActorsOnSight(t *testing.T) {
	r := DefaultRules()
	if !r.AttacksOnSight(149, Passive) || r.AttacksOnSight(150, Passive) || r.AttacksOnSight(0, NonCombatant) {
		t.Error("hostile NPCs must attack combatants rated below 150, and only those")
	}
}

// docs/wire/rcce.md 6.8, KillActor: the experience for a kill depends on the difference of levels.
func TestKillExperienceGrowsWithLevelDifference(t *testing.T) {
	for _, c := range []struct {
		rule                       string
		killer, victim, multiplier int32
		least                      int32
	}{
		{"a level above", 3, 4, 10, 10},
		{"five levels above", 3, 8, 10, 50},
		{"an equal counts as one level", 3, 3, 10, 10},
		{"a weaker one counts as one level", 30, 3, 10, 10},
		{"no multiplier", 3, 9, 0, 0},
	} {
		luck := rng.New(1)
		low, high := int32(math.MaxInt32), int32(0)
		for range 2000 {
			xp := KillExperience(c.killer, c.victim, c.multiplier, luck)
			low, high = min(low, xp), max(high, xp)
		}
		if low != c.least || high != c.least+20 {
			t.Errorf("%s: %d..%d, want %d..%d", c.rule, low, high, c.least, c.least+20)
		}
	}
	luck := rng.New(1)
	if xp := KillExperience(math.MinInt32, math.MaxInt32, math.MaxInt32, luck); xp != math.MaxInt32 {
		t.Errorf("the largest kill gives %d", xp)
	}
	if xp := KillExperience(1, 9, math.MinInt32, luck); xp != 0 {
		t.Errorf("a negative multiplier gives %d", xp)
	}
}

// docs/wire/rcce.md 6.8, GiveXP: party members share the experience equally, and the killer gets the remainder.
func TestPartySharesExperienceAndKillerGetsRemainder(t *testing.T) {
	for _, c := range []struct{ xp, members, each, own int32 }{
		{17, 1, 0, 17}, {17, 0, 0, 17}, {17, 2, 8, 9}, {20, 3, 6, 8}, {2, 3, 0, 2}, {0, 4, 0, 0},
	} {
		each, own := SplitExperience(c.xp, c.members)
		if each != c.each || own != c.own {
			t.Errorf("%d among %d: %d and %d, want %d and %d", c.xp, c.members, each, own, c.each, c.own)
		}
		if c.members > 1 && each*(c.members-1)+own != c.xp {
			t.Errorf("%d among %d: some is lost", c.xp, c.members)
		}
	}
}

// docs/wire/rcce.md 6.8: ratings are bytes 0..200 and stop at 0.
func TestReducedRatingStopsAtZero(t *testing.T) {
	for _, c := range []struct {
		rating uint8
		by     int32
		want   uint8
	}{{100, 5, 95}, {3, 5, 0}, {0, 1, 0}, {100, 0, 100}, {199, -5, 200}, {255, 0, 200}, {9, math.MaxInt32, 0}, {9, math.MinInt32, 200}} {
		if got := ReduceRating(c.rating, c.by); got != c.want {
			t.Errorf("%d less %d: %d, want %d", c.rating, c.by, got, c.want)
		}
	}
}

// docs/wire/rcce.md 6.6: a hit damages an item when Rand(1,5) returns 1.
func TestOneHitInFiveDamagesItem(t *testing.T) {
	luck := rng.New(5)
	n := 0
	for range 50_000 {
		if RollWear(luck) {
			n++
		}
	}
	if n < 9_700 || n > 10_300 {
		t.Errorf("%d of 50000 hits wear, want about 10000", n)
	}
}
