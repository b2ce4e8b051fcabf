package bedrock

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// A client on flat terrain reproduces the trajectories of docs/wire/bedrock.md bit for bit.
func TestPredictedTrajectoriesMatchWireDoc(t *testing.T) {
	b, err := os.ReadFile("testdata/trajectories.json")
	if err != nil {
		t.Fatal(err)
	}
	var tables map[string][]struct {
		Pos, Vel [3]float32
		OnGround bool
	}
	if err := json.Unmarshal(b, &tables); err != nil {
		t.Fatal(err)
	}
	for name, keys := range map[string]func(n int) Keys{
		"walk":       func(int) Keys { return Keys{Forward: 1} },
		"jump":       func(n int) Keys { return Keys{Jump: n == 1} },
		"sprintjump": func(n int) Keys { return Keys{Forward: 1, Sprint: true, Jump: n == 9} },
		"sneak":      func(int) Keys { return Keys{Forward: 1, Sneak: true} },
		"walkstop":   func(n int) Keys { return Keys{Forward: float32(boolToInt(n <= 6))} },
	} {
		t.Run(name, func(t *testing.T) {
			table := tables[name]
			if len(table) == 0 {
				t.Fatalf("no table %q among %d", name, len(tables))
			}
			r := newRig(t, nil, netsim.Impairment{}, nil)
			for i, want := range table {
				in := r.predict.Advance(keys(i + 1))
				a := r.predict.State()
				if vec3(a.Pos) != want.Pos || vec3(a.Vel) != want.Vel || a.OnGround != want.OnGround {
					t.Fatalf("tick %d: %v %v %v, want %v", i+1, a.Pos, a.Vel, a.OnGround, want)
				}
				if in.Tick != firstTick+uint64(i)+1 || in.Pos != a.Pos || in.Delta != a.Vel {
					t.Fatalf("tick %d: sent %+v", i+1, in)
				}
			}
		})
	}
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// randomKeys returns a function that chooses random keys from a seed, but keeps the player on the terrain that was
// sent.
func randomKeys(seed uint64) func(*Predictor) Keys {
	r := rand.New(rand.NewPCG(seed, 1))
	var k Keys
	return func(p *Predictor) Keys {
		if r.IntN(15) == 0 {
			k = Keys{
				Yaw: r.Float32()*360 - 180, Pitch: r.Float32()*180 - 90, Forward: float32(r.IntN(3) - 1), Strafe: float32(r.IntN(3) - 1),
				Sneak: r.IntN(4) == 0, Sprint: r.IntN(2) == 0,
			}
		}
		k.Jump = r.IntN(10) == 0
		if at := p.State().Pos; geom.DistXZ(at, start) > 30 {
			k.Yaw, _ = keys.ViewDirection(at, start)
			k.Forward = 1
		}
		return k
	}
}

// playground returns terrain with obstacles and all blocks with special physics: steps, ice, slime, sand, a ladder, a
// web, a wall.
func playground(t testing.TB) *terrain.Blocks {
	t.Helper()
	b, err := makePlayground()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var makePlayground = sync.OnceValues(func() (*terrain.Blocks, error) {
	fill := func(x, y, z, x2, y2, z2 int32, id terrain.BlockID) terrain.BlockFill {
		return terrain.BlockFill{Min: [3]int32{x, y, z}, Max: [3]int32{x2, y2, z2}, Block: id}
	}
	return terrain.NewBlocks(terrain.BlocksSpec{
		Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Level: 64, Surface: terrain.GrassBlock, Filler: terrain.Dirt,
		Fills: []terrain.BlockFill{
			fill(3, 63, -6, 9, 63, 6, terrain.Ice), fill(-9, 63, 3, -3, 63, 9, terrain.Slime),
			fill(-9, 63, -9, -4, 63, -4, terrain.SoulSand), fill(4, 64, 8, 8, 64, 8, terrain.SmoothStoneSlab),
			fill(4, 64, 9, 8, 64, 12, terrain.Stone), fill(-6, 64, 0, -6, 68, 0, terrain.Stone),
			fill(-6, 64, -1, -6, 68, -1, terrain.Ladder), fill(0, 64, -7, 1, 65, -6, terrain.Web),
			fill(-20, 64, -20, 20, 67, -20, terrain.Bricks), fill(-20, 64, 20, 20, 67, 20, terrain.Bricks),
			fill(-20, 64, -20, -20, 67, 20, terrain.Bricks), fill(20, 64, -20, 20, 67, 20, terrain.Bricks),
			fill(12, 63, 12, 16, 63, 16, terrain.Water),
		},
	})
})

// Scenario A-5 of docs/wire/bedrock.md: an honest player is never corrected, on any connection, even if the server
// corrects differences above 0.01 blocks.
func TestHonestPlayerIsNeverCorrected(t *testing.T) {
	for name, net := range map[string]netsim.Impairment{
		"no delay": {}, "100 ms": {DelayMS: 50}, "300 ms": {DelayMS: 150}, "jitter": {DelayMS: 50, JitterMS: 150},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, playground(t), net, nil)
			r.server.policy.Threshold = 0.01
			r.keys = randomKeys(3)
			r.play(3000)
			c := r.client.Counts()
			if r.server.corrections != 0 || c.Move.Corrections != 0 || c.Rewind.Visible != 0 {
				t.Errorf("%d corrections, %+v", r.server.corrections, c)
			}
			if r.server.maxError > 1e-4 {
				t.Errorf("server and client differed by %v blocks", r.server.maxError)
			}
			if c.Move.ActorData == 0 || c.Rewind.Unchanged == 0 {
				t.Errorf("no packet with a tick was received: %+v", c)
			}
		})
	}
}

