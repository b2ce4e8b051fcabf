package move

import (
	"cmp"

	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Step moves the actor along its path by one cycle and returns the movement: one step when walking, up to RunSteps when running.
// An actor runs if its run setting says so and mayRun is true; the caller tracks the actor's energy. On a path that was clicked
// with the control key the run setting is inverted. Each step is checked again when it is taken, because the terrain may have
// changed since the search. If it is no longer legal, the actor stays and its path is deleted. Step does not allocate.
func (p *PathPolicy) Step(s *PathState, t *terrain.Tiles, mayRun bool) Stride {
	stride := Stride{From: s.LastTile}
	if s.Teleported {
		stride.Gait = GaitTeleport
	} else {
		p.takeSteps(s, t, mayRun, &stride)
	}
	stride.To = s.Tile
	s.LastTile, s.Teleported = s.Tile, false
	return stride
}

func (p *PathPolicy) takeSteps(s *PathState, t *terrain.Tiles, mayRun bool, stride *Stride) {
	if s.Idle() {
		return
	}
	maximum := uint8(1)
	if mayRun && s.Running != s.Path.InvertRun {
		maximum = p.RunSteps
	}
	for stride.Steps < maximum && !s.Idle() {
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
		stride.Gait = GaitRun
	case stride.Steps == 1:
		stride.Gait, stride.SingleStep = GaitWalk, maximum >= 2
	}
}

// advance moves the actor by the next step of its path. It returns false if that step is not legal.
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
