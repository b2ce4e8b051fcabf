package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/rng"
)

func hits(r *rng.Stream) bool   { return r.Between(1, 100) > 10 }
func misses(r *rng.Stream) bool { return !hits(r) }

// docs/wire/rcce.md 8, numeric vectors: formula 1, weapon 20, strength 30, Rand(5,8) = 6, armour 5, resistance 110, toughness 17
// gives a damage of 9, and of 35 with a critical hit.
func TestDamageFormulaOneMatchesExamplesOfSpecification(t *testing.T) {
	for _, critical := range []bool{false, true} {
		s, x, y := duel(t)
		s.equipWeapon(x, itemSword).attr[attrStrength].Value = 30
		y.inv[SlotChest] = ItemStack{Item: itemMail, Amount: 1, Health: 100}
		s.a.updateEquipment(y)
		y.resist[0], y.attr[attrTough] = 110, combat.Attribute{Value: 17, Max: 50}
		s.advanceRNG(func(r *rng.Stream) bool {
			return hits(r) && r.Between(5, 8) == 6 && (r.Between(1, 10) == 1) == critical
		})
		want := int32(9)
		if critical {
			want = 35
		}
		if e := s.expectEvent(EventAttacked, attackIntent(x, y)); e.N != want {
			t.Errorf("critical %v: damage %d, want %d", critical, e.N, want)
		}
	}
}

// Specification P_AttackActor, "already-dead target": two fatal attacks on an actor in one tick cause one death and one
// reward.
func TestSecondFatalAttackInOneTickCausesNoSecondDeath(t *testing.T) {
	for _, template := range []uint16{tmplCow, tmplHuman} {
		s := newStage(t, testWorld())
		var y *actor
		if template == tmplHuman {
			y = s.player(3, geom.Vec{})
		} else {
			y = s.npc(template, geom.Vec{})
		}
		x, k := s.player(1, geom.Vec{X: 3}), s.player(2, geom.Vec{X: -3})
		x.ratings[y.homeFaction], k.ratings[y.homeFaction] = 100, 100
		s.health(y, 1)
		s.advanceRNG(hits)
		s.step(attackIntent(x, y), attackIntent(k, y))
		xp, refused := events(s.f, EventXP), events(s.f, EventRefused)
		if len(events(s.f, EventDied)) != 1 || len(events(s.f, EventAttacked)) != 1 || len(xp) > 1 || len(refused) != 1 {
			t.Fatalf("%+v", s.f.Events)
		}
		if why := refused[0].Reason; refused[0].Who != 2 || why != reason.TargetDead && why != reason.TargetGone {
			t.Errorf("second attack is refused with %v", why)
		}
	}
}

// docs/wire/rcce.md 6.5: aggressiveness decides whether an attacked NPC attacks its attacker.
func TestAttackedNPCRetaliatesIfDefensiveOrIfHostileWithoutTarget(t *testing.T) {
	for _, c := range []struct {
		temper   combat.Aggressiveness
		busy     bool
		provoked bool
	}{
		{combat.Passive, false, false}, {combat.Defensive, false, true}, {combat.Defensive, true, true},
		{combat.Hostile, false, true}, {combat.Hostile, true, false},
	} {
		s := newStage(t, testWorld())
		other := s.player(1, geom.Vec{X: 3})
		x, y := s.player(2, geom.Vec{X: 3}), s.npc(tmplDeer, geom.Vec{})
		y.tmpl = y.tmpl.with(c.temper)
		y.ratings[x.homeFaction] = 200 // a rating at which the target does not attack on sight
		if c.busy {
			s.a.startChase(y, other)
			y.lastAttackMS = s.a.ms()
		}
		s.advanceRNG(misses)
		if s.step(attackIntent(x, y)); (y.target == 2) != c.provoked {
			t.Errorf("temper %d, busy %v: target %d after a miss", c.temper, c.busy, y.target)
		}
	}
}

