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

	home    geom.Vec
	settled bool
	goal    geom.Vec
	until   uint64 // tick at which the way is given up
	rest    uint64 // it stands until then
	gait    gait
	stuck   int // ticks in a row in which it came nowhere
	from    geom.Vec
}

// gait is how a way is walked.
type gait struct{ sprint, jump, sneak bool }

const (
	wanderRadius = 24  // blocks
	wanderFor    = 300 // ticks that a way may take
	restsOneIn   = 6   // ways after which it rests
	longestRest  = 60  // ticks
	arrivedAt    = 0.7 // blocks from the goal
	stuckFor     = 30  // ticks
	jumpsOneIn   = 12  // ticks of a jumping way
	crawlSpeed   = 0.01
)

// Act walks on.
func (w *Wander) Act(p *Player) Keys {
	a := p.State()
	w.settle(a.Pos)
	keys := Keys{Yaw: a.Yaw, Pitch: 0}
	if p.Tick() < w.rest {
		return keys
	}
	if w.until <= p.Tick() || geom.DistXZ(a.Pos, w.goal) < arrivedAt || w.stuck > stuckFor {
		w.choose(p)
	}
	if w.stuck++; geom.DistXZ(a.Pos, w.from) > crawlSpeed {
		w.stuck = 0
	}
	w.from = a.Pos
	keys = p.Toward(w.goal)
	keys.Sprint, keys.Sneak = w.gait.sprint, w.gait.sneak
	keys.Jump = keys.Jump || w.gait.jump && p.Rand().IntN(jumpsOneIn) == 0
	return keys
}

func (w *Wander) settle(at geom.Vec) {
	if !w.settled {
		w.settled, w.home = true, at
		if w.Home != nil {
			w.home = *w.Home
		}
	}
}

// choose takes the next goal and how to go there.
func (w *Wander) choose(p *Player) {
	r := p.Rand()
	radius := w.Radius
	if radius <= 0 {
		radius = wanderRadius
	}
	far := float64(radius) * math.Sqrt(r.Float64())
	sin, cos := math.Sincos(2 * math.Pi * r.Float64())
	w.goal = geom.Vec{X: w.home.X + float32(far*cos), Y: w.home.Y, Z: w.home.Z + float32(far*sin)}
	w.until, w.stuck = p.Tick()+wanderFor, 0
	if r.IntN(restsOneIn) == 0 {
		w.rest = p.Tick() + r.Uint64N(longestRest)
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
	Persons bool                // strikes players too
	Spare   func(a *Actor) bool // whom it never strikes; nil: nobody
	Reach   float32             // blocks from which it strikes; 0: 1.9
	Range   float32             // blocks; 0: 32
	Delay   uint64              // ticks between two blows; 0: 11
	Between Wander              // what it does meanwhile

	target uint64
	next   uint64            // tick of the next blow
	tries  int               // blows since the target was chosen or seen hurt
	hurts  uint64            // of the target, so far
	giveUp uint64            // tick
	peace  map[string]uint64 // tick until which those of a name are left in peace
}

const (
	fightReach = 1.9 // bare hands reach two blocks in the embedded world
	fightRange = 32
	fightDelay = 11  // ticks, a little more than the half second for which a struck one cannot be hurt again
	fightTries = 4   // blows without effect after which a target is left
	chaseFor   = 200 // ticks in which it must be reached
	peaceFor   = 600 // ticks
)

func orElse[T float32 | uint64](v, usual T) T {
	if v > 0 {
		return v
	}
	return usual
}

// Act goes on with the fight.
func (f *Fight) Act(p *Player) Keys {
	a, ok := p.World().Actor(f.target)
	if !ok || a.Dead || p.Tick() >= f.giveUp || f.tries >= fightTries {
		if ok && !a.Dead {
			f.leave(a.Name, p.Tick())
		}
		if a, ok = f.choose(p); !ok {
			return f.Between.Act(p)
		}
	}
	if a.Hurts != f.hurts {
		f.hurts, f.tries = a.Hurts, 0
	}
	own := p.State()
	keys := Keys{}
	keys.Yaw, keys.Pitch = headed(own.Pos, a.Pos)
	if geom.Sqrt(geom.Dist2(own.Pos, a.Pos)) > orElse(f.Reach, fightReach) {
		keys.Forward, keys.Sprint = 1, true
		keys.Jump = own.Collided&(move.AxisX|move.AxisZ) != 0
		return keys
	}
	if p.Tick() >= f.next {
		f.next = p.Tick() + orElse(f.Delay, fightDelay)
		f.giveUp = p.Tick() + chaseFor
		f.tries++
		p.Attack(a.RuntimeID)
	}
	return keys
}

// Active reports whether there is somebody whom it fights.
func (f *Fight) Active() bool { return f.target != 0 }

// choose takes the nearest target.
func (f *Fight) choose(p *Player) (Actor, bool) {
	f.target = 0
	near, d := p.World().Nearest(p.Pos(), func(a *Actor) bool {
		return (f.Persons || !p.World().Person(a)) && f.peace[a.Name] <= p.Tick() && (f.Spare == nil || !f.Spare(a))
	})
	if near == nil || d > orElse(f.Range, fightRange) {
		return Actor{}, false
	}
	f.target, f.tries, f.hurts, f.giveUp = near.RuntimeID, 0, near.Hurts, p.Tick()+chaseFor
	return *near, true
}

// leave leaves everybody of that name in peace: what cannot be fought comes in kinds.
func (f *Fight) leave(name string, tick uint64) {
	if f.peace == nil || len(f.peace) > mostActors {
		f.peace = map[string]uint64{}
	}
	f.peace[name] = tick + peaceFor
}
