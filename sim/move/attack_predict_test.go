package move

import (
	"math"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Clients run at 20 ticks per second, whatever the tick rate of the server. A client must get neither more time on a
// faster server nor less time on a slower one.
func TestTwentyInputsPerSecondAreProcessedAtAnyServerTickRate(t *testing.T) {
	for _, rate := range []int{5, 10, 20, 25, 30, 60} {
		p := DefaultPredictPolicy()
		s := PredictState{Started: true}
		const seconds = 60
		for name, perSecond := range map[string]int{"honest": 20, "a timer cheat": 60} {
			waiting, done, owed := 0, 0, 0
			for range seconds * rate {
				for owed += perSecond; owed >= rate; owed -= rate {
					waiting = min(waiting+1, int(p.QueueSize))
				}
				n := p.InputsDue(&s, waiting, rate)
				waiting -= n
				done += n
			}
			if maximum := seconds*20 + int(p.MaxCredits); done > maximum || done < seconds*20-1 {
				t.Errorf("%s at %d ticks a second: %d inputs in %d s", name, rate, done, seconds)
			}
		}
	}
}

// A request to sprint that a client sends between a teleport and its acknowledgement takes effect on the client and on
// the server.
func TestSprintRequestBeforeTeleportAckTakesEffectOnServerAndClient(t *testing.T) {
	p := newPair(t)
	p.send(p.next())
	p.server.TeleportTo(geom.Vec{X: 100.5, Y: 64, Z: 0.5})
	in := p.next()
	in.Flags |= InputStartSprint
	if v := p.send(in); !v.Held || !v.SendStance || !p.server.Avatar.Sprinting {
		t.Errorf("held %v, stance sent %v, sprints %v", v.Held, v.SendStance, p.server.Avatar.Sprinting)
	}
	in = p.next()
	in.Flags |= InputHandledTeleport
	if v := p.send(in); !v.TeleportAcked || !v.SendStance || !p.server.Avatar.Sprinting {
		t.Errorf("acknowledged %v, stance sent %v, sprints %v", v.TeleportAcked, v.SendStance, p.server.Avatar.Sprinting)
	}
}

func TestNaNPositionBeforeTeleportAckAddsNoSuspicion(t *testing.T) {
	p := newPair(t)
	p.send(p.next())
	p.server.TeleportTo(geom.Vec{X: 100.5, Y: 64, Z: 0.5})
	for i := range 30 {
		in := p.next()
		in.Pos.X = float32(math.NaN())
		if i == 29 {
			in.Flags |= InputHandledTeleport
		}
		if v := p.send(in); v.Anomalies[0] != reason.NotFinite {
			t.Fatalf("anomalies %v", v.Anomalies)
		}
	}
	if p.server.Suspicion != 0 || p.server.Avatar.Pos.X != 100.5 {
		t.Errorf("suspicion %d at %v", p.server.Suspicion, p.server.Avatar.Pos)
	}
}

// A client can delay its answers at will to increase its measured round trip. Nevertheless the time in which it may
// ignore a teleport stays bounded.
func TestClientThatIgnoresTeleportIsDroppedWithin45SecondsAtAnyRTT(t *testing.T) {
	p := newPair(t)
	p.send(p.next())
	p.server.TeleportTo(geom.Vec{X: 100.5, Y: 64, Z: 0.5})
	for range 45 * 20 {
		if _, drop := p.policy.TickTeleport(&p.server, 20, math.MaxUint16); drop {
			return
		}
	}
	t.Error("the player is not dropped within 45 s")
}

// A stored position or a portal may be inside a solid. The search for a free position nearby must be fast even then.
func TestFindStandingPlaceReturnsFreePositionForAnyHeight(t *testing.T) {
	var s Scratch
	a := NewAvatar(geom.Vec{})
	for name, c := range map[string]struct{ y, want float32 }{
		"on the ground":      {64, 64},
		"in the ground":      {60.25, 64},
		"in the air":         {80.25, 80.25},
		"below every block":  {-100, 64},
		"where steps vanish": {-3e7, 64},
		"no number":          {float32(math.Inf(-1)), 64},
	} {
		if got := a.FindStandingPlace(geom.Vec{X: 0.5, Y: c.y, Z: 0.5}, nil, &s); got.Y != c.want {
			t.Errorf("%s: %v, want %v", name, got.Y, c.want)
		}
	}
	void := mustBlocks(t, &terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.VoidGround})
	for _, y := range []float32{-3e7, -64, 0} {
		if got := a.FindStandingPlace(geom.Vec{Y: y}, void, &s); got.Y != y {
			t.Errorf("in the void: moved from %v to %v", y, got.Y)
		}
	}
}