// docs/wire/rcce.md 6.6 and 9.9: each attack, hit or miss, damages an item with a probability of 1/5. The armour that is
// damaged is the victim's or, as in the RealmCrafter server, the attacker's.
func TestOneAttackInFiveDamagesWeaponOrArmourIfRulesEnableIt(t *testing.T) {
	for name, c := range map[string]struct {
		item                   uint16
		weapon, armour, faulty bool
		wants                  [3]bool // whether attacks damage the attacker's weapon, the attacker's mail and the target's mail
	}{
		"nothing":           {itemSword, false, false, false, [3]bool{}},
		"the weapon":        {itemSword, true, false, false, [3]bool{true, false, false}},
		"armour":            {itemSword, false, true, false, [3]bool{false, false, true}},
		"attacker's armour": {itemSword, false, true, true, [3]bool{false, true, false}},
		"bows do not wear":  {itemBow, true, true, false, [3]bool{}},
	} {
		t.Run(name, func(t *testing.T) {
			s, x, y := duel(t)
			rules := &s.w.Rules.Combat
			rules.WeaponWear, rules.ArmourWear, rules.WearAttacker = c.weapon, c.armour, c.faulty
			mail := ItemStack{Item: itemMail, Amount: 1, Health: 100}
			x.inv[SlotChest], y.inv[SlotChest] = mail, mail
			s.equipWeapon(x, c.item)
			s.equipWeapon(y, itemSword)
			reported := [2]int{}
			for range 400 {
				s.health(y, 100)
				x.lastAttackMS = -1_000_000
				for _, e := range events(s.step(attackIntent(x, y)), EventItemDamaged) {
					reported[e.Who-1]++
				}
			}
			worn := [3]int{100 - int(x.inv[SlotWeapon].Health), 100 - int(x.inv[SlotChest].Health), 100 - int(y.inv[SlotChest].Health)}
			for i, n := range worn {
				if c.wants[i] != (n > 0) || n > 0 && (n < 50 || n > 100) {
					t.Errorf("400 attacks wore %v, want about 80 of each in %v", worn, c.wants)
				}
			}
			if reported != [2]int{worn[0] + worn[1], worn[2]} {
				t.Errorf("events report %v points of wear, items lost %v", reported, worn)
			}
		})
	}
}

func TestBrokenEquipmentHasNoEffect(t *testing.T) {
	s, x, y := duel(t)
	s.w.Rules.Combat.WeaponWear = true
	s.equipWeapon(x, itemSword).inv[SlotWeapon].Health = 1
	y.inv[SlotChest] = ItemStack{Item: itemMail, Amount: 1, Health: 1}
	s.a.updateEquipment(y)
	if y.armour != 5 {
		t.Fatalf("armour %d in whole mail, want 5", y.armour)
	}
	for x.inv[SlotWeapon].Health > 0 || y.inv[SlotChest].Health > 0 {
		s.health(y, 100)
		x.lastAttackMS = -1_000_000
		s.step(attackIntent(x, y))
	}
	if y.armour != 0 || s.f.Find(2).Body.Equipment[SlotChest] != itemMail {
		t.Errorf("armour %d in broken mail, worn %d", y.armour, s.f.Find(2).Body.Equipment[SlotChest])
	}
	for range 100 { // bare hands do 16/8 + (-5..5) damage, twice that if critical
		s.health(y, 100)
		x.lastAttackMS = -1_000_000
		if e := s.expectEvent(EventAttacked, attackIntent(x, y)); e.N > 14 {
			t.Fatalf("a broken sword does %d", e.N)
		}
	}
}

