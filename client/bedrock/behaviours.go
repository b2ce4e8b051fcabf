package bedrock

import (
	"math"
	"math/rand/v2"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Wander is a Behaviour that walks between random points, and on the way runs, jumps, sneaks and rests at random. It jumps
// over obstacles, swims through water, and chooses another goal if it is stuck.
type Wander struct {
	Home   *geom.Vec // centre of the wandering area; nil selects the position at the first tick
	Radius float32   // wandering radius in blocks; 0 selects 24

	Sprint, Jump, Sneak float32 // probability of each gait per walk; if all are 0, they are 0.4, 0.3 and 0.15

	centre     geom.Vec
	homeSet    bool
	goal       geom.Vec
	giveUpAt   uint64 // tick at which the goal is given up
	restUntil  uint64 // tick until which the player stands still
	gait       gait
	stuckTicks int // consecutive ticks without movement
	lastPos    geom.Vec
}

// gait is the way of moving during one walk.
type gait struct{ sprint, jump, sneak bool }

const (
	wanderRadius  = 24   // default of Wander.Radius, in blocks
	maxWalkTicks  = 300  // maximum ticks per walk
	restOneIn     = 6    // one walk in 6 begins with a rest
	maxRestTicks  = 60   // maximum length of a rest in ticks
	arrivalRadius = 0.7  // distance from the goal in blocks at which the player has arrived
	maxStuckTicks = 30   // ticks without movement after which the goal is given up
	jumpOneIn     = 12   // on a walk with jumps, one tick in 12 starts a jump
	minMovement   = 0.01 // distance per tick in blocks that counts as movement
)

// Act implements Behaviour.
func (w *Wander) Act(p *Player) Keys {
	a := p.State()
	w.setHome(a.Pos)
	keys := Keys{Yaw: a.Yaw, Pitch: 0}
	if p.Tick() < w.restUntil {
		return p.KeepAfloat(keys)
	}
	if w.giveUpAt <= p.Tick() || geom.DistXZ(a.Pos, w.goal) < arrivalRadius || w.stuckTicks > maxStuckTicks {
		w.chooseGoal(p)
	}
	if w.stuckTicks++; geom.DistXZ(a.Pos, w.lastPos) > minMovement {
		w.stuckTicks = 0
	}
	w.lastPos = a.Pos
	keys = p.KeysToward(w.goal)
	keys.Sprint, keys.Sneak = w.gait.sprint, w.gait.sneak
	keys.Jump = keys.Jump || w.gait.jump && p.Rand().IntN(jumpOneIn) == 0
	return p.KeepAfloat(keys)
}

func (w *Wander) setHome(at geom.Vec) {
	if !w.homeSet {
		w.homeSet, w.centre = true, at
		if w.Home != nil {
			w.centre = *w.Home
		}
	}
}

// chooseGoal chooses the next goal and the gait.
func (w *Wander) chooseGoal(p *Player) {
	r := p.Rand()
	radius := w.Radius
	if radius <= 0 {
		radius = wanderRadius
	}
	w.goal = randomPoint(r, w.centre, radius)
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

// randomPoint returns a point of a horizontal disc; all points of the disc are equally likely. radius is in blocks.
func randomPoint(r *rand.Rand, centre geom.Vec, radius float32) geom.Vec {
	far := float64(radius) * math.Sqrt(r.Float64())
	sin, cos := math.Sincos(2 * math.Pi * r.Float64())
	return centre.Add(geom.Vec{X: float32(far * cos), Z: float32(far * sin)})
}

// Fight is a Behaviour that walks to the nearest target, attacks it until it is dead, and then chooses the next one. If its
// attacks do not hurt a target, it ignores all targets of that name for a while. Without a target it behaves as Idle.
type Fight struct {
	AttackPlayers bool                // attack players too
	Exclude       func(a *Actor) bool // reports actors that are never attacked; nil excludes none
	AttackRange   float32             // maximum attack distance in blocks; 0 selects 1.9
	SearchRadius  float32             // radius in blocks in which targets are chosen; 0 selects 32
	Cooldown      uint64              // ticks between two attacks; 0 selects 11
	Idle          Wander              // behaviour while there is no target

	target       uint64            // runtime id of the target, 0 if there is none
	nextAttack   uint64            // tick of the next attack
	attempts     int               // attacks since the target was chosen or last hurt
	targetHurts  uint64            // HurtCount of the target when last read
	giveUp       uint64            // tick at which the target is given up
	ignoredUntil map[string]uint64 // tick until which actors of a name are ignored
}

const (
	attackRange    = 1.9 // default of Fight.AttackRange, in blocks; bare hands reach 2 blocks in the embedded world
	searchRadius   = 32  // default of Fight.SearchRadius, in blocks
	attackCooldown = 11  // default of Fight.Cooldown in ticks; slightly more than the half second of invulnerability after a hit
	maxAttempts    = 4   // attacks without effect after which a target is given up
	chaseTicks     = 200 // ticks within which a target must be reached
	ignoreTicks    = 600 // ticks for which actors with the name of a given-up target are ignored
)

func orDefault[T float32 | uint64](v, usual T) T {
	if v > 0 {
		return v
	}
	return usual
}

// Act implements Behaviour.
func (f *Fight) Act(p *Player) Keys {
	a, ok := p.World().Actor(f.target)
	if !ok || a.Dead || p.Tick() >= f.giveUp || f.attempts >= maxAttempts {
		if ok && !a.Dead {
			f.ignore(a.Name, p.Tick())
		}
		if a, ok = f.chooseTarget(p); !ok {
			return f.Idle.Act(p)
		}
	}
	if a.HurtCount != f.targetHurts {
		f.targetHurts, f.attempts = a.HurtCount, 0
	}
	own := p.State()
	keys := Keys{}
	keys.Yaw, keys.Pitch = directionTo(own.Pos, a.Pos)
	if geom.Sqrt(geom.Dist2(own.Pos, a.Pos)) > orDefault(f.AttackRange, attackRange) {
		keys.Forward, keys.Sprint = 1, true
		keys.Jump = own.Collided&(move.AxisX|move.AxisZ) != 0
		return p.KeepAfloat(keys)
	}
	if p.Tick() >= f.nextAttack {
		f.nextAttack = p.Tick() + orDefault(f.Cooldown, attackCooldown)
		f.giveUp = p.Tick() + chaseTicks
		f.attempts++
		p.Attack(a.RuntimeID)
	}
	return keys
}

// Active reports whether the behaviour has a target.
func (f *Fight) Active() bool { return f.target != 0 }

// chooseTarget chooses the nearest target.
func (f *Fight) chooseTarget(p *Player) (Actor, bool) {
	f.target = 0
	near, d := p.World().Nearest(p.Pos(), func(a *Actor) bool {
		return (f.AttackPlayers || !p.World().IsRealPlayer(a)) && f.ignoredUntil[a.Name] <= p.Tick() && (f.Exclude == nil || !f.Exclude(a))
	})
	if near == nil || d > orDefault(f.SearchRadius, searchRadius) {
		return Actor{}, false
	}
	f.target, f.attempts, f.targetHurts, f.giveUp = near.RuntimeID, 0, near.HurtCount, p.Tick()+chaseTicks
	return *near, true
}

// ignore excludes all actors of a name from attacks for ignoreTicks, because invulnerable actors usually share a name.
func (f *Fight) ignore(name string, tick uint64) {
	if f.ignoredUntil == nil || len(f.ignoredUntil) > maxActors {
		f.ignoredUntil = map[string]uint64{}
	}
	f.ignoredUntil[name] = tick + ignoreTicks
}
