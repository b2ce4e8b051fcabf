package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// ClaimPolicy holds the parameters of the claim authority. Source of UnitsPerMS, SpeedBias, MinAllowance and
// RebaselineMS: RealmCrafter specification, P_StandardUpdate.
type ClaimPolicy struct {
	Strict         bool    // true: claims reduce an accumulating allowance; false: each packet is judged separately, as by the RealmCrafter server
	UnitsPerMS     float32 // world units per ms for a speed share that is 1 after SpeedBias is added
	SpeedBias      float32 // share of full speed that is added to the speed share of every actor
	MinAllowance   float32 // world units: minimum allowance of a packet (RealmCrafter policy), or allowance after a warp (strict policy)
	RebaselineMS   int64   // RealmCrafter policy: the first claim after a silence longer than this many ms is accepted unchecked
	MaxSavedMS     int64   // strict policy: unused allowance is capped at the allowance of this many ms
	HoldsToCorrect int32   // number of consecutive holds after which the client is sent its position; 0 for never
	IgnoreMS       int32   // after a warp, claims are ignored for this many ms unless the client confirms the warp
}

// OriginalClaimPolicy judges exactly as the RealmCrafter specification: each packet by itself, height unchecked, no correction, no
// walls. It does not stop a flood of small packets from moving without limit, nor a jump anywhere after a pause of
// five seconds.
func OriginalClaimPolicy() ClaimPolicy {
	return ClaimPolicy{UnitsPerMS: 0.15, SpeedBias: 0.5, MinAllowance: 2, RebaselineMS: 5000, IgnoreMS: 500}
}

// StrictClaimPolicy is the default policy. It uses the figures of RealmCrafter as the rate at which an allowance accumulates,
// has a separate allowance for height, respects walls, and corrects the client after three consecutive holds.
func StrictClaimPolicy() ClaimPolicy {
	p := OriginalClaimPolicy()
	p.Strict = true
	p.MaxSavedMS = 2000 // 450 units at full speed, the distance of 5 s of running
	p.HoldsToCorrect = 3
	return p
}

// Reset restarts the allowance at nowMS, on the clock of Judge. Call it on entering an area and on every warp. Under
// the strict policy a credit below MinAllowance is kept: repeated resets do not add to it.
func (p *ClaimPolicy) Reset(s *ClaimState, nowMS int64) {
	credit, creditY := p.MinAllowance, p.MinAllowance
	if s.Started {
		credit, creditY = min(s.Credit, credit), min(s.CreditY, creditY)
		nowMS = max(nowMS, s.LastMS)
	}
	*s = ClaimState{LastMS: nowMS, Started: true, Credit: credit, CreditY: creditY}
}

// Judge decides one claim of an actor at pos and updates its state. share is the speed attribute as a share of the
// maximum (SpeedShare), of the actor or of its mount if that is faster. nowMS is the arrival time of the claim; only
// differences matter. Judge cannot fail: the verdict holds the actor's new position and the reason why it differs
// from the claim.
//
// Under every policy all coordinates are sanitized (ClampWorldCoord), the destination is taken over immediately, and
// running backward becomes walking backward. Judge does not allocate.
func (p *ClaimPolicy) Judge(s *ClaimState, pos geom.Vec, share float32, c Claim, nowMS int64) ClaimVerdict {
	return p.JudgeIn(Surroundings{}, s, pos, share, c, nowMS)
}

// Surroundings is what a claiming actor moves in. The zero value is open ground without walls.
type Surroundings struct {
	Walls *terrain.Walls // obstacles of the actor; nil for none
	Flies bool           // the actor needs no ground under its feet
}

// JudgeIn is Judge with walls. Only the strict policy takes walls into account. A claim costs the length of the path around the
// walls. It is held (reason Blocked) if there is no such path, or if the shortest one found is longer than a run of
// 0.7 s, whatever the allowance; then Asked is the straight distance and Allowed the part of it that is free. A change of
// height through a floor or a roof is held too. See docs/decisions/0009-claims-pay-for-detours.md.
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

// countHold requests a correction after HoldsToCorrect consecutive holds.
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

// judgeEachPacket is the rule of the RealmCrafter server, P_StandardUpdate: the distance from the server's position of the
// actor is compared with what the time since the last packet allows. A claim is accepted unjudged if it is the first one, if
// its clock ran backward, or after a long silence.
func (p *ClaimPolicy) judgeEachPacket(s *ClaimState, v *ClaimVerdict, share float32, c Claim, nowMS int64) {
	elapsed := nowMS - s.LastMS
	judged := s.HasAnchor && elapsed >= 0 && elapsed <= p.RebaselineMS
	s.LastMS, s.HasAnchor, s.Started = nowMS, true, true // a held claim counts too
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

// unitsPerMS is the allowance in units per millisecond.
func (p *ClaimPolicy) unitsPerMS(share float32) float32 {
	return float32(p.UnitsPerMS * (share + p.SpeedBias))
}
