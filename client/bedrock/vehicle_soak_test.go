package bedrock

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// soakInputs is the number of inputs that the soak test of each vehicle sends over all networks together: a million
// with TRUESTEP_SOAK=full, which make soak-bedrock sets, and 100,000 with TRUESTEP_SOAK=brief, which make test sets.
func soakInputs() int {
	switch os.Getenv("TRUESTEP_SOAK") {
	case "full":
		return 1_000_000
	case "brief":
		return 100_000
	}
	return 12_000
}

// soakThreshold is the position error in blocks above which the server of a soak test corrects a client.
const soakThreshold = 0.01

// soakNetworks returns the simulated networks of the soak test. RakNet delivers in order and retransmits, so a lost
// datagram delays itself and all later ones by about a round trip. The networks imitate this: instead of losing
// datagrams, they delay 3 % of them by RTT + 50 ms.
func soakNetworks() []netsim.Impairment {
	var all []netsim.Impairment
	for _, rtt := range []uint32{0, 100, 300} {
		all = append(all, netsim.Impairment{DelayMS: rtt / 2, JitterMS: 20, Reorder: 0.03, ReorderMS: rtt + 50})
	}
	return all
}

// landGround returns flat land with a fence, walls, slabs and ice, without water.
func landGround(t testing.TB) *terrain.Blocks {
	t.Helper()
	fill := func(x0, y0, z0, x1, y1, z1 int32, b terrain.BlockID) terrain.BlockFill {
		return terrain.BlockFill{Min: [3]int32{x0, y0, z0}, Max: [3]int32{x1, y1, z1}, Block: b}
	}
	spec := terrain.BlocksSpec{
		Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.FlatGround, Level: 64, Surface: terrain.GrassBlock, Filler: terrain.Stone,
		Fills: []terrain.BlockFill{
			fill(-56, 64, -56, 55, 72, -56, terrain.Stone), fill(-56, 64, 55, 55, 72, 55, terrain.Stone),
			fill(-56, 64, -56, -56, 72, 55, terrain.Stone), fill(55, 64, -56, 55, 72, 55, terrain.Stone),
			fill(-50, 63, -50, -10, 63, 50, terrain.PackedIce), fill(-30, 63, -50, -20, 63, 50, terrain.BlueIce),
			fill(-8, 63, 20, 50, 63, 40, terrain.Slime), fill(-8, 63, -40, 50, 63, -30, terrain.Honey),
		},
	}
	kinds := []terrain.BlockID{terrain.Stone, terrain.SmoothStoneSlab, terrain.GrassBlock, terrain.Honey}
	for i := range int32(60) {
		x, z := -45+i%10*9, -45+i/10*16
		spec.Fills = append(spec.Fills, fill(x, 64, z, x+i%4, 64+i%3/2, z+i%3, kinds[i%4]))
	}
	blocks, err := terrain.NewBlocks(spec)
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

// soakRide is one combination of vehicle and terrain in the soak test.
type soakRide struct {
	name   string
	of     move.VehicleType
	at     geom.Vec
	ground func(t testing.TB) *terrain.Blocks
}

var soakRides = []soakRide{
	{"horse", move.Horse, geom.Vec{X: 6, Y: 64, Z: -20}, landGround},
	{"boat in water", move.Boat, geom.Vec{X: 37.5, Y: 63.62499, Z: 0.5}, ridingGround},
	{"boat on ice", move.Boat, geom.Vec{X: -15.5, Y: 64, Z: 4.5}, landGround},
}

// randomDriver presses random keys for random times.
type randomDriver struct {
	rng   *rand.Rand
	keys  Keys
	until uint64
	turn  float32
}

func (d *randomDriver) act(p *Predictor) Keys {
	if p.Tick() >= d.until {
		r := d.rng
		pick := func(of ...float32) float32 { return of[r.IntN(len(of))] }
		d.until = p.Tick() + 1 + r.Uint64N(40)
		d.keys = Keys{
			Yaw: d.keys.Yaw + pick(0, 0, 1)*(r.Float32()*360-180), Forward: pick(1, 1, 1, 0.6, 0, -1), Strafe: pick(0, 0, 1, -1, 0.4),
			Jump: r.IntN(3) == 0,
		}
		d.turn = pick(0, 0, 1) * (r.Float32()*24 - 12)
		if r.IntN(4) == 0 {
			d.keys.Forward, d.keys.Strafe = 0, 0
			d.keys.PaddleLeft, d.keys.PaddleRight = r.IntN(2) == 0, r.IntN(2) == 0
		}
	}
	d.keys.Yaw = geom.WrapDegrees(d.keys.Yaw + d.turn)
	return d.keys
}

// Honest drivers with random keys are never corrected, over any network, although the server corrects differences above
// a hundredth of a block: client and server compute bit-identical states in every tick.
func TestSoakHonestDriversAreNotCorrected(t *testing.T) {
	if testing.Short() {
		t.Skip("soak tests run without -short")
	}
	for i, c := range soakRides {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			networks := soakNetworks()
			for n, net := range networks {
				r := newRig(t, c.ground(t), net, nil)
				r.server.policy.Threshold = soakThreshold
				r.server.mount(c.of, c.at, 0)
				driver := randomDriver{rng: rand.New(rand.NewPCG(uint64(i), uint64(n)))}
				r.keys = driver.act
				equal := 0
				r.server.afterInput = func(j *authority) {
					clear(j.positions)
					if _, h, ok := r.predict.history.At(j.state.Tick); ok && h.seat == driverSeat {
						if equal++; h.vehicle != j.state.Vehicle {
							t.Fatalf("%+v: tick %d: client %+v\nserver %+v", net, j.state.Tick, h.vehicle, j.state.Vehicle)
						}
					}
				}
				r.play(soakInputs()/len(networks) + 100)
				counts := r.predict.Counts()
				if r.server.corrections+int(counts.Unexpected) > 0 {
					t.Errorf("%+v: %d corrections, %+v", net, r.server.corrections, counts)
				}
				if equal < int(counts.Ticks)*9/10 {
					t.Errorf("%+v: only %d of %d ticks were compared", net, equal, counts.Ticks)
				}
				t.Logf("%d ms: %d inputs, %d of them of a driver, %d compared, off by %.2g, at %v", 2*net.DelayMS, counts.Ticks, counts.VehicleTicks, equal, r.server.maxError, r.predict.Vehicle().Pos)
			}
		})
	}
}