// Scenario A-6 of docs/wire/bedrock.md: one wrong position is corrected once, with its tick, and afterwards client and
// server agree.
func TestOneWrongPositionIsCorrectedOnce(t *testing.T) {
	const wrong = firstTick + 30
	r := newRig(t, nil, netsim.Impairment{DelayMS: 100}, &Tamper{AlterStep: func(before move.Avatar, after *move.Avatar, in *move.Input) {
		if in.Tick == wrong {
			after.Pos.X += 0.6
		}
	}})
	var corrected uint64
	r.server.afterInput = func(j *authority) {
		if j.corrections > 0 && corrected == 0 {
			corrected = j.state.Tick
		}
		if x := j.state.Avatar.Pos.X; x != start.X {
			t.Errorf("tick %d: the server accepted %v", j.state.Tick, x)
		}
	}
	r.play(60)
	if r.server.corrections != 1 || corrected != wrong {
		t.Errorf("%d corrections, the first for tick %d", r.server.corrections, corrected)
	}
	if r.server.last.PosError > 0.001 {
		t.Errorf("server and client still differ by %v", r.server.last.PosError)
	}
	if c := r.client.Counts(); c.Move.Corrections != 1 || c.Move.Tampered != 1 || c.Move.Unexpected != 0 || c.Rewind.Visible != 1 {
		t.Errorf("counts %+v", c)
	}
}

// Scenario A-8 of docs/wire/bedrock.md: a correction whose tick is no longer in the history is applied immediately,
// without a replay.
func TestCorrectionOfTickOutsideHistoryAppliesImmediately(t *testing.T) {
	r := newRig(t, nil, netsim.Impairment{}, nil)
	r.play(100)
	r.predict.AddCorrection(proto.CorrectPlayerMovePrediction{Position: vec3(eyeOf(geom.Vec{X: 9, Y: 64, Z: 9})), Tick: firstTick + 20, OnGround: true})
	if a := r.predict.State(); a.Pos.X != 9 || a.Pos.Z != 9 {
		t.Errorf("at %v", a.Pos)
	}
	if s := r.predict.RewindStats(); s.Late != 1 || s.Replayed != 0 {
		t.Errorf("statistics %+v", s)
	}
}

