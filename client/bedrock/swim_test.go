package bedrock

import (
	"testing"

	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// lake is a lake of 24 x 24 blocks, 8 deep, whose surface is level with the ground at 64.
func lake(t testing.TB) *terrain.Blocks {
	b, err := terrain.NewBlocks(terrain.BlocksSpec{
		Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Level: 64, Surface: terrain.GrassBlock, Filler: terrain.Dirt,
		Fills: []terrain.BlockFill{
			{Min: [3]int32{-12, 56, -12}, Max: [3]int32{11, 63, 11}, Block: terrain.Water},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// An honest player that dives, swims, surfaces and climbs out is never corrected, and its inputs have no anomalies.
func TestSwimmerIsNotCorrected(t *testing.T) {
	blocks := lake(t)
	p := NewPredictor(geom.Vec{X: 0.5, Y: 63, Z: 0.5}, 100, 40, nil)
	sendGround(t, p.Ground(), blocks, 1)
	policy := move.DefaultPredictPolicy()
	policy.Threshold, policy.AcceptShare, policy.VelocityThreshold = 1e-3, 0, 1e-4
	server := move.PredictState{Avatar: p.State(), Tick: 100, NewestTick: 100, Started: true}
	var scratch move.Scratch
	swam, out := 0, false
	for i := 0; i < 600 && !out; i++ {
		k := Keys{Yaw: 0}
		switch {
		case i < 30: // let the player sink
		case i < 90:
			k.Forward, k.Sprint, k.Pitch = 1, true, 20
		case i < 150:
			k.Forward, k.Sprint, k.Pitch, k.Yaw = 1, true, -25, 180
		case i < 170:
			k.Sneak, k.Forward = true, 1
		default:
			k.Forward, k.Jump = 1, true
		}
		in := p.Advance(k)
		if why := policy.Admit(&server, &in); why != 0 {
			t.Fatalf("input %d: %v", i, why)
		}
		v := policy.Process(&server, &in, blocks, &scratch)
		if v.Correct != 0 || v.Anomalies[0] != 0 {
			t.Fatalf("input %d: %+v, client at %+v, server at %+v", i, v, p.State(), server.Avatar)
		}
		if server.Avatar != p.State() {
			t.Fatalf("input %d: server %+v, client %+v", i, server.Avatar, p.State())
		}
		if server.Avatar.Swimming {
			swam++
		}
		out = server.Avatar.OnGround && server.Avatar.Pos.Y == 64
	}
	if swam < 60 || !out {
		t.Errorf("swam for %d inputs, climbed out %v, at %v", swam, out, server.Avatar.Pos)
	}
}

// A client that is corrected while it swims replays its inputs and reaches the server's state.
func TestSwimmingClientReachesServerStateAfterCorrection(t *testing.T) {
	blocks := lake(t)
	p := NewPredictor(geom.Vec{X: 0.5, Y: 58, Z: -8.5}, 100, 40, nil)
	sendGround(t, p.Ground(), blocks, 1)
	server := p.State()
	var scratch move.Scratch
	states := map[uint64]move.Avatar{}
	step := func() {
		in := p.Advance(Keys{Forward: 1, Sprint: true, Pitch: -5})
		server.Step(&in, blocks, &scratch)
		states[in.Tick] = server
	}
	for range 20 {
		step()
	}
	server.Pos.X += 1 // a change that the client does not know of
	at := p.Tick()
	for range 6 {
		step()
	}
	pushed := states[at]
	pushed.Pos.X++
	p.history.Add(at, stateUpdate{kind: updateCorrection, pos: pushed.Pos, vel: pushed.Vel, onGround: pushed.OnGround})
	if p.Reconcile(); p.State() != server || !server.Swimming {
		t.Errorf("replayed to %+v, the server has %+v", p.State(), server)
	}
}

// The client takes its Depth Strider level from the boots in an armour packet, immediately.
func TestClientReadsDepthStriderLevelFromItsBoots(t *testing.T) {
	p := NewPredictor(geom.Vec{}, 100, 40, nil)
	armour := func(boots proto.Item) []proto.Item { return []proto.Item{{}, {}, {}, boots} }
	for _, c := range []struct {
		items []proto.Item
		want  uint8
	}{
		{armour(proto.EnchantedItem(7, proto.EnchantmentDepthStrider, 2)), 2},
		{armour(proto.SimpleItem(7, 1, 0)), 0},
		{armour(proto.EnchantedItem(7, proto.EnchantmentDepthStrider, 3)), 3},
		{nil, 0},
	} {
		if p.SetArmor(c.items); p.State().DepthStrider != c.want {
			t.Errorf("%v: level %d, want %d", c.items, p.State().DepthStrider, c.want)
		}
	}
}

// A bot crosses a lake by swimming or at its surface, and climbs out on the other side, without corrections.
func TestBotCrossesLakeWithoutCorrections(t *testing.T) {
	blocks, err := terrain.NewBlocks(terrain.BlocksSpec{
		Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Level: 64, Surface: terrain.GrassBlock, Filler: terrain.Dirt,
		Fills: []terrain.BlockFill{{Min: [3]int32{-40, 56, 5}, Max: [3]int32{40, 63, 24}, Block: terrain.Water}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, sprint := range map[string]bool{"swimming": true, "at the surface": false} {
		t.Run(name, func(t *testing.T) {
			u := newRig(t, blocks, netsim.Impairment{DelayMS: 60, JitterMS: 20}, nil)
			u.server.policy.Threshold = 0.01
			me, swam := &Player{s: u.client}, 0
			u.keys = func(p *Predictor) Keys {
				if p.State().Swimming {
					swam++
				}
				k := me.KeysToward(geom.Vec{X: 0.5, Y: 64, Z: 40})
				k.Sprint = sprint
				return me.KeepAfloat(k)
			}
			for range 600 {
				if u.play(1); u.server.state.Avatar.Pos.Z > 28 {
					break
				}
			}
			if a := u.server.state.Avatar; a.Pos.Z <= 28 || a.Pos.Y != 64 || swam > 40 != sprint || u.server.corrections > 0 {
				t.Errorf("at %v, swam for %d inputs, %d corrections", a.Pos, swam, u.server.corrections)
			}
		})
	}
}
