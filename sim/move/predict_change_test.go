package move

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// Rule SV-14 of docs/wire/bedrock.md: the inputs of a standing player match its position even if the client does not know
// a new speed yet. So a match does not confirm the change. Until the client acknowledges the barrier, its inputs are
// neither corrected nor followed by the server.
func TestSpeedChangeIsConfirmedOnlyByAckNotByInputThatMatchesServerPosition(t *testing.T) {
	p := newPair(t)
	stands := func() Input {
		p.tick++
		in := Input{Tick: p.tick}
		p.client.Step(&in, nil, &p.scratch)
		in.Pos, in.Delta = p.client.Pos, p.client.Vel
		return in
	}
	p.send(stands())
	p.server.Avatar.Speed = 2 * WalkSpeed
	p.server.MarkChangedUntilAck(1)
	for range 5 {
		p.wantNone(p.send(stands()))
	}
	for range 20 {
		if v := p.send(p.next()); v.Correct != reason.None || v.EasedBy != 0 {
			t.Fatalf("tick %d: corrected %v, eased by %v, error %v", p.server.Tick, v.Correct, v.EasedBy, v.PosError)
		}
	}
	p.server.MarkChanged(2) // after a later knockback, too, only the acknowledgement confirms the speed change
	p.correct()
	p.send(p.next())
	if !p.server.Pending.Open {
		t.Error("an agreeing input ended the pending change")
	}
	p.server.AckBarrier(2)
	p.send(p.next())
	p.send(p.next())
	if p.server.Pending.Open {
		t.Error("the barrier did not end the pending change")
	}
}

// afterTeleport returns a pair after a teleport by the server, and the client's next input. The input acknowledges the
// teleport at a position that a test may offset.
func afterTeleport(t *testing.T) (*predictionPair, Input) {
	p := newPair(t)
	p.send(p.next())
	p.server.TeleportTo(geom.Vec{X: 100.5, Y: 64, Z: 100.5})
	p.correct()
	p.tick++
	in := Input{Tick: p.tick, Flags: InputHandledTeleport}
	p.client.Step(&in, nil, &p.scratch)
	in.Pos, in.Delta = p.client.Pos, p.client.Vel
	return p, in
}

// A client that was still walking while it was teleported is not at the server's position. It is corrected immediately,
// even below the threshold, because the error would grow at the next edge or step.
func TestTeleportAckAwayFromTargetIsCorrected(t *testing.T) {
	for name, c := range map[string]struct {
		off     float32
		correct bool
	}{"exact": {0, false}, "within acceptance": {0.004, false}, "within the threshold": {0.1, true}, "beyond": {2, true}} {
		t.Run(name, func(t *testing.T) {
			p, in := afterTeleport(t)
			in.Pos.X += c.off
			if v := p.send(in); !v.TeleportAcked || (v.Correct == reason.Landing) != c.correct {
				t.Errorf("acknowledged %v, corrected %v, error %v", v.TeleportAcked, v.Correct, v.PosError)
			}
		})
	}
}

// The input that acknowledges a teleport is compared by position and horizontal velocity. A client that starts to fall one tick
// later than the server is not corrected, but a client that still walks is corrected.
func TestVerticalVelocityAtTeleportAckIsNotCompared(t *testing.T) {
	for name, c := range map[string]struct {
		by   geom.Vec
		want reason.Reason
	}{
		"no fall yet": {geom.Vec{Y: 0.0784}, reason.None}, "a walk": {geom.Vec{X: 0.02}, reason.Landing},
		"a slow walk": {geom.Vec{Z: -0.009}, reason.None}, "aslant": {geom.Vec{X: 0.009, Z: 0.009}, reason.Landing},
	} {
		p, in := afterTeleport(t)
		in.Delta.X, in.Delta.Y, in.Delta.Z = in.Delta.X+c.by.X, in.Delta.Y+c.by.Y, in.Delta.Z+c.by.Z
		if v := p.send(in); v.Correct != c.want {
			t.Errorf("%s: %v, want %v", name, v.Correct, c.want)
		}
	}
}

// Until a client learns of a teleport, its jump delay continues. The server ignores the positions in its inputs, but
// updates the jump delay from their flags.
func TestJumpDelayContinuesDuringUnacknowledgedTeleport(t *testing.T) {
	p := newPair(t)
	in := p.next()
	in.Flags |= InputStartJump | InputJumping
	if p.send(in); p.server.Avatar.JumpDelay != jumpDelayTicks-1 {
		t.Fatal("did not jump")
	}
	p.server.TeleportTo(geom.Vec{X: 100.5, Y: 64, Z: 100.5})
	for i, step := range []struct {
		flags InputFlags
		want  uint8
	}{{InputJumping, 8}, {InputJumping, 7}, {0, 0}, {InputJumping, 0}, {InputJumping | InputStartJump, 9}, {InputJumping, 8}} {
		in := p.next()
		in.Flags |= step.flags
		if p.send(in); p.server.Avatar.JumpDelay != step.want {
			t.Errorf("input %d: delay %d, want %d", i, p.server.Avatar.JumpDelay, step.want)
		}
	}
}

