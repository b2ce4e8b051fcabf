package sim

import (
	"slices"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// lingerStage is a stage with the default rules for lost connections.
func lingerStage(t *testing.T) *stage {
	w := testWorld()
	w.Rules.Linger = LingerRules{MS: 10_000, CombatMS: 20_000, RestartMS: 60_000}
	w.Rules.Predict = move.DefaultPredictPolicy()
	wallIn(t, w, block(-60, -20, -55, 60))
	return newStage(t, w)
}

func disconnectIntent(who EntityID) Intent { return Intent{Kind: IntentDisconnect, Who: who} }

func resumeIntent(who EntityID, by move.Authority) Intent {
	return Intent{Kind: IntentResume, Who: who, Join: &Join{Portal: -1, Authority: by}}
}

// leavesAfter returns the number of seconds, up to 100, after which a player without intents leaves the area.
func (s *stage) leavesAfter(who EntityID) float32 {
	for n := range 100 * s.w.TicksPerSecond {
		for _, e := range events(s.step(), EventLeft) {
			if e.Who == who {
				return float32(n+1) / float32(s.w.TicksPerSecond)
			}
		}
	}
	s.t.Fatal("the player does not leave")
	return 0
}

func TestPlayerWithoutConnectionLeavesAfterLingerTime(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(s *stage, x *actor)
		want    float32
	}{
		"at peace":              {func(*stage, *actor) {}, 10},
		"after its last attack": {func(s *stage, x *actor) { x.linger.combatUntil = 1 + s.a.ticks(combatWindowMS) }, 20},
		"long after its last attack": {func(s *stage, x *actor) {
			x.linger.combatUntil = s.a.now + s.a.ticks(combatWindowMS)
			s.run(11)
		}, 10},
		"restart": {func(s *stage, x *actor) { s.step(Intent{Kind: IntentDisconnect, Who: x.id, Amount: 1}) }, 60},
	} {
		t.Run(name, func(t *testing.T) {
			s := lingerStage(t)
			x := s.player(1, geom.Vec{X: 20})
			c.prepare(s, x)
			f := s.step(disconnectIntent(x.id))
			if !f.Find(x.id).Is(FlagLingering) {
				t.Error("the frame does not say that the player lingers")
			}
			until := f.Find(x.id).LingersUntil
			if got := s.leavesAfter(x.id); !near(got, c.want, 0.06) || s.a.now != until {
				t.Errorf("leaves after %g s in tick %d, want %g s and tick %d as in the frame", got, s.a.now, c.want, until)
			}
		})
	}
}

func TestAttackOnLingeringPlayerSetsCombatLingerTime(t *testing.T) {
	s := lingerStage(t)
	x, y := s.player(1, geom.Vec{X: 20}), s.npc(tmplWolf, geom.Vec{X: 21})
	s.step(disconnectIntent(x.id))
	s.run(9)
	s.a.noteFight(y, x)
	until := s.step().Find(x.id).LingersUntil
	if got := s.leavesAfter(x.id); !near(got, 11, 0.1) || s.a.now != until {
		t.Errorf("leaves %g s after it was struck in tick %d, want 11 s and tick %d as in the frame", got, s.a.now, until)
	}
}

func TestAttackPutsAttackerAndVictimIntoCombat(t *testing.T) {
	s := lingerStage(t)
	x, y := s.player(1, geom.Vec{X: 20}), s.player(2, geom.Vec{X: 21})
	s.a.def.PvP = true
	x.ratings[y.homeFaction] = 0
	s.step(attackIntent(x, y))
	if want := s.a.now + s.a.ticks(combatWindowMS); x.linger.combatUntil != want || y.linger.combatUntil != want {
		t.Errorf("in combat until ticks %d and %d, want %d: %v", x.linger.combatUntil, y.linger.combatUntil, want, s.f.Events)
	}
}

func TestLingeringPlayerStandsStillAndIgnoresIntents(t *testing.T) {
	s := lingerStage(t)
	x := s.player(1, geom.Vec{X: 20})
	y := s.player(2, geom.Vec{X: 22})
	s.step(walkClaim(x, 100, 0, true))
	s.step(disconnectIntent(x.id))
	at := x.pos
	s.step(walkClaim(x, 100, 0, true), attackIntent(x, y), Intent{Kind: IntentChat, Who: x.id, Text: "hello"})
	s.run(2)
	if x.pos != at {
		t.Errorf("moved from %v to %v", at, x.pos)
	}
	if x.target != 0 || len(events(s.f, EventChat)) != 0 {
		t.Errorf("acts without a connection: target %d", x.target)
	}
}

