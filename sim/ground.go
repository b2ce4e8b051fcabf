package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// GroundHeight returns the height, in world units, at which a walking actor stands at p. It is the top of the highest block at
// p that is at most one step above the actor's feet. If the Floor is higher than the feet, the step is measured from the Floor
// instead. Liquids count as ground. If the area has no Floor, or nothing to stand on at p, GroundHeight returns p.Y.
//
// Actors under the path authority and walking NPCs are put at this height in every tick. Avatars of the predict authority
// reach the same height by their physics. Under the claim authority the client decides the height.
func (d *AreaDef) GroundHeight(p geom.Vec) float32 {
	if d.Floor == nil {
		return p.Y
	}
	from := p.Y
	if g, ok := d.Floor.Height(p.X, p.Z); ok {
		from = max(from, g)
	}
	at := d.BlockGrid.ToBlocks(geom.Vec{X: p.X, Y: from, Z: p.Z})
	top, ok := d.Blocks.FloorBelow(at.X, at.Z, at.Y+terrain.StepBlocks)
	if !ok {
		return p.Y
	}
	at.Y = top
	return d.BlockGrid.ToWorld(at).Y
}

// snapToGround puts an actor on the ground, if the server decides the height of the actor.
func (a *Area) snapToGround(x *actor) {
	if a.grounded(x) {
		x.pos.Y = a.def.GroundHeight(x.pos)
	}
}

// grounded reports whether the server puts an actor on the ground in every tick. Otherwise something else determines the actor's
// height, such as the client or, for a mount, the rider.
func (a *Area) grounded(x *actor) bool {
	return a.def.Floor != nil && x.rider == 0 && x.vehicle == nil && x.authority.grounded(x)
}

// lineOfSight reports whether no solid is between two actors. Their authorities do not matter.
func (a *Area) lineOfSight(x, y *actor) bool {
	return a.lineOfSightBetween(x.pos, y.pos, a.sceneOf(x).Flies, a.sceneOf(y).Flies)
}

// lineOfSightBetween reports whether no solid is between the positions p and q. The parameters pFlies and qFlies say whether the
// actors there fly. Between two swimmers, only solids that are higher than both of them block the sight.
func (a *Area) lineOfSightBetween(p, q geom.Vec, pFlies, qFlies bool) bool {
	w := a.def.Walls
	return w.HasLineOfAttack(p, q, pFlies, qFlies) || a.swims(p, q) && w.HasLineOfAttack(p, q, true, true)
}

// swims reports whether an actor can swim between two positions: both are in the same water, and neither is inside a solid.
// Between two such positions no ground is needed, so every claimed height up to the surface is accepted.
func (a *Area) swims(p, q geom.Vec) bool {
	w, there := a.waterAt(p), a.waterAt(q)
	return w != nil && there != nil && there.Y == w.Y && !a.def.Walls.Inside(p, true) && !a.def.Walls.Inside(q, true)
}

// sceneOf returns the obstacles by which the claims and walks of an actor are judged: the walls of the area, and whether the
// actor flies.
func (a *Area) sceneOf(x *actor) move.Surroundings {
	if a.def.Walls == nil {
		return move.Surroundings{}
	}
	mount := a.find(x.mount)
	return move.Surroundings{Walls: a.def.Walls, Flies: x.tmpl.Environment == Fly || mount != nil && mount.tmpl.Environment == Fly}
}
