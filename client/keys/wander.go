package keys

import (
	"math"
	"math/rand/v2"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// PredictedPlayer gives access to the predicted state of a client's own player.
type PredictedPlayer interface {
	State() move.Avatar      // predicted state
	Tick() uint64            // tick of the input that is being built
	Rand() *rand.Rand        // random source of the client
	Blocks() *terrain.Blocks // blocks of the area, nil if there are none
}

// ViewDirection returns the direction from the point origin to the point target, as yaw and pitch in degrees.
func ViewDirection(origin, target geom.Vec) (yaw, pitch float32) {
	dx, dy, dz := float64(target.X-origin.X), float64(target.Y-origin.Y), float64(target.Z-origin.Z)
	yaw = float32(math.Atan2(-dx, dz) * 180 / math.Pi)
	pitch = float32(-math.Atan2(dy, math.Hypot(dx, dz)) * 180 / math.Pi)
	return yaw, pitch
}

// KeysToward returns the keys with which p walks straight to goal and jumps over obstacles.
func KeysToward(p PredictedPlayer, goal geom.Vec) Keys {
	a := p.State()
	k := Keys{Forward: 1, Jump: a.Collided&(move.AxisX|move.AxisZ) != 0}
	k.Yaw, _ = ViewDirection(a.Pos, goal)
	return k
}

// swimmingPitch is the pitch in degrees at which a player swims under KeepAfloat: slightly upward, so that it stays near the
// surface. At a shore the player looks straight ahead, because a swimmer that looks up does not rise out of the water.
const swimmingPitch = -10

// risesAtShore is the upward speed in blocks per tick above which a swimming player is assumed to climb out of the water.
const risesAtShore = 0.2

// KeepAfloat returns the keys k, changed so that a player crosses water without sinking. A player that sprints forward swims
// below the surface; any other player stays at the surface. On land the keys do not change.
func KeepAfloat(p PredictedPlayer, k Keys) Keys {
	a, ground := p.State(), p.Blocks()
	if !a.TouchesWater(ground) {
		return k
	}
	k.Sneak = false
	if k.Sprint && k.Forward > SprintForward {
		k.Pitch, k.Jump = swimmingPitch, false
		if a.Collided&(move.AxisX|move.AxisZ) != 0 || a.Vel.Y > risesAtShore {
			k.Pitch = 0
		}
	} else {
		k.Jump = true
	}
	return k
}

// Wander walks to one random point after another. Some of the walks are at a run, with jumps or sneaking, or begin with a
// rest. The player jumps over obstacles, swims through water, and chooses another point if it is stuck.
type Wander struct {
	Home   *geom.Vec // centre of the wandering area; nil selects the position at the first tick
	Radius float32   // wandering radius in blocks; 0 selects 24

	Sprint, Jump, Sneak float32 // probability of each gait, chosen for each walk; if all are 0: 0.4, 0.3 and 0.15

	centre     geom.Vec // centre of the wandering area; valid if homeSet is true
	homeSet    bool
	goal       geom.Vec // point to which the player walks
	giveUpAt   uint64   // tick at which the goal is given up
	restUntil  uint64   // tick until which the player stands still
	gait       gait
	stuckTicks int      // consecutive ticks without movement
	lastPos    geom.Vec // position at the previous tick
}

// gait says whether the player sprints, jumps at random and sneaks during one walk.
type gait struct{ sprint, jump, sneak bool }

const (
	wanderRadius  = 24   // default of Wander.Radius, in blocks
	maxWalkTicks  = 300  // maximum ticks per walk
	restOneIn     = 6    // one in this number of walks begins with a rest
	maxRestTicks  = 60   // maximum length of a rest in ticks
	arrivalRadius = 0.7  // distance from the goal in blocks at which the player has arrived
	maxStuckTicks = 30   // ticks without movement after which the goal is given up
	jumpOneIn     = 12   // on a walk with jumps, a jump starts in one of this number of ticks
	minMovement   = 0.01 // distance per tick in blocks that counts as movement
)

// Act returns the keys for one tick of the walk to the goal, or of a rest.
func (w *Wander) Act(p PredictedPlayer) Keys {
	a := p.State()
	w.setHome(a.Pos)
	k := Keys{Yaw: a.Yaw}
	if p.Tick() < w.restUntil {
		return KeepAfloat(p, k)
	}
	if w.giveUpAt <= p.Tick() || geom.DistXZ(a.Pos, w.goal) < arrivalRadius || w.stuckTicks > maxStuckTicks {
		w.chooseGoal(p)
	}
	if w.stuckTicks++; geom.DistXZ(a.Pos, w.lastPos) > minMovement {
		w.stuckTicks = 0
	}
	w.lastPos = a.Pos
	k = KeysToward(p, w.goal)
	k.Sprint, k.Sneak = w.gait.sprint, w.gait.sneak
	k.Jump = k.Jump || w.gait.jump && p.Rand().IntN(jumpOneIn) == 0
	return KeepAfloat(p, k)
}

func (w *Wander) setHome(at geom.Vec) {
	if !w.homeSet {
		w.homeSet, w.centre = true, at
		if w.Home != nil {
			w.centre = *w.Home
		}
	}
}

// chooseGoal chooses the next goal, whether the player first rests, and the gait (sprinting, jumping, sneaking) of the walk.
func (w *Wander) chooseGoal(p PredictedPlayer) {
	r := p.Rand()
	radius := w.Radius
	if radius <= 0 {
		radius = wanderRadius
	}
	w.goal = RandomPoint(r, w.centre, radius)
	w.giveUpAt, w.stuckTicks = p.Tick()+maxWalkTicks, 0
	if r.IntN(restOneIn) == 0 {
		w.restUntil = p.Tick() + r.Uint64N(maxRestTicks)
	}
	sprint, jump, sneak := w.Sprint, w.Jump, w.Sneak
	if sprint == 0 && jump == 0 && sneak == 0 {
		sprint, jump, sneak = 0.4, 0.3, 0.15
	}
	w.gait = gait{sprint: r.Float32() < sprint, jump: r.Float32() < jump, sneak: r.Float32() < sneak}
}

// RandomPoint returns a random point of the horizontal disc with the given centre and radius, in blocks. The points are uniformly
// distributed over the disc.
func RandomPoint(r *rand.Rand, centre geom.Vec, radius float32) geom.Vec {
	far := float64(radius) * math.Sqrt(r.Float64())
	sin, cos := math.Sincos(2 * math.Pi * r.Float64())
	return centre.Add(geom.Vec{X: float32(far * cos), Z: float32(far * sin)})
}
