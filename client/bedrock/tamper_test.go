package bedrock

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
)

// Under the server's policy, a cheating player gains nothing over an honest player with the same keys.
func TestCheatingPlayerGainsNothingOverHonestPlayer(t *testing.T) {
	const frames = 400
	for _, name := range CheatNames() {
		t.Run(name, func(t *testing.T) {
			tamper, ok := NewCheat(name, rand.New(rand.NewPCG(1, 1)))
			if !ok {
				t.Fatal("no such cheat")
			}
			r := newRig(t, nil, netsim.Impairment{DelayMS: 100}, tamper)
			r.keys = func(*Predictor) Keys { // the player runs in a circle to stay on the terrain that was sent
				return Keys{Yaw: float32(r.now/20%360) - 180, Forward: 1, Sprint: true, Jump: r.now%1000 == 0}
			}
			last := start
			r.server.afterInput = func(j *authority) {
				p := j.state.Avatar.Pos
				if !(geom.DistXZ(p, last) < 0.7) || !(p.Y < 65.3 && p.Y >= 64) {
					t.Fatalf("tick %d: the server has %v after %v", j.state.Tick, p, last)
				}
				last = p
			}
			if name == "noteleport" {
				r.server.afterInput = nil
				r.play(10)
				r.server.teleport(start)
				r.play(20)
				if !r.server.last.Held || r.server.state.Avatar.Pos != start {
					t.Errorf("%+v at %v", r.server.last, r.server.state.Avatar.Pos)
				}
				return
			}
			r.play(frames)
			if far := geom.DistXZ(last, start); far > 0.36*frames {
				t.Errorf("moved %v blocks in %d ticks", far, frames)
			}
			c := r.client.Counts().Move
			if c.Unexpected != 0 {
				t.Errorf("counts %+v", c)
			}
			switch name {
			case "speed", "fly", "teleport":
				if c.Tampered == 0 {
					t.Errorf("was never corrected: %+v", c)
				}
			case "nan", "tick":
				if r.server.state.Suspicion == 0 {
					t.Error("suspicion is 0")
				}
			}
		})
	}
}

func TestNewCheatReturnsFalseForUnknownName(t *testing.T) {
	if _, ok := NewCheat("flight", nil); ok || !slices.IsSorted(CheatNames()) {
		t.Errorf("cheats %v", CheatNames())
	}
}

// A replay calls AlterStep again for each tick. A replay without a correction therefore leaves a cheating client at the
// same position.
func TestReplayingInputsDoesNotMoveSpeedCheater(t *testing.T) {
	tamper, _ := NewCheat("speed", nil)
	r := newRig(t, nil, netsim.Impairment{}, tamper)
	r.server.policy.TrustClient = true
	r.play(50)
	_, after, _ := r.predict.StateAt(firstTick + 30)
	now := r.predict.State()
	r.predict.history.Add(firstTick+30, stateUpdate{kind: updateCorrection, pos: after.Pos, vel: after.Vel, onGround: after.OnGround})
	if s := r.predict.Reconcile(); s.Replayed != 20 || s.Visible || r.predict.State() != now {
		t.Errorf("statistics %+v", s)
	}
}

func TestClientWithNoBarriersOptionDoesNotAnswerLatencyRequest(t *testing.T) {
	u := newLoopback(t, Options{Tamper: &Tamper{NoBarriers: true}}).join()
	u.server.queue(proto.NetworkStackLatency{Timestamp: 12345, NeedsResponse: true})
	u.exchange()
	if p, ok := u.server.received[proto.IDNetworkStackLatency]; ok || u.session.Counts().Barriers != 0 {
		t.Errorf("answered %+v", p)
	}
}
