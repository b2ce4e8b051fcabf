package move

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// predictionPair is a server and a client that agree on everything except what a test changes. The client predicts with
// the server's simulation, on flat ground.
type predictionPair struct {
	t       *testing.T
	policy  PredictPolicy
	server  PredictState
	client  Avatar
	tick    uint64
	scratch Scratch
}

func newPair(t *testing.T) *predictionPair {
	start := geom.Vec{X: 0.5, Y: 64, Z: 0.5}
	p := &predictionPair{t: t, policy: DefaultPredictPolicy(), client: NewAvatar(start), tick: 100}
	p.server.Avatar = NewAvatar(start)
	return p
}

// next returns the client's next input: the client walks forward and predicts the movement.
func (p *predictionPair) next() Input {
	p.tick++
	in := Input{Tick: p.tick, Move: [2]float32{0, 1}}
	p.client.Step(&in, nil, &p.scratch)
	in.Pos, in.Delta = p.client.Pos, p.client.Vel
	return in
}

// send admits and processes an input.
func (p *predictionPair) send(in Input) Prediction {
	p.t.Helper()
	if why := p.policy.Admit(&p.server, &in); why != reason.None {
		p.t.Fatalf("input %d was not admitted: %v", in.Tick, why)
	}
	return p.policy.Process(&p.server, &in, nil, &p.scratch)
}

// correct delivers a correction to the client immediately.
func (p *predictionPair) correct() { p.client = p.server.Avatar }

func (p *predictionPair) wantNone(v Prediction) {
	p.t.Helper()
	if v.Correct != reason.None {
		p.t.Fatalf("tick %d was corrected (%v) by %v blocks", p.server.Tick, v.Correct, v.PosError)
	}
}

func TestClientThatAgreesWithServerIsNotCorrected(t *testing.T) {
	p := newPair(t)
	for range 200 {
		v := p.send(p.next())
		p.wantNone(v)
		if v.PosError != 0 || v.VelError != 0 {
			t.Fatalf("tick %d: position error %v, velocity error %v", p.server.Tick, v.PosError, v.VelError)
		}
	}
}

func TestEachInputSimulatesOneTick(t *testing.T) {
	p := newPair(t)
	before := p.server.Avatar
	for i := range uint64(10) {
		p.send(p.next())
		if p.server.Tick != 101+i {
			t.Fatalf("tick %d after input %d", p.server.Tick, 101+i)
		}
		if p.server.Avatar.Pos == before.Pos {
			t.Fatal("an input did not move the player")
		}
		before = p.server.Avatar
	}
}

func TestCorrectionContainsTickOfComparedInput(t *testing.T) {
	p := newPair(t)
	p.send(p.next())
	in := p.next()
	in.Pos.X += 0.6
	v := p.send(in)
	if v.Correct != reason.Mispredicted || p.server.Tick != in.Tick {
		t.Fatalf("correction %v at tick %d", v.Correct, p.server.Tick)
	}
	if d := v.PosError - 0.6; d > 1e-4 || d < -1e-4 {
		t.Errorf("the position error is %v, want 0.6", v.PosError)
	}
	if p.server.Avatar.Pos.X != 0.5 {
		t.Errorf("the server followed the false position to %v", p.server.Avatar.Pos)
	}
}

func TestPositionErrorBelowThresholdIsNotCorrected(t *testing.T) {
	p := newPair(t)
	in := p.next()
	in.Pos.X += 0.49
	p.wantNone(p.send(in))
}

// After a correction at tick 5, and with a minimum delay of 2 ticks, the next correction is allowed at tick 8.
func TestMinimumDelayBetweenCorrectionsIsMeasuredInClientTicks(t *testing.T) {
	p := newPair(t)
	p.policy.MinDelay = 2
	p.tick = 4
	far := func() Prediction {
		in := p.next()
		in.Pos.X += 0.6
		v := p.send(in)
		p.server.Pending = PendingChange{} // simulates a client that confirms the change immediately
		return v
	}
	if v := far(); v.Correct == reason.None || p.server.Tick != 5 {
		t.Fatal("tick 5 was not corrected")
	}
	for _, tick := range []uint64{6, 7} {
		if v := far(); v.Correct != reason.None {
			t.Fatalf("tick %d was corrected within the delay", tick)
		}
	}
	if v := far(); v.Correct == reason.None {
		t.Fatal("tick 8 was not corrected")
	}
}

