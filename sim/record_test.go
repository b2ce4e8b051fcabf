package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// The record of a player has the values with which the player joined, and all changes that the rules have made since then.
func TestPlayerRecordHasCurrentState(t *testing.T) {
	s := newStage(t, testWorld())
	in := joinAt(s.w, 1, geom.Vec{X: 4})
	in.Join.Character.ActionBar[3], in.Join.Character.Tag, in.Join.Character.Gold = "Sx", "<T>", 12
	s.step(in)
	x := s.a.find(1)
	x.xp, x.level, x.ratings[7], x.inv[bag], x.yaw = 55, 3, 42, herbs(3), 90
	s.step(Intent{Kind: IntentLeave, Who: 1})
	c := events(s.f, EventLeft)[0].Record
	if c == in.Join.Character || c.ID != 1 || c.ActionBar[3] != "Sx" || c.Tag != "<T>" || c.Gold != 12 {
		t.Errorf("fields that no rule changes: %+v", c)
	}
	if c.XP != 55 || c.Level != 3 || c.Ratings[7] != 42 || c.Inventory[bag] != herbs(3) || c.Pos.X != 4 || c.Yaw != 90 || c.Area != "Field" {
		t.Errorf("fields that rules change: %+v", c)
	}
	if in.Join.Character.XP != 0 {
		t.Error("the immutable record of the join was changed")
	}
}

// An area emits one record per player and period. Players that joined together are saved in different ticks.
func TestAutosavesArePeriodicAndSpreadOverTicks(t *testing.T) {
	s := newStage(t, testWorld())
	s.w.Rules.SaveEveryMS = 5000
	var joins []Intent
	for i := range 100 {
		joins = append(joins, joinAt(s.w, EntityID(i+1), geom.Vec{X: float32(i)}))
	}
	s.step(joins...)
	last, maximum := map[EntityID]Tick{}, 0
	for range 1000 {
		found := events(s.step(), EventRecord)
		maximum = max(maximum, len(found))
		for _, e := range found {
			if e.Record.ID != CharacterID(e.Who) || last[e.Who] != 0 && s.a.now-last[e.Who] != 100 {
				t.Fatalf("player %d: record of %d, %d ticks after the last", e.Who, e.Record.ID, s.a.now-last[e.Who])
			}
			last[e.Who] = s.a.now
		}
		if s.a.now == 102 && len(last) != 100 {
			t.Fatalf("%d of 100 recorded in the first period", len(last))
		}
	}
	if maximum > 1 {
		t.Errorf("%d records in one tick, of 100 players over 100 ticks", maximum)
	}
}

func TestFullAreaRefusesLoginsButAcceptsTransfers(t *testing.T) {
	s := newStage(t, testWorld())
	s.w.Rules.MaxActors = 2
	s.player(1, geom.Vec{})
	s.player(2, geom.Vec{})
	s.expectRefusal(reason.AreaFull, joinAt(s.w, 3, geom.Vec{}))
	traveller := joinAt(s.w, 4, geom.Vec{})
	traveller.Join.Login = false
	if f := s.step(traveller); f.Find(4) == nil || f.Find(3) != nil {
		t.Errorf("%d actors", len(f.Actors))
	}
}

func TestInvalidJoinsAreRefused(t *testing.T) {
	s := newStage(t, testWorld())
	s.player(1, geom.Vec{})
	twice, nobody, template := joinAt(s.w, 1, geom.Vec{}), joinAt(s.w, 0, geom.Vec{}), joinAt(s.w, 5, geom.Vec{})
	template.Join.Character.Template = 999
	for _, in := range []Intent{twice, nobody, template, {Kind: IntentJoin, Who: 6}, {Kind: IntentJoin, Who: 6, Join: &Join{}}} {
		s.expectRefusal(reason.Unknown, in)
	}
	if len(s.f.Actors) != 1 {
		t.Errorf("%d actors", len(s.f.Actors))
	}
}

// Each living actor regains health once per Rules.HealthRegenMS, and never above its maximum.
func TestHealthRegeneratesOncePerPeriod(t *testing.T) {
	s := newStage(t, testWorld())
	s.w.Rules.HealthRegenMS, s.w.Rules.HealthRegenPercent = 2000, 3
	x, dead := s.health(s.player(1, geom.Vec{}), 10), s.health(s.player(2, geom.Vec{}), 0)
	dead.dead, dead.respawnTick = true, 10000
	s.health(s.npc(tmplCow, geom.Vec{}), 99)
	together := 0
	for range 10 * 20 {
		s.step()
		together = max(together, len(events(s.f, EventStat)))
	}
	if x.attr[attrHealth].Value != 25 || dead.attr[attrHealth].Value != 0 || s.f.Actors[2].Health != 100 || together > 1 {
		t.Errorf("after 10 s: %d of 10, the dead %d, the cow %d; %d at once", x.attr[attrHealth].Value, dead.attr[attrHealth].Value, s.f.Actors[2].Health, together)
	}
}

func TestActionBarIsStoredInRecord(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{})
	before := x.record
	s.step(Intent{Kind: IntentActionBar, Who: 1, SlotA: 35, Text: "SFireball"})
	if before.ActionBar[35] != "" {
		t.Error("the shared record of the join was changed")
	}
	s.expectRefusal(reason.BadSlot, Intent{Kind: IntentActionBar, Who: 1, SlotA: 36, Text: "x"})
	if e := s.expectEvent(EventLeft, Intent{Kind: IntentLeave, Who: 1}); e.Record.ActionBar[35] != "SFireball" {
		t.Errorf("slot 35 is %q", e.Record.ActionBar[35])
	}
}