// Specification P_AttackActor: 90 % of melee attacks hit, and 1 of 10 hits is critical. Projectiles hit by their HitChance.
func TestMeleeHitAndCriticalRatesMatchSpecification(t *testing.T) {
	s, x, y := duel(t)
	s.equipWeapon(x, itemSword)
	y.attr[attrHealth].Max = 1 << 30
	hit, critical := 0, 0
	const attackCount = 10_000
	for range attackCount {
		s.health(y, 1<<30)
		x.lastAttackMS = -1_000_000
		s.a.Recycle(s.f)
		if s.expectEvent(EventAttacked, attackIntent(x, y)).N > 0 {
			hit++
		}
		critical += len(events(s.f, EventMessage))
	}
	if share := float64(hit) / attackCount; share < 0.89 || share > 0.91 {
		t.Errorf("%v of the attacks hit, want 0.9", share)
	}
	if share := float64(critical) / float64(hit); share < 0.09 || share > 0.11 {
		t.Errorf("%v of the hits are critical, want 0.1", share)
	}
}

func TestHitRateOfShotsEqualsHitChanceOfProjectile(t *testing.T) {
	s, x, y := duel(t)
	s.equipWeapon(x, itemBow)
	s.w.Projectiles[0].HitChance = 30
	hit := 0
	for range 3000 {
		s.health(y, 100)
		x.lastAttackMS = -1_000_000
		for _, e := range events(s.step(attackIntent(x, y)), EventAttacked) {
			if hit++; e.N < 7 || e.N > 17 { // an arrow does 12 + (-5..5) damage, without criticals and armour
				t.Fatalf("an arrow does %d", e.N)
			}
		}
	}
	if hit < 820 || hit > 980 {
		t.Errorf("%d of 3000 arrows hit, want about 900", hit)
	}
}

// With damage formula 4 the world's script computes the damage. The attack neither calls for help nor damages items, but
// both hits and misses provoke the target.
func TestScriptedDamageProvokesTargetWithoutHelpCallOrItemDamage(t *testing.T) {
	for _, item := range []uint16{itemSword, itemBow} {
		for damage, kinds := range map[float64]int{30: 2, 0: 1} {
			s := newStage(t, testWorld())
			rules := &s.w.Rules.Combat
			rules.Formula, rules.WeaponWear, rules.ArmourWear = combat.Script, true, true
			program, err := combat.NewProgram("", []combat.Instr{{Op: combat.OpNumber, Number: damage}})
			if err != nil {
				t.Fatal(err)
			}
			rules.Program = program
			x, y, friend := s.player(1, geom.Vec{X: 3}), s.npc(tmplDeer, geom.Vec{}), s.npc(tmplDeer, geom.Vec{X: 9})
			s.equipWeapon(x, item)
			y.inv[SlotChest] = ItemStack{Item: itemMail, Amount: 1, Health: 100}
			for range 20 {
				s.health(y, 100)
				y.target, y.mode, x.lastAttackMS = 0, modeWait, -1_000_000
				s.step(attackIntent(x, y))
				if y.target != 1 || friend.target != 0 || y.attr[attrHealth].Value != 100-int32(damage) {
					t.Fatalf("target %d, its friend's %d, health %d", y.target, friend.target, y.attr[attrHealth].Value)
				}
			}
			want := kinds // expected events per attack: EventAttacked and EventStat, or only a miss
			if item == itemBow {
				want = 2 * kinds // expected events per shot: EventShotFired, EventProjectile, and if it hits EventAttacked and EventStat
			}
			if len(s.f.Events) != want || x.inv[SlotWeapon].Health != 100 || y.inv[SlotChest].Health != 100 {
				t.Errorf("item %d, damage %v: %v, want %d events and no wear", item, damage, s.f.kinds(), want)
			}
		}
	}
}

// The health in events equals the health in frames, and it is never negative.
func TestHealthEventsAgreeWithHealthInFrame(t *testing.T) {
	s, x, y := duel(t)
	s.equipWeapon(x, itemSword)
	for range 200 {
		x.lastAttackMS = -1_000_000
		for _, e := range events(s.step(attackIntent(x, y)), EventStat) {
			if e.Value < 0 || s.f.Find(e.Who).Health != e.Value && !s.f.Find(e.Who).Is(FlagDead) {
				t.Fatalf("event has health %d, frame %d", e.Value, s.f.Find(e.Who).Health)
			}
		}
	}
}
