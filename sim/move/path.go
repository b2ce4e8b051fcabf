package move

import (
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// The path authority: the client says where it wants to stand, the server finds the way and takes the steps.
//
//	v := policy.Head(&state, searcher, tiles, move.OnTile(tile), ctrl) // for each click, at most one in a cycle
//	stride := policy.Step(&state, tiles, energy > 0)                   // once in each cycle
//	pos = grid.Centre(state.Tile)
//
// Source: docs/wire/rs.md, client packets (a click sends nothing but its destination) and speed blocks; the cycle, the
// gaits and the single last step of a run are those of the seed "The Player Updating Procedure".

// Tile and TileGrid are those of the terrain.
type (
	Tile     = terrain.Tile
	TileGrid = terrain.TileGrid
)

// Figures of the path authority.
const (
	CycleMS = 600 // ms between two calls of Step   docs/wire/rs.md, positions and limits
	MaxLegs = 50  // straight legs that a path keeps; what lies beyond is walked after another click
)

// PathPolicy are the figures of the path authority.
type PathPolicy struct {
	RunSteps         uint8  // steps in a cycle of a run, 1..2; a walk takes one
	FallbackRadius   uint8  // tiles around an unreachable goal in which another one is looked for, 0..63
	MaxFallbackSteps uint16 // steps: how long the way to such another one may be
}

// ClassicPath is the default: as players of such games know it.
func DefaultPathPolicy() PathPolicy {
	return PathPolicy{RunSteps: 2, FallbackRadius: 10, MaxFallbackSteps: 100}
}

// Gait is how an actor moved in a cycle.
type Gait uint8

// Gaits.
const (
	Stood Gait = iota
	Walked
	Ran
	Teleported
)

// Path is the way that is still to be walked: straight legs, along a row, a column or a diagonal each. Plain data.
type Path struct {
	LegEnds   [MaxLegs]Tile // where each leg ends
	LegCount  uint8         // legs, 0..MaxTurns
	Leg       uint8         // the leg that is walked, <= Count; equal to it at the end
	InvertRun bool          // on this path the run setting counts as its opposite
}

// PathState is what the path authority knows of an actor. Plain data: a snapshot copies it. Begin with Teleport.
type PathState struct {
	Tile       Tile // where the actor stands
	LastTile   Tile // where it stood at the end of the last cycle
	Path       Path
	Running    bool // the player's setting
	Teleported bool // teleported since the last cycle
}

// Teleport puts the actor on a tile at once. Its path is gone, and the coming cycle has no step.
func (s *PathState) Teleport(t Tile) {
	s.Tile, s.Teleported = t, true
	s.Stop()
}

// Stop forgets the path.
func (s *PathState) Stop() { s.Path.Leg, s.Path.LegCount = 0, 0 }

// Idle tells whether there is no path to walk.
func (s *PathState) Idle() bool { return s.Path.Leg >= s.Path.LegCount }

// PathVerdict is what became of a wish to go somewhere.
type PathVerdict struct {
	Held        reason.Reason // OffMap, NoPath or None; held wishes change nothing
	ReachesGoal bool          // the path ends where the goal is reached; else near it, see Head
	End         Tile          // where the path ends, valid unless held
	Steps       int           // of the path; 0 if the actor stands there already
}

// Stride is what one cycle moved.
type Stride struct {
	From, To   Tile
	Gait       Gait
	Steps      uint8         // taken one by one, 0..2; two of them may lead back or only one tile away
	SingleStep bool          // a run had only one step left: shown as a walk for this cycle
	Arrived    bool          // the path ended in this cycle
	Held       reason.Reason // NoPath if a step was no longer legal and the path is given up, else None
}
