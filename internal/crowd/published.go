package crowd

import (
	"math"
	"math/rand/v2"
)

// Constants of the wanderers in StinkySteak's benchmark of Unity's network libraries
// (github.com/StinkySteak/netcode-benchmarker-util, WanderMoveWrapper). The benchmark's unit of length counts as one block here.
// In each frame a wanderer steers toward its goal, a point on a disc ahead of it. The goal changes at random. A wanderer that is
// too far from the middle of the scene turns back. It always looks in the direction of its movement.
const (
	wanderCircle = 1.   // radius of the disc ahead of a wanderer on which its goal lies
	wanderChance = 0.05 // probability per frame that a wanderer chooses another goal
	wanderRadius = 5.   // distance from the middle at which a wanderer turns back
	wanderMass   = 15.  // mass of a wanderer, by which the steering force is divided
	wanderSpeed  = 3.   // maximum speed in units of length per second
	wanderForce  = 15.  // maximum force
	wanderMiddle = 64.  // height of the centre; the benchmark has none, so this is the height of this package's other scenes
)

type vec [3]float64

func (a vec) plus(b vec) vec      { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) times(k float64) vec { return vec{a[0] * k, a[1] * k, a[2] * k} }
func (a vec) length() float64     { return math.Sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2]) }
func (a vec) cross(b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// unit returns the vector scaled to the length 1. For the zero vector it returns the zero vector.
func (a vec) unit() vec {
	if n := a.length(); n > 0 {
		return a.times(1 / n)
	}
	return vec{}
}

// limited returns the vector, shortened to the length n if it is longer.
func (a vec) limited(n float64) vec {
	if a.length() > n {
		return a.unit().times(n)
	}
	return a
}

// wanderState is the state of a wanderer of StinkySteak's benchmark between two frames.
type wanderState struct {
	velocity, goal vec  // in units per second; goal is relative to the member
	started        bool // the member has been placed
}

// randomUnit returns a unit vector with a random direction.
func randomUnit(rng *rand.Rand) vec {
	for {
		v := vec{rng.Float64()*2 - 1, rng.Float64()*2 - 1, rng.Float64()*2 - 1}
		if n := v.length(); n > 0.01 && n <= 1 {
			return v.unit()
		}
	}
}

// pointAhead returns a random point toward which a wanderer can steer, relative to the wanderer. The point is on a disc that is
// perpendicular to the velocity and has its centre one unit ahead of the wanderer.
func pointAhead(rng *rand.Rand, velocity vec) vec {
	ahead := velocity.unit()
	right := vec{0, 1, 0}.cross(ahead).unit()
	up := ahead.cross(right)
	r, angle := wanderCircle*math.Sqrt(rng.Float64()), 2*math.Pi*rng.Float64()
	return ahead.plus(right.times(r * math.Cos(angle))).plus(up.times(r * math.Sin(angle)))
}

// publishedWander moves a member by the rules of StinkySteak's benchmark. The member's yaw and pitch follow its direction of
// movement.
func publishedWander(rng *rand.Rand, m *Member, dt float64) {
	w := &m.wander
	if !w.started {
		w.started = true
		w.velocity = randomUnit(rng)
		w.goal = pointAhead(rng, w.velocity)
		m.x, m.y, m.z = 0, wanderMiddle, 0
	}
	at := vec{m.x, m.y - wanderMiddle, m.z}
	if at.length() > wanderRadius {
		w.goal = w.velocity.unit().plus(at.times(-1).unit())
	} else if rng.Float64() < wanderChance {
		w.goal = pointAhead(rng, w.velocity)
	}
	wanted := w.goal.unit().times(wanderSpeed)
	force := wanted.plus(w.velocity.times(-1)).limited(wanderForce).times(1. / wanderMass)
	w.velocity = w.velocity.plus(force).limited(wanderSpeed)
	m.x, m.y, m.z = m.x+w.velocity[0]*dt, m.y+w.velocity[1]*dt, m.z+w.velocity[2]*dt
	m.direction = math.Atan2(-w.velocity[0], w.velocity[2])
	m.pitch = math.Atan2(w.velocity[1], math.Hypot(w.velocity[0], w.velocity[2]))
}
