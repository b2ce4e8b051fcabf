package move

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Rule SV-4 of docs/wire/bedrock.md: while more inputs are queued, the tick of the state is that of the last processed
// input.
func TestStateHasTickOfLastProcessedInputWhileInputsAreQueued(t *testing.T) {
	p := newPair(t)
	first, second := p.next(), p.next()
	p.policy.Admit(&p.server, &first)
	p.policy.Admit(&p.server, &second)
	if p.policy.Process(&p.server, &first, nil, &p.scratch); p.server.Tick != first.Tick || p.server.NewestTick != second.Tick {
		t.Errorf("tick %d, newest %d", p.server.Tick, p.server.NewestTick)
	}
}

// Rule SV-11 of docs/wire/bedrock.md: an error equal to the threshold is not corrected, and velocities are only
// compared if the operator configures it.
func TestPositionErrorEqualToThresholdIsNotCorrected(t *testing.T) {
	p := newPair(t)
	in := p.next()
	in.Pos.X += 0.5
	if v := p.send(in); v.PosError != v.Allowed || v.Correct != reason.None {
		t.Errorf("%v blocks, allowed %v: %v", v.PosError, v.Allowed, v.Correct)
	}
	for threshold, want := range map[float32]reason.Reason{0: reason.None, 0.5: reason.None, 0.25: reason.MispredictedSpeed} {
		p := newPair(t)
		p.policy.VelocityThreshold = threshold
		in := p.next()
		in.Delta.X += 0.375
		if v := p.send(in); v.Correct != want {
			t.Errorf("velocity threshold %v: %v, want %v", threshold, v.Correct, want)
		}
	}
}

// waiting returns a pair whose server has just sent a correction. The client has applied it, but the barrier is not
// acknowledged yet.
func waiting(t *testing.T) *predictionPair {
	p := newPair(t)
	p.policy.MinDelay = 0
	in := p.next()
	in.Pos.X += 0.6
	if v := p.send(in); v.Correct == reason.None {
		t.Fatal("not corrected")
	}
	p.server.MarkChanged(1)
	p.correct()
	return p
}

// Rule SV-14 of docs/wire/bedrock.md: only an input that agrees in both position and velocity confirms a change.
func TestInputConfirmsServerChangeOnlyIfPositionAndVelocityAgree(t *testing.T) {
	for name, c := range map[string]struct {
		change    func(p *predictionPair, in *Input)
		confirmed bool
	}{
		"agrees":                       {func(*predictionPair, *Input) {}, true},
		"another velocity":             {func(_ *predictionPair, in *Input) { in.Delta.X += 0.25 }, false},
		"another place":                {func(_ *predictionPair, in *Input) { in.Pos.X += 0.25 }, false},
		"a vehicle at the right place": {func(_ *predictionPair, in *Input) { in.Flags |= InputVehicle }, false},
		"inputs were lost before it":   {func(p *predictionPair, _ *Input) { p.policy.InputDropped(&p.server) }, false},
	} {
		p := waiting(t)
		in := p.next()
		c.change(p, &in)
		if v := p.send(in); v.Correct != reason.None {
			t.Errorf("%s: corrected for %v before the first was confirmed", name, v.Correct)
		}
		if confirmed := !p.server.Pending.Open; confirmed != c.confirmed {
			t.Errorf("%s: confirmed %v", name, confirmed)
		}
	}
}

// Rule SV-15 of docs/wire/bedrock.md: a correction is too late if queue and round trip together exceed the client's
// history.
func TestDelayOfCorrectionIncludesQueuedInputsAndRTT(t *testing.T) {
	p := DefaultPredictPolicy()
	for _, c := range []struct {
		waits uint64
		rtt   uint16
		want  bool
	}{{0, 0, false}, {39, 0, false}, {40, 0, true}, {0, 1999, false}, {0, 2000, true}, {20, 999, false}, {20, 1000, true}} {
		s := PredictState{Tick: 100, NewestTick: 100 + c.waits}
		if got := p.CorrectionTooLate(&s, c.rtt); got != c.want {
			t.Errorf("%d wait, %d ms: %v", c.waits, c.rtt, got)
		}
	}
}

// Rule SV-19 of docs/wire/bedrock.md: the correction after dropped inputs includes the stance, because stance requests
// may be among the dropped inputs.
func TestCorrectionAfterDroppedInputsIncludesStance(t *testing.T) {
	for lost, want := range map[bool]reason.Reason{false: reason.Mispredicted, true: reason.InputOverflow} {
		p := newPair(t)
		if lost {
			p.policy.InputDropped(&p.server)
		}
		in := p.next()
		in.Pos.X += 0.6
		if v := p.send(in); v.Correct != want || v.SendStance != lost {
			t.Errorf("lost %v: %v, stance told %v", lost, v.Correct, v.SendStance)
		}
	}
}