func TestPortalDoesNotTransferPlayerWithoutConnection(t *testing.T) {
	s := lingerStage(t)
	i := slices.IndexFunc(s.a.def.Portals, func(p Portal) bool { return p.ToArea != NoArea })
	gate := s.a.def.Portals[i]
	x := s.player(1, geom.Vec{X: gate.Pos.X + 2*gate.Radius, Z: gate.Pos.Z})
	s.step(disconnectIntent(x.id))
	x.place(gate.Pos, 0)
	s.run(3)
	if s.a.find(x.id) == nil {
		t.Fatal("the portal took a player without a connection")
	}
	s.step(resumeIntent(x.id, move.ByClaim))
	lock := float32(s.w.Rules.PortalLockMS) / 1000
	s.run(lock - 1)
	if s.a.find(x.id) == nil {
		t.Fatal("the portal took the player that came back before its lock was over")
	}
	if s.run(2); s.a.find(x.id) != nil {
		t.Error("the portal does not take the player that came back after its lock")
	}
}

func TestResumedPlayerKeepsStateUnderEveryAuthority(t *testing.T) {
	for _, from := range []move.Authority{move.ByClaim, move.ByPath, move.ByInput} {
		for _, to := range []move.Authority{move.ByClaim, move.ByPath, move.ByInput} {
			s := lingerStage(t)
			in := joinAt(s.w, 1, geom.Vec{X: 22.5, Z: 2.5})
			in.Join.Authority = from
			s.step(in)
			x := s.a.find(1)
			pet := s.pet(x, tmplDog)
			x.party = 7
			s.health(x, 33)
			wolf := s.npc(tmplWolf, geom.Vec{X: 90, Z: 90})
			wolf.target = x.id
			s.step(disconnectIntent(1))
			s.run(3)
			at, version := x.pos, x.recordVersion
			e := s.expectEvent(EventResumed, resumeIntent(1, to))
			row := s.f.Find(1)
			if row == nil {
				t.Fatalf("from %d to %d: %+v", from, to, s.f.Events)
			}
			if row.Is(FlagLingering) || row.Is(FlagOnTiles) != (to == move.ByPath) || row.Is(FlagAvatar) != (to == move.ByInput) {
				t.Errorf("from %d to %d: flags %b", from, to, row.Flags)
			}
			if row.Health != 33 || row.Party != 7 || s.f.Find(pet) == nil || geom.DistXZ(row.Pos, at) > 0.5 {
				t.Errorf("from %d to %d: %+v, was at %v", from, to, row, at)
			}
			if e.Record == nil || e.Record.Version <= version || e.Record.Attr[attrHealth].Value != 33 {
				t.Errorf("from %d to %d: record %+v", from, to, e.Record)
			}
			again, err := Restore(s.w, s.a.Snapshot(nil))
			if err != nil || again.Hash() != s.f.Hash {
				t.Fatalf("from %d to %d: restored with error %v", from, to, err)
			}
			if s.run(30); s.a.find(1) == nil || to == move.ByInput && len(events(s.f, EventExpelled)) > 0 {
				t.Errorf("from %d to %d: the player that came back has left", from, to)
			}
		}
	}
}

// A player that reconnects and disconnects repeatedly stays in the area no longer than after one disconnect.
func TestRepeatedDisconnectsShareOneLingerTime(t *testing.T) {
	s := lingerStage(t)
	x := s.player(1, geom.Vec{X: 20})
	lingered := 0
	for s.a.find(x.id) != nil {
		s.step(disconnectIntent(x.id))
		for range 4 * s.w.TicksPerSecond {
			if s.a.find(x.id) != nil {
				lingered++
			}
			s.step()
		}
		s.step(resumeIntent(x.id, move.ByClaim))
		s.run(1)
	}
	if got := float32(lingered) / float32(s.w.TicksPerSecond); got > 10.2 {
		t.Errorf("stayed %g s without a connection, want 10", got)
	}
	y := s.player(2, geom.Vec{X: 20})
	s.step(disconnectIntent(y.id))
	s.run(9)
	s.step(resumeIntent(y.id, move.ByClaim))
	s.run(61)
	s.step(disconnectIntent(y.id))
	if got := s.leavesAfter(y.id); !near(got, 10, 0.06) {
		t.Errorf("a minute after it came back it lingers %g s, want 10", got)
	}
}

func TestSecondDisconnectDoesNotExtendLingerTime(t *testing.T) {
	s := lingerStage(t)
	x := s.player(1, geom.Vec{X: 20})
	s.step(disconnectIntent(x.id))
	s.run(6)
	s.step(disconnectIntent(x.id))
	if got := s.leavesAfter(x.id); !near(got, 4, 0.1) {
		t.Errorf("leaves %g s after the second disconnect, want 4", got)
	}
}

