package web

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"testing"
)

// scene is a crowd that moves by rules of its own.
type scene struct {
	name    string
	actors  int
	perTick float64 // share of a second that a tick is
	step    func(rng *rand.Rand, m *sceneActor, second float64)
}

// sceneActor is one member of a scene: lengths in blocks, speeds in blocks per second, angles in radians.
type sceneActor struct {
	x, y, z    float64
	speed      float64
	direction  float64
	turn       float64
	until      float64
	health     int32
	mode       int32
	vx, vz, vy float64
}

func (m *sceneActor) values(dst []int32) {
	dst[FieldX], dst[FieldY], dst[FieldZ] = int32(math.Round(m.x*64)), int32(math.Round(m.y*64)), int32(math.Round(m.z*64))
	dst[FieldYaw] = int32(math.Round(m.direction/(2*math.Pi)*256)) & 255
	dst[FieldHealth], dst[FieldFlags] = m.health, m.mode
}

// walkers walk and stand, as players and animals do: straight for some seconds, with turns, jumps and blows.
func walkers(rng *rand.Rand, m *sceneActor, dt float64) {
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
func drifters(rng *rand.Rand, m *sceneActor, dt float64) {
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
func wanderers(rng *rand.Rand, m *sceneActor, dt float64) {
	m.turn += (rng.Float64()*2 - 1) * 6 * dt
	m.turn *= 1 - dt
	m.direction += m.turn * dt
	m.x -= math.Sin(m.direction) * 3 * dt
	m.z += math.Cos(m.direction) * 3 * dt
}

var scenes = []scene{
	{"vale", 225, 1. / 20, walkers}, {"wander", 100, 1. / 60, wanderers}, {"asteroids", 250, 1. / 30, drifters},
}

// sceneRun tells a scene to one client over a line and counts bytes.
type sceneRun struct {
	scene   scene
	sim     *simulation
	rng     *rand.Rand
	members []sceneActor
	packets int
	bytes   int
	values  []int32
	onTold  func(t *Teller, h *Header)
}

func newSceneRun(s scene, seed uint64, rttTicks int, loss float64) *sceneRun {
	r := &sceneRun{scene: s, sim: newSimulation(seed, false, 0), rng: rand.New(rand.NewPCG(seed, 3)), members: make([]sceneActor, s.actors), values: make([]int32, BuiltinFields)}
	r.sim.down.delay, r.sim.up.delay = (rttTicks+1)/2, rttTicks/2
	r.sim.down.loss, r.sim.up.loss = loss, loss
	for i := range r.members {
		m := &r.members[i]
		m.x, m.z, m.y, m.health = r.rng.Float64()*100-50, r.rng.Float64()*100-50, 64, 255
		m.direction = r.rng.Float64() * 6
		m.values(r.values)
		r.sim.teller.Enter(uint16(i), 0, r.values)
		r.sim.teller.Confirm(uint16(i))
		if err := r.sim.reader.Enter(uint16(i), 0, r.values); err != nil {
			panic(err)
		}
	}
	return r
}

// step runs a tick.
func (r *sceneRun) step() error {
	s := r.sim
	s.tick++
	for i := range r.members {
		m := &r.members[i]
		r.scene.step(r.rng, m, r.scene.perTick)
		m.values(r.values)
		tolerance := int32(1)
		if math.Hypot(m.x, m.z) > 32 {
			tolerance = 4
		}
		s.teller.Want(uint16(i), r.values, tolerance, 1)
	}
	if r.onTold != nil {
		h := Header{Tick: s.tick, Run: s.teller.run, Refresh: s.teller.refresh, Seq: uint16(s.teller.seq + 1)}
		if s.teller.acked > 0 {
			h.Back = uint8(s.teller.seq + 1 - s.teller.acked)
		}
		s.teller.choose(h.Tick, MaxDatagram-headerLength)
		r.onTold(s.teller, &h)
	}
	b := s.teller.Append(nil, Header{Tick: s.tick}, MaxDatagram)
	r.packets++
	r.bytes += len(b)
	s.down.send(b)
	var failed error
	s.down.receive(func(b []byte) {
		if _, ok, err := s.reader.Read(b, func(uint16, []int32) {}); err != nil {
			failed = err
		} else if ok {
			ack := Ack{s.reader.Received()}
			s.up.send(ack.Append(nil))
		}
	})
	s.up.receive(func(b []byte) {
		if ack, err := ParseAck(b); err == nil {
			_ = s.teller.Ack(ack.Received)
		}
	})
	return failed
}

// packetOverhead is what UDP, IP and QUIC add to a datagram, bytes.
const packetOverhead = 52

// perActor returns the bytes per actor and tick, all headers included.
func (r *sceneRun) perActor() float64 {
	return float64(r.bytes+packetOverhead*r.packets) / float64(r.packets) / float64(r.scene.actors)
}

// counted counts the decisions of one context.
type counted [2]float64

func (c *counted) prob() byte {
	p := (c[0] + 0.4) / (c[0] + c[1] + 0.8)
	return byte(min(max(math.Round(p*256), 1), 255))
}

// numberCounts counts the decisions of a number, in the order of number.each.
type numberCounts [numberContexts]counted

func (c *numberCounts) add(v int32) {
	if v == 0 {
		c[0][0]++
		return
	}
	c[0][1]++
	m := uint32(v)
	sign := 0
	if v < 0 {
		m, sign = -m, 1
	}
	c[1][sign]++
	n := bits.Len32(m)
	for i := 1; i < n; i++ {
		c[1+i][1]++
	}
	if n < maxLength {
		c[1+n][0]++
	}
	if n > 1 {
		c[34+n][m>>(n-2)&1]++
	}
}

// trainPrior returns prior.bin: the shares of the decisions in all scenes, over lines of several kinds.
func trainPrior(t *testing.T) []byte {
	var more [2]counted
	var gap numberCounts
	var fields [classes][BuiltinFields]numberCounts
	for i, s := range scenes {
		for j, l := range []struct {
			rtt  int
			loss float64
		}{{0, 0}, {1, 0}, {2, 0.05}, {4, 0.005}, {8, 0.05}, {14, 0}} {
			r := newSceneRun(s, uint64(100*i+j), l.rtt, l.loss)
			r.onTold = func(t *Teller, h *Header) {
				last, after := -1, 0
				for _, handle := range t.chosen {
					more[after][1]++
					gap.add(int32(int(handle) - last - 1))
					last, after = int(handle), 1
					a := &t.actors[handle]
					base, how := t.against(a, handle, h)
					class := classOf(h.Back)
					if how == againstLast {
						class = 0
					}
					age := base.age(h.Tick)
					for f := range t.layout.kinds[0].fields {
						l := &t.layout.kinds[0].fields[f]
						fields[class][f].add(l.difference(a.want[f], t.layout.predicted(l, base, f, age)))
					}
				}
				more[after][0]++
			}
			for range 600 {
				if err := r.step(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	out := []byte{more[0].prob(), more[1].prob()}
	for i := range gap {
		out = append(out, gap[i].prob())
	}
	for class := range fields {
		for f := range fields[class] {
			for i := range fields[class][f] {
				out = append(out, fields[class][f][i].prob())
			}
		}
	}
	return out
}

// prior.bin is what the scenes give, so that anybody can make it again.
func TestPrior(t *testing.T) {
	got := trainPrior(t)
	if *update {
		if err := os.WriteFile("prior.bin", got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	// Sines may differ in the last bit between processors, and so may a share.
	differs := len(got) != len(priorBytes)
	for i := 0; i < len(got) && !differs; i++ {
		differs = max(got[i], priorBytes[i])-min(got[i], priorBytes[i]) > 1
	}
	if differs {
		t.Error("prior.bin is not what the scenes give: go test ./proto/web -run 'Prior|Vectors' -update writes it, and the vectors that depend on it; it changes the protocol")
	}
}

// BenchmarkSnapshotBytes measures the bytes per actor and tick, headers included, in the scenes of the web specification.
func BenchmarkSnapshotBytes(b *testing.B) {
	for _, s := range scenes {
		for _, rtt := range []int{0, 50, 100, 200} {
			for _, loss := range []float64{0, 0.05} {
				b.Run(fmt.Sprintf("%s/rtt=%dms/loss=%.0f%%", s.name, rtt, 100*loss), func(b *testing.B) {
					total, n := 0., 0
					for range b.N {
						r := newSceneRun(s, 77, int(math.Round(float64(rtt)/1000/s.perTick)), loss)
						for range 400 {
							if err := r.step(); err != nil {
								b.Fatal(err)
							}
						}
						total, n = total+r.perActor(), n+1
					}
					b.ReportMetric(total/float64(n), "B/actor/tick")
				})
			}
		}
	}
}
