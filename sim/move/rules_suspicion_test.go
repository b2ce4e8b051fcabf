package move

import (
	"math"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// Rule SV-23 of docs/wire/bedrock.md: each kind of anomaly adds its own weight to the suspicion, and nothing else adds
// any.
func TestEachAnomalyAddsItsSuspicionWeight(t *testing.T) {
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		change func(p *predictionPair, in *Input)
		want   int32
	}{
		"nothing":                         {func(*predictionPair, *Input) {}, 0},
		"a tick left out":                 {func(_ *predictionPair, in *Input) { in.Tick++ }, suspectGap},
		"a tick that was used":            {func(_ *predictionPair, in *Input) { in.Tick-- }, suspectForged},
		"a tick far ahead":                {func(_ *predictionPair, in *Input) { in.Tick += 1000 }, suspectBigGap},
		"a vehicle":                       {func(_ *predictionPair, in *Input) { in.Flags |= InputVehicle }, suspectVehicle},
		"wings without an elytra":         {func(_ *predictionPair, in *Input) { in.Flags |= InputStartGlide }, suspectStance},
		"two requests that are refused":   {func(_ *predictionPair, in *Input) { in.Flags |= InputStartFly | InputStartSwim }, suspectStance},
		"a jump that is none":             {func(p *predictionPair, in *Input) { p.server.Avatar.OnGround = false; in.Flags |= InputStartJump }, 0},
		"a stick beyond its end":          {func(_ *predictionPair, in *Input) { in.Move[0] = 2 }, suspectClamped},
		"a neck of rubber":                {func(_ *predictionPair, in *Input) { in.Pitch = 91 }, suspectClamped},
		"a number that is none":           {func(_ *predictionPair, in *Input) { in.Pos.Y = nan }, suspectNotFinite},
		"a place out of the world":        {func(_ *predictionPair, in *Input) { in.Pos.X = 4e7 }, suspectNotFinite},
		"the answer to no teleport":       {func(_ *predictionPair, in *Input) { in.Flags |= InputHandledTeleport }, suspectTeleport},
		"a request that the dead may not": {func(p *predictionPair, in *Input) { p.server.Avatar.Dead = true; in.Flags |= InputStartFly }, 0},
	} {
		p := newPair(t)
		p.send(p.next())
		in := p.next()
		c.change(p, &in)
		if p.policy.Admit(&p.server, &in) == reason.None {
			p.policy.Process(&p.server, &in, nil, &p.scratch)
		}
		if p.server.Suspicion != c.want {
			t.Errorf("%s: %d points, want %d", name, p.server.Suspicion, c.want)
		}
	}
}

// Rule SV-16 of docs/wire/bedrock.md: if no teleport is pending, a teleport acknowledgement is removed from the input.
func TestUnexpectedTeleportAckIsDropped(t *testing.T) {
	p := newPair(t)
	in := p.next()
	in.Flags |= InputHandledTeleport | InputUp
	p.policy.Admit(&p.server, &in)
	if p.policy.Process(&p.server, &in, nil, &p.scratch); in.Flags != InputUp {
		t.Errorf("flags %b are left", in.Flags)
	}
}

// Rule SV-23 of docs/wire/bedrock.md: suspicion halves in 10 s at any server tick rate, and 0 switches a limit off.
func TestSuspicionHalvesEveryTenSecondsAtAnyTickRate(t *testing.T) {
	policy := DefaultPredictPolicy()
	for _, rate := range []int{5, 10, 20, 60} {
		s := PredictState{Suspicion: 40}
		for range 10*rate - 1 {
			policy.InputsDue(&s, 0, rate)
		}
		before := s.Suspicion
		if policy.InputsDue(&s, 0, rate); before != 40 || s.Suspicion != 20 {
			t.Errorf("%d ticks a second: %d, then %d", rate, before, s.Suspicion)
		}
	}
	off := PredictPolicy{Threshold: 0.5, StrictThreshold: 0.05}
	if s := (PredictState{Suspicion: 1 << 19}); off.ShouldKick(&s) || off.threshold(&s) != 0.5 {
		t.Error("limits that are switched off apply")
	}
}

// Rule SV-20 of docs/wire/bedrock.md: the time without inputs counts from the first input, because before it the client
// may still be loading the world.
func TestClientIsNotCountedAsSilentBeforeFirstInput(t *testing.T) {
	p := newPair(t)
	for range 1000 {
		if report, disconnect := p.policy.CountSilentTick(&p.server, 20); report || disconnect {
			t.Fatal("the client counts as silent before its first input")
		}
	}
}

// A teleport discards the changes that were pending before it. Its acknowledgement leaves no change pending.
func TestTeleportDiscardsServerChangesThatClientHasNotConfirmed(t *testing.T) {
	p := newPair(t)
	in := p.next()
	in.Pos.X += 0.6
	p.send(in)
	p.server.MarkChanged(1)
	p.policy.InputDropped(&p.server)
	p.server.Suspicion = 0
	to := geom.Vec{X: 9.5, Y: 64, Z: 9.5}
	p.server.TeleportTo(to)
	for range 41 {
		p.policy.TickTeleport(&p.server, 20, 0)
	}
	p.correct()
	in = p.next()
	in.Flags |= InputHandledTeleport
	p.send(in)
	if s := &p.server; s.Teleport != (Teleport{}) || s.Pending != (PendingChange{}) {
		t.Errorf("left behind: %+v, %+v", s.Teleport, s.Pending)
	}
	for range 10 {
		p.wantNone(p.send(p.next()))
	}
	in = p.next()
	in.Pos.Z += 3
	if v := p.send(in); v.Correct == reason.None {
		t.Error("a false position after a teleport is not corrected: a change is still pending")
	}
}
