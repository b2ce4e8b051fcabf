package main

import (
	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// wallBerth is how many units RealmCrafter players keep from solids: the client with a screen sees them, this one is told.
const wallBerth = 3

// clearOf tells whether a straight way keeps away from all solids. Who is beside one may leave it.
func clearOf(solids []terrain.Solid, from, to geom.Vec) bool {
	for i := range solids {
		s := &solids[i]
		lo := geom.Vec{X: s.Min.X - wallBerth, Z: s.Min.Z - wallBerth}
		hi := geom.Vec{X: s.Max.X + wallBerth, Z: s.Max.Z + wallBerth}
		if crossesBox(from, to, lo, hi) && !crossesBox(from, from, lo, hi) {
			return false
		}
	}
	return true
}

// crossesBox tells whether a way leads through a box on the ground.
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

// swarmWalls is what stands in the areas of a world, by their names.
type swarmWalls map[string][]terrain.Solid

// wallsOf reads a world file, the embedded one if path is empty.
func wallsOf(path string) (swarmWalls, error) {
	w, err := (&server.WorldConfig{World: path}).Load()
	if err != nil {
		return nil, err
	}
	walls := swarmWalls{}
	for i := range w.World.Areas {
		walls[w.World.Areas[i].Name] = w.World.Areas[i].Solids
	}
	return walls, nil
}

// sighted is a behaviour that sees the walls of the area in which its player is.
type sighted struct {
	rcce.Behaviour
	walls swarmWalls
	area  string
	here  []terrain.Solid
}

// Act looks around and goes on.
func (s *sighted) Act(p *rcce.Player) {
	if area := p.World().Area; area != s.area {
		s.area, s.here = area, s.walls[area]
	}
	s.Behaviour.Act(p)
}

// clear tells whether nothing stands between two points.
func (s *sighted) clear(from, to geom.Vec) bool { return clearOf(s.here, from, to) }
