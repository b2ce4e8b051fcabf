package bedrock

import (
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/move"
)

// Rule SV-5 of docs/wire/bedrock.md: if one frame processed several inputs, a correction has the tick of the rejected
// input. The answer to a request has the tick of the input that contained the request.
func TestCorrectionHasTickOfRejectedInput(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		w := srv.walker("ann")
		w.walk(5, northward)
		srv.advance(500 * time.Millisecond) // after this pause the time budget allows ten inputs at once
		w.takePackets()
		sprint := northward
		sprint.Flags = move.InputStartSprint
		first, asks, falseInput := w.next(northward), w.next(sprint), w.next(northward)
		falseInput.Position[0] += 2
		w.sendBatch(first, asks, falseInput, w.next(northward), w.next(northward))
		srv.advance(100 * time.Millisecond)
		if c := packetsOf[proto.CorrectPlayerMovePrediction](w.client); len(c) != 1 || c[0].Tick != falseInput.Tick {
			t.Errorf("corrected %+v, want tick %d", c, falseInput.Tick)
		}
		if d := packetsOf[proto.SetActorData](w.client); len(d) != 1 || d[0].Tick != asks.Tick {
			t.Errorf("answered %+v, want tick %d", d, asks.Tick)
		}
		if a := packetsOf[proto.UpdateAttributes](w.client); len(a) != 1 || a[0].Tick != asks.Tick {
			t.Errorf("answered %+v, want tick %d", a, asks.Tick)
		}
	})
}

// Rule SV-4 of docs/wire/bedrock.md: for hits, health, death, respawn and teleports, packets about the client's own
// player have the tick of the last processed input, and packets about others have tick 0.
func TestCombatPacketsHaveTickOfLastInput(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		b, a := srv.walker("bob"), srv.walker("ann")
		srv.advance(300 * time.Millisecond)
		b.takePackets()
		told := map[string]int{}
		check := func() {
			for _, p := range b.takePackets() {
				runtime, tick, ok := subjectOf(p)
				switch {
				case !ok:
					continue
				case runtime != b.start.Runtime && tick != 0:
					t.Errorf("about another actor: %s", describe(p))
				case runtime == b.start.Runtime && tick+1 != b.tick && tick != b.tick: // the last input may still be on its way
					t.Errorf("after tick %d: %s", b.tick, describe(p))
				}
				if runtime == b.start.Runtime {
					told[packetName(p)]++
				}
			}
		}
		dead, alive := false, false
		for i := 0; i < 600 && !alive; i++ {
			if !dead {
				a.send(attackPacket(runtimeIDOf(t, a.client, "bob")))
			} else {
				b.send(proto.Respawn{State: proto.RespawnClientReady, Runtime: b.start.Runtime})
			}
			a.send(a.next(move.Input{}))
			b.send(b.next(move.Input{}))
			srv.advance(50 * time.Millisecond)
			dead = dead || countOf[proto.DeathInfo](b.client) > 0
			alive = countOf[proto.MovePlayer](b.client) > 0
			check()
		}
		for _, k := range []string{"SetActorMotion", "UpdateAttributes", "MovePlayer", "SetActorData"} {
			if told[k] == 0 {
				t.Errorf("no %s in %v", k, told)
			}
		}
	})
}

// subjectOf returns the runtime id of the actor and the tick that a packet contains. ok is false for other types of packets.
func subjectOf(p proto.Packet) (runtime, tick uint64, ok bool) {
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

// Rule SV-4 of docs/wire/bedrock.md: the teleport of an area change has the tick of the last input.
func TestAreaChangeHasTickOfLastInput(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		w := srv.walker("ann")
		eastward := move.Input{Yaw: east, HeadYaw: east, Move: [2]float32{0, 1}}
		for range 100 {
			w.takePackets()
			if w.walk(1, eastward); countOf[proto.MovePlayer](w.client) > 0 {
				break
			}
		}
		m := packetsOf[proto.MovePlayer](w.client)
		if len(m) != 1 || m[0].Tick+1 != w.tick && m[0].Tick != w.tick {
			t.Fatalf("after tick %d: %+v", w.tick, m)
		}
	})
}
