package bedrock

import (
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// A Bedrock client does not state at which time it displayed its target. The door estimates this time: the tick of the newest
// frame minus the round trip and the three ticks over which clients interpolate. An attack is judged by the target's position
// at this time.
func TestAttackIsJudgedByTargetPositionThatClientDisplayed(t *testing.T) {
	t.Parallel()
	world := twoFields()
	world.Rules.RewindMS = 300
	withServer(t, world, Options{}, func(srv *testServer) {
		frames := srv.world.Subscribe("test", 4096, area.All)
		defer frames.Close()
		ann, bob := srv.walker("ann"), srv.walker("bob")
		for range 30 { // both players send inputs, and bob walks past ann
			ann.send(ann.next(northward))
			bob.walk(1, northward)
		}
		target := packetsOf[proto.AddPlayer](ann.client)[0].Runtime
		ann.send(attackPacket(target))
		ann.send(ann.next(northward))
		bob.walk(2, northward)
		srv.advance(200 * time.Millisecond)

		at := map[sim.Tick]geom.Vec{}
		var hit *sim.Event
		var hitTick sim.Tick
		id := srv.entityNamed("bob")
		for len(frames.C()) > 0 {
			p := <-frames.C()
			if a := p.Frame.Find(id); a != nil {
				at[p.Frame.Tick] = a.Pos
			}
			for _, e := range p.Frame.Events {
				if e.Kind == sim.EventAttacked || e.Kind == sim.EventRefused {
					hit, hitTick = &e, p.Frame.Tick
				}
			}
			p.Release()
		}
		if hit == nil || hit.AgoMS < 150 || hit.AgoMS > 300 {
			t.Fatalf("the attack was judged by the past of %+v", hit)
		}
		ticks := float32(hit.AgoMS) / 50
		whole := sim.Tick(ticks)
		from, to := at[hitTick-whole-1], at[hitTick-whole]
		if lo, hi := min(from.Z, to.Z)-0.01, max(from.Z, to.Z)+0.01; hit.Pos.Z < lo || hit.Pos.Z > hi || from == to {
			t.Errorf("judged at %v, but the target went from %v to %v in that tick", hit.Pos, from, to)
		}
	})
}
