package move

import (
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// The path authority: the client sends the tile to walk to; the server finds the path and takes the steps.
//
//	v := policy.StartPath(&state, searcher, tiles, move.OnTile(tile), ctrl) // for each click, at most one per cycle
//	stride := policy.Step(&state, tiles, energy > 0)                        // once per cycle
//	pos = grid.Centre(state.Tile)
//
// Source: docs/wire/rs.md, client packets (a click sends only its destination) and speed blocks. The cycle, the gaits and
// the single last step of a run are those of the specification "The Player Updating Procedure".

// Tile and TileGrid are the types of package terrain, under shorter names.
type (
	Tile     = terrain.Tile
	TileGrid = terrain.TileGrid
)

// Constants of the path authority, by which a player walks from tile to tile.
const (
	CycleMS = 600 // ms per cycle, the time between two calls of Step; source: docs/wire/rs.md, positions and limits
	MaxLegs = 50  // maximum straight parts (legs) of a path; to walk farther the player must click again
)

// PathPolicy is the parameters of the path authority.
type PathPolicy struct {
	RunSteps         uint8  // maximum steps per cycle when running, 1..2; walking is one step per cycle
	FallbackRadius   uint8  // tiles around an unreachable goal, on each axis, in which a substitute goal is searched, 0..63
	MaxFallbackSteps uint16 // maximum steps of the path to a substitute goal
}

// DefaultPathPolicy returns the default parameters, which are what players of RuneScape-like games expect.
func DefaultPathPolicy() PathPolicy {
	return PathPolicy{RunSteps: 2, FallbackRadius: 10, MaxFallbackSteps: 100}
}

// Gait is how an actor that steps from tile to tile moved in a cycle.
type Gait uint8

// Values of Gait: no step, one step, two steps, or a teleport.
const (
	GaitStand    Gait = iota // the actor did not move
	GaitWalk                 // the actor took one step
	GaitRun                  // the actor took two steps
	GaitTeleport             // the actor was placed on another tile
)

// Path is the remaining path of an actor. It consists of legs: straight lines along a row, a column or a diagonal of tiles. It is
// plain data.
type Path struct {
	LegEnds   [MaxLegs]Tile // last tile of each leg
	LegCount  uint8         // 0..MaxLegs
	Leg       uint8         // index of the current leg; equal to LegCount at the end of the path
	InvertRun bool          // on this path the player's run setting is inverted
}

// PathState is the state of the path authority for one actor. It is plain data, which a snapshot copies. Initialize it
// with Teleport.
type PathState struct {
	Tile       Tile // current tile
	LastTile   Tile // tile at the end of the last cycle
	Path       Path // path that the actor still has to walk
	Running    bool // the player's run setting
	Teleported bool // Teleport was called since the last cycle
}

// Teleport moves the actor to a tile immediately. It deletes the path, and the actor takes no step in the next cycle.
func (s *PathState) Teleport(t Tile) {
	s.Tile, s.Teleported = t, true
	s.Stop()
}

// Stop deletes the path that the actor follows, so that the actor stays on its tile.
func (s *PathState) Stop() { s.Path.Leg, s.Path.LegCount = 0, 0 }

// Idle reports whether the actor has reached the end of its path, or has none.
func (s *PathState) Idle() bool { return s.Path.Leg >= s.Path.LegCount }

// StartPathResult is the result of StartPath: where the path ends, or why there is none.
type StartPathResult struct {
	Held        reason.Reason // OffMap or NoPath if the request was refused, which changes nothing; otherwise None
	ReachesGoal bool          // true: the path ends at the goal; false: near it, see StartPath
	End         Tile          // last tile of the path; invalid if the request was refused
	Steps       int           // number of steps of the path; 0 if the actor is already at its end
}

// Stride is the movement of an actor in one cycle.
type Stride struct {
	From, To   Tile          // tiles at the beginning and at the end of the cycle
	Gait       Gait          // how the actor moved in this cycle
	Steps      uint8         // steps made in this cycle, 0..2; two steps may lead back to From or to a tile beside it
	SingleStep bool          // the actor runs but only one step of its path was left; clients show a walk in this cycle
	Arrived    bool          // the path ended in this cycle
	Held       reason.Reason // NoPath if a step had become illegal and the path was deleted, otherwise None
}
