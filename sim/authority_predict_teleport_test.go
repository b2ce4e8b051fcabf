package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// die kills the player of the client.
func (k *predictClient) die() {
	k.s.a.beginFrame()
	k.s.a.kill(k.x, nil)
	k.s.a.publish()
}

// Inputs do not move a dead player, because the player may respawn at the place of its death.
func TestInputsDoNotMoveDeadPlayer(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{X: 100})
	s.step(k.next(0))
	fell := k.state().Avatar.Pos
	k.die()
	for range 100 {
		in := k.next(1)
		in.Input.Pos = k.state().Avatar.Pos.Add(geom.Vec{X: 1, Y: 1, Z: 1})
		in.Input.Delta = geom.Vec{X: 1, Y: 1, Z: 1}
		s.step(in)
		if e := events(s.f, EventCorrected); len(e) > 0 {
			t.Fatalf("dead player is corrected: %+v", e[0].Rewind)
		}
	}
	if at := k.state().Avatar.Pos; at != fell {
		t.Errorf("dead player moved from %v to %v", fell, at)
	}
}

func TestPlayerThatDiesInTheAirFallsToGround(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{X: 100})
	s.step(k.next(0))
	predictOf(k.x).Avatar.Pos.Y += 10
	k.die()
	for range 100 {
		in := k.next(0)
		in.Input.Pos = k.state().Avatar.Pos.Add(geom.Vec{Y: -0.5})
		s.step(in)
	}
	if at := k.state().Avatar.Pos; at.Y != 64 {
		t.Errorf("dead player hangs at %v", at)
	}
}

func TestRespawnResetsAvatarAndInputTimeoutOfPredictedPlayer(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{X: 100})
	s.step(k.next(1))
	a := &predictOf(k.x).Avatar
	a.UsingItem, a.Sprinting = true, true
	k.die()
	s.run(60) // the client shows the respawn button and sends no inputs
	if len(events(s.f, EventExpelled)) > 0 {
		t.Error("expelled while dead")
	}
	s.step(Intent{Kind: IntentRespawn, Who: 1})
	if at := k.state().Avatar; at.UsingItem || at.Sprinting || at.Dead {
		t.Errorf("avatar after respawn: %+v", at)
	}
	for range 100 { // the server waits for the acknowledgement again, and silence counts from now on
		s.step()
	}
	if e := events(s.f, EventExpelled); len(e) > 0 {
		t.Errorf("expelled (%v) 5 s after the respawn", e[0].Reason)
	}
}

// Queued actions were sent before the client could know of the teleport. They are processed immediately. An
// acknowledgement among them belongs to an earlier teleport and does not confirm the new one.
func TestTeleportEmptiesInputQueueAndIgnoresQueuedTeleportAck(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{})
	s.step(k.next(1))
	var ins []Intent
	for i := range 20 {
		in := k.next(1)
		if i == 10 {
			in.Input.Flags |= move.InputHandledTeleport
		}
		ins = append(ins, in)
	}
	s.step(append(ins, Intent{Kind: IntentUseItem, Who: 1})...)
	predictOf(k.x).Avatar.UsingItem = true
	s.a.beginFrame()
	s.a.transfer(k.x, s.a.id, &Join{Portal: -1, Pos: geom.Vec{X: 175}})
	e := events(s.a.publish(), EventTeleported)
	if len(e) != 1 || e[0].Rewind.Tick != k.tick || len(predictOf(k.x).queue) != 0 {
		t.Errorf("teleport events %+v, %d actions queued", e, len(predictOf(k.x).queue))
	}
	if at := e[0].Rewind.State; at.Pos.X != 50 || at.UsingItem {
		t.Errorf("avatar %+v", at)
	}
	s.step(k.next(1))
	if st := k.state(); !st.Prediction.TeleportPending || st.Avatar.Pos.X != 50 {
		t.Errorf("teleport is no longer pending: %+v", st)
	}
}

