package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// duel returns two players that are within reach of each other in the area in which players may attack players.
func duel(t *testing.T) (s *stage, x, y *actor) {
	s = newStage(t, testWorld())
	x, y = s.player(1, geom.Vec{}), s.player(2, geom.Vec{X: 5})
	x.ratings[y.homeFaction] = 100
	return s, x, y
}

// equipWeapon gives a player an undamaged weapon.
func (s *stage) equipWeapon(x *actor, item uint16) *actor {
	x.inv[SlotWeapon] = ItemStack{Item: item, Amount: 1, Health: 100}
	s.a.updateEquipment(x)
	return x
}

// The test covers the six checks of the packet handler and the checks of the combat engine (RealmCrafter specification,
// P_AttackActor). The codec checks the length of the packet. A refused attack changes nothing: it emits no event, starts
// no delay and provokes no NPC.
func TestForbiddenAttacksAreRefusedWithReason(t *testing.T) {
	for name, c := range map[string]struct {
		why reason.Reason
		set func(s *stage, x, y *actor, in *Intent)
	}{
		"1 sender validity":           {reason.Unknown, func(s *stage, x, y *actor, in *Intent) { in.Who = 9 }},
		"3 combat delay":              {reason.TooSoon, func(s *stage, x, y *actor, in *Intent) { x.lastAttackMS = s.a.ms() - 900 }},
		"4 not riding":                {reason.Mounted, func(s *stage, x, y *actor, in *Intent) { x.mount = 9 }},
		"5 same area":                 {reason.TargetGone, func(s *stage, x, y *actor, in *Intent) { in.Target = 9 }},
		"6 pvp":                       {reason.NoPvP, func(s *stage, x, y *actor, in *Intent) { s.a.def.PvP = false }},
		"target is the attacker":      {reason.TargetSelf, func(s *stage, x, y *actor, in *Intent) { in.Target = 1 }},
		"attacker is dead":            {reason.AttackerDead, func(s *stage, x, y *actor, in *Intent) { x.dead, x.respawnTick = true, 1000 }},
		"target is dead":              {reason.TargetDead, func(s *stage, x, y *actor, in *Intent) { y.dead, y.respawnTick = true, 1000 }},
		"target without health":       {reason.TargetDead, func(s *stage, x, y *actor, in *Intent) { s.health(y, 0) }},
		"attacker is a non-combatant": {reason.NonCombatant, func(s *stage, x, y *actor, in *Intent) { x.tmpl = x.tmpl.with(combat.NonCombatant) }},
		"target is a non-combatant":   {reason.NonCombatant, func(s *stage, x, y *actor, in *Intent) { y.tmpl = y.tmpl.with(combat.NonCombatant) }},
		"friendly rating":             {reason.FriendlyRating, func(s *stage, x, y *actor, in *Intent) { x.ratings[y.homeFaction] = 151 }},
		"melee reach":                 {reason.OutOfRange, func(s *stage, x, y *actor, in *Intent) { y.pos.X = 9.1 }},
		"reach in height":             {reason.OutOfRange, func(s *stage, x, y *actor, in *Intent) { y.pos.Y = 40 }},
		"ranged reach":                {reason.OutOfRange, func(s *stage, x, y *actor, in *Intent) { s.equipWeapon(x, itemBow); y.pos.X = 102.1 }},
		"broken ranged weapon":        {reason.WeaponBroken, func(s *stage, x, y *actor, in *Intent) { s.equipWeapon(x, itemBow).inv[SlotWeapon].Health = 0 }},
		"no projectile": {reason.NoProjectile, func(s *stage, x, y *actor, in *Intent) {
			s.w.Items[2].Weapon.Projectile = nil
			s.equipWeapon(x, itemBow)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s, x, y := duel(t)
			in := attackIntent(x, y)
			c.set(s, x, y, &in)
			y.stop()
			lastAttackMS, health := x.lastAttackMS, y.attr[attrHealth].Value
			s.expectRefusal(c.why, in)
			if len(events(s.f, EventAttacked)) != 0 || x.lastAttackMS != lastAttackMS || y.attr[attrHealth].Value != health {
				t.Errorf("it left a trace: %+v", s.f.Events)
			}
		})
	}
}

func TestAttackExactlyAtLimitOfEveryCheckIsAllowed(t *testing.T) {
	for name, set := range map[string]func(s *stage, x, y *actor){
		"the combat delay is over": func(s *stage, x, y *actor) { x.lastAttackMS = s.a.ms() - 950 },
		"the reach of melee":       func(s *stage, x, y *actor) { y.pos.X = 9 },
		"half of it up":            func(s *stage, x, y *actor) { y.pos.Y = 30 },
		"the reach of a bow":       func(s *stage, x, y *actor) { s.equipWeapon(x, itemBow); y.pos.X = 102 },
		"a rating of 150":          func(s *stage, x, y *actor) { x.ratings[y.homeFaction] = 150 },
		"an NPC without PvP":       func(s *stage, x, y *actor) { s.a.def.PvP, y.player = false, false },
	} {
		s, x, y := duel(t)
		set(s, x, y)
		y.stop()
		if s.step(attackIntent(x, y)); len(events(s.f, EventRefused)) != 0 || x.lastAttackMS != s.a.ms() {
			t.Errorf("%s: refused: %+v", name, s.f.Events)
		}
	}
}

// The PvP flag of an area restricts only attacks of players on players. Refused attacks of NPCs emit no event.
func TestNPCAttackIgnoresPvPFlagAndEmitsNoRefusal(t *testing.T) {
	s := newStage(t, testWorld())
	s.a.def.PvP = false
	y, x := s.player(1, geom.Vec{X: 3}), s.npc(tmplWolf, geom.Vec{})
	s.a.startChase(x, y)
	if e := s.until(EventAttacked, 1); e.Who != x.id {
		t.Errorf("%+v", e)
	}
	x.ratings[y.homeFaction] = 200 // the player is now friendly to the NPC, which still chases it
	for range 40 {
		if s.step(); len(s.f.Events) != 0 {
			t.Fatalf("%+v", s.f.Events)
		}
	}
}

// docs/wire/rcce.md 6.1: an attack sets the attacker's target even if the combat engine refuses it, but not if the packet
// handler refuses it.
func TestAttackRefusedForDistanceSetsTargetButAttackRefusedForPvPDoesNot(t *testing.T) {
	s, x, y := duel(t)
	y.pos.X = 50
	y.stop()
	s.expectRefusal(reason.OutOfRange, attackIntent(x, y))
	if x.target != 2 || s.f.Find(1).Target != 2 {
		t.Errorf("after an attack out of range the target is %d", x.target)
	}
	s.a.def.PvP, x.target = false, 0
	s.expectRefusal(reason.NoPvP, attackIntent(x, y))
	if x.target != 0 {
		t.Errorf("after a refusal the target is %d", x.target)
	}
	s.a.def.PvP = true
	y.place(geom.Vec{X: 2}, 0)
	k := s.killer(y)
	if s.step(attackIntent(k, y)); !y.dead || k.target != 0 || x.target != 0 {
		t.Errorf("target is dead: killer targets %d, the other %d", k.target, x.target)
	}
}
