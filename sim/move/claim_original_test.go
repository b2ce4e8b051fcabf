package move

import (
	"math"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// judgedAt1000 returns a state whose last claim was judged at 1000 ms.
func judgedAt1000() ClaimState { return ClaimState{LastMS: 1000, Started: true, HasAnchor: true} }

// Specification P_StandardUpdate, "speed-hack delta clamp". The cases are the examples of docs/wire/rcce.md 5.1.
func TestRealmCrafterPolicyRejectsClaimsBeyondAllowanceSinceLastClaim(t *testing.T) {
	p := OriginalClaimPolicy()
	for _, c := range []struct {
		share   float32
		elapsed int64
		allowed float32
	}{{1, 200, 45}, {1, 34, 7.65}, {1, 5, 2}, {0.5, 200, 30}, {0, 200, 15}, {1, 0, 2}, {1, 5000, 1125}} {
		s := judgedAt1000()
		beyond := c.allowed * 1.0001
		v := p.Judge(&s, geom.Vec{Y: 1}, c.share, Claim{X: beyond, Y: 3, DestX: 9, DestZ: 8}, 1000+c.elapsed)
		if v.Held != reason.TooFast || v.Pos != (geom.Vec{Y: 3}) || v.DestX != 9 || v.DestZ != 8 {
			t.Errorf("%v units at share %v after %d ms: %+v", beyond, c.share, c.elapsed, v)
		}
		if math.Abs(float64(v.Allowed-c.allowed)) > 1e-4 || v.Asked != beyond {
			t.Errorf("asked %v of %v, want %v of %v", v.Asked, v.Allowed, beyond, c.allowed)
		}
		s = judgedAt1000()
		if v := p.Judge(&s, geom.Vec{}, c.share, Claim{X: c.allowed * 0.9999}, 1000+c.elapsed); v.Held != reason.None {
			t.Errorf("%v units at share %v after %d ms are held: %+v", c.allowed, c.share, c.elapsed, v)
		}
	}
}

// Specification: "the first update of a session (or after a >5s lag spike) accepts and re-baselines"; docs/wire/rcce.md 5.1.
func TestRealmCrafterPolicyAcceptsAnyClaimAfterFiveSilentSeconds(t *testing.T) {
	p := OriginalClaimPolicy()
	far := Claim{X: 90_000}
	for _, c := range []struct {
		rule string
		s    ClaimState
		at   int64
		held bool
	}{
		{"the first claim", ClaimState{}, 77, false},
		{"a clock that ran back", judgedAt1000(), 999, false},
		{"more than 5 s", judgedAt1000(), 6001, false},
		{"5 s", judgedAt1000(), 6000, true},
	} {
		s := c.s
		v := p.Judge(&s, geom.Vec{}, 1, far, c.at)
		if (v.Held != reason.None) != c.held || (v.Pos.X == 90_000) == c.held {
			t.Errorf("%s: %+v", c.rule, v)
		}
		if s.LastMS != c.at {
			t.Errorf("%s: baseline %d, want %d", c.rule, s.LastMS, c.at)
		}
	}
}

// docs/wire/rcce.md 5.6: every warp restarts the clock of claims. Otherwise the first claim at the new position would be
// rejected.
func TestRealmCrafterPolicyAcceptsFirstClaimAfterWarp(t *testing.T) {
	p, s := OriginalClaimPolicy(), judgedAt1000()
	p.Reset(&s, 1100)
	if v := p.Judge(&s, geom.Vec{}, 1, Claim{X: 5000}, 1110); v.Held != reason.None {
		t.Errorf("%+v", v)
	}
}

// docs/wire/rcce.md 5.1: the RealmCrafter server sets LastPosUpdateMs to the current time even for a claim that it rejects.
func TestRealmCrafterPolicyMeasuresElapsedTimeAlsoFromRejectedClaim(t *testing.T) {
	p, s := OriginalClaimPolicy(), judgedAt1000()
	p.Judge(&s, geom.Vec{}, 1, Claim{X: 500}, 1200)
	if v := p.Judge(&s, geom.Vec{}, 1, Claim{X: 10}, 1210); v.Held == reason.None {
		t.Errorf("10 units in the 10 ms since the held claim: %+v", v)
	}
}

// Specification: "If WalkingBackward = True Then IsRunning = False"; docs/wire/rcce.md 8, V2. The rule holds under both
// claim policies, that of the RealmCrafter server and the strict one.
func TestClaimOfRunningBackwardBecomesWalkingBackward(t *testing.T) {
	for _, p := range []ClaimPolicy{OriginalClaimPolicy(), StrictClaimPolicy()} {
		for _, c := range []struct{ running, backward, wantRunning, told bool }{
			{false, false, false, false}, {true, false, true, false}, {false, true, false, false}, {true, true, false, true},
		} {
			var s ClaimState
			v := p.Judge(&s, geom.Vec{}, 1, Claim{Running: c.running, Backward: c.backward}, 5)
			if v.Running != c.wantRunning || v.Backward != c.backward || v.BackwardRun != c.told {
				t.Errorf("strict %v, %+v: %+v", p.Strict, c, v)
			}
		}
	}
}

// Specification: "Float clamp on every position field"; docs/wire/rcce.md 8, V3. The rule holds under both claim policies,
// that of the RealmCrafter server and the strict one.
func TestInvalidNumbersAnywhereInClaimAreReplacedByZero(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, p := range []ClaimPolicy{OriginalClaimPolicy(), StrictClaimPolicy()} {
		var s ClaimState
		v := p.Judge(&s, geom.Vec{}, 1, Claim{DestX: nan, DestZ: 100_000, Y: inf, X: -inf, Z: -1e9}, 5)
		if want := (ClaimVerdict{Sanitized: true}); v != want {
			t.Errorf("strict %v: %+v, want %+v", p.Strict, v, want)
		}
		for i, c := range []Claim{{DestX: nan}, {DestZ: nan}, {X: nan}, {Y: nan}, {Z: nan}} {
			if v := p.Judge(&s, geom.Vec{}, 1, c, 5); !v.Sanitized {
				t.Errorf("field %d is not sanitized", i)
			}
		}
		if v := p.Judge(&s, geom.Vec{}, 1, Claim{DestX: 99_999}, 5); v.Sanitized || v.DestX != 99_999 {
			t.Errorf("a valid claim is marked sanitized: %+v", v)
		}
	}
}

// docs/wire/rcce.md 9.5: the RealmCrafter server never corrects. Under the strict policy, three consecutive rejected claims
// cause a correction, and the next three cause another.
func TestThreeConsecutiveRejectedClaimsCauseCorrection(t *testing.T) {
	p := StrictClaimPolicy()
	var s ClaimState
	p.Reset(&s, 0)
	jump := func() ClaimVerdict { return p.Judge(&s, geom.Vec{}, 1, Claim{X: 9000}, s.LastMS+1) }
	for i, want := range []bool{false, false, true, false, false, true} {
		if v := jump(); v.Held != reason.TooFast || v.Correct != want {
			t.Errorf("hold %d: %+v", i+1, v)
		}
	}
	jump()
	jump()
	p.Judge(&s, geom.Vec{}, 1, Claim{}, s.LastMS+1) // an accepted claim ends the series of rejected claims
	if v := jump(); v.Correct {
		t.Error("holds that were not consecutive cause a correction")
	}
	p = OriginalClaimPolicy()
	s = judgedAt1000()
	for range 10 {
		if v := p.Judge(&s, geom.Vec{}, 1, Claim{X: 9000}, 1001); v.Held == reason.None || v.Correct {
			t.Errorf("the RealmCrafter policy corrects: %+v", v)
		}
	}
}