func TestNoCorrectionIsSentBeforePreviousOneIsAcknowledged(t *testing.T) {
	outstanding := func(t *testing.T) *predictionPair {
		p := newPair(t)
		in := p.next()
		in.Pos.X += 0.6
		if v := p.send(in); v.Correct == reason.None {
			t.Fatal("not corrected")
		}
		p.server.MarkChanged(1)
		return p
	}
	lie := func(p *predictionPair) Prediction {
		in := p.next()
		in.Pos.X += 0.6
		return p.send(in)
	}
	t.Run("ticks in flight may disagree", func(t *testing.T) {
		p := outstanding(t)
		for range p.policy.History {
			p.wantNone(lie(p))
		}
		if v := lie(p); v.Correct == reason.None {
			t.Fatal("not corrected again when the history was over")
		}
	})
	t.Run("a matching input confirms the correction", func(t *testing.T) {
		p := outstanding(t)
		for range 10 {
			p.wantNone(lie(p))
		}
		p.wantNone(p.send(p.next()))
		if v := lie(p); v.Correct == reason.None {
			t.Fatal("not corrected after an input that agreed")
		}
	})
	t.Run("an acknowledged barrier and one more input confirm the correction", func(t *testing.T) {
		p := outstanding(t)
		for range 10 {
			p.wantNone(lie(p))
		}
		p.server.AckBarrier(7) // acknowledgement of an unrelated barrier
		p.wantNone(lie(p))
		p.server.AckBarrier(1)
		p.wantNone(lie(p))
		if v := lie(p); v.Correct == reason.None {
			t.Fatal("not corrected after the barrier")
		}
	})
	t.Run("a knockback makes inputs in flight disagree", func(t *testing.T) {
		p := newPair(t)
		p.send(p.next())
		p.server.SetVelocity(geom.Vec{X: 3, Y: 0.4})
		p.server.MarkChanged(1)
		for range 8 {
			p.wantNone(p.send(p.next()))
		}
	})
}

func TestPositionErrorIsEasedAcceptedOrCorrectedDependingOnSize(t *testing.T) {
	at := func(t *testing.T, off float32) (*predictionPair, Prediction) {
		p := newPair(t)
		for range 40 {
			p.send(p.next()) // the elapsed tick raises the ease budget
		}
		in := p.next()
		in.Pos.X += off
		return p, p.send(in)
	}
	t.Run("an error above the threshold is corrected", func(t *testing.T) {
		if _, v := at(t, 0.51); v.Correct != reason.Mispredicted {
			t.Errorf("correction %v", v.Correct)
		}
	})
	t.Run("an error of a small part of the threshold is accepted", func(t *testing.T) {
		p, v := at(t, 0.004)
		if v.Correct != reason.None || p.server.Avatar.Pos.X != 0.504 {
			t.Errorf("x is %v, %v", p.server.Avatar.Pos.X, v.Correct)
		}
	})
	t.Run("the server eases an error between both toward the client", func(t *testing.T) {
		p, v := at(t, 0.3)
		if moved := p.server.Avatar.Pos.X - 0.5; v.Correct != reason.None || moved <= 0 || moved > 0.0021 {
			t.Errorf("moved by %v, %v", moved, v.Correct)
		}
	})
	t.Run("the server never eases upward", func(t *testing.T) {
		p := newPair(t)
		in := p.next()
		in.Pos.Y += 0.2
		p.send(in)
		if p.server.Avatar.Pos.Y != 64 {
			t.Errorf("y is %v", p.server.Avatar.Pos.Y)
		}
	})
}

func TestEasingTowardClientIsBoundedPerSecond(t *testing.T) {
	p := newPair(t)
	const seconds = 60
	for i := range seconds * 20 {
		in := p.next()
		in.Pos.X += float32(i) * 0.004 // an error that grows with every tick
		if in.Pos.X-p.server.Avatar.Pos.X > 0.45 {
			in.Pos.X = p.server.Avatar.Pos.X + 0.45
		}
		p.wantNone(p.send(in))
	}
	if gained := p.server.Avatar.Pos.X - 0.5; gained <= 0 || gained > seconds*p.policy.EasePerSecond*1.01 {
		t.Errorf("gained %v blocks in %d s", gained, seconds)
	}
	t.Run("no easing right after a correction", func(t *testing.T) {
		p := newPair(t)
		for range 40 {
			p.send(p.next())
		}
		in := p.next()
		in.Pos.X += 0.6
		p.send(in)
		in = p.next()
		in.Pos.X += 0.1
		if v := p.send(in); v.EasedBy != 0 {
			t.Errorf("eased by %v", v.EasedBy)
		}
	})
	t.Run("no easing under suspicion", func(t *testing.T) {
		p := newPair(t)
		for range 40 {
			p.send(p.next())
		}
		in := p.next()
		in.Pos.X += 0.1
		in.Flags |= InputHandledTeleport
		if v := p.send(in); v.EasedBy != 0 {
			t.Errorf("eased by %v", v.EasedBy)
		}
	})
}