// Scenario A-2b of docs/wire/bedrock.md: a knockback by SetActorMotion causes a temporary difference but no correction,
// and then client and server continue on the same path.
func TestKnockbackIsReplayedWithoutCorrection(t *testing.T) {
	r := newRig(t, nil, netsim.Impairment{DelayMS: 100}, nil)
	r.server.policy.Threshold = 0.01
	r.server.afterInput = func(j *authority) {
		if j.state.Tick == firstTick+20 {
			j.applyKnockback(geom.Vec{X: 0.4, Y: 0.4})
		}
	}
	r.play(80)
	if r.server.corrections != 0 {
		t.Errorf("%d corrections", r.server.corrections)
	}
	if r.server.last.PosError > 1e-4 || r.server.maxError < 0.3 {
		t.Errorf("final difference %v, maximum %v", r.server.last.PosError, r.server.maxError)
	}
	if s := r.predict.RewindStats(); s.Visible != 1 || s.MaxReplayed < 3 {
		t.Errorf("statistics %+v", s)
	}
	said, after, ok := r.predict.StateAt(firstTick + 60)
	if at := r.server.positions[firstTick+60]; !ok || after.Pos != at || said != at {
		t.Errorf("after tick 60: client sent %v and has %v, server has %v", said, after.Pos, at)
	}
}

// Scenarios A-1a and A-1b of docs/wire/bedrock.md: under the server's physics and policy, sneak metadata without a tick
// leads to a correction at a small threshold; with a tick it leads to none.
func TestSneakingSetByServerCausesCorrectionOnlyIfPacketHasNoTick(t *testing.T) {
	for name, timed := range map[string]bool{"A-1a without tick": false, "A-1b with tick": true} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil, netsim.Impairment{DelayMS: 100}, nil)
			r.server.policy.Threshold = 0.05
			frame, wrong := 0, false
			r.keys = func(*Predictor) Keys { return Keys{Forward: 1, Sneak: frame >= 20 && frame < 22} }
			r.before = func(p *Predictor) {
				frame = int(r.now / frameMS)
				wrong = wrong || frame > 24 && p.State().Sneaking
			}
			r.server.beforeInput = func(j *authority) {
				if frame == 23 { // at frame 21 the server has processed the start of sneaking, but not the end
					tick := uint64(0)
					if timed {
						tick = j.state.Tick
					}
					if !j.state.Avatar.Sneaking {
						t.Error("the server's player does not sneak yet")
					}
					j.sendActorData(tick)
				}
			}
			r.play(80)
			if got := r.server.corrections > 0; got == timed {
				t.Errorf("%d corrections", r.server.corrections)
			}
			if wrong == timed {
				t.Errorf("sneaking after the key was released: %v", wrong)
			}
			if r.predict.State().Sneaking { // without a tick, a correction has ended the posture by now
				t.Error("still sneaking")
			}
			if c := r.client.Counts(); timed && c.Rewind.Visible != 0 {
				t.Errorf("counts %+v", c)
			}
		})
	}
}

// Rule CL-5 of docs/wire/bedrock.md: a teleport sets the position, and only the next input acknowledges it.
func TestNextInputAcknowledgesTeleport(t *testing.T) {
	r := newRig(t, nil, netsim.Impairment{}, nil)
	r.keys = func(*Predictor) Keys { return Keys{} }
	r.play(10)
	r.predict.AddTeleport(proto.MovePlayer{Position: vec3(eyeOf(geom.Vec{X: 8, Y: 64, Z: -3})), Mode: proto.MoveTeleport, Tick: firstTick + 9, Yaw: 90})
	first, second := r.predict.Advance(Keys{}), r.predict.Advance(Keys{})
	if !first.Flags.Has(move.InputHandledTeleport) || second.Flags.Has(move.InputHandledTeleport) {
		t.Errorf("handled in the first %v, in the second %v", first.Flags, second.Flags)
	}
	if first.Pos.X != 8 || first.Pos.Z != -3 {
		t.Errorf("first input is at %v", first.Pos)
	}
}