// A teleport ends falls and knockbacks, so attacks during it are refused.
func TestAttackBeforeTeleportAckIsRefused(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{})
	y := s.player(2, geom.Vec{X: 1})
	s.step(k.next(0))
	k.tick += 500
	s.expectEvent(EventTeleported, k.next(0))
	s.expectRefusal(reason.Warping, attackIntent(k.x, y), k.next(0))
	t.Run("many tick gaps expel the player", func(t *testing.T) {
		for range 20 * 20 {
			k.tick += 500
			in := k.next(0)
			ack := k.next(0)
			ack.Input.Flags |= move.InputHandledTeleport
			s.step(in, ack)
			if len(events(s.f, EventExpelled)) > 0 {
				return
			}
		}
		t.Error("not expelled: tick gaps end every fall")
	})
}

// A client cannot apply a correction for a tick that its history no longer holds, and would mispredict again. So the server
// sends a teleport instead.
func TestCorrectionThatIsTooLateIsSentAsTeleport(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{})
	s.step(k.next(1))
	in := k.mispredict(0.6)
	in.Input.RTT = 1950
	s.step(in)
	if e := events(s.f, EventCorrected); len(e) != 1 {
		t.Fatalf("correction within the history: events %v", s.f.kinds())
	}
	for range 50 {
		s.step(k.next(1))
	}
	in = k.mispredict(0.6)
	in.Input.RTT = 2000
	s.step(in)
	if e := events(s.f, EventTeleported); len(e) != 1 || e[0].Reason != reason.Mispredicted || e[0].Rewind.State.Pos != k.state().Avatar.Pos {
		t.Fatalf("correction beyond the history: events %v", s.f.kinds())
	}
}

func TestInputsLostDuringTransferAreNotSuspicious(t *testing.T) {
	w := predictWorld()
	s := newStage(t, w)
	k := s.predictClient(1, geom.Vec{X: 100})
	s.step(k.next(1))
	s.a.beginFrame()
	s.a.transfer(k.x, areaTown, &Join{Portal: -1})
	e := events(s.a.publish(), EventDeparted)[0]
	town := &stage{t: t, w: w, a: NewArea(w, areaTown, 1)}
	town.expectEvent(EventTeleported, Intent{Kind: IntentJoin, Who: 1, Join: e.Join})
	k.tick += 200
	town.step(k.next(1))
	if p := predictOf(town.a.find(1)); p.Tick != k.tick || p.Suspicion != 0 || len(events(town.f, EventTeleported)) > 0 {
		t.Errorf("tick %d of %d, suspicion %d, events %v", p.Tick, k.tick, p.Suspicion, town.f.kinds())
	}
}

// A player that logged out at the top of a jump is in the air at its next login. It cannot jump there.
func TestPlayerThatLogsInAboveGroundCannotJump(t *testing.T) {
	s := newStage(t, predictWorld())
	jump := func(k *predictClient) Intent {
		in := k.next(0)
		in.Input.Flags |= move.InputStartJump | move.InputJumping
		return in
	}
	air := s.predictClient(1, geom.Vec{Y: 3.5})
	s.step(jump(air))
	if at := air.state().Avatar; at.Pos.Y > 65 || at.Vel.Y > 0 {
		t.Errorf("jumps in the air: %v, %v", at.Pos, at.Vel)
	}
	ground := s.predictClient(2, geom.Vec{X: 35})
	s.step(jump(ground))
	if at := ground.state().Avatar; at.Vel.Y <= 0 {
		t.Errorf("cannot jump on the ground: %v, %v", at.Pos, at.Vel)
	}
}

