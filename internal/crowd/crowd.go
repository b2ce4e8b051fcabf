// Package crowd has crowds of actors that move by simple rules, for measuring and testing protocols that send motion.
package crowd

import (
	"math"
	"math/rand/v2"
)

// Scene is a crowd that moves by rules of its own.
type Scene struct {
	Name    string
	Members int
	Tick    float64 // seconds
	step    func(rng *rand.Rand, m *Member, second float64)
}

// Member is one member of a crowd: lengths in blocks, speeds in blocks per second, angles in radians.
type Member struct {
	x, y, z    float64
	speed      float64
	direction  float64
	turn       float64
	until      float64
	health     int32
	mode       int32
	vx, vz, vy float64
}

// Values returns the place in 1/64 block, the direction in 1/256 turn, the health 0..255 and the mode.
func (m *Member) Values() (x, y, z, yaw, health, mode int32) {
	return int32(math.Round(m.x * 64)), int32(math.Round(m.y * 64)), int32(math.Round(m.z * 64)), int32(math.Round(m.direction/(2*math.Pi)*256)) & 255, m.health, m.mode
}

// Far reports whether the member is beyond 32 blocks of the middle.
func (m *Member) Far() bool { return math.Hypot(m.x, m.z) > 32 }

// walkers walk and stand, as players and animals do: straight for some seconds, with turns, jumps and blows.
func walkers(rng *rand.Rand, m *Member, dt float64) {
	m.until -= dt
	if m.until <= 0 {
		m.until = 0.5 + 5*rng.Float64()
		m.turn = 0
		switch rng.IntN(5) {
		case 0, 1:
			m.speed, m.mode = 0, 0
		case 2:
			m.turn = rng.Float64()*2 - 1
			fallthrough
		default:
			m.speed, m.mode = []float64{2, 4.3, 5.6}[rng.IntN(3)], 1
			m.direction = rng.Float64() * 2 * math.Pi
		}
	}
	if rng.IntN(400) == 0 {
		m.health = int32(rng.IntN(256))
	}
	if m.y == 64 && m.speed > 0 && rng.IntN(200) == 0 {
		m.vy = 8
		m.mode |= 8
	}
	m.direction += m.turn * dt
	m.x -= math.Sin(m.direction) * m.speed * dt
	m.z += math.Cos(m.direction) * m.speed * dt
	if m.y > 64 || m.vy > 0 {
		m.vy -= 28 * dt
		if m.y = max(64, m.y+m.vy*dt); m.y == 64 {
			m.vy = 0
			m.mode &^= 8
		}
	}
}

// drifters fly in all directions and bounce, as asteroids do.
func drifters(rng *rand.Rand, m *Member, dt float64) {
	if m.until == 0 {
		m.until = 1
		m.vx, m.vz, m.vy, m.turn = rng.Float64()*6-3, rng.Float64()*6-3, rng.Float64()*2-1, rng.Float64()*2-1
	}
	m.x, m.y, m.z, m.direction = m.x+m.vx*dt, m.y+m.vy*dt, m.z+m.vz*dt, m.direction+m.turn*dt
	for _, p := range []struct{ at, v *float64 }{{&m.x, &m.vx}, {&m.z, &m.vz}} {
		if math.Abs(*p.at) > 60 {
			*p.v = -*p.v
		}
	}
	if m.y < 64 || m.y > 90 {
		m.vy = -m.vy
	}
}

// wanderers turn all the time at a constant speed.
func wanderers(rng *rand.Rand, m *Member, dt float64) {
	m.turn += (rng.Float64()*2 - 1) * 6 * dt
	m.turn *= 1 - dt
	m.direction += m.turn * dt
	m.x -= math.Sin(m.direction) * 3 * dt
	m.z += math.Cos(m.direction) * 3 * dt
}

// Scenes are the crowds: players and animals, wanderers, and bodies that bounce.
var Scenes = []Scene{
	{"vale", 225, 1. / 20, walkers}, {"wander", 100, 1. / 60, wanderers}, {"asteroids", 250, 1. / 30, drifters},
}

// Named returns the scene with a name, false if there is none.
func Named(name string) (Scene, bool) {
	for _, s := range Scenes {
		if s.Name == name {
			return s, true
		}
	}
	return Scene{}, false
}

// Crowd is a scene in motion. It is not safe for concurrent use.
type Crowd struct {
	Scene   Scene
	Members []Member
	rng     *rand.Rand
}

// New returns a crowd at its start. The same scene and seed give the same motion.
func New(s Scene, seed uint64) *Crowd {
	c := &Crowd{Scene: s, Members: make([]Member, s.Members), rng: rand.New(rand.NewPCG(seed, 3))}
	for i := range c.Members {
		m := &c.Members[i]
		m.x, m.z, m.y, m.health = c.rng.Float64()*100-50, c.rng.Float64()*100-50, 64, 255
		m.direction = c.rng.Float64() * 6
	}
	return c
}

// Step moves every member by a tick.
func (c *Crowd) Step() {
	for i := range c.Members {
		c.Scene.step(c.rng, &c.Members[i], c.Scene.Tick)
	}
}
