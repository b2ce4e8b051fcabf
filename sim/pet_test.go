package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// petStage is a stage with a player and its dog.
func petStage(t *testing.T) (s *stage, x, dog *actor) {
	s = newStage(t, testWorld())
	x = s.player(1, geom.Vec{})
	return s, x, s.a.byID[s.pet(x, tmplDog)]
}

// docs/wire/rcce.md 5.5: a pet follows its leader, stops at a distance of 5 + r1 + r2 units (r1 and r2 are the radii of
// pet and leader), runs if the leader runs, and adjusts its height.
func TestPetFollowsLeader(t *testing.T) {
	s, x, dog := petStage(t)
	s.step(walkClaim(x, 80, 0, true))
	s.run(0.5)
	if !dog.running || dog.pos.X < 20 {
		t.Errorf("while its leader runs: at %v, running %v", dog.pos, dog.running)
	}
	x.pos.Y = 10
	s.run(4)
	if gap := x.pos.X - dog.pos.X; gap > 7 || gap < 2 || dog.running {
		t.Errorf("pet stops %v from its leader, running %v", gap, dog.running)
	}
	if s.run(6); !near(dog.pos.Y, 10, 0.1) {
		t.Errorf("pet height %v, leader height 10", dog.pos.Y)
	}
}

// docs/wire/rcce.md 6.5: the pets that join their leader's attack are those with aggressiveness below 3 and without a target.
func TestAttackByLeaderMakesPetsAttack(t *testing.T) {
	for _, temper := range []combat.Aggressiveness{combat.Passive, combat.Defensive, combat.Hostile, combat.NonCombatant} {
		s, x, dog := petStage(t)
		dog.tmpl = dog.tmpl.with(temper)
		cow := s.npc(tmplCow, geom.Vec{X: 4})
		s.step(attackIntent(x, cow))
		for range 3 {
			if rallied := dog.target == cow.id && dog.mode == modePetChase; rallied != (temper != combat.NonCombatant) {
				t.Errorf("temper %d: target %d, mode %d", temper, dog.target, dog.mode)
			}
			s.step()
		}
	}
}

func TestFightingPetSwitchesTargetOneTickAfterLeaderAttacks(t *testing.T) {
	s, x, dog := petStage(t)
	cow, other := s.npc(tmplCow, geom.Vec{X: 4}), s.npc(tmplCow, geom.Vec{X: -4})
	dog.target, dog.mode = other.id, modePetChase
	s.step(attackIntent(x, cow))
	if dog.target != other.id {
		t.Errorf("pet target %d, want still %d", dog.target, other.id)
	}
	if s.step(); dog.target != cow.id { // the pet attacks its leader's target one tick later (docs/wire/rcce.md 5.5)
		t.Errorf("a tick later pet target %d, want its leader's %d", dog.target, cow.id)
	}
}

func TestPetAttacksOncePerCombatDelay(t *testing.T) {
	s, x, dog := petStage(t)
	cow := s.npc(tmplCow, geom.Vec{X: 4})
	cow.attr[attrHealth] = combat.Attribute{Value: 9999, Max: 9999}
	s.step(attackIntent(x, cow))
	attacks := 0
	for range 100 {
		for _, e := range events(s.step(), EventAttacked) {
			if e.Who != dog.id || e.Other != cow.id {
				t.Fatalf("%+v", e)
			}
			attacks++
		}
	}
	if attacks != 5 {
		t.Errorf("%d attacks in 5 s, want 5", attacks)
	}
}

// docs/wire/rcce.md 5.5: a pet attacks its leader's target while it is within squared distance 1000 of the leader, and ends the
// fight beyond squared distance 3500 from the leader.
func TestPetJoinsAndEndsFightsByDistanceFromLeader(t *testing.T) {
	for _, c := range []struct {
		enemyAt float32
		joins   bool
	}{{31, true}, {32, false}} {
		s, x, dog := petStage(t)
		cow := s.npc(tmplCow, geom.Vec{X: c.enemyAt})
		x.target = cow.id
		if s.step(); (dog.target == cow.id) != c.joins {
			t.Errorf("enemy %v from its leader: target %d", c.enemyAt, dog.target)
		}
	}
	for _, c := range []struct {
		leaderAt float32
		fights   bool
	}{{-58, true}, {-60, false}} {
		s, x, dog := petStage(t)
		cow := s.npc(tmplCow, geom.Vec{X: 4})
		dog.target, dog.mode = cow.id, modePetChase
		x.place(geom.Vec{X: c.leaderAt}, 0)
		if s.step(); (dog.mode == modePetChase) != c.fights {
			t.Errorf("leader at %v: mode %d", c.leaderAt, dog.mode)
		}
	}
}

