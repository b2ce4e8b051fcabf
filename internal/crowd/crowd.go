// Package crowd simulates crowds of actors that move by simple rules. Its motion is input for measurements and tests of
// protocols.
package crowd

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Scene describes a kind of crowd: the number of its members, its tick rate and the rules by which the members move.
type Scene struct {
	Name    string                                      // name of the scene in flags and reports
	Members int                                         // number of members
	Tick    float64                                     // duration of a tick in seconds
	Unit    float64                                     // resolution of coordinates in blocks; 0 selects 1/64
	Turn    int32                                       // resolution of angles: number of directions in a full turn, a power of two; 0 selects 256
	Level   bool                                        // only the yaw of members is sent, not their pitch; scenes with a Unit of 0 never send a pitch
	step    func(rng *rand.Rand, m *Member, dt float64) // moves a member for dt seconds
}

// Member is the state of one member of a crowd. Lengths are in blocks, speeds in blocks per second, angles in radians.
type Member struct {
	x, y, z    float64
	speed      float64 // horizontal speed of walkers
	direction  float64 // yaw; 0 looks along positive z
	turn       float64 // change of direction in radians per second
	until      float64 // seconds until a walker chooses another motion; 0 before the first tick
	health     int32   // 0..255
	mode       int32   // motion mode of a walker: 0 stands, 1 walks or runs; bit 3 is set during a jump
	vx, vz, vy float64 // velocity of drifters; vy also of walkers that jump
	pitch      float64
	wander     wanderState // only in the scenes of Published
}

// Precise returns a member's position, yaw and pitch as whole numbers in the resolution of the scene: lengths are multiples of
// s.Unit, and angles are multiples of a full turn divided by s.Turn. s.Unit must not be 0.
func (s *Scene) Precise(m *Member) (x, y, z, yaw, pitch int32) {
	length := func(v float64) int32 { return int32(math.Round(v / s.Unit)) }
	angle := func(v float64) int32 { return int32(math.Round(v/(2*math.Pi)*float64(s.Turn))) & (s.Turn - 1) }
	return length(m.x), length(m.y), length(m.z), angle(m.direction), angle(m.pitch)
}

// Values returns a member's state as whole numbers: its position in units of 1/64 block, its yaw in units of 1/256 turn, its
// health 0..255 and its motion mode.
func (m *Member) Values() (x, y, z, yaw, health, mode int32) {
	return int32(math.Round(m.x * 64)), int32(math.Round(m.y * 64)), int32(math.Round(m.z * 64)), int32(math.Round(m.direction/(2*math.Pi)*256)) & 255, m.health, m.mode
}

// Far reports whether the member is more than 32 blocks away from the centre of the scene.
func (m *Member) Far() bool { return math.Hypot(m.x, m.z) > 32 }

// walkers moves a member for dt seconds as players and animals move: it walks straight for some seconds, stands, turns, jumps and
// attacks.
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

// drifters moves a member as asteroids move: it flies straight in any direction and bounces off the border.
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

// wanderers moves a member at a constant speed and changes its direction a little in every tick.
func wanderers(rng *rand.Rand, m *Member, dt float64) {
	m.turn += (rng.Float64()*2 - 1) * 6 * dt
	m.turn *= 1 - dt
	m.direction += m.turn * dt
	m.x -= math.Sin(m.direction) * 3 * dt
	m.z += math.Cos(m.direction) * 3 * dt
}

// Scenes are the scenes that this project defines: players and animals in a vale, wanderers, and asteroids that bounce.
var Scenes = []Scene{
	{Name: "vale", Members: 225, Tick: 1. / 20, step: walkers}, {Name: "wander", Members: 100, Tick: 1. / 60, step: wanderers},
	{Name: "asteroids", Members: 250, Tick: 1. / 30, step: drifters},
}

// Published are scenes of benchmarks that other projects have published, with the published constants. The first is StinkySteak's
// benchmark: its wanderers send positions with a resolution of 1 cm, and quaternions with a resolution of 0.001, which
// corresponds to two angles of 12 bits. The second is the same benchmark, but sends only a yaw, of 10 bits, instead of the two
// angles. The initial probabilities of the web protocol's snapshots were not trained on these scenes.
var Published = []Scene{
	{Name: "stinkysteak", Members: 100, Tick: 1. / 60, Unit: 0.01, Turn: 4096, step: publishedWander},
	{Name: "stinkysteak-yaw", Members: 100, Tick: 1. / 60, Unit: 0.01, Turn: 1024, Level: true, step: publishedWander},
}

// Named returns the scene of Scenes or Published with the given name. ok is false if there is none.
func Named(name string) (Scene, bool) {
	for _, s := range slices.Concat(Scenes, Published) {
		if s.Name == name {
			return s, true
		}
	}
	return Scene{}, false
}

// Crowd is a running simulation of a scene. It is not safe for concurrent use.
type Crowd struct {
	Scene   Scene    // the scene that is simulated
	Members []Member // the order is the same in all ticks
	rng     *rand.Rand
}

// New returns a crowd in its initial state. Crowds with equal scenes and seeds move equally.
func New(s Scene, seed uint64) *Crowd {
	c := &Crowd{Scene: s, Members: make([]Member, s.Members), rng: rand.New(rand.NewPCG(seed, 3))}
	for i := range c.Members {
		m := &c.Members[i]
		m.x, m.z, m.y, m.health = c.rng.Float64()*100-50, c.rng.Float64()*100-50, 64, 255
		m.direction = c.rng.Float64() * 6
	}
	return c
}

// Step simulates one tick, in which every member moves.
func (c *Crowd) Step() {
	for i := range c.Members {
		c.Scene.step(c.rng, &c.Members[i], c.Scene.Tick)
	}
}