// Rule SV-12 of docs/wire/bedrock.md: an ease budget that is not used within one second expires.
func TestUnusedEasingDistanceExpiresAfterOneSecond(t *testing.T) {
	p := newPair(t)
	p.policy.Threshold = 5 // with this threshold the limit per tick exceeds the limit per second
	for range 60 * 20 {
		p.send(p.next())
	}
	from, given := p.server.Avatar.Pos.X, float32(0)
	for range 20 {
		in := p.next()
		in.Pos.X = p.server.Avatar.Pos.X + 0.04
		given += p.send(in).EasedBy
	}
	maximum := 2 * p.policy.EasePerSecond // the ease budgets of the previous second and of this one
	if moved := p.server.Avatar.Pos.X - from; given <= 0 || given > maximum+1e-4 || moved > maximum+1e-4 {
		t.Errorf("eased by %v and moved by %v in a second, at most %v", given, moved, maximum)
	}
}

// Rules SV-11, SV-12 of docs/wire/bedrock.md: easing moves no player into a block. It is not applied in modes that
// already accept the client's position within bounds.
func TestEasingNeverMovesPlayerIntoBlock(t *testing.T) {
	for name, c := range map[string]struct {
		fill    terrain.BlockFill
		bounded bool
		want    bool
	}{
		"in the open":      {fill(9, 64, 9, 9, 64, 9, terrain.Stone), false, true},
		"beside it":        {fill(1, 64, -5, 1, 66, 5, terrain.Stone), false, false},
		"in the water":     {fill(-5, 64, -5, 5, 66, 5, terrain.Water), false, true},
		"in bounded water": {fill(-5, 64, -5, 5, 66, 5, terrain.Water), true, false},
	} {
		ground := blocksOf(t, c.fill)
		p := newPair(t)
		at := geom.Vec{X: 1 - halfWidth + inset, Y: 64, Z: 0.5}
		p.server.Avatar = NewAvatar(at)
		p.server.EaseBudget = 1
		in := Input{Tick: 101, Pos: at, Delta: geom.Vec{Y: restingFall}}
		if c.bounded {
			p.policy.Liquids.Water.Mode = BoundLiquid
			at.X += liquidAcross // the maximum distance that the mode accepts without easing
			in.Pos = at
		}
		in.Pos.X += 0.004
		p.policy.Admit(&p.server, &in)
		v := p.policy.Process(&p.server, &in, ground, &p.scratch)
		if v.PosError == 0 || v.EasedBy > 0 != c.want || p.server.Avatar.Pos.X > at.X != c.want {
			t.Errorf("%s: error %v, eased by %v, at %v", name, v.PosError, v.EasedBy, p.server.Avatar.Pos)
		}
	}
}

// Rule SV-9 of docs/wire/bedrock.md: positions of a trusted client are still ignored while its player is dead, immobile
// or in a vehicle.
func TestTrustedClientCannotMoveDeadOrImmobilePlayer(t *testing.T) {
	for name, change := range map[string]func(a *Avatar, in *Input){
		"dead":     func(a *Avatar, _ *Input) { a.Dead = true },
		"immobile": func(a *Avatar, _ *Input) { a.Immobile = true },
		"riding":   func(_ *Avatar, in *Input) { in.Flags |= InputVehicle },
	} {
		p := newPair(t)
		p.policy.TrustClient = true
		in := Input{Tick: 101, Pos: p.server.Avatar.Pos.Add(geom.Vec{X: 1})}
		change(&p.server.Avatar, &in)
		if p.send(in); p.server.Avatar.Pos.X != 0.5 {
			t.Errorf("%s: moved to %v", name, p.server.Avatar.Pos)
		}
	}
}

// Rule SV-12 of docs/wire/bedrock.md: after a correction, one matching input is enough to allow easing again.
func TestEasingTowardClientResumesAfterFirstMatchingInput(t *testing.T) {
	for agrees, want := range map[bool]bool{true: true, false: false} {
		p := waiting(t)
		p.server.Pending, p.server.EaseBudget = PendingChange{}, 1
		if agrees {
			p.wantNone(p.send(p.next()))
		}
		in := p.next()
		in.Pos.X += 0.1
		if v := p.send(in); v.EasedBy > 0 != want {
			t.Errorf("agreed %v: eased by %v", agrees, v.EasedBy)
		}
	}
}