// openGround returns flat stone or deep water without obstacles, wide enough for a straight run.
func openGround(water bool) func(t testing.TB) *terrain.Blocks {
	return func(t testing.TB) *terrain.Blocks {
		t.Helper()
		spec := terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.FlatGround, Level: 64, Surface: terrain.Stone, Filler: terrain.Stone}
		if water {
			spec.Fills = []terrain.BlockFill{{Min: [3]int32{-64, 58, -64}, Max: [3]int32{79, 63, 79}, Block: terrain.Water}}
		}
		blocks, err := terrain.NewBlocks(spec)
		if err != nil {
			t.Fatal(err)
		}
		return blocks
	}
}

// On the server, a cheating driver is at most policy.MaxGain ahead of an honest driver with the same keys, gains no
// height, and does not turn the vehicle.
func TestSoakCheatingDriversGainNoMoreThanDocumentedBound(t *testing.T) {
	const frames = 200 // frames of 50 ms: 10 s
	drift := &Tamper{AlterVehicle: func(_ move.Vehicle, after *move.Vehicle, _ *move.Input) { after.Pos.Z += 0.0048 }}
	lean := &Tamper{AlterInput: func(in *move.Input) { in.Pos.Z += 0.45 }}
	cheats := map[string]*Tamper{"drift": drift, "lean": lean}
	for _, name := range []string{"speed", "fly", "spin", "teleport", "nan"} {
		cheats[name], _ = NewCheat(name, rand.New(rand.NewPCG(7, 8)))
	}
	run := func(t *testing.T, of move.VehicleType, tamper *Tamper, inputsPerFrame float64) (v move.Vehicle, top float32, server *authority) {
		water := vehicleKinds[of].Boat
		at := geom.Vec{X: 0.5, Y: 64, Z: -59.5}
		if water {
			at.Y = 63.62499
		}
		r := newRig(t, openGround(water)(t), netsim.Impairment{DelayMS: 50}, tamper)
		r.server.mount(of, at, vehicleKinds[of].YawOffset)
		r.keys = func(p *Predictor) Keys { return Keys{Forward: 1} }
		extra := 0.0
		r.before = func(*Predictor) {
			for extra += inputsPerFrame - 1; extra >= 1; extra-- {
				if err := r.client.Tick(int64(r.now)*1e6, r); err != nil {
					t.Fatal(err)
				}
				r.send()
			}
		}
		r.server.afterInput = func(j *authority) { top = max(top, j.state.Vehicle.Pos.Y) }
		r.play(frames)
		return r.server.state.Vehicle, top, r.server
	}
	for _, of := range []move.VehicleType{move.Horse, move.Boat} {
		honest, honestTop, server := run(t, of, nil, 1)
		if server.corrections > 0 {
			t.Fatalf("%v: an honest driver was corrected %d times", of, server.corrections)
		}
		allowed := server.policy.MaxGain(frames / 20)
		for name, tamper := range cheats {
			t.Run(fmt.Sprint(of, " ", name), func(t *testing.T) {
				v, top, server := run(t, of, tamper, 1)
				gain, aside := v.Pos.Z-honest.Pos.Z, geom.Abs(v.Pos.X-honest.Pos.X)
				if gain > allowed || aside > allowed || top > honestTop+1e-3 || geom.Abs(v.Yaw-honest.Yaw) > 1 {
					t.Errorf("gained %v of %v ahead, %v aside, %v up, yaw %v", gain, allowed, aside, top-honestTop, v.Yaw-honest.Yaw)
				}
				t.Logf("gained %.3f of %.3f blocks, %d corrections, suspicion %d", gain, allowed, server.corrections, server.state.Suspicion)
			})
		}
		t.Run(fmt.Sprint(of, " timer"), func(t *testing.T) {
			v, _, _ := run(t, of, &Tamper{Rate: 1.25}, 1.25)
			if gain := v.Pos.Z - honest.Pos.Z; gain > allowed {
				t.Errorf("gained %v of %v", gain, allowed)
			} else {
				t.Logf("gained %.3f of %.3f blocks", gain, allowed)
			}
		})
	}
}