func TestPlayerKilledWhileLingeringRespawnsOnResume(t *testing.T) {
	s := lingerStage(t)
	x := s.player(1, geom.Vec{X: 20})
	s.step(disconnectIntent(x.id))
	s.a.beginFrame()
	s.health(x, 0)
	s.a.kill(x, nil)
	s.a.publish()
	s.run(9)
	if !x.dead {
		t.Fatal("respawned without a connection")
	}
	s.step(resumeIntent(x.id, move.ByClaim))
	s.step()
	if x.dead {
		t.Error("did not respawn after it came back")
	}
	y := s.player(2, geom.Vec{X: 20})
	s.step(disconnectIntent(y.id))
	s.a.beginFrame()
	s.a.kill(y, nil)
	s.a.publish()
	e := s.until(EventLeft, 30)
	if h := e.Record.Attr[attrHealth].Value; h <= 0 {
		t.Errorf("record of a dead player has %d health, want that after the respawn", h)
	}
}

func TestConnectionLossDismountsRider(t *testing.T) {
	s := lingerStage(t)
	x, horse := s.player(1, geom.Vec{X: 20}), s.npc(tmplHorse, geom.Vec{X: 21})
	s.ride(x, horse)
	s.expectEvent(EventDismounted, disconnectIntent(x.id))
	if x.mount != 0 || horse.rider != 0 {
		t.Errorf("still rides %d", x.mount)
	}
	s.step(resumeIntent(x.id, move.ByClaim))
	s.ride(x, horse)
}

func TestOperatorOrdersReachLingeringPlayer(t *testing.T) {
	s := lingerStage(t)
	x := s.player(1, geom.Vec{X: 20})
	s.step(disconnectIntent(x.id))
	s.step(Intent{Kind: IntentFreeze, Who: x.id, Amount: 1})
	s.step(resumeIntent(x.id, move.ByPath))
	if !s.f.Find(x.id).Is(FlagFrozen) {
		t.Error("the freeze is lost")
	}
	s.step(disconnectIntent(x.id))
	if e := s.expectEvent(EventLeft, Intent{Kind: IntentLeave, Who: x.id}); e.Who != x.id || e.Record == nil {
		t.Errorf("%+v", e)
	}
	s.expectRefusal(reason.Unknown, resumeIntent(x.id, move.ByClaim))
}

func TestConnectionLossKeepsPartyMembership(t *testing.T) {
	s := lingerStage(t)
	x, y := s.player(1, geom.Vec{X: 20}), s.player(2, geom.Vec{X: 22})
	s.step(Intent{Kind: IntentInviteParty, Who: x.id, Text: y.name})
	s.step(Intent{Kind: IntentAcceptInvite, Who: y.id})
	s.step(disconnectIntent(x.id))
	s.run(2)
	s.step(resumeIntent(x.id, move.ByPath))
	if x.party == 0 || x.party != y.party {
		t.Errorf("parties %d and %d", x.party, y.party)
	}
}

func TestResumeIntentWithoutJoinIsRefused(t *testing.T) {
	s := lingerStage(t)
	x := s.player(1, geom.Vec{X: 20})
	s.expectRefusal(reason.Unknown, Intent{Kind: IntentResume, Who: x.id})
}

func TestFullAreaAcceptsResumeOfLingeringPlayer(t *testing.T) {
	s := lingerStage(t)
	x := s.player(1, geom.Vec{X: 20})
	s.w.Rules.MaxActors = 1
	s.step(disconnectIntent(x.id))
	s.expectEvent(EventResumed, resumeIntent(x.id, move.ByClaim))
}

func TestSnapshotAndHashContainLingerState(t *testing.T) {
	s := lingerStage(t)
	x := s.player(1, geom.Vec{X: 20})
	x.linger.combatUntil = s.a.now + s.a.ticks(combatWindowMS)
	s.step(disconnectIntent(x.id))
	again, err := Restore(s.w, s.a.Snapshot(nil))
	if err != nil {
		t.Fatal(err)
	}
	before := s.a.Hash()
	x.linger.combatUntil--
	if again.Hash() != before || s.a.Hash() == before || again.find(1).linger == x.linger {
		t.Error("the state is not in the snapshot and in the hash")
	}
	x.linger.combatUntil++
	for range 30 * s.w.TicksPerSecond {
		if f, g := s.step(), again.Step(nil); f.Hash != g.Hash {
			t.Fatalf("tick %d: different hashes", f.Tick)
		}
	}
}

func TestWorldDigestIncludesLingerRules(t *testing.T) {
	w := lingerStage(t).w
	before := w.Digest()
	for _, p := range []*int32{&w.Rules.Linger.MS, &w.Rules.Linger.CombatMS, &w.Rules.Linger.RestartMS} {
		*p++
		if w.Digest() == before {
			t.Error("a rule is not in the digest")
		}
		*p--
	}
}