// A connection that stalled for three seconds delivers sixty inputs at once; an area accepts eight per tick. The player
// must catch up, so that it does not stay delayed for the rest of the session, but must not get more time than has
// passed.
func TestClientCatchesUpAfterStallWithinElapsedTicks(t *testing.T) {
	const rate, dead = 20, 60
	p := DefaultPredictPolicy()
	s := PredictState{Started: true}
	done, waiting, held := 0, 0, 0
	step := func(arrive int) {
		held += arrive
		n := min(held, 8)
		held, waiting = held-n, waiting+n
		turns := p.InputsDue(&s, waiting, rate)
		waiting, done = waiting-turns, done+turns
		if turns == 0 {
			p.CountSilentTick(&s, rate)
		}
	}
	for range 100 {
		step(1)
	}
	for range dead {
		step(0)
	}
	step(dead + 1)
	maximum := 0
	for i := range 30 * rate {
		step(1)
		if now := 100 + dead + 2 + i; done > now {
			t.Fatalf("%d inputs processed in %d ticks", done, now)
		}
		maximum = max(maximum, waiting)
	}
	if waiting > 1 || maximum > int(p.QueueSize) {
		t.Errorf("%d inputs wait after 30 s, at most %d did before", waiting, maximum)
	}
	if s.OwedTicks != 0 {
		t.Errorf("%d ticks are owed to a client that keeps pace", s.OwedTicks)
	}
}

// Idle time beyond the credits is lost: a client cannot accumulate it and move faster later.
func TestClientCannotUseIdleTimeBeyondMaxCreditsToMoveFaster(t *testing.T) {
	p := DefaultPredictPolicy()
	s := PredictState{Started: true}
	for range 100 {
		p.InputsDue(&s, 0, 20)
		p.CountSilentTick(&s, 20)
	}
	for range 30 {
		p.InputsDue(&s, 1, 20)
	}
	done := 0
	for range 200 {
		done += p.InputsDue(&s, 40, 20)
	}
	if done > 200+int(p.MaxCredits) {
		t.Errorf("%d inputs processed in 200 ticks", done)
	}
}

func TestClientWithFastClockGainsAtMostOneThousandthOfInputs(t *testing.T) {
	p := DefaultPredictPolicy()
	s := PredictState{Started: true}
	done := 0
	for range 3600 * 20 {
		done += p.InputsDue(&s, 40, 20)
	}
	if extra := done - 3600*20; extra < 70 || extra > 72 {
		t.Errorf("%d inputs more in an hour of a timer cheat", extra)
	}
	s, p.MaxCredits = PredictState{Started: true}, 0
	for range 5000 {
		if n := p.InputsDue(&s, 40, 20); n != 1 {
			t.Fatalf("%d inputs due without credits", n)
		}
	}
}

// Inputs that are dropped in a row, as when a connection stalls, add suspicion only once.
func TestInputsDroppedTogetherAddSuspicionOnce(t *testing.T) {
	p := newPair(t)
	p.send(p.next())
	for range 60 {
		p.policy.InputDropped(&p.server)
	}
	if p.server.Suspicion != suspectOverflow {
		t.Errorf("suspicion %d after one loss", p.server.Suspicion)
	}
	if v := p.send(p.next()); v.Correct != reason.InputOverflow {
		t.Errorf("correction %v", v.Correct)
	}
	if p.policy.InputDropped(&p.server); p.server.Suspicion != 2*suspectOverflow {
		t.Errorf("suspicion %d after a second loss", p.server.Suspicion)
	}
}

// A player under a low ceiling may request to stand up any number of times without suspicion, because its client does not
// know that there is no room to stand.
func TestStandUpRequestBelowLowCeilingAddsNoSuspicion(t *testing.T) {
	low := blocksOf(t, fill(-9, 65, -9, 9, 65, 9, terrain.SmoothStoneSlabTop))
	p := newPair(t)
	p.server.Avatar.Sneaking, p.server.Avatar.SneakHeld = true, true
	for range 100 {
		in := Input{Tick: p.server.Tick + 1, Pos: p.server.Avatar.Pos, Flags: InputStopSneak}
		p.policy.Process(&p.server, &in, low, &p.scratch)
	}
	if p.server.Suspicion != 0 || !p.server.Avatar.Sneaking {
		t.Errorf("suspicion %d, sneaks %v", p.server.Suspicion, p.server.Avatar.Sneaking)
	}
}

// A correction contains the position but not the stance. A second correction contains the stance too, unless the client has
// agreed with the server in between.
func TestSecondConsecutiveCorrectionIncludesStance(t *testing.T) {
	p := newPair(t)
	p.server.Avatar.Sprinting = true // simulates the loss of the client's request to stop sprinting
	var told []bool
	for range 60 {
		v := p.send(p.next())
		if v.Correct != reason.None {
			told = append(told, v.SendStance)
			p.client.Pos, p.client.Vel, p.client.OnGround = p.server.Avatar.Pos, p.server.Avatar.Vel, p.server.Avatar.OnGround
			if v.SendStance {
				p.client.Sprinting = p.server.Avatar.Sprinting
			}
		}
	}
	if len(told) != 2 || told[0] || !told[1] || p.client.Pos != p.server.Avatar.Pos {
		t.Errorf("corrected with the stance: %v; the client is at %v, the server at %v", told, p.client.Pos, p.server.Avatar.Pos)
	}
}
