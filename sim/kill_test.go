package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// killXP lets a player kill a wolf of that level and returns the experience of each player.
func killXP(t *testing.T, level int32, party int, prepare func(s *stage, x, y *actor)) map[EntityID]int32 {
	t.Helper()
	s := newStage(t, testWorld())
	x, y := s.player(1, geom.Vec{X: 3}), s.npc(tmplWolf, geom.Vec{})
	for i := range party {
		s.player(EntityID(2+i), geom.Vec{X: 300}).party = 9
		x.party = 9
	}
	x.ratings[y.homeFaction], y.ratings[x.homeFaction] = 100, 200
	y.level = level
	s.health(y, 1)
	if prepare != nil {
		prepare(s, x, y)
	}
	s.advanceRNG(hits)
	s.step(attackIntent(x, y))
	got := map[EntityID]int32{}
	for _, e := range events(s.f, EventXP) {
		got[e.Who] += e.Value
		if s.a.find(e.Who).xp != e.Value || s.f.Find(e.Who).Body.XP != e.Value {
			t.Errorf("event has %d points, actor %d, body %d", e.Value, s.a.find(e.Who).xp, s.f.Find(e.Who).Body.XP)
		}
	}
	return got
}

// docs/wire/rcce.md 6.8: the experience for a kill is max(1, difference of levels) x multiplier + 0..20.
func TestKillExperienceGrowsWithLevelOfVictim(t *testing.T) {
	for _, c := range []struct{ level, least int32 }{{1, 10}, {2, 10}, {5, 40}, {-3, 10}} {
		if xp := killXP(t, c.level, 0, nil)[1]; xp < c.least || xp > c.least+20 {
			t.Errorf("a wolf of level %d gives %d, want %d..%d", c.level, xp, c.least, c.least+20)
		}
	}
}

// docs/wire/rcce.md 6.8: each of the n party members in the area gets xp/n; the killer also gets the remainder.
func TestPartySharesKillExperience(t *testing.T) {
	for others := 1; others <= 4; others++ {
		got := killXP(t, 11, others, nil) // a kill gives 100..120 points of experience
		n := int32(others + 1)
		sum := got[1] + int32(others)*got[2]
		if len(got) != others+1 || sum < 100 || sum > 120 || got[2] != sum/n || got[1] != sum/n+sum%n {
			t.Errorf("%d members got %v", n, got)
		}
	}
	got := killXP(t, 11, 2, func(s *stage, x, y *actor) { s.a.find(3).party = 8 })
	if len(got) != 2 || got[3] != 0 {
		t.Errorf("with one of another party: %v", got)
	}
}

// docs/wire/rcce.md 6.8: the leader of a pet gets the experience for the pet's kills.
func TestKillByPetGivesExperienceToLeader(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{X: 30})
	dog, cow := s.a.byID[s.pet(x, tmplDog)], s.npc(tmplCow, geom.Vec{X: 30})
	dog.target, dog.mode = cow.id, modePetChase
	s.health(cow, 1)
	s.advanceRNG(hits)
	died := s.expectEvent(EventDied)
	if xp := events(s.f, EventXP); died.Other != dog.id || len(xp) > 1 || x.xp == 0 || dog.xp != 0 {
		t.Errorf("%+v; leader %d, dog %d", s.f.Events, x.xp, dog.xp)
	}
}

// docs/wire/rcce.md 6.8: a kill reduces the killer's rating with the victim's home faction by CombatRatingAdjust. The
// rating does not fall below 0.
func TestKillReducesRatingWithVictimsFaction(t *testing.T) {
	for _, c := range []struct{ before, loss, after int }{{100, 0, 100}, {100, 3, 97}, {2, 5, 0}} {
		killXP(t, 1, 0, func(s *stage, x, y *actor) {
			s.w.Rules.Combat.RatingLoss = int32(c.loss)
			x.ratings[y.homeFaction] = uint8(c.before)
			t.Cleanup(func() {
				if got := x.ratings[y.homeFaction]; int(got) != c.after || s.f.Find(1).Body.Ratings[y.homeFaction] != got {
					t.Errorf("%d less %d is %d, want %d", c.before, c.loss, got, c.after)
				}
			})
		})
	}
}

// Specification P_AttackActor and docs/wire/rcce.md 9.11: no actor keeps a dead target.
func TestDeadActorIsNoLongerTargetOfOtherActors(t *testing.T) {
	s := newStage(t, testWorld())
	y := s.player(1, geom.Vec{})
	wolf, x := s.npc(tmplWolf, geom.Vec{X: 40}), s.player(2, geom.Vec{X: 2})
	s.a.startChase(wolf, y)
	x.target = 1
	s.step(attackIntent(s.killer(y), y))
	if !y.dead || wolf.target != 0 || x.target != 0 {
		t.Errorf("dead %v; the wolf's target %d, the other's %d", y.dead, wolf.target, x.target)
	}
	for range 30 { // the wolf does not chase the dead player
		if s.step(); wolf.target == 1 {
			t.Fatal("wolf chases a dead player")
		}
	}
}

func TestExperienceDoesNotOverflow(t *testing.T) {
	got := killXP(t, 1, 0, func(s *stage, x, y *actor) {
		x.xp = 0
		y.tmpl = y.tmpl.with(combat.Hostile)
		y.tmpl.XPMultiplier = 1<<31 - 1
	})
	if got[1] != 1<<31-1 {
		t.Errorf("%d points", got[1])
	}
}
