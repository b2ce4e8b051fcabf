package move

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// SV-4: while more inputs wait, the tick is that of the processed one.
func TestSV4TickIsThatOfProcessedInput(t *testing.T) {
	p := newPair(t)
	first, second := p.next(), p.next()
	p.policy.Admit(&p.server, &first)
	p.policy.Admit(&p.server, &second)
	if p.policy.Process(&p.server, &first, nil, &p.scratch); p.server.Tick != first.Tick || p.server.NewestTick != second.Tick {
		t.Errorf("tick %d, newest %d", p.server.Tick, p.server.NewestTick)
	}
}

// SV-11: the threshold itself is borne, and velocities are only looked at if the operator says so.
func TestSV11ErrorAtThresholdIsNotCorrected(t *testing.T) {
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

// waiting is a pair whose server has just corrected, and whose client has heard of it, but whose barrier is not back.
func waiting(t *testing.T) *pair {
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

// SV-14: only an input that agrees in everything shows that the client has heard.
func TestSV14AgreementNeedsPositionAndVelocity(t *testing.T) {
	for name, c := range map[string]struct {
		change func(p *pair, in *Input)
		heard  bool
	}{
		"agrees":                       {func(*pair, *Input) {}, true},
		"another velocity":             {func(_ *pair, in *Input) { in.Delta.X += 0.25 }, false},
		"another place":                {func(_ *pair, in *Input) { in.Pos.X += 0.25 }, false},
		"a vehicle at the right place": {func(_ *pair, in *Input) { in.Flags |= InputVehicle }, false},
		"inputs were lost before it":   {func(p *pair, _ *Input) { p.policy.InputDropped(&p.server) }, false},
	} {
		p := waiting(t)
		in := p.next()
		c.change(p, &in)
		if v := p.send(in); v.Correct != reason.None {
			t.Errorf("%s: corrected for %v before the first was processed", name, v.Correct)
		}
		if heard := !p.server.Pending.Open; heard != c.heard {
			t.Errorf("%s: heard %v", name, heard)
		}
	}
}

// SV-15: what waits and what is under way together are more than the client remembers.
func TestSV15CorrectionTooLateCountsQueueAndRTT(t *testing.T) {
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

// SV-19: whose inputs were lost is told his stance with the correction: requests may be among them.
func TestSV19StanceIsSentAfterDroppedInputs(t *testing.T) {
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

// SV-12: what was not given away in one second is not saved for the next.
func TestSV12EaseBudgetIsNotSavedUp(t *testing.T) {
	p := newPair(t)
	p.policy.Threshold = 5 // so that the share of a tick does not bind before the share of a second does
	for range 60 * 20 {
		p.send(p.next())
	}
	from, given := p.server.Avatar.Pos.X, float32(0)
	for range 20 {
		in := p.next()
		in.Pos.X = p.server.Avatar.Pos.X + 0.04
		given += p.send(in).EasedBy
	}
	most := 2 * p.policy.EasePerSecond // that of the second before, and what this one brings
	if moved := p.server.Avatar.Pos.X - from; given <= 0 || given > most+1e-4 || moved > most+1e-4 {
		t.Errorf("gave %v away and moved by %v in a second, at most %v", given, moved, most)
	}
}

// SV-11, SV-12: nothing is given into a block, nor where the client's word counts within bounds already.
func TestSV11EasingNeverEntersBlock(t *testing.T) {
	for name, c := range map[string]struct {
		fill terrain.BlockFill
		want bool
	}{
		"in the open":  {fill(9, 64, 9, 9, 64, 9, terrain.Stone), true},
		"beside it":    {fill(1, 64, -5, 1, 66, 5, terrain.Stone), false},
		"in the water": {fill(-5, 64, -5, 5, 66, 5, terrain.Water), false},
	} {
		ground := blocksOf(t, c.fill)
		p := newPair(t)
		at := geom.Vec{X: 1 - halfWidth + inset, Y: 64, Z: 0.5}
		p.server.Avatar = NewAvatar(at)
		p.server.EaseBudget = 1
		in := Input{Tick: 101, Pos: at, Delta: geom.Vec{Y: restingFall}}
		if name == "in the water" {
			at.X += liquidAcross // as far as it is taken without being given
			in.Pos = at
		}
		in.Pos.X += 0.004
		p.policy.Admit(&p.server, &in)
		v := p.policy.Process(&p.server, &in, ground, &p.scratch)
		if v.PosError == 0 || v.EasedBy > 0 != c.want || p.server.Avatar.Pos.X > at.X != c.want {
			t.Errorf("%s: %v apart, gave %v away, at %v", name, v.PosError, v.EasedBy, p.server.Avatar.Pos)
		}
	}
}

// SV-9: where the client's word counts, that of the dead, the held and the riders does not.
func TestSV9TrustClientStillEnforcesLimits(t *testing.T) {
	for name, change := range map[string]func(a *Avatar, in *Input){
		"the dead": func(a *Avatar, _ *Input) { a.Dead = true },
		"the held": func(a *Avatar, _ *Input) { a.Immobile = true },
		"a rider":  func(_ *Avatar, in *Input) { in.Flags |= InputVehicle },
	} {
		p := newPair(t)
		p.policy.TrustClient = true
		in := Input{Tick: 101, Pos: p.server.Avatar.Pos.Add(geom.Vec{X: 1})}
		change(&p.server.Avatar, &in)
		if p.send(in); p.server.Avatar.Pos.X != 0.5 {
			t.Errorf("%s: went to %v", name, p.server.Avatar.Pos)
		}
	}
}

// SV-12: one tick that agrees ends what a correction began: something may be given away again.
func TestSV12AgreementReenablesEasing(t *testing.T) {
	for agrees, want := range map[bool]bool{true: true, false: false} {
		p := waiting(t)
		p.server.Pending, p.server.EaseBudget = PendingChange{}, 1
		if agrees {
			p.wantNone(p.send(p.next()))
		}
		in := p.next()
		in.Pos.X += 0.1
		if v := p.send(in); v.EasedBy > 0 != want {
			t.Errorf("agreed %v: gave %v away", agrees, v.EasedBy)
		}
	}
}