// A client can cause a teleport by a gap in its tick numbers. That teleport ends neither a fall nor a knockback, so the
// gap is no advantage.
func TestTeleportAfterGapInClientTicksKeepsKnockbackVelocity(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{})
	y := s.player(2, geom.Vec{X: -3.5})
	s.step(k.next(0))
	s.a.beginFrame()
	k.x.authority.knockback(s.a, k.x, y)
	s.a.publish()
	was := predictOf(k.x).Avatar
	k.tick += 500
	s.step(k.next(0))
	teleports, pushed := events(s.f, EventTeleported), events(s.f, EventKnockback)
	if len(teleports) != 1 || len(pushed) != 1 || pushed[0].Rewind.State.Vel != was.Vel || pushed[0].Rewind.Serial == 0 {
		t.Fatalf("teleports %+v, knockbacks %+v", teleports, pushed)
	}
	for range 10 {
		s.step(k.next(0)) // the client has not received the teleport yet
	}
	k.avatar = k.state().Avatar
	in := k.next(0)
	in.Input.Flags |= move.InputHandledTeleport
	s.step(in)
	for range 8 {
		s.step(k.next(0))
		if e := events(s.f, EventCorrected); len(e) > 0 {
			t.Errorf("honest client is corrected: %+v", e[0].Rewind)
		}
	}
	if at := k.state().Avatar.Pos; at.X < was.Pos.X+1 || at != k.avatar.Pos {
		t.Errorf("server has %v, was %v, client has %v", at, was.Pos, k.avatar.Pos)
	}
}

// Fewer than five inputs per second count as silence. Because each input simulates one tick, a player with fewer inputs
// would fall in slow motion.
func TestPlayerWithFewerThanFiveInputsPerSecondIsExpelled(t *testing.T) {
	for name, c := range map[string]struct {
		every int // server ticks between two inputs
		stays bool
	}{"once in five seconds": {100, false}, "once a second": {20, false}, "a slow device": {3, true}} {
		s := newStage(t, predictWorld())
		k := s.predictClient(1, geom.Vec{})
		s.step(k.next(0))
		predictOf(k.x).Avatar.Pos.Y += 200
		stays := true
		for i := range 60 * 20 {
			if i%c.every == 0 {
				s.step(k.next(0))
			} else {
				s.step()
			}
			stays = stays && len(events(s.f, EventExpelled)) == 0
		}
		if stays != c.stays {
			t.Errorf("%s: stays in the area: %v", name, stays)
		}
	}
}

func TestGapInClientTicksDoesNotRestartTeleportTimeout(t *testing.T) {
	s := newStage(t, predictWorld())
	s.w.Rules.Predict.KickSuspicion = 0
	k := s.predictClient(1, geom.Vec{})
	s.step(k.next(0))
	for i := range 20 * 20 {
		if i%30 == 0 {
			k.tick += 500
		}
		s.step(k.next(0))
		if len(events(s.f, EventExpelled)) > 0 {
			return
		}
	}
	t.Error("not expelled although it ignores teleports")
}

// The client replays its inputs since a teleport with the state that the event contains, or, after a gap in its ticks, with the
// velocity that the next event contains.
func TestReplayAtTargetBeginsWithStateThatClientIsSent(t *testing.T) {
	for name, teleport := range map[string]func(k *predictClient) Intent{
		"operator": func(*predictClient) Intent {
			return Intent{Kind: IntentTeleport, Who: 1, Join: &Join{Portal: -1, Pos: geom.Vec{X: 175}}}
		},
		"gap in ticks": func(k *predictClient) Intent {
			k.tick += 500
			return k.next(0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, predictWorld())
			k := s.predictClient(1, geom.Vec{})
			for range 5 {
				s.step(k.next(1))
			}
			tick := k.tick
			s.step(teleport(k))
			e, p := events(s.f, EventTeleported), predictOf(k.x)
			if len(e) != 1 || e[0].Rewind.Tick != tick {
				t.Fatalf("%+v", s.f.Events)
			}
			want := e[0].Rewind.State
			for _, e := range events(s.f, EventKnockback) {
				want.Vel = e.Rewind.State.Vel
			}
			if r := p.Teleport; r.Tick != tick || r.Replay != want || want.Vel == (geom.Vec{}) == (name == "gap in ticks") {
				t.Errorf("replay from tick %d with %+v, want %d and %+v", r.Tick, r.Replay, tick, want)
			}
		})
	}
}
