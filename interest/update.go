package interest

import (
	"math/bits"
	"slices"

	"github.com/truestep-io/truestep/sim"
)

// Update is the content of one broadcast to one viewer. A door sends Leave first, then Enter, then Close and Middle, so that the
// client knows every actor before it receives an update of the actor.
type Update struct {
	Enter []int32        // indices in Frame.Actors of the actors that came into view, ascending
	Leave []sim.EntityID // ids of the actors that left the view, sorted
	// Close holds the indices in Frame.Actors of the actors that every broadcast updates: those within Policy.CloseRadius, those
	// bound to the viewer by a fight, a ride or a party, and the viewer itself.
	Close []int32
	// Middle holds the indices in Frame.Actors of the actors that only some broadcasts update (see Policy.MiddleEveryMS): those
	// beyond CloseRadius up to FarRadius, and those still in view beyond EnterRadius. In all other broadcasts it is empty.
	Middle []int32
}

// Update compares the view with the frame of c, changes the view accordingly and returns the update to send. The parameter viewer
// is the index of the viewer in the frame. The radii of pol decide which actors enter and leave. Actors that are bound to the
// viewer by a fight, a ride or a party are in view at any distance. The result is valid until the next call on v.
func (v *View) Update(c *FrameIndex, viewer int, middle bool, pol *Policy) *Update {
	u := &v.update
	if pol.EnterRadius == 0 {
		v.Sync(c)
	} else {
		v.compareAround(c, viewer, pol)
	}
	u.Leave = v.left
	u.Enter = u.Enter[:0]
	for _, id := range v.entered {
		u.Enter = append(u.Enter, int32(c.frame.Index(id)))
	}
	v.near = c.Collect(v.near[:0], viewer, middle, pol)
	u.Close, u.Middle = c.splitByRange(u.Close[:0], u.Middle[:0], v.near, viewer, middle, pol)
	if middle {
		u.Middle = append(u.Middle, v.edge...)
	}
	return u
}

// compareAround compares the view with the actors around the viewer. It sets v.entered to the ids that came into view, v.left to
// the ids that left it, and v.edge to the indices of the actors that stay in view although they are beyond EnterRadius.
func (v *View) compareAround(c *FrameIndex, viewer int, pol *Policy) {
	v.markAround(c, viewer, pol.LeaveRadius)
	enter2 := float32(pol.EnterRadius * pol.EnterRadius)
	v.begin()
	v.edge = v.edge[:0]
	for w, word := range v.marks {
		for ; word != 0; word &= word - 1 {
			j := w*64 + bits.TrailingZeros64(word)
			id, near := c.ids[j], c.dist2(viewer, j) <= enter2
			switch {
			case id == v.Self:
			case v.keep(id):
				if !near && !c.isBound(viewer, int32(j)) {
					v.edge = append(v.edge, int32(j))
				}
			case near || c.isBound(viewer, int32(j)):
				v.enter(id)
			}
		}
		v.marks[w] = 0
	}
	v.end()
}

// markAround marks the actors within radius of the viewer, and those bound to the viewer: it sets one bit for each in the bitset
// v.marks. A bitset yields them in ascending order, which is cheaper than sorting the results of the grid.
func (v *View) markAround(c *FrameIndex, viewer int, radius float32) {
	words := (len(c.ids) + 63) / 64
	v.marks = slices.Grow(v.marks[:0], words)[:words]
	v.near = c.grid.Near(v.near[:0], c.frame.Actors[viewer].Pos, radius)
	for _, j := range v.near {
		v.marks[j/64] |= 1 << (j % 64)
	}
	for _, b := range c.bondsOf(viewer) {
		v.marks[b.to/64] |= 1 << (b.to % 64)
	}
	for _, m := range c.partyOf(viewer) {
		v.marks[m.index/64] |= 1 << (m.index % 64)
	}
}

// splitByRange divides the list all, which is a result of Collect: it appends the indices of close actors to near, and the
// indices of actors at middle distance to far. It returns the extended lists.
func (c *FrameIndex) splitByRange(near, far, all []int32, viewer int, middle bool, pol *Policy) (closer, farther []int32) {
	if !middle {
		return append(near, all...), far
	}
	for _, j := range all {
		if c.inRange(viewer, int(j), false, pol) || c.isBound(viewer, j) {
			near = append(near, j)
		} else {
			far = append(far, j)
		}
	}
	return near, far
}