func TestPetReturnsToLeaderWhenEnemyIsDead(t *testing.T) {
	s, x, dog := petStage(t)
	cow := s.npc(tmplCow, geom.Vec{X: 4})
	dog.target, dog.mode, dog.lastAttackMS = cow.id, modePetChase, s.a.ms()
	x.target = cow.id
	s.step(attackIntent(s.killer(cow), cow))
	if s.step(); dog.mode != modePet || dog.target != 0 {
		t.Errorf("mode %d, target %d", dog.mode, dog.target)
	}
}

// If a leader attacks its own pet, the leader's other pets do not attack this pet, and this pet does not retaliate.
func TestPetsOfOneLeaderDoNotFightEachOther(t *testing.T) {
	s, x, dog := petStage(t)
	cow := s.a.byID[s.pet(x, tmplCow)]
	x.ratings[dog.homeFaction] = 100
	s.step(attackIntent(x, dog))
	for range 40 {
		s.step()
		if dog.target != 0 || cow.target != 0 || dog.mode != modePet || cow.mode != modePet {
			t.Fatalf("dog: mode %d, target %d; cow: mode %d, target %d", dog.mode, dog.target, cow.mode, cow.target)
		}
	}
}

// An attack on a pet makes neither the pet nor its leader target the attacker.
func TestNeitherAttackedPetNorItsLeaderRetaliatesAutomatically(t *testing.T) {
	s, x, dog := petStage(t)
	wolf := s.npc(tmplWolf, geom.Vec{X: 5})
	s.a.provoke(dog, wolf)
	if dog.target != 0 || dog.mode != modePet || x.target != 0 {
		t.Errorf("target %d, mode %d", dog.target, dog.mode)
	}
}

func TestTransferMovesPetsWithLeader(t *testing.T) {
	s, x, dog := petStage(t)
	s.health(dog, 44)
	dog.name = "Rex"
	x.place(geom.Vec{X: -100}, 0)
	s.step()
	departed, gone := events(s.f, EventDeparted), events(s.f, EventRemoved)
	if len(departed) != 1 || len(gone) != 1 || gone[0].Who != dog.id || len(s.f.Actors) != 0 {
		t.Fatalf("%+v", s.f.Events)
	}
	there := NewArea(s.w, areaTown, 1)
	f := there.Step([]Intent{{Kind: IntentJoin, Who: 1, Join: departed[0].Join}})
	if len(f.Actors) != 2 || f.Actors[1].Leader != 1 || f.Actors[1].Body.Name != "Rex" || f.Actors[1].Health != 44 || f.Actors[1].Pos != f.Actors[0].Pos {
		t.Errorf("after the transfer: %+v", f.Actors)
	}
}

// When a leader is teleported, its pet is placed beside it and loses its target. An event reports the pet's new position.
func TestTeleportWithinAreaMovesPetsWithLeader(t *testing.T) {
	s, x, dog := petStage(t)
	s.w.Areas[0].Portals[1].ToArea = areaField
	x.place(geom.Vec{X: -100}, 0)
	s.step()
	moved := events(s.f, EventPlaced)
	if len(moved) != 2 || moved[0].Who != dog.id || moved[1].Who != 1 || dog.pos != x.pos || dog.pos.X != 0 {
		t.Errorf("leader at %v, dog at %v: %+v", x.pos, dog.pos, s.f.Events)
	}
}

func TestPetsAreStoredInRecordOfTheirLeader(t *testing.T) {
	s, x, dog := petStage(t)
	s.health(dog, 12)
	s.pet(x, tmplCow)
	s.step(Intent{Kind: IntentLeave, Who: 1})
	left := events(s.f, EventLeft)
	if len(s.f.Actors) != 0 || len(events(s.f, EventRemoved)) != 2 || len(left) != 1 {
		t.Fatalf("%+v", s.f.Events)
	}
	pets := left[0].Record.Pets
	if want := (Pet{Template: tmplDog, Name: "Dog", Health: 12}); len(pets) != 2 || pets[0] != want || pets[1].Template != tmplCow {
		t.Fatalf("record has the pets %+v", pets)
	}
	in := joinAt(s.w, 1, geom.Vec{})
	in.Join.Pets = append(pets, Pet{Template: 999}) // a pet whose template the world no longer has
	f := s.step(in)
	if len(f.Actors) != 3 || f.Actors[1].Leader != 1 || f.Actors[1].Health != 12 || f.Actors[2].Leader != 1 {
		t.Errorf("after the login: %+v", f.Actors)
	}
}

func TestDeadPetIsRemovedFromPetsOfLeaderAndFromRecord(t *testing.T) {
	s, x, dog := petStage(t)
	s.step(attackIntent(s.killer(dog), dog))
	if len(x.pets) != 0 || len(s.a.snapshotRecord(x).Pets) != 0 {
		t.Errorf("leader still has %d pets", len(x.pets))
	}
}
