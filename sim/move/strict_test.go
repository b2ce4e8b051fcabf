package move

import (
	"math"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// The tests in this file check docs/decisions/0003-accumulating-allowance.md.

// entered returns a strict policy and a state that was reset at 0 ms, as when a player enters an area.
func entered() (ClaimPolicy, ClaimState) {
	p := StrictClaimPolicy()
	var s ClaimState
	p.Reset(&s, 0)
	return p, s
}

const (
	fullRate      = 0.225       // units per ms at full speed
	fullAllowance = 2000 * .225 // maximum allowance in units at full speed
)

func TestClaimAllowanceOfStrictPolicyGrowsAtSpecifiedRate(t *testing.T) {
	for _, c := range []struct {
		share   float32
		elapsed int64
		allowed float32 // expected allowance in units: initial 2 plus that of the RealmCrafter specification
	}{{1, 200, 47}, {1, 34, 9.65}, {0.5, 200, 32}, {0, 200, 17}, {-9, 200, 2}} {
		p, s := entered()
		v := p.Judge(&s, geom.Vec{}, c.share, Claim{Z: c.allowed * 1.001}, c.elapsed)
		if v.Held != reason.TooFast || v.Pos != (geom.Vec{}) || math.Abs(float64(v.Allowed-c.allowed)) > 1e-4 {
			t.Errorf("%+v: beyond the allowance: %+v", c, v)
		}
		p, s = entered()
		if v := p.Judge(&s, geom.Vec{}, c.share, Claim{Z: c.allowed * 0.999}, c.elapsed); v.Held != reason.None {
			t.Errorf("%+v: within the allowance: %+v", c, v)
		}
	}
}

func TestFirstClaimBeyondAllowanceIsRejectedUnderStrictPolicy(t *testing.T) {
	p := StrictClaimPolicy()
	var s ClaimState // a state for which Reset was never called
	if v := p.Judge(&s, geom.Vec{}, 1, Claim{X: 3}, 123_456_789); v.Held == reason.None {
		t.Errorf("an actor without state jumps: %+v", v)
	}
	if v := p.Judge(&s, geom.Vec{}, 1, Claim{X: 3}, 123_456_799); v.Held != reason.None {
		t.Errorf("3 units after 10 ms: %+v", v)
	}
}

// docs/wire/rcce.md 9.3 says of the RealmCrafter server that "a 5 s pause gives a free teleport anywhere". The strict policy
// prevents this.
func TestUnusedAllowanceIsCappedAtTwoSeconds(t *testing.T) {
	for _, pause := range []int64{6000, 3_600_000, math.MaxInt64} {
		p, s := entered()
		if v := p.Judge(&s, geom.Vec{}, 1, Claim{X: fullAllowance + 1}, pause); v.Held == reason.None {
			t.Errorf("after %d ms: %+v", pause, v)
		}
		p, s = entered()
		if v := p.Judge(&s, geom.Vec{}, 1, Claim{X: fullAllowance - 1}, pause); v.Held != reason.None {
			t.Errorf("after %d ms: %+v", pause, v)
		}
		if v := p.Judge(&s, geom.Vec{X: fullAllowance - 1}, 1, Claim{X: fullAllowance + 5}, pause); v.Held == reason.None {
			t.Errorf("after %d ms the pause is counted twice: %+v", pause, v)
		}
	}
}

// docs/wire/rcce.md 9.3 says of the RealmCrafter server that "flooding small packets gives unlimited speed". The strict policy
// prevents this.
func TestManySmallClaimsMoveActorNoFartherThanAllowance(t *testing.T) {
	for _, hop := range []float32{0.01, 0.5, 1.9, 2} {
		p, s := entered()
		var pos geom.Vec
		for i := range int64(20_000) {
			now := i / 20 // time in ms: 20 packets in each of 1000 ms
			pos = p.Judge(&s, pos, 1, Claim{X: pos.X + hop, DestX: pos.X + hop}, now).Pos
		}
		if maximum := float32(2 + 1000*fullRate + 0.01); pos.X > maximum {
			t.Errorf("hops of %v moved %v units in a second, want at most %v", hop, pos.X, maximum)
		}
	}
}

func TestRejectedClaimAddsOnlyElapsedTimeToAllowance(t *testing.T) {
	p, s := entered()
	for now := int64(1); now <= 100; now++ {
		p.Judge(&s, geom.Vec{}, 1, Claim{X: 5000}, now)
	}
	if want := float32(2 + 100*fullRate); math.Abs(float64(s.Credit-want)) > 0.01 {
		t.Errorf("credit %v after 100 ms of held claims, want %v", s.Credit, want)
	}
}

func TestClaimWithEarlierTimeAddsNothingToAllowance(t *testing.T) {
	p, s := entered()
	p.Judge(&s, geom.Vec{}, 1, Claim{}, 1000)
	credit := s.Credit
	for _, now := range []int64{1000, 400, math.MinInt64, 1000} {
		p.Judge(&s, geom.Vec{}, 1, Claim{}, now)
	}
	if s.Credit != credit || s.LastMS != 1000 {
		t.Errorf("credit %v at %d, want %v at 1000", s.Credit, s.LastMS, credit)
	}
}

func TestDistanceWalkedByServerIsDeductedFromDistanceThatClaimMayMove(t *testing.T) {
	p, s := entered()
	var pos geom.Vec
	const seconds = 20
	for tick := range int64(seconds * 20) {
		now := (tick + 1) * 50
		for _, beyond := range []float32{2000, 100, 11.25, 6.75, 1} { // distance in units from the largest accepted claim
			v := p.Judge(&s, pos, 1, Claim{X: pos.X + beyond, DestX: 90_000, Running: true}, now)
			pos = v.Pos
		}
		pos = WalkToward(pos, 90_000, 0, 4.5, Euclidean)
	}
	if maximum := float32(2 + seconds*1000*fullRate + 4.5 + 1); pos.X > maximum {
		t.Errorf("walking and claiming moved %v units, want at most %v", pos.X, maximum)
	}
}

func TestClaimIsAcceptedAfterServerWalkedSilentActorForOneMinute(t *testing.T) {
	p, s := entered()
	pos := p.Judge(&s, geom.Vec{}, 1, Claim{DestX: 90_000, Running: true}, 10).Pos
	for range 60 * 20 { // the server walks the actor for one minute, 5400 units: more than the maximum allowance
		pos = WalkToward(pos, 90_000, 0, 4.5, Euclidean)
	}
	if v := p.Judge(&s, pos, 1, Claim{X: pos.X + 9}, 60_010); v.Held != reason.None {
		t.Errorf("%+v", v)
	}
	p, s = entered()
	p.Judge(&s, geom.Vec{}, 1, Claim{DestX: 90_000}, 10)
	p.Judge(&s, pos, 1, Claim{X: -9000}, 60_010) // this claim is rejected; the anchor must still move with the actor
	if v := p.Judge(&s, pos, 1, Claim{X: pos.X + 9}, 60_210); v.Held != reason.None {
		t.Errorf("after a held claim: %+v", v)
	}
}

func TestRepeatedResetsOfClaimStateDoNotIncreaseAllowance(t *testing.T) {
	p, s := entered()
	var pos geom.Vec
	for i := range int64(1000) {
		p.Reset(&s, i/10)
		pos = p.Judge(&s, pos, 1, Claim{X: pos.X + 1.9}, i/10).Pos
	}
	if maximum := float32(2 + 100*fullRate); pos.X > maximum {
		t.Errorf("moved %v units in 100 ms, want at most %v", pos.X, maximum)
	}
}

func TestWarpResetsClaimAllowanceToMinimum(t *testing.T) {
	p, s := entered()
	p.Judge(&s, geom.Vec{}, 1, Claim{}, 60_000) // lets the allowance reach its maximum
	p.Reset(&s, 60_100)
	if v := p.Judge(&s, geom.Vec{}, 1, Claim{X: 40}, 60_200); v.Held == reason.None {
		t.Errorf("40 units 100 ms after a warp: %+v", v)
	}
	p.Reset(&s, 60_200)
	if v := p.Judge(&s, geom.Vec{X: 7000}, 1, Claim{X: 7020, Y: 5}, 60_300); v.Held != reason.None {
		t.Errorf("20 units 100 ms after a warp elsewhere: %+v", v)
	}
}

// docs/wire/rcce.md 9.3 says of the RealmCrafter server that "Y is unchecked". This server limits Y by a separate
// allowance.
func TestClaimedHeightIsLimitedBySeparateAllowance(t *testing.T) {
	p, s := entered()
	v := p.Judge(&s, geom.Vec{}, 1, Claim{X: 40, Y: 500}, 200)
	if v.Held != reason.TooFastUp || v.Pos != (geom.Vec{X: 40}) || v.Asked != 500 || math.Abs(float64(v.Allowed-47)) > 1e-4 {
		t.Errorf("too high: %+v", v)
	}
	v = p.Judge(&s, v.Pos, 1, Claim{X: 400, Y: -80}, 400)
	if v.Held != reason.TooFast || v.Pos != (geom.Vec{X: 40, Y: -80}) {
		t.Errorf("too far, but falling as fast as allowed: %+v", v)
	}
	v = p.Judge(&s, v.Pos, 1, Claim{X: 4000, Y: 900}, 410)
	if v.Held != reason.TooFast || v.Asked != 3960 || v.Pos != (geom.Vec{X: 40, Y: -80}) {
		t.Errorf("too far and too high must report too far: %+v", v)
	}
}

func TestClaimsWithInvalidSpeedFactorKeepPositionsFinite(t *testing.T) {
	for _, share := range []float32{-1e30, 1e30, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		p, s := entered()
		for now := int64(0); now < 1000; now += 100 {
			v := p.Judge(&s, geom.Vec{}, share, Claim{X: 1}, now)
			if !geom.Finite(v.Pos.X) || !geom.Finite(v.Allowed) && geom.Finite(share) {
				t.Fatalf("share %v: %+v", share, v)
			}
		}
	}
}

func TestJudgingClaimDoesNotAllocate(t *testing.T) {
	p, s := entered()
	now := int64(0)
	if n := testing.AllocsPerRun(100, func() { now += 50; p.Judge(&s, geom.Vec{}, 1, Claim{X: 5}, now) }); n != 0 {
		t.Errorf("a judgement makes %v allocations", n)
	}
}

func BenchmarkJudge(b *testing.B) {
	for name, p := range map[string]ClaimPolicy{"policy=strict": StrictClaimPolicy(), "policy=seed": OriginalClaimPolicy()} {
		b.Run(name, func(b *testing.B) {
			var s ClaimState
			var pos geom.Vec
			now := int64(0)
			b.ReportAllocs()
			for b.Loop() {
				now += 200
				pos = p.Judge(&s, pos, 1, Claim{X: pos.X + 9, Y: 3, Z: 5, DestX: 100, Running: true}, now).Pos
				if pos.X > 90_000 {
					pos.X = 0
					p.Reset(&s, now)
				}
			}
		})
	}
}