// After a teleport a moving client and the server agree again within one RTT.
func TestClientAndServerHaveSamePositionAfterTeleport(t *testing.T) {
	r := newRig(t, nil, netsim.Impairment{DelayMS: 100}, nil)
	r.server.afterInput = func(j *authority) {
		if j.state.Tick == firstTick+20 {
			j.teleport(geom.Vec{X: 20.5, Y: 64, Z: 20.5})
		}
	}
	r.play(100)
	if r.server.last.Held || r.server.last.PosError > 0.001 {
		t.Errorf("last result %+v", r.server.last)
	}
	if c := r.client.Counts().Move; c.Teleports != 1 || c.AfterTeleport != c.Corrections || c.Unexpected != 0 {
		t.Errorf("counts %+v", c)
	}
}

// A client replays its inputs at the target of a teleport, where its player jumps in other ticks than at the place where the client
// made the inputs. The server knows the jump delay of the client after the replay, which is not in the correction. So no second
// correction follows, even if the delay began and ended during the replay.
func TestPlayerThatHoldsJumpKeyIsCorrectedOnceAfterTeleport(t *testing.T) {
	for _, delay := range []uint32{50, 100, 200, 300, 400, 500, 600} {
		for ahead := range uint64(12) {
			r := newRig(t, nil, netsim.Impairment{DelayMS: delay}, nil)
			r.server.policy.Threshold = 0.05
			r.keys = func(p *Predictor) Keys { return Keys{Forward: 1, Jump: p.Tick()+ahead >= firstTick+20} }
			r.server.afterInput = func(j *authority) {
				if j.state.Tick == firstTick+20 {
					j.teleport(geom.Vec{X: 20.5, Y: 64, Z: 20.5})
				}
			}
			r.play(120)
			c := r.client.Counts().Move
			if c.Teleports != 1 || c.Corrections != 1 || c.AfterTeleport != 1 || c.Unexpected != 0 {
				t.Errorf("delay %d ms, key pressed %d ticks before the teleport: %+v", delay, ahead, c)
			}
		}
	}
}

// Rule CH-1 of docs/wire/bedrock.md: a player does not move where the server has not sent the terrain.
func TestPlayerOnUnsentTerrainDoesNotMove(t *testing.T) {
	p := NewPredictor(start, firstTick, 40, nil)
	for range 50 {
		p.Advance(Keys{Forward: 1, Jump: true})
	}
	if a := p.State(); a.Pos != start || a.Vel != (geom.Vec{}) {
		t.Errorf("moved to %v with %v", a.Pos, a.Vel)
	}
	sendGround(t, p.Ground(), nil, 1)
	p.Advance(Keys{Forward: 1})
	if a := p.State(); a.Pos == start {
		t.Error("player does not move on known terrain")
	}
}

// A tick with a correction does not allocate.
func TestPredictedTickWithCorrectionDoesNotAllocate(t *testing.T) {
	r := newRig(t, playground(t), netsim.Impairment{}, nil)
	keys := Keys{Forward: 1, Sprint: true}
	tick := func() {
		a := r.predict.State()
		r.predict.AddCorrection(proto.CorrectPlayerMovePrediction{
			Position: vec3(eyeOf(a.Pos)), Delta: vec3(a.Vel), OnGround: a.OnGround, Tick: r.predict.Tick(),
		})
		keys.Yaw = float32(r.predict.Tick()%360) - 180
		r.predict.Advance(keys)
	}
	for range 200 {
		tick()
	}
	if n := testing.AllocsPerRun(500, tick); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkAdvance(b *testing.B) {
	r := newRig(b, playground(b), netsim.Impairment{}, nil)
	keys := randomKeys(1)
	b.ReportAllocs()
	for b.Loop() {
		r.predict.Advance(keys(r.predict))
	}
}
