package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// maxElapsedMS is the maximum time between two claims, in ms, that increases the allowance of an actor. It keeps the allowance, a
// float32, small enough to be precise.
const maxElapsedMS = 3_600_000

// maxUnheardMS is the maximum time in ms for which a client may have run around a wall between two claims. It covers the 500 ms
// in which claims are ignored after a warp plus the 200 ms until the next claim, or the gaps around two consecutive lost
// claims. The allowance can cover more time: without this limit, an actor that waited two seconds at a wall could pass it.
const maxUnheardMS = 700 // chosen for Truestep, not a value of the game: docs/decisions/0009-claims-pay-for-detours.md

// judgeStrict lets an allowance (credit) grow at the specified rate, and subtracts claims from it. The credit is checked
// in two ways:
//
//   - near: the distance from the actor's position on the server to the claimed position must not exceed the credit,
//     which is limited to the allowance of MaxSavedMS for this check. This limits every jump.
//   - far: the distance from the anchor, the position after the last claim, to the claimed position must not exceed the
//     whole credit. The server may have walked the actor a part of that distance, and the actor jumps the rest, so a walk
//     by the server uses up the allowance, too.
//
// A rejected claim counts as a claim of the position that the actor retains: it adds only its elapsed time, and the
// anchor moves to that position. See docs/decisions/0003-accumulating-allowance.md for the bound and its proof.
func (p *ClaimPolicy) judgeStrict(in Surroundings, s *ClaimState, v *ClaimVerdict, share float32, c Claim, nowMS int64) {
	if !s.Started {
		p.Reset(s, nowMS)
	}
	if !s.HasAnchor {
		s.AnchorX, s.AnchorZ, s.HasAnchor = v.Pos.X, v.Pos.Z, true
	}
	rate := max(0, p.unitsPerMS(share))
	maxCredit := max(float32(rate*float32(p.MaxSavedMS)), p.MinAllowance)
	added := float32(rate * s.elapsedMS(nowMS))
	from := v.Pos
	s.judgeHeight(v, c, maxCredit, added)
	if v.Pos.Y > from.Y {
		s.holdHeightIfBlocked(in, v, from) // a rise is checked at the old position, a descent at the new one
	}
	s.judgeGround(in, v, from, c, p.maxDetourUnits(share), maxCredit, added)
	if v.Pos.Y < from.Y && v.Pos.X == from.X && v.Pos.Z == from.Z {
		s.holdHeightIfBlocked(in, v, from)
	}
}

// holdHeightIfBlocked sets the height back to that before the claim (the parameter from) if a solid is between the two heights.
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

// elapsedMS returns the milliseconds since the last judged claim, and stores nowMS as the time of this one. If nowMS is not later
// than the latest time so far, it returns 0 and stores nothing.
func (s *ClaimState) elapsedMS(nowMS int64) float32 {
	if nowMS <= s.LastMS {
		return 0
	}
	elapsed := uint64(nowMS) - uint64(s.LastMS)
	s.LastMS = nowMS
	return float32(min(elapsed, maxElapsedMS))
}

// maxDetourUnits returns the maximum length, in world units, of a path around walls that a claim may use: the distance that an
// actor runs in maxUnheardMS, plus MinAllowance, because the path that the search finds keeps a distance from the corners.
func (p *ClaimPolicy) maxDetourUnits(share float32) float32 {
	return float32(BaseUnitsPerSecond*runFactor*maxUnheardMS/1000*max(0, share)) + p.MinAllowance
}

// judgeGround judges X and Z of a claim. The other parameters are in world units: from is the position before the claim,
// maxDetour the maximum length of a path around walls, maxCredit the maximum credit for a single jump, and added the growth of
// the credit since the last claim.
func (s *ClaimState) judgeGround(in Surroundings, v *ClaimVerdict, from geom.Vec, c Claim, maxDetour, maxCredit, added float32) {
	far := s.Credit + added
	near := min(far, maxCredit)
	to, anchor := geom.Vec{X: c.X, Z: c.Z}, geom.Vec{X: s.AnchorX, Z: s.AnchorZ}
	jump, claimed := geom.DistXZ(to, v.Pos), geom.DistXZ(to, anchor)
	if jump > 0 && (jump > near || claimed > far) {
		v.Held, v.Asked, v.Allowed = reason.TooFast, jump, max(near, 0)
		if jump <= near {
			v.Asked, v.Allowed = claimed, max(far, 0)
		}
		to = v.Pos
		jump, claimed = 0, geom.DistXZ(to, anchor)
	} else if jump > 0 && in.Walls != nil {
		to.Y = v.Pos.Y
		if length, ok := s.pathLength(in, from, to, near, maxDetour); ok {
			jump = max(jump, length)
		} else {
			v.Held, v.Asked, v.Allowed = reason.Blocked, jump, freeDistance(in, from, to)
			to = v.Pos
			jump, claimed = 0, geom.DistXZ(to, anchor)
		}
	}
	// The server walks an actor no faster than the credit grows, so the credit is negative only after a warp without Reset.
	// Even then it does not fall below -maxCredit.
	s.Credit = max(min(near-jump, far-claimed), -maxCredit)
	s.AnchorX, s.AnchorZ = to.X, to.Z
	v.Pos.X, v.Pos.Z = to.X, to.Z
}

// pathLength returns the length of the path to the claimed position, straight or around walls, and whether there is one. The
// path begins at from, the actor's position on the server. If no path leads from there, pathLength tries one from the anchor,
// the position after the last claim, because the client may have walked another way from the anchor than the server. It then
// adds the distance that the server has walked the actor. A path around walls counts only if it is at most near units long and,
// whatever the allowance, at most maxDetour units.
func (s *ClaimState) pathLength(in Surroundings, from, to geom.Vec, near, maxDetour float32) (length float32, ok bool) {
	if straight := geom.DistXZ(from, to); straight > maxDetour {
		length, ok = straight, in.Walls.IsClearBetween(from, to, in.Flies)
	} else {
		length, ok = in.Walls.PathLength(from, to, min(near, maxDetour), in.Flies)
	}
	anchor := geom.Vec{X: s.AnchorX, Y: from.Y, Z: s.AnchorZ} // the server keeps the height of the last claim while it walks an actor
	walked := geom.DistXZ(anchor, from)
	if ok || !(walked > 0) {
		return length, ok
	}
	length, ok = in.Walls.PathLength(anchor, to, min(near-walked, maxDetour), in.Flies)
	return walked + length, ok
}

// freeDistance returns how far an actor gets on the straight line to a claimed position before an obstacle. It is for positions
// that no path reaches, so the result is always less than the length of the line.
func freeDistance(in Surroundings, from, to geom.Vec) float32 {
	const all = 0.999 // upper limit of the free share, because the obstacle may be at the very end of the line
	share, _ := in.Walls.ClearShare(from, to, in.Flies)
	return float32(min(share, all) * geom.DistXZ(from, to))
}

// judgeHeight judges Y of a claim. Height has a credit (allowance) of its own. It has no anchor (the position after the last
// claim), because the server itself never changes the height of a claiming actor.
func (s *ClaimState) judgeHeight(v *ClaimVerdict, c Claim, maxCredit, added float32) {
	credit := min(s.CreditY+added, maxCredit)
	asked := geom.Abs(c.Y - v.Pos.Y)
	if asked > credit {
		v.Held, v.Asked, v.Allowed = reason.TooFastUp, asked, max(credit, 0)
	} else {
		credit -= asked
		v.Pos.Y = c.Y
	}
	s.CreditY = credit
}
