package rcce

import (
	"testing"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// docs/wire/rcce.md 6.1: a player that attacks where it is forbidden is sent the reason in red, at a limited rate. Temporary
// refusals are not sent.
func TestRefusedAttackIsExplainedAtLimitedRate(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{noTicks: true}, func(srv *testServer) {
		ann, a := srv.joinWithoutTicks("ann")
		tick := sim.Tick(0)
		show := func(after sim.Tick, why reason.Reason) {
			tick += after
			srv.show(&sim.Frame{
				Area: 0, Tick: tick, Actors: []sim.ActorState{player(ann, "ann", geom.Vec{X: 50})},
				Events: []sim.Event{{Kind: sim.EventRefused, Who: ann, Reason: why}},
			})
		}
		red := func() (n int) {
			for _, p := range a.takePackets() {
				if m, ok := p.(proto.ChatMessage); ok && m.Color == proto.ChatRed {
					n++
				}
			}
			return n
		}
		show(1, reason.None)
		red()
		for _, step := range []struct {
			after sim.Tick
			why   reason.Reason
			lines int
		}{
			{1, reason.TooSoon, 0}, {1, reason.OutOfRange, 0}, {1, reason.NoPvP, 1}, {39, reason.NoPvP, 0},
			{1, reason.NonCombatant, 1}, {40, reason.FriendlyRating, 1},
		} {
			if show(step.after, step.why); red() != step.lines {
				t.Errorf("tick %d: %v was not sent %d times", tick, step.why, step.lines)
			}
		}
	})
}

// The tick numbers of two areas differ, so after an area change the tick may be lower than before.
func TestRefusedAttackIsExplainedAfterMoveToAreaWithLowerTick(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{noTicks: true}, func(srv *testServer) {
		ann, a := srv.joinWithoutTicks("ann")
		refused := sim.Event{Kind: sim.EventRefused, Who: ann, Reason: reason.NoPvP}
		state := player(ann, "ann", geom.Vec{X: 50})
		for _, f := range []*sim.Frame{
			{Area: 0, Tick: 9000, Actors: []sim.ActorState{state}},
			{Area: 0, Tick: 9001, Actors: []sim.ActorState{state}, Events: []sim.Event{refused}},
			{Area: 0, Tick: 9002, Events: []sim.Event{{Kind: sim.EventDeparted, Who: ann, To: 1}}},
			{Area: 1, Tick: 7, Actors: []sim.ActorState{state}},
			{Area: 1, Tick: 8, Actors: []sim.ActorState{state}, Events: []sim.Event{refused}},
		} {
			srv.show(f)
		}
		n := 0
		for _, p := range a.takePackets() {
			if m, ok := p.(proto.ChatMessage); ok && m.Color == proto.ChatRed {
				n++
			}
		}
		if n != 2 {
			t.Errorf("the player was sent %d texts about two refused attacks, want 2", n)
		}
	})
}
