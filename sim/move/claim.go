package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// ClaimPolicy are the figures of the claim authority. Source of the first four: seed P_StandardUpdate.
type ClaimPolicy struct {
	Strict         bool    // an allowance that accumulates and is spent; false: each packet by itself, as the seed
	UnitsPerMS     float32 // units per ms and unit of (speed share + SpeedBias)
	SpeedBias      float32 // share of full speed that everybody is granted on top
	MinAllowance   float32 // units: the least that the seed grants a packet; the strict policy's credit after a warp
	RebaselineMS   int64   // ms: a longer silence is not judged; the seed's policy only
	MaxSavedMS     int64   // ms: the allowance saves at most what so much time earns; strict policy only
	HoldsToCorrect int32   // holds in a row after which the client is told its position; 0 never
	IgnoreMS       int32   // ms after a warp in which claims are dropped unless the client confirms it
}

// SeedPolicy judges exactly as the seed says: each packet by itself, height unchecked, no correction. A flood of small
// packets moves without limit under it, and a pause of five seconds moves anywhere. It knows no walls either.
func SeedClaimPolicy() ClaimPolicy {
	return ClaimPolicy{UnitsPerMS: 0.15, SpeedBias: 0.5, MinAllowance: 2, RebaselineMS: 5000, IgnoreMS: 500}
}

// StrictPolicy is the default: the figures of the seed as the rate of an accumulating allowance, for height too; walls
// that nobody claims to have passed; and a correction after three holds in a row.
func StrictClaimPolicy() ClaimPolicy {
	p := SeedClaimPolicy()
	p.Strict = true
	p.MaxSavedMS = 2000 // at full speed 450 units, as far as one runs in the seed's 5 s
	p.HoldsToCorrect = 3
	return p
}

// Reset begins the allowance anew at nowMS, on the clock of Judge: on entering an area and on every warp. Under the
// strict policy it keeps a debt or a smaller credit than Floor, so that resetting often earns nothing.
func (p *ClaimPolicy) Reset(s *ClaimState, nowMS int64) {
	credit, creditY := p.MinAllowance, p.MinAllowance
	if s.Started {
		credit, creditY = min(s.Credit, credit), min(s.CreditY, creditY)
		nowMS = max(nowMS, s.LastMS)
	}
	*s = ClaimState{LastMS: nowMS, Started: true, Credit: credit, CreditY: creditY}
}

// Judge decides about one claim of an actor at pos and updates its state. share is its speed attribute as a share of
// the maximum (SpeedShare), of the actor or, if faster, its mount. nowMS is when the claim arrived; only differences
// matter. It cannot fail: the verdict says where the actor is now, and why it is not where it asked to be.
//
// Whatever the policy, every coordinate is cleaned (ClampWorldCoord), the destination is committed at once, and whoever
// walks backward does not run. It does not allocate.
func (p *ClaimPolicy) Judge(s *ClaimState, pos geom.Vec, share float32, c Claim, nowMS int64) ClaimVerdict {
	return p.JudgeIn(Surroundings{}, s, pos, share, c, nowMS)
}

// Scene is what a claiming actor moves in. The zero value is open country.
type Surroundings struct {
	Walls *terrain.Walls // nil: none
	Flies bool           // his feet need nothing to stand on
}

// JudgeAmong is Judge among walls, which the strict policy alone looks at. A claim costs the way round what stands
// between, and one that no way leads to is held (reason Blocked), or none as short as one runs in 0.7 s, whatever was
// saved: then Asked is how far away it is, and Allowed how much of that is free in a straight line. Height that leads
// through a floor or a roof is held, too.
// See docs/decisions/0009-a-claim-costs-its-way.md.
func (p *ClaimPolicy) JudgeIn(in Surroundings, s *ClaimState, pos geom.Vec, share float32, c Claim, nowMS int64) ClaimVerdict {
	v := ClaimVerdict{Pos: pos, Cleaned: c.clean(), BackwardRun: c.Backward && c.Running}
	v.DestX, v.DestZ = c.DestX, c.DestZ
	v.Running, v.Backward = c.Running && !c.Backward, c.Backward
	if p.Strict {
		p.judgeStrict(in, s, &v, share, c, nowMS)
	} else {
		p.judgeSeed(s, &v, share, c, nowMS)
	}
	p.countHold(s, &v)
	return v
}

// count tells the client its position after several holds in a row.
func (p *ClaimPolicy) countHold(s *ClaimState, v *ClaimVerdict) {
	if v.Held == reason.None {
		s.ConsecutiveHolds = 0
		return
	}
	s.ConsecutiveHolds++
	if p.HoldsToCorrect > 0 && s.ConsecutiveHolds >= p.HoldsToCorrect {
		v.Correct = true
		s.ConsecutiveHolds = 0
	}
}

// judgeBySeed is the rule of the seed P_StandardUpdate: the distance from where the server has the actor, against what
// the time since the last packet allows; first packets, clocks that ran back and long silences are not judged.
func (p *ClaimPolicy) judgeSeed(s *ClaimState, v *ClaimVerdict, share float32, c Claim, nowMS int64) {
	elapsed := nowMS - s.LastMS
	judged := s.HasAnchor && elapsed >= 0 && elapsed <= p.RebaselineMS
	s.LastMS, s.HasAnchor, s.Started = nowMS, true, true // also when the claim is held
	v.Pos.Y = c.Y
	if judged {
		allowed := max(float32(p.rate(share)*float32(elapsed)), p.MinAllowance)
		if asked := geom.DistXZ(c.Position(), v.Pos); asked > allowed {
			v.Held, v.Asked, v.Allowed = reason.TooFast, asked, allowed
			return
		}
	}
	v.Pos.X, v.Pos.Z = c.X, c.Z
}

// rate is how many units a millisecond allows.
func (p *ClaimPolicy) rate(share float32) float32 {
	return float32(p.UnitsPerMS * (share + p.SpeedBias))
}