// Rule SV-9 of docs/wire/bedrock.md: without an accept limit, the position of a trusted client is adopted however far
// away it is, even inside blocks.
func TestTrustedClientDecidesItsPosition(t *testing.T) {
	p := newPair(t)
	p.policy.TrustClient = true
	for _, by := range []geom.Vec{{X: 0.25}, {X: 30}, {X: -2000, Y: 90, Z: 5000}, {Y: -200}} {
		in := p.next()
		in.Pos, in.Delta = p.server.Avatar.Pos.Add(by), geom.Vec{X: 0.5, Y: 0.125}
		p.wantNone(p.send(in))
		if p.server.Avatar.Pos != in.Pos || p.server.Avatar.Vel != in.Delta {
			t.Errorf("at %v with %v, want %v with %v", p.server.Avatar.Pos, p.server.Avatar.Vel, in.Pos, in.Delta)
		}
	}
	in := p.next()
	in.Pos, in.Delta = geom.Vec{X: 0.5, Y: 64, Z: 0.5}, geom.Vec{X: 1e30, Y: -1e30}
	p.wantNone(p.send(in))
	if v := p.server.Avatar.Vel; v != (geom.Vec{X: MaxSpeed, Y: -MaxSpeed}) || !p.server.Avatar.OnGround {
		t.Errorf("velocity %v, on ground %v", v, p.server.Avatar.OnGround)
	}
}

func TestTrustedClientMovesPlayerAtMostAcceptLimitPerInput(t *testing.T) {
	p := newPair(t)
	p.policy.TrustClient, p.policy.AcceptLimit = true, 1.5
	for range 20 {
		in := p.next()
		in.Pos.X += 30
		p.wantNone(p.send(in))
	}
	if at := p.server.Avatar.Pos.X; at < 29 || at > 0.5+20*1.5+1e-3 {
		t.Errorf("the server follows the client to %v", at)
	}
	in := p.next()
	in.Pos, in.Delta = p.server.Avatar.Pos.Add(geom.Vec{X: 0.5, Y: 0.75, Z: -0.25}), geom.Vec{X: 0.5, Y: 0.125}
	p.wantNone(p.send(in))
	if p.server.Avatar.Pos != in.Pos || p.server.Avatar.Vel != in.Delta {
		t.Errorf("at %v with %v, want %v with %v", p.server.Avatar.Pos, p.server.Avatar.Vel, in.Pos, in.Delta)
	}
	in = p.next()
	in.Pos = p.server.Avatar.Pos
	in.Pos.Y -= 40
	p.wantNone(p.send(in))
	if p.server.Avatar.Pos.Y != 64 {
		t.Errorf("moved through the ground to %v", p.server.Avatar.Pos)
	}
}

func TestInputOfVehicleThatPlayerDoesNotRideIsCorrected(t *testing.T) {
	p := newPair(t)
	in := p.next()
	in.Flags |= InputVehicle
	in.Pos = geom.Vec{X: 500, Y: 80}
	v := p.send(in)
	if v.Correct != reason.VehicleForeign || p.server.Avatar.Pos.X != 0.5 {
		t.Errorf("%v at %v", v.Correct, p.server.Avatar.Pos)
	}
}

func TestSuspicionLowersCorrectionThresholdAndDecays(t *testing.T) {
	p := newPair(t)
	for p.server.Suspicion < p.policy.StrictSuspicion {
		p.policy.Admit(&p.server, &Input{Tick: 1 << 63})
	}
	in := p.next()
	in.Pos.X += 0.1
	if v := p.send(in); v.Correct != reason.Mispredicted || v.Allowed != p.policy.StrictThreshold {
		t.Errorf("correction %v at a threshold of %v", v.Correct, v.Allowed)
	}
	was := p.server.Suspicion
	for range 200 {
		p.policy.InputsDue(&p.server, 0, 20)
	}
	if p.server.Suspicion != was/2 {
		t.Errorf("suspicion %d after 10 s, was %d", p.server.Suspicion, was)
	}
}