// A client that rewinds replays its inputs at the target of a teleport, and jumps there in other ticks. The server uses the jump delay
// of that replay. A client that applies the teleport to the present replays nothing, and its delay is that of its inputs.
func TestReplayOfTeleportEndsWithInputOfRider(t *testing.T) {
	p := newPair(t)
	p.send(p.next())
	p.server.TeleportTo(geom.Vec{X: 100.5, Y: 64, Z: 100.5})
	p.server.BeginReplay()
	p.send(p.next())
	if p.server.Teleport.Tick == 0 {
		t.Fatal("the inputs of a player on foot are not replayed")
	}
	in := p.next()
	in.Flags |= InputVehicle
	p.send(in)
	if want := (Teleport{Open: true, WaitTicks: p.server.Teleport.WaitTicks}); p.server.Teleport != want {
		t.Errorf("after the input of a rider: %+v, want %+v", p.server.Teleport, want)
	}
}

func TestJumpDelayAfterTeleportAckIsThatOfReplayIfClientReplays(t *testing.T) {
	for name, c := range map[string]struct {
		replays bool
		want    uint8
	}{"replay at the target": {true, 7}, "teleport in the present": {false, 0}} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t)
			p.send(p.next())
			p.server.TeleportTo(geom.Vec{X: 100.5, Y: 64, Z: 100.5})
			p.server.BeginReplay()
			replay := p.server.Avatar
			step := func(flags InputFlags) {
				p.tick++
				in := Input{Tick: p.tick, Move: [2]float32{0, 1}, Flags: InputJumping | flags}
				if p.client.OnGround && p.client.JumpDelay == 0 {
					in.Flags |= InputStartJump
				}
				p.client.Step(&in, nil, &p.scratch)
				replay.Step(&in, nil, &p.scratch)
				in.Pos, in.Delta = p.client.Pos, p.client.Vel
				p.send(in)
			}
			for range 12 {
				step(0)
			}
			if !c.replays {
				replay = p.server.Avatar
				replay.JumpDelay = p.client.JumpDelay
			}
			p.client = replay // the teleport has arrived
			step(InputHandledTeleport)
			if got := p.server.Avatar.JumpDelay; p.server.Teleport != (Teleport{}) || got != p.client.JumpDelay || got != c.want {
				t.Errorf("the delay is %d, and %d on the client, want %d; teleport %+v", got, p.client.JumpDelay, c.want, p.server.Teleport)
			}
		})
	}
}

// A client does not replay a teleport whose tick has left its history.
func TestReplayAtTargetOfTeleportEndsWithHistoryOfClient(t *testing.T) {
	p := newPair(t)
	p.send(p.next())
	p.server.TeleportTo(geom.Vec{X: 100.5, Y: 64, Z: 100.5})
	p.server.BeginReplay()
	for range p.policy.History {
		p.send(p.next())
	}
	if r := p.server.Teleport; r.Tick != p.tick-uint64(p.policy.History) || r.Replay.Pos.Z < 103 {
		t.Errorf("replayed from tick %d to %v", r.Tick, r.Replay.Pos)
	}
	p.send(p.next())
	if p.server.Teleport != (Teleport{Open: true}) {
		t.Errorf("%+v", p.server.Teleport)
	}
}

// If a client requests a jump while the server has the player in the air, the jump delay starts. The player then does not jump
// on landing before the delay is over.
func TestJumpRequestInTheAirStartsJumpDelay(t *testing.T) {
	a := onFeet(0.5, 64.05, 0.5)
	a.OnGround = false
	ticks(&a, 1, Input{Flags: InputJumping | InputStartJump}, nil)
	ticks(&a, 1, Input{Flags: InputJumping}, nil)
	if !a.OnGround || a.JumpDelay != jumpDelayTicks-2 {
		t.Errorf("on ground %v, delay %d", a.OnGround, a.JumpDelay)
	}
}

// A request to sprint sent before the client knew of its death raises no suspicion.
func TestRefusedSprintRequestOfDeadPlayerAddsNoSuspicion(t *testing.T) {
	p := newPair(t)
	p.send(p.next())
	p.server.MarkDead()
	in := p.next()
	in.Flags |= InputStartSprint
	if v := p.send(in); v.Anomalies[0] != reason.None || p.server.Suspicion != 0 {
		t.Errorf("anomalies %v, suspicion %d", v.Anomalies, p.server.Suspicion)
	}
}
