package sim

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/truestep-io/truestep/internal/race"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// cheatClient is a client that runs as fast as it can and sometimes sends random intents.
type cheatClient struct {
	*rand.Rand
	x    *actor
	tick uint64
	odd  float32 // probability of each anomaly in one input, 0..1
	yaw  float32
}

func pick[T any](c *cheatClient, list ...T) T { return list[c.IntN(len(list))] }

func (c *cheatClient) misbehaves() bool { return c.Float32() < c.odd }

// intents returns the intents that the cheat client sends in one server tick: mostly one input, sometimes none for several
// ticks and then many.
func (c *cheatClient) intents() (ins []Intent) {
	n := 1
	if c.misbehaves() {
		n = pick(c, 0, 0, 0, 2, 8, 30)
	}
	for range n {
		if c.misbehaves() {
			ins = append(ins, pick(c,
				Intent{Kind: IntentUseItem, Who: 1}, Intent{Kind: IntentUseItem, Who: 1, Amount: 1}, Intent{Kind: IntentAttack, Who: 1, Target: 2},
				Intent{Kind: IntentBarrierAck, Who: 1, Serial: uint32(c.IntN(9))}, Intent{Kind: IntentBarrierAck, Who: 1, Serial: predictOf(c.x).serial},
			))
		}
		ins = append(ins, Intent{Kind: IntentInput, Who: 1, Input: c.input()})
	}
	return ins
}

func (c *cheatClient) input() move.Input {
	nan := float32(math.NaN())
	far := func() float32 { return pick(c, 0, 0.004, 0.3, 1, -2, 40, 1e9, nan) }
	c.tick++
	in := move.Input{Tick: c.tick, Yaw: c.yaw, Move: [2]float32{0, 1}, Pos: predictOf(c.x).Avatar.Pos,
		Flags: move.InputStartSprint | move.InputStartJump | move.InputUp}
	in.Pos.X += 1
	in.Pos.Y += 1
	in.Delta = geom.Vec{X: 1, Y: 1}
	if predictOf(c.x).Teleport.Open && !c.misbehaves() {
		in.Flags |= move.InputHandledTeleport
	}
	if c.misbehaves() {
		c.yaw = float32(c.IntN(360) - 180)
		in.Flags ^= 1 << c.IntN(29) // any flag except the one that the door sets
	}
	if c.misbehaves() {
		in.Flags ^= 1 << c.IntN(29)
		in.Move = [2]float32{pick(c, 0, 1, -1, 50, nan), pick(c, 0, 1, -1, 50, nan)}
		in.Pos = in.Pos.Add(geom.Vec{X: far(), Y: far(), Z: far()})
		in.Delta = geom.Vec{X: far(), Y: far(), Z: far()}
		in.Pitch, in.RTT = far(), uint16(c.IntN(1<<16))
	}
	if c.odd > 0 && c.IntN(100) == 0 {
		c.tick += pick[uint64](c, 1, 30, 500, 1<<40)
		in.Tick = c.tick - pick[uint64](c, 0, 0, 1)
	}
	return in
}

// A client that sends random inputs and intents in any order moves its player no farther than the player's speed allows,
// and cannot make a queue grow without limit. After a restore from a snapshot, equal intents give equal frames.
func TestRandomCheatingClientGainsNoDistanceOrTime(t *testing.T) {
	w := predictWorld()
	w.Rules.Predict.KickSuspicion = 0
	ground, err := terrain.NewBlocks(terrain.BlocksSpec{
		Grid: w.Areas[areaField].BlockGrid, Ground: terrain.FlatGround, Level: 64, Surface: terrain.GrassBlock, Filler: terrain.Dirt,
		Fills: []terrain.BlockFill{
			{Min: [3]int32{2, 60, -3}, Max: [3]int32{6, 63, 3}, Block: terrain.Water},
			{Min: [3]int32{-4, 64, -9}, Max: [3]int32{-4, 67, 9}, Block: terrain.Stone},
			{Min: [3]int32{-3, 64, 2}, Max: [3]int32{-3, 67, 2}, Block: terrain.Ladder},
			{Min: [3]int32{-9, 64, -6}, Max: [3]int32{9, 64, -5}, Block: terrain.SmoothStoneSlab},
			{Min: [3]int32{-2, 63, 4}, Max: [3]int32{2, 63, 8}, Block: terrain.Slime},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Areas[areaField].Blocks = ground
	seeds := uint64(300)
	if race.Enabled {
		seeds = 30
	}
	for seed := range seeds {
		s := newStage(t, w)
		c := &cheatClient{Rand: rand.New(rand.NewPCG(seed, 1)), tick: 100}
		c.x, c.odd, c.yaw = s.predictClient(1, geom.Vec{}).x, pick[float32](c, 0, 0.01, 0.05, 0.3), float32(c.IntN(8)*45-180)
		c.runTenSeconds(t, s)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// runTenSeconds makes the client run for ten seconds and fails the test if its player moves farther than the speed allows.
func (c *cheatClient) runTenSeconds(t *testing.T, s *stage) {
	y := s.player(2, geom.Vec{X: 7})
	start, knocks := predictOf(c.x).Avatar.Pos, float32(0)
	var again *Area
	for i := range 200 {
		switch c.IntN(60) {
		case 0:
			s.a.beginFrame()
			c.x.authority.knockback(s.a, c.x, y)
			s.a.publish()
			knocks += 0.4 / (1 - 0.91)
			again = nil
		case 1:
			again, _ = Restore(s.w, s.a.Snapshot(nil))
		}
		ins := c.intents()
		for j := range ins {
			ins[j].AtMS = s.a.ms() + 50
		}
		s.step(ins...)
		if again != nil {
			f := again.Step(ins)
			if f.Hash != s.f.Hash || !reflect.DeepEqual(f.Avatars, s.f.Avatars) || len(f.Events) != len(s.f.Events) {
				t.Errorf("tick %d differs after a restore", f.Tick)
				return
			}
		}
		at := predictOf(c.x).Avatar
		if d, maximum := geom.DistXZ(start, at.Pos), 0.4*float32(i+1)+1+knocks; d > maximum {
			t.Errorf("%v blocks in %d ticks", d, i+1)
			return
		}
		if at.Pos.Y > 68+1.7+knocks || !geom.Finite(at.Pos.Y) || !geom.Finite(at.Vel.X) || !geom.Finite(at.Yaw) {
			t.Errorf("at %v with %v", at.Pos, at.Vel)
			return
		}
		if n := len(predictOf(c.x).queue); n > int(s.w.Rules.Predict.QueueSize)+maxActions {
			t.Errorf("%d actions queued", n)
			return
		}
	}
}
