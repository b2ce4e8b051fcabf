package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// ClaimPolicy is the parameters of the claim authority. Source of UnitsPerMS, SpeedBias, MinAllowance and RebaselineMS:
// RealmCrafter specification, P_StandardUpdate.
type ClaimPolicy struct {
	// Strict selects the rule for the distance of claims. If it is true, the actor has an allowance (a distance that grows with
	// time), and each claim uses up the distance that the actor moves. If it is false, each claim is judged separately, as by the
	// RealmCrafter server.
	Strict         bool
	UnitsPerMS     float32 // world units per ms that an actor may move if its speed share plus SpeedBias is 1
	SpeedBias      float32 // share of full speed that is added to the speed share of every actor, as a tolerance
	MinAllowance   float32 // world units: minimum allowance of a claim (not strict), or allowance after a warp (strict)
	RebaselineMS   int64   // not strict: the first claim after a silence longer than this many ms is accepted unchecked
	MaxSavedMS     int64   // strict: unused allowance is limited to the allowance of this many ms
	HoldsToCorrect int32   // number of consecutive held (rejected) claims after which the client is corrected; 0 for never
	IgnoreMS       int32   // after a warp, claims are ignored for this many ms unless the client confirms the warp
}

// OriginalClaimPolicy returns the policy of the RealmCrafter specification: each claim is judged separately, height is not
// checked, clients are not corrected, and walls do not count. It does not prevent two kinds of cheating: many small claims in
// quick succession, which move the actor without limit, and a jump to anywhere after a pause of five seconds.
func OriginalClaimPolicy() ClaimPolicy {
	return ClaimPolicy{UnitsPerMS: 0.15, SpeedBias: 0.5, MinAllowance: 2, RebaselineMS: 5000, IgnoreMS: 500}
}

// StrictClaimPolicy returns the default policy. Its allowance grows at RealmCrafter's rate. It has a separate allowance
// for height, respects walls, and corrects the client after three consecutive rejected claims.
func StrictClaimPolicy() ClaimPolicy {
	p := OriginalClaimPolicy()
	p.Strict = true
	p.MaxSavedMS = 2000 // 450 units at full speed, the distance of 5 s of running
	p.HoldsToCorrect = 3
	return p
}

// Reset restarts the allowance. The parameter nowMS is the present time on the clock that Judge is given. Call it when the actor
// enters an area and on every warp. Under the strict policy a remaining allowance below MinAllowance is retained, so that
// repeated resets do not add to it.
func (p *ClaimPolicy) Reset(s *ClaimState, nowMS int64) {
	credit, creditY := p.MinAllowance, p.MinAllowance
	if s.Started {
		credit, creditY = min(s.Credit, credit), min(s.CreditY, creditY)
		nowMS = max(nowMS, s.LastMS)
	}
	*s = ClaimState{LastMS: nowMS, Started: true, Credit: credit, CreditY: creditY}
}

// Judge judges one claim of an actor at pos and updates the state of the actor. share is the actor's speed attribute as a share
// of its maximum (SpeedShare), or that of its mount if the mount is faster. The parameter nowMS is the arrival time of the claim
// on any clock, because only differences matter. Judge cannot fail: the verdict contains the actor's new position, and the reason
// if it differs from the claim.
//
// Under every policy all coordinates are sanitized (SanitizeCoord), the claimed destination applies immediately, and
// running backward becomes walking backward. Judge does not allocate.
func (p *ClaimPolicy) Judge(s *ClaimState, pos geom.Vec, share float32, c Claim, nowMS int64) ClaimVerdict {
	return p.JudgeIn(Surroundings{}, s, pos, share, c, nowMS)
}

// Surroundings are the obstacles by which the claims of an actor are judged: walls, and whether the actor needs ground under its
// feet. The zero value is open ground without walls.
type Surroundings struct {
	Walls *terrain.Walls // obstacles of the actor; nil for none
	Flies bool           // the actor needs no ground under its feet
}

// JudgeIn judges a claim like Judge, but considers walls, too. Only the strict policy considers them. A claim uses up as much
// allowance as the path around the walls is long. The claim is held (rejected with the reason Blocked) if there is no such path,
// or if the shortest one found is longer than a run of 0.7 s, whatever the allowance is. In the verdict, Asked is then the
// straight distance, and Allowed is the free part of that distance. A change of height through a floor or a roof is rejected,
// too. See docs/decisions/0009-claims-pay-for-detours.md.
func (p *ClaimPolicy) JudgeIn(in Surroundings, s *ClaimState, pos geom.Vec, share float32, c Claim, nowMS int64) ClaimVerdict {
	v := ClaimVerdict{Pos: pos, Sanitized: c.clean(), BackwardRun: c.Backward && c.Running}
	v.DestX, v.DestZ = c.DestX, c.DestZ
	v.Running, v.Backward = c.Running && !c.Backward, c.Backward
	if p.Strict {
		p.judgeStrict(in, s, &v, share, c, nowMS)
	} else {
		p.judgeEachPacket(s, &v, share, c, nowMS)
	}
	p.countHold(s, &v)
	return v
}

// countHold counts consecutive rejected claims, and requests a correction after HoldsToCorrect of them.
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

// judgeEachPacket is the rule of the RealmCrafter server, P_StandardUpdate. The distance from the actor's position on the
// server to the claimed position must not exceed the distance that the time since the last claim allows. Three kinds of claims
// are accepted without that check: (1) the first one, (2) one whose time is earlier than that of the last claim, and (3) one
// after a long time without claims.
func (p *ClaimPolicy) judgeEachPacket(s *ClaimState, v *ClaimVerdict, share float32, c Claim, nowMS int64) {
	elapsed := nowMS - s.LastMS
	judged := s.HasAnchor && elapsed >= 0 && elapsed <= p.RebaselineMS
	s.LastMS, s.HasAnchor, s.Started = nowMS, true, true // a rejected claim counts too
	v.Pos.Y = c.Y
	if judged {
		allowed := max(float32(p.unitsPerMS(share)*float32(elapsed)), p.MinAllowance)
		if asked := geom.DistXZ(c.Position(), v.Pos); asked > allowed {
			v.Held, v.Asked, v.Allowed = reason.TooFast, asked, allowed
			return
		}
	}
	v.Pos.X, v.Pos.Z = c.X, c.Z
}

// unitsPerMS returns the distance in world units that an actor may move per millisecond. The parameter share is its speed
// attribute as a share of the maximum.
func (p *ClaimPolicy) unitsPerMS(share float32) float32 {
	return float32(p.UnitsPerMS * (share + p.SpeedBias))
}
