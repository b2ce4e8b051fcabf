package move

import (
	"cmp"

	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Step takes the steps of one cycle and returns what moved: one step of a walk or up to RunSteps of a run. An actor runs
// if its setting, or its opposite on a path with the control key, says so and mayRun is true; energy is the caller's
// affair. Each step is looked at again when it is taken, because the terrain may be another than that of the search:
// if it is no longer legal, the actor stays and its path is given up. It does not allocate.
func (p *PathPolicy) Step(s *PathState, t *terrain.Tiles, mayRun bool) Stride {
	stride := Stride{From: s.LastTile}
	if s.Teleported {
		stride.Gait = Teleported
	} else {
		p.walk(s, t, mayRun, &stride)
	}
	stride.To = s.Tile
	s.LastTile, s.Teleported = s.Tile, false
	return stride
}

func (p *PathPolicy) walk(s *PathState, t *terrain.Tiles, mayRun bool, stride *Stride) {
	if s.Idle() {
		return
	}
	most := uint8(1)
	if mayRun && s.Running != s.Path.InvertRun {
		most = p.RunSteps
	}
	for stride.Steps < most && !s.Idle() {
		if !s.advance(t) {
			stride.Held = reason.NoPath
			s.Stop()
			break
		}
		stride.Steps++
	}
	stride.Arrived = s.Idle() && stride.Held == reason.None
	switch {
	case stride.Steps >= 2:
		stride.Gait = Ran
	case stride.Steps == 1:
		stride.Gait, stride.SingleStep = Walked, most >= 2
	}
}

// advance takes the next step of the path and tells whether it was legal.
func (s *PathState) advance(t *terrain.Tiles) bool {
	end := s.Path.LegEnds[s.Path.Leg]
	dx, dz := cmp.Compare(end.X, s.Tile.X), cmp.Compare(end.Z, s.Tile.Z)
	if !t.CanStep(s.Tile.X, s.Tile.Z, dx, dz) {
		return false
	}
	s.Tile = s.Tile.Move(dx, dz)
	if s.Tile == end {
		s.Path.Leg++
	}
	return true
}
