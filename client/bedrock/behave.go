package bedrock

import (
	"math"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Wander walks from one random point to the next, and on its way runs, jumps, sneaks and stands still by the luck of the
// client. It hops over what is in its way and turns from what it cannot hop over.
type Wander struct {
	Home   *geom.Vec // the middle of its range; nil: where it stands when it begins
	Radius float32   // blocks; 0: 24

	Sprint, Jump, Sneak float32 // shares of the ways on which it does so; all 0: 0.4, 0.3, 0.15

	centre     geom.Vec
	homeSet    bool
	goal       geom.Vec
	giveUpAt   uint64 // tick at which the way is given up
	restUntil  uint64 // it stands until then
	gait       gait
	stuckTicks int // ticks in a row in which it came nowhere
	lastPos    geom.Vec
}

// gait is how a way is walked.
type gait struct{ sprint, jump, sneak bool }

const (
	wanderRadius  = 24  // blocks
	maxWalkTicks  = 300 // ticks that a way may take
	restOneIn     = 6   // ways after which it rests
	maxRestTicks  = 60  // ticks
	arrivalRadius = 0.7 // blocks from the goal
	maxStuckTicks = 30  // ticks
	jumpOneIn     = 12  // ticks of a jumping way
	minMovement   = 0.01
)

// Act walks on.
func (w *Wander) Act(p *Player) Keys {
	a := p.State()
	w.setHome(a.Pos)
	keys := Keys{Yaw: a.Yaw, Pitch: 0}
	if p.Tick() < w.restUntil {
		return keys
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
	return keys
}

func (w *Wander) setHome(at geom.Vec) {
	if !w.homeSet {
		w.homeSet, w.centre = true, at
		if w.Home != nil {
			w.centre = *w.Home
		}
	}
}

// choose takes the next goal and how to go there.
func (w *Wander) chooseGoal(p *Player) {
	r := p.Rand()
	radius := w.Radius
	if radius <= 0 {
		radius = wanderRadius
	}
	far := float64(radius) * math.Sqrt(r.Float64())
	sin, cos := math.Sincos(2 * math.Pi * r.Float64())
	w.goal = geom.Vec{X: w.centre.X + float32(far*cos), Y: w.centre.Y, Z: w.centre.Z + float32(far*sin)}
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

// Fight goes to the nearest other that it may strike, strikes it until it is dead, and looks for the next one. Those
// whom its blows do not hurt it leaves in peace for a while, and all of their name. Without anybody to fight it wanders.
type Fight struct {
	AttackPlayers bool                // strikes players too
	Exclude       func(a *Actor) bool // whom it never strikes; nil: nobody
	AttackRange   float32             // blocks from which it strikes; 0: 1.9
	SearchRadius  float32             // blocks; 0: 32
	Cooldown      uint64              // ticks between two blows; 0: 11
	Idle          Wander              // what it does meanwhile

	target       uint64
	nextAttack   uint64            // tick of the next blow
	attempts     int               // blows since the target was chosen or seen hurt
	targetHurts  uint64            // of the target, so far
	giveUp       uint64            // tick
	ignoredUntil map[string]uint64 // tick until which those of a name are left in peace
}

const (
	attackRange    = 1.9 // bare hands reach two blocks in the embedded world
	searchRadius   = 32
	attackCooldown = 11  // ticks, a little more than the half second for which a struck one cannot be hurt again
	maxAttempts    = 4   // blows without effect after which a target is left
	chaseTicks     = 200 // ticks in which it must be reached
	ignoreTicks    = 600 // ticks
)

func orDefault[T float32 | uint64](v, usual T) T {
	if v > 0 {
		return v
	}
	return usual
}

// Act goes on with the fight.
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
		return keys
	}
	if p.Tick() >= f.nextAttack {
		f.nextAttack = p.Tick() + orDefault(f.Cooldown, attackCooldown)
		f.giveUp = p.Tick() + chaseTicks
		f.attempts++
		p.Attack(a.RuntimeID)
	}
	return keys
}

// Active reports whether there is somebody whom it fights.
func (f *Fight) Active() bool { return f.target != 0 }

// choose takes the nearest target.
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

// leave leaves everybody of that name in peace: what cannot be fought comes in kinds.
func (f *Fight) ignore(name string, tick uint64) {
	if f.ignoredUntil == nil || len(f.ignoredUntil) > maxActors {
		f.ignoredUntil = map[string]uint64{}
	}
	f.ignoredUntil[name] = tick + ignoreTicks
}
