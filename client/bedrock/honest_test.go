package bedrock

import (
	"math/rand/v2"
	"testing"

	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// changeRandomly returns a function that changes a player at random as a server would: knockback, effects, speed and
// actor data.
func changeRandomly(rng *rand.Rand) func(j *authority) {
	return func(j *authority) {
		a := &j.state.Avatar
		switch rng.IntN(300) {
		case 0, 1:
			j.applyKnockback(geom.Vec{X: rng.Float32() - 0.5, Y: 0.4 * rng.Float32(), Z: rng.Float32() - 0.5})
		case 2:
			a.JumpBoost = uint8(rng.IntN(3))
			e := proto.MobEffect{Runtime: ownID, Event: proto.EffectAdd, Effect: proto.EffectJumpBoost, Amplifier: int32(a.JumpBoost) - 1, Tick: j.state.Tick}
			if a.JumpBoost == 0 {
				e.Event = proto.EffectRemove
			}
			j.queue(e)
			j.sendBarrier()
		case 3:
			a.Speed = [...]float32{0.1, 0.12, 0.14, 0.085}[rng.IntN(4)]
			j.queue(proto.UpdateAttributes{Runtime: ownID, Tick: j.state.Tick, Attributes: []proto.Attribute{{
				Name: proto.AttributeMovement, Current: a.MovementSpeed(), Default: move.WalkSpeed,
			}}})
			j.sendBarrier()
		case 4:
			j.sendActorData(j.state.Tick)
		}
	}
}

// An honest client applies each change at the tick that the server states. Corrections therefore do not move the client, and in the
// end client and server agree on the position. Corrections that move nothing are allowed: if an input matches before the effect of a
// change begins, the server wrongly concludes that the client knows of the change (rule SV-14 of docs/wire/bedrock.md).
func TestCorrectionsAfterChangesByServerDoNotMoveHonestClient(t *testing.T) {
	blocks := playground(t)
	for name, net := range map[string]netsim.Impairment{
		"no delay": {}, "200 ms": {DelayMS: 100}, "jitter": {DelayMS: 60, JitterMS: 120},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(4) {
				r := newRig(t, blocks, net, nil)
				r.server.policy.Threshold = 0.05
				r.keys = randomKeys(seed)
				r.server.afterInput = changeRandomly(rand.New(rand.NewPCG(seed, 2)))
				r.play(2000)
				r.server.afterInput = nil
				r.play(60)
				c := r.client.Counts()
				if c.Move.Corrections != c.Move.NoEffect || r.server.last.PosError > 1e-4 {
					t.Errorf("seed %d: off by %v in the end, %+v", seed, r.server.last.PosError, c)
				}
				if c.Move.Motions == 0 || c.Rewind.Visible == 0 {
					t.Errorf("seed %d: no visible change: %+v", seed, c)
				}
			}
		})
	}
}
