package interest

import "slices"

// Collect appends to dst the actors whose state is sent in one broadcast to a viewer, as indices in frame.Actors. First come the
// actors in range, including the viewer itself. Then come those beyond the range that are bound to the viewer: its target and
// attackers, its mount or rider, its party. No index appears twice. The order of the indices is not specified, but it is the
// same on every CPU. The parameter viewer is an index in frame.Actors. The parameter middle says whether the broadcast
// includes actors at middle distance (up to Policy.FarRadius). The parameter pol must be the policy that was passed to Build.
func (c *FrameIndex) Collect(dst []int32, viewer int, middle bool, pol *Policy) []int32 {
	p := c.frame.Actors[viewer].Pos
	if middle {
		dst = c.grid.Near(dst, p, pol.FarRadius)
	} else {
		dst = c.grid.NearExclusive(dst, p, pol.CloseRadius)
	}
	return c.addBound(dst, viewer, middle, pol)
}

// inRange reports whether actor j is near enough to the viewer for the broadcast. It rounds and compares distances exactly as the
// grid does, so that both decide alike about an actor at the border.
func (c *FrameIndex) inRange(viewer, j int, middle bool, pol *Policy) bool {
	if middle {
		return c.dist2(viewer, j) <= float32(pol.FarRadius*pol.FarRadius)
	}
	return c.dist2(viewer, j) < float32(pol.CloseRadius*pol.CloseRadius)
}

func (c *FrameIndex) dist2(i, j int) float32 {
	dx, dz := c.x[j]-c.x[i], c.z[j]-c.z[i]
	return float32(dx*dx) + float32(dz*dz)
}

// addBound appends to dst the actors that are bound to the viewer (by a fight, a ride or a party) but are too far away to be in
// range.
func (c *FrameIndex) addBound(dst []int32, viewer int, middle bool, pol *Policy) []int32 {
	bonds := c.bondsOf(viewer)
	for _, b := range bonds {
		if !c.inRange(viewer, int(b.to), middle, pol) {
			dst = append(dst, b.to)
		}
	}
	for _, m := range c.partyOf(viewer) {
		if int(m.index) != viewer && !inBonds(bonds, m.index) && !c.inRange(viewer, int(m.index), middle, pol) {
			dst = append(dst, m.index)
		}
	}
	return dst
}

// isBound reports whether actor j is the viewer itself, or is bound to the viewer by a fight, a ride or a party. Bound actors
// are never omitted from the viewer's updates.
func (c *FrameIndex) isBound(viewer int, j int32) bool {
	if viewer == int(j) || inBonds(c.bondsOf(viewer), j) {
		return true
	}
	p := c.frame.Actors[viewer].Party
	return p != 0 && c.frame.Actors[j].Party == p
}

func inBonds(bonds []bond, to int32) bool {
	_, found := slices.BinarySearchFunc(bonds, to, func(b bond, to int32) int { return int(b.to) - int(to) })
	return found
}