func TestClientPositionsAreIgnoredUntilTeleportAck(t *testing.T) {
	to := geom.Vec{X: 100.5, Y: 64, Z: 100.5}
	begun := func(t *testing.T) *predictionPair {
		p := newPair(t)
		p.send(p.next())
		p.server.TeleportTo(to)
		return p
	}
	t.Run("until then positions are ignored", func(t *testing.T) {
		p := begun(t)
		for range 20 {
			in := p.next()
			in.Pos.X += 3
			v := p.send(in)
			p.wantNone(v)
			if !v.Held || p.server.Avatar.Pos != to || p.server.Avatar.Vel != (geom.Vec{}) {
				t.Fatalf("held %v at %v, %v", v.Held, p.server.Avatar.Pos, p.server.Avatar.Vel)
			}
		}
	})
	t.Run("then the client moves from the target", func(t *testing.T) {
		p := begun(t)
		p.correct()
		p.tick++
		in := Input{Tick: p.tick, Move: [2]float32{0, 1}, Flags: InputHandledTeleport}
		p.client.Step(&in, nil, &p.scratch)
		in.Pos, in.Delta = p.client.Pos, p.client.Vel
		v := p.send(in)
		p.wantNone(v)
		if !v.TeleportAcked || v.PosError != 0 {
			t.Errorf("acknowledged %v, error %v", v.TeleportAcked, v.PosError)
		}
	})
	t.Run("it is sent again, and then the player is dropped", func(t *testing.T) {
		p := begun(t)
		told, dropped := 0, 0
		for i := 1; i <= 200 && dropped == 0; i++ {
			tell, drop := p.policy.TickTeleport(&p.server, 20, 80)
			if tell {
				told++
				if i != told*40 {
					t.Errorf("sent again after %d ticks", i)
				}
			}
			if drop {
				dropped = i
			}
		}
		if told != 3 || dropped != 160 {
			t.Errorf("sent %d times more, dropped after %d ticks", told, dropped)
		}
	})
	t.Run("a long round trip gets more time", func(t *testing.T) {
		p := begun(t)
		for i := range 79 {
			if tell, _ := p.policy.TickTeleport(&p.server, 20, 1000); tell {
				t.Fatalf("sent again after %d ticks with a round trip of 1 s", i+1)
			}
		}
		if tell, _ := p.policy.TickTeleport(&p.server, 20, 1000); !tell {
			t.Error("not sent again after four round trips")
		}
	})
	t.Run("an acknowledgement without a teleport is an anomaly", func(t *testing.T) {
		p := newPair(t)
		in := p.next()
		in.Flags |= InputHandledTeleport
		if v := p.send(in); v.Anomalies[0] != reason.NoTeleport || p.server.Suspicion == 0 {
			t.Errorf("anomalies %v", v.Anomalies)
		}
	})
}

func TestPlayerDoesNotMoveWhileClientHasNoTerrainLoaded(t *testing.T) {
	p := newPair(t)
	before := p.server.Avatar.Pos
	for range 20 {
		in := p.next()
		in.Flags |= InputUnloaded
		in.Pos.Y -= 40
		v := p.send(in)
		p.wantNone(v)
	}
	if p.server.Avatar.Pos != before || p.server.Avatar.Vel != (geom.Vec{}) {
		t.Errorf("at %v", p.server.Avatar.Pos)
	}
}

// An input that claims no position is simulated like any other but not compared. The next input that claims a position is
// compared.
func TestInputWithoutClaimedPositionIsSimulatedButNotCompared(t *testing.T) {
	p := DefaultPredictPolicy()
	var s PredictState
	var scratch Scratch
	s.Avatar = NewAvatar(geom.Vec{Y: 64})
	want := s.Avatar
	for tick := range uint64(20) {
		in := Input{Tick: tick + 1, Move: [2]float32{0, 1}}
		want.Step(&in, nil, &scratch)
		in.Pos, in.Delta = want.Pos, want.Vel
		if tick%2 == 0 {
			in.Flags |= InputUnclaimed
			in.Pos, in.Delta = geom.Vec{X: 1e6}, geom.Vec{}
		}
		if v := p.Process(&s, &in, nil, &scratch); v.Correct != reason.None || v.Anomalies[0] != reason.None || s.Avatar != want {
			t.Fatalf("tick %d: %+v at %v, want %v", in.Tick, v, s.Avatar.Pos, want.Pos)
		}
	}
	in := Input{Tick: 21, Pos: geom.Vec{X: 9, Y: 64}}
	if v := p.Process(&s, &in, nil, &scratch); v.Correct != reason.Mispredicted {
		t.Errorf("false claim: %v, want Mispredicted", v.Correct)
	}
}
