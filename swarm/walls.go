package swarm

import (
	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// wallDistance is the minimum distance in world units between the path of a RealmCrafter player and an obstacle.
const wallDistance = 3

// canWalk reports whether a straight line stays at least wallDistance away from all solids. A solid within wallDistance of the
// beginning of the line is ignored, so that players can walk away from it.
func canWalk(solids []terrain.Solid, from, to geom.Vec) bool {
	for i := range solids {
		s := &solids[i]
		lo := geom.Vec{X: s.Min.X - wallDistance, Z: s.Min.Z - wallDistance}
		hi := geom.Vec{X: s.Max.X + wallDistance, Z: s.Max.Z + wallDistance}
		if crossesBox(from, to, lo, hi) && !crossesBox(from, from, lo, hi) {
			return false
		}
	}
	return true
}

// crossesBox reports whether a line crosses a box, as seen from above. The parameters lo and hi are opposite corners of
// the box: the lowest and the highest coordinates.
func crossesBox(from, to, lo, hi geom.Vec) bool {
	enter, leave := float32(0), float32(1)
	for _, axis := range [...][4]float32{{from.X, to.X, lo.X, hi.X}, {from.Z, to.Z, lo.Z, hi.Z}} {
		a, d := axis[0], axis[1]-axis[0]
		if d == 0 {
			if a < axis[2] || a > axis[3] {
				return false
			}
			continue
		}
		t0, t1 := (axis[2]-a)/d, (axis[3]-a)/d
		enter, leave = max(enter, min(t0, t1)), min(leave, max(t0, t1))
	}
	return enter <= leave
}

// wallAware wraps a behaviour and tells it the obstacles in the player's current area, so that it can walk around them.
type wallAware struct {
	rcce.Behaviour
	walls map[string][]terrain.Solid // obstacles by area name
	area  string                     // current area
	here  []terrain.Solid            // obstacles of the current area
}

// Act looks up the obstacles if the player has changed areas, and then acts as the wrapped behaviour.
func (w *wallAware) Act(p *rcce.Player) {
	if area := p.World().Area; area != w.area {
		w.area, w.here = area, w.walls[area]
	}
	w.Behaviour.Act(p)
}

// canWalk reports whether the straight line between two points stays away from the obstacles of the current area.
func (w *wallAware) canWalk(from, to geom.Vec) bool { return canWalk(w.here, from, to) }
