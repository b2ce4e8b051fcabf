package bedrock

import (
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/move"
)

// SV-5: of several inputs that one frame processed, a correction names the false one, and an answer the one that asked.
func TestSV5OfSeveralInputsInAFrameTheRightOneIsNamed(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		w := r.walker("ann")
		w.walk(5, northward)
		r.run(500 * time.Millisecond) // time for ten inputs at once
		w.take()
		sprint := northward
		sprint.Flags = move.InputStartSprint
		first, asks, lie := w.next(northward), w.next(sprint), w.next(northward)
		lie.Position[0] += 2
		w.together(first, asks, lie, w.next(northward), w.next(northward))
		r.run(100 * time.Millisecond)
		if c := each[proto.CorrectPlayerMovePrediction](w.client); len(c) != 1 || c[0].Tick != lie.Tick {
			t.Errorf("corrected %+v, want tick %d", c, lie.Tick)
		}
		if d := each[proto.SetActorData](w.client); len(d) != 1 || d[0].Tick != asks.Tick {
			t.Errorf("answered %+v, want tick %d", d, asks.Tick)
		}
		if a := each[proto.UpdateAttributes](w.client); len(a) != 1 || a[0].Tick != asks.Tick {
			t.Errorf("answered %+v, want tick %d", a, asks.Tick)
		}
	})
}

// SV-4: blows, health, death, a new life and a journey: whatever a client is told of its own player has the tick of the
// last input that was processed, and whatever it is told of others has none.
func TestSV4WhatHappensToOneselfHasItsTick(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		b, a := r.walker("bob"), r.walker("ann")
		r.run(300 * time.Millisecond)
		b.take()
		told := map[string]int{}
		check := func() {
			for _, p := range b.take() {
				runtime, tick, ok := aboutWhom(p)
				switch {
				case !ok:
					continue
				case runtime != b.self.Runtime && tick != 0:
					t.Errorf("of another: %s", describe(p))
				case runtime == b.self.Runtime && tick+1 != b.tick && tick != b.tick: // the last may be on its way
					t.Errorf("after tick %d: %s", b.tick, describe(p))
				}
				if runtime == b.self.Runtime {
					told[kind(p)]++
				}
			}
		}
		dead, alive := false, false
		for i := 0; i < 600 && !alive; i++ {
			if !dead {
				a.send(strike(numberOf(t, a.client, "bob")))
			} else {
				b.send(proto.Respawn{State: proto.RespawnClientReady, Runtime: b.self.Runtime})
			}
			a.send(a.next(move.Input{}))
			b.send(b.next(move.Input{}))
			r.run(50 * time.Millisecond)
			dead = dead || count[proto.DeathInfo](b.client) > 0
			alive = count[proto.MovePlayer](b.client) > 0
			check()
		}
		for _, k := range []string{"SetActorMotion", "UpdateAttributes", "MovePlayer", "SetActorData"} {
			if told[k] == 0 {
				t.Errorf("no %s in %v", k, told)
			}
		}
	})
}

// aboutWhom is whom a packet with a tick is about.
func aboutWhom(p proto.Packet) (runtime, tick uint64, ok bool) {
	switch p := p.(type) {
	case proto.SetActorMotion:
		return p.Runtime, p.Tick, true
	case proto.UpdateAttributes:
		return p.Runtime, p.Tick, true
	case proto.SetActorData:
		return p.Runtime, p.Tick, true
	case proto.MovePlayer:
		return p.Runtime, p.Tick, true
	}
	return 0, 0, false
}

// SV-4: a journey to another area is told with the tick of the last input, too, and none of the old one's.
func TestSV4AJourneyHasItsTick(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		w := r.walker("ann")
		eastward := move.Input{Yaw: east, HeadYaw: east, Move: [2]float32{0, 1}}
		for range 100 {
			w.take()
			if w.walk(1, eastward); count[proto.MovePlayer](w.client) > 0 {
				break
			}
		}
		m := each[proto.MovePlayer](w.client)
		if len(m) != 1 || m[0].Tick+1 != w.tick && m[0].Tick != w.tick {
			t.Fatalf("after tick %d: %+v", w.tick, m)
		}
	})
}
