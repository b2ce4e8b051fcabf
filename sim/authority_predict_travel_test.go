package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

func TestGapInClientTicksCausesTeleportToServerPosition(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{})
	s.step(k.next(1))
	at := k.state().Avatar.Pos
	k.tick += 500
	e := s.expectEvent(EventTeleported, k.next(1))
	if e.Reason != reason.TickGap || e.Rewind.State.Pos != at || !k.state().Prediction.TeleportPending {
		t.Errorf("got %+v at %v", e, e.Rewind.State.Pos)
	}
}

func TestPlayerThatNeverAcknowledgesTeleportIsExpelled(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{X: -100, Z: 8}) // beside the portal to the town
	s.step(k.next(0))
	s.a.beginFrame()
	s.a.transfer(k.x, 0, &Join{Portal: -1, Pos: geom.Vec{X: 350}})
	s.a.publish()
	resends, dropped := 0, false
	for range 200 {
		s.step(k.next(1))
		for _, e := range s.f.Events {
			switch e.Kind {
			case EventTeleported:
				resends++
			case EventExpelled:
				dropped = e.Reason == reason.TeleportIgnored
			}
		}
		if at := k.state().Avatar.Pos; at.X != 100 {
			t.Fatalf("positions before the acknowledgement counted: %v", at)
		}
	}
	if resends != 3 || !dropped { // the first teleport is not counted, because it is in an earlier frame
		t.Errorf("teleport resent %d times, expelled %v", resends, dropped)
	}
}

func TestTransferKeepsClientTickOfPredictedPlayer(t *testing.T) {
	w := predictWorld()
	s := newStage(t, w)
	k := s.predictClient(1, geom.Vec{X: -100, Z: -10})
	k.x.lastPortal = -1
	k.avatar.Yaw = 180
	var e Event
	for range 200 {
		if found := events(s.step(k.next(1)), EventDeparted); len(found) == 1 {
			e = found[0]
			break
		}
	}
	if e.Join == nil || e.Join.Authority != move.ByInput || e.Join.Predicted == nil || e.Join.Predicted.Tick != k.tick {
		t.Fatalf("departed %+v", e.Join)
	}
	town := &stage{t: t, w: w, a: NewArea(w, areaTown, 1)}
	teleport := town.expectEvent(EventTeleported, Intent{Kind: IntentJoin, Who: 1, Join: e.Join})
	if teleport.Rewind.Tick != k.tick || town.f.FindAvatar(1).Prediction.Tick != k.tick || !town.f.FindAvatar(1).Prediction.TeleportPending {
		t.Errorf("arrives with client tick %d, want %d", teleport.Rewind.Tick, k.tick)
	}
	if e := town.expectRefusal(reason.TickForged, Intent{Kind: IntentInput, Who: 1, Input: move.Input{Tick: k.tick}}); e.Who != 1 {
		t.Error("an old tick was accepted")
	}
}

func TestPredictedPlayerRespawnsOnlyAfterRespawnIntent(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{X: 100})
	s.step(k.next(0))
	s.a.beginFrame()
	s.a.kill(k.x, nil)
	s.a.publish()
	s.run(10)
	if !k.x.dead {
		t.Fatal("respawned without an intent")
	}
	s.step(Intent{Kind: IntentRespawn, Who: 1})
	if k.x.dead || len(events(s.f, EventRespawned)) != 1 || len(events(s.f, EventTeleported)) != 1 {
		t.Errorf("dead %v, events %v", k.x.dead, s.f.kinds())
	}
}

func TestPlayersWithoutInputsOrUnderSuspicionAreExpelled(t *testing.T) {
	t.Run("silent", func(t *testing.T) {
		s := newStage(t, predictWorld())
		k := s.predictClient(1, geom.Vec{})
		s.step(k.next(0))
		if e := s.until(EventRefused, 3); e.Reason != reason.Frozen {
			t.Error(e.Reason)
		}
		if e := s.until(EventExpelled, 9); e.Reason != reason.Frozen {
			t.Error(e.Reason)
		}
	})
	t.Run("forged ticks", func(t *testing.T) {
		s := newStage(t, predictWorld())
		k := s.predictClient(1, geom.Vec{})
		s.step(k.next(0))
		for range 120 {
			s.step(k.next(0), Intent{Kind: IntentInput, Who: 1, Input: move.Input{Tick: 3}})
			if e := events(s.f, EventExpelled); len(e) == 1 && e[0].Reason == reason.Suspected {
				return
			}
		}
		t.Error("no player was expelled")
	})
}
