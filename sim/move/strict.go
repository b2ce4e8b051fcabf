package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// longestEarnMS bounds what one silence counts, so that float32 credit keeps its precision.
const maxEarnMS = 3_600_000

// unheardMS is for how long a client may have run round a wall without being heard: the 500 ms in which claims are dropped
// after a warp and the 200 ms until the next one, or the pauses around two claims in a row that were lost. What was saved
// is more, but then whoever had stood at a wall for two seconds could pass it.
const maxUnheardMS = 700 // ms   ours: docs/decisions/0009-a-claim-costs-its-way.md

// judgeStrictly lets an allowance accumulate at the seed's rate and makes claims spend it. Two purses of one credit:
//
//   - near: the way from where the server has the actor to the claim, against the credit, of which at most what
//     SaveMS earns is saved. It bounds every jump.
//   - far: the way from the last accepted claim, the anchor, against the credit and all that was earned since. It makes
//     the server's own walking spend the allowance too: what the client claims beyond the anchor was either walked
//     for it or jumped by it, and both count once.
//
// A held claim is judged as a claim of the position where the actor is kept: it earns nothing extra, and the anchor
// does not stay behind. See docs/decisions/0003-accumulating-allowance.md for the bound and its proof.
func (p *ClaimPolicy) judgeStrict(in Surroundings, s *ClaimState, v *ClaimVerdict, share float32, c Claim, nowMS int64) {
	if !s.Started {
		p.Reset(s, nowMS)
	}
	if !s.HasAnchor {
		s.AnchorX, s.AnchorZ, s.HasAnchor = v.Pos.X, v.Pos.Z, true
	}
	rate := max(0, p.rate(share))
	most := max(float32(rate*float32(p.MaxSavedMS)), p.MinAllowance)
	earned := float32(rate * s.elapsedMS(nowMS))
	from := v.Pos
	s.judgeHeight(v, c, most, earned)
	if v.Pos.Y > from.Y {
		s.holdHeightIfBlocked(in, v, from) // he rises where he was, and comes down where he arrives
	}
	s.judgeGround(in, v, from, c, p.maxDetourUnits(share), most, earned)
	if v.Pos.Y < from.Y && v.Pos.X == from.X && v.Pos.Z == from.Z {
		s.holdHeightIfBlocked(in, v, from)
	}
}

// keepHeight holds a height to which something solid is in the way.
func (s *ClaimState) holdHeightIfBlocked(in Surroundings, v *ClaimVerdict, from geom.Vec) {
	if in.Walls.CanRise(from, v.Pos.Y, in.Flies) {
		return
	}
	asked := geom.Abs(v.Pos.Y - from.Y)
	s.CreditY += asked
	v.Pos.Y = from.Y
	if v.Held == reason.None {
		v.Held, v.Asked, v.Allowed = reason.Blocked, asked, 0
	}
}

// earn returns the milliseconds since the last judged claim and counts them as used. A clock that stands still or runs
// back earns nothing, and what it then makes up earns nothing either.
func (s *ClaimState) elapsedMS(nowMS int64) float32 {
	if nowMS <= s.LastMS {
		return 0
	}
	elapsed := uint64(nowMS) - uint64(s.LastMS)
	s.LastMS = nowMS
	return float32(min(elapsed, maxEarnMS))
}

// roundOf is how long a way round what stands between may be: as long as one runs in unheardMS, and a little because the way
// that is found does not hug the corners.
func (p *ClaimPolicy) maxDetourUnits(share float32) float32 {
	return float32(BaseUnitsPerSecond*runFactor*maxUnheardMS/1000*max(0, share)) + p.MinAllowance
}

// judgeGround judges X and Z of a claim from where the actor was before it. round is how long a way round walls may be.
func (s *ClaimState) judgeGround(in Surroundings, v *ClaimVerdict, from geom.Vec, c Claim, round, most, earned float32) {
	far := s.Credit + earned
	near := min(far, most)
	to, anchor := geom.Vec{X: c.X, Z: c.Z}, geom.Vec{X: s.AnchorX, Z: s.AnchorZ}
	jump, way := geom.DistXZ(to, v.Pos), geom.DistXZ(to, anchor)
	if jump > 0 && (jump > near || way > far) {
		v.Held, v.Asked, v.Allowed = reason.TooFast, jump, max(near, 0)
		if jump <= near {
			v.Asked, v.Allowed = way, max(far, 0)
		}
		to = v.Pos
		jump, way = 0, geom.DistXZ(to, anchor)
	} else if jump > 0 && in.Walls != nil {
		to.Y = v.Pos.Y
		if long, ok := s.pathLength(in, from, to, near, round); ok {
			jump = max(jump, long)
		} else {
			v.Held, v.Asked, v.Allowed = reason.Blocked, jump, freeDistance(in, from, to)
			to = v.Pos
			jump, way = 0, geom.DistXZ(to, anchor)
		}
	}
	// Walking cannot outrun the rate, so a debt comes only from moves that nobody declared by Reset; it stays bounded.
	s.Credit = max(min(near-jump, far-way), -most)
	s.AnchorX, s.AnchorZ = to.X, to.Z
	v.Pos.X, v.Pos.Z = to.X, to.Z
}

// wayTo is how long the way to a claim is, and whether there is one: straight, or round what stands between. A way round
// begins where the server has the actor; or at the anchor, where the client was when the server began to walk him
// elsewhere, and then it costs the way back there, too. It is at most near and, whatever was saved, round units long.
func (s *ClaimState) pathLength(in Surroundings, from, to geom.Vec, near, round float32) (long float32, ok bool) {
	if straight := geom.DistXZ(from, to); straight > round {
		long, ok = straight, in.Walls.Clear(from, to, in.Flies)
	} else {
		long, ok = in.Walls.PathLength(from, to, min(near, round), in.Flies)
	}
	anchor := geom.Vec{X: s.AnchorX, Y: from.Y, Z: s.AnchorZ} // the server walks him at the height that he claimed
	walked := geom.DistXZ(anchor, from)
	if ok || !(walked > 0) {
		return long, ok
	}
	long, ok = in.Walls.PathLength(anchor, to, min(near-walked, round), in.Flies)
	return walked + long, ok
}

// freeOf is how far somebody gets toward a claim to which there is no way, less than all of it.
func freeDistance(in Surroundings, from, to geom.Vec) float32 {
	const all = 0.999 // what stops him may stand at the very end
	share, _ := in.Walls.ClearShare(from, to, in.Flies)
	return float32(min(share, all) * geom.DistXZ(from, to))
}

// judgeHeight has a credit of its own and no anchor: the server never changes the height of a claiming actor.
func (s *ClaimState) judgeHeight(v *ClaimVerdict, c Claim, most, earned float32) {
	credit := min(s.CreditY+earned, most)
	asked := geom.Abs(c.Y - v.Pos.Y)
	if asked > credit {
		v.Held, v.Asked, v.Allowed = reason.TooFastUp, asked, max(credit, 0)
	} else {
		credit -= asked
		v.Pos.Y = c.Y
	}
	s.CreditY = credit
}
