package move

import (
	"math"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

func TestNaNInInputIsReplaced(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, spoil := range map[string]func(*Input){
		"pitch":       func(in *Input) { in.Pitch = nan },
		"yaw":         func(in *Input) { in.Yaw = inf },
		"head":        func(in *Input) { in.HeadYaw = nan },
		"position":    func(in *Input) { in.Pos.Y = nan },
		"velocity":    func(in *Input) { in.Delta.X = -inf },
		"move vector": func(in *Input) { in.Move[0] = nan },
		"far away":    func(in *Input) { in.Pos.X = 3.3e7 },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t)
			in := p.next()
			spoil(&in)
			v := p.send(in)
			if v.Anomalies[0] != reason.NotFinite {
				t.Errorf("anomalies %v", v.Anomalies)
			}
			if a := p.server.Avatar; !geom.Finite(a.Pos.X) || !geom.Finite(a.Pos.Y) || !geom.Finite(a.Pos.Z) || !geom.Finite(a.Vel.X) {
				t.Errorf("the server is at %v", a.Pos)
			}
			for range 19 {
				in := p.next()
				spoil(&in)
				p.send(in)
			}
			if !p.policy.ShouldKick(&p.server) {
				t.Error("twenty of them in a second do not drop the player")
			}
		})
	}
	t.Run("a move vector out of range is clamped", func(t *testing.T) {
		p, honest := newPair(t), newPair(t)
		in := p.next()
		in.Move = [2]float32{0, 50}
		v := p.send(in)
		honest.send(honest.next())
		if v.Anomalies[0] != reason.InputClamped || p.server.Avatar.Pos != honest.server.Avatar.Pos {
			t.Errorf("anomalies %v, at %v", v.Anomalies, p.server.Avatar.Pos)
		}
	})
}

func TestInputWithRepeatedTickOrLongTickGapIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		tick uint64
		want reason.Reason
	}{
		"the same tick again":     {101, reason.TickForged},
		"an older tick":           {42, reason.TickForged},
		"none":                    {0, reason.TickForged},
		"beyond 63 bits":          {1 << 63, reason.TickForged},
		"the next":                {102, reason.None},
		"a gap within history":    {141, reason.None},
		"a gap beyond it":         {142, reason.TickGap},
		"a gap of half the range": {1 << 62, reason.TickGap},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t)
			p.send(p.next())
			before := p.server.Avatar
			if why := p.policy.Admit(&p.server, &Input{Tick: c.tick}); why != c.want {
				t.Errorf("got %v, want %v", why, c.want)
			}
			if p.server.Avatar != before {
				t.Error("admission moved the player")
			}
		})
	}
	t.Run("the first input may have any tick", func(t *testing.T) {
		for _, tick := range []uint64{0, 1, 1 << 62} {
			p := newPair(t)
			if why := p.policy.Admit(&p.server, &Input{Tick: tick}); why != reason.None {
				t.Errorf("%d: %v", tick, why)
			}
		}
	})
	t.Run("after a refused gap the next later tick is accepted", func(t *testing.T) {
		p := newPair(t)
		p.send(p.next())
		p.policy.Admit(&p.server, &Input{Tick: 1000})
		if why := p.policy.Admit(&p.server, &Input{Tick: 1001}); why != reason.None {
			t.Error(why)
		}
	})
	t.Run("an input after a short gap simulates one step", func(t *testing.T) {
		p, honest := newPair(t), newPair(t)
		p.send(p.next())
		honest.send(honest.next())
		in := p.next()
		in.Tick += 30
		p.send(in)
		honest.send(honest.next())
		if p.server.Avatar.Pos != honest.server.Avatar.Pos {
			t.Errorf("%v, want %v", p.server.Avatar.Pos, honest.server.Avatar.Pos)
		}
	})
}

func TestInputsProcessedPerTickAreLimitedByElapsedTimeAndCredits(t *testing.T) {
	begun := func() (*PredictPolicy, *PredictState) {
		p := DefaultPredictPolicy()
		return &p, &PredictState{Started: true}
	}
	t.Run("one input is processed per tick", func(t *testing.T) {
		p, s := begun()
		for range 100 {
			if n := p.InputsDue(s, 5, 20); n != 1 {
				t.Fatalf("%d inputs due", n)
			}
		}
	})
	t.Run("ticks without inputs give credits", func(t *testing.T) {
		p, s := begun()
		for range 10 {
			if n := p.InputsDue(s, 0, 20); n != 0 {
				t.Fatalf("%d inputs due of an empty queue", n)
			}
		}
		if n := p.InputsDue(s, 12, 20); n != 11 {
			t.Errorf("%d inputs due after ten idle ticks, want 11", n)
		}
		if n := p.InputsDue(s, 12, 20); n != 1 {
			t.Errorf("then %d, want 1", n)
		}
	})
	t.Run("credits do not exceed the maximum of the policy", func(t *testing.T) {
		p, s := begun()
		for range 500 {
			p.InputsDue(s, 0, 20)
		}
		if n := p.InputsDue(s, 40, 20); n != 21 {
			t.Errorf("%d inputs due, want 21", n)
		}
	})
	t.Run("ticks before the first input give no credits", func(t *testing.T) {
		p, s := begun()
		s.Started = false
		for range 500 {
			p.InputsDue(s, 0, 20)
		}
		if n := p.InputsDue(s, 40, 20); n != 1 {
			t.Errorf("%d inputs due, want 1", n)
		}
	})
	t.Run("a greedy policy processes all inputs", func(t *testing.T) {
		p, s := begun()
		p.Greedy = true
		if n := p.InputsDue(s, 10, 20); n != 10 {
			t.Errorf("%d inputs due, want 10", n)
		}
	})
}

func TestDroppedInputsForceCorrection(t *testing.T) {
	p := newPair(t)
	p.send(p.next())
	lost := p.next()
	p.policy.Admit(&p.server, &lost)
	p.policy.InputDropped(&p.server)
	v := p.send(p.next())
	if v.Correct != reason.InputOverflow {
		t.Fatalf("correction %v", v.Correct)
	}
	p.correct()
	p.wantNone(p.send(p.next()))
}

func TestSilentClientIsReportedThenDisconnected(t *testing.T) {
	p := newPair(t)
	p.send(p.next())
	p.server.SetVelocity(geom.Vec{Y: 5})
	before := p.server.Avatar
	reportedAt, disconnectedAt := 0, 0
	for i := 1; i <= 200; i++ {
		report, disconnect := p.policy.CountSilentTick(&p.server, 20)
		if report {
			reportedAt = i
		}
		if disconnect && disconnectedAt == 0 {
			disconnectedAt = i
		}
	}
	if reportedAt != 40 || disconnectedAt != 200 {
		t.Errorf("reported after %d ticks and disconnected after %d, want 40 and 200", reportedAt, disconnectedAt)
	}
	if p.server.Avatar != before {
		t.Error("the body moved")
	}
}
