package cluster

import (
	"testing"
	"testing/synctest"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
)

// The goroutine of an area may be busy while a search waits for it. Meanwhile the player may leave that area for one that was
// searched already, and its arrival may be confirmed.
func TestFindLocatesPlayerThatChangesAreasDuringSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from := lone(t, new(disk), 1)
		h := from.host
		to, who := h.groups[0], sim.PlayerID(1, 2)
		to.step(t)
		from.step(t)
		submit := func(in sim.Intent) {
			in.Who, in.AtMS = who, h.NowMS()
			if err := h.Submit(1, in); err != nil {
				t.Fatal(err)
			}
		}
		submit(sim.Intent{Kind: sim.IntentJoin, Join: &sim.Join{
			Character: &sim.Character{ID: 7, Name: "P7", Template: 2, Level: 1, Attr: h.opt.World.Template(2).Attr}, Portal: -1, Login: true,
		}})
		from.step(t)
		from.step(t)
		moved := false
		s := search{character: 7}
		s.run(h.groups, func(g *group, f func()) bool {
			if g == from && !moved {
				moved = true
				submit(sim.Intent{Kind: sim.IntentTeleport, To: 0, Join: &sim.Join{Portal: -1}})
				for range 6 {
					from.step(t)
					to.step(t)
				}
				from.state.Outbox(func(sim.AreaID, sim.EntityID, *sim.Join) { t.Error("the arrival is not confirmed") })
			}
			f()
			return true
		})
		if want := (area.RestoredPlayer{Entity: who, Character: 7, Area: 0, Arrived: true, Connected: true}); s.found != want {
			t.Errorf("found %+v, want %+v", s.found, want)
		}
	})
}

// The arrival of a player can stay unconfirmed for as long as the area that it left has no leader. Meanwhile the player may have left
// the world. If a hub took the remaining entry in the outbox for a player on its way, it would wait for that player forever.
func TestFindIgnoresOutboxEntryOfPlayerWhoHasArrived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from := lone(t, new(disk), 1)
		h := from.host
		to := h.groups[0]
		who := sim.PlayerID(1, 2)
		until := func(g *group, kind sim.EventKind) {
			for range 10 {
				for _, e := range g.step(t).Events {
					if e.Kind == kind && e.Who == who {
						return
					}
				}
			}
			t.Fatalf("no event %v in area %d", kind, g.area)
		}
		expect := func(when string, want area.RestoredPlayer) {
			t.Helper()
			if got, _ := h.findNow(7); got != want {
				t.Errorf("%s: found %+v, want %+v", when, got, want)
			}
		}
		submit := func(a sim.AreaID, in sim.Intent) {
			in.Who, in.AtMS = who, h.NowMS()
			if err := h.Submit(a, in); err != nil {
				t.Fatal(err)
			}
		}
		to.step(t)
		from.step(t)
		expect("before it enters", area.RestoredPlayer{})
		submit(1, sim.Intent{Kind: sim.IntentJoin, Join: &sim.Join{
			Character: &sim.Character{ID: 7, Name: "P7", Template: 2, Level: 1, Attr: h.opt.World.Template(2).Attr}, Portal: -1, Login: true,
		}})
		until(from, sim.EventJoined)
		expect("in the first area", area.RestoredPlayer{Entity: who, Character: 7, Area: 1, Arrived: true, Connected: true})
		submit(1, sim.Intent{Kind: sim.IntentTeleport, To: 0, Join: &sim.Join{Portal: -1}})
		until(from, sim.EventDeparted)
		expect("on its way", area.RestoredPlayer{Entity: who, Character: 7, Area: 0, Connected: true})
		until(to, sim.EventJoined) // the arrival is not confirmed, because the first area does not run
		expect("in the second area", area.RestoredPlayer{Entity: who, Character: 7, Area: 0, Arrived: true, Connected: true})
		submit(0, sim.Intent{Kind: sim.IntentLeave})
		until(to, sim.EventLeft)
		expect("after it has left the world", area.RestoredPlayer{})
	})
}

// An area may have the confirmation that a player has arrived in another area, whose copy on this node is some ticks behind.
func TestSearchReportsThatCopyLacksConfirmedArrival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from := lone(t, new(disk), 1)
		h := from.host
		to, who := h.groups[0], sim.PlayerID(1, 2)
		submit := func(in sim.Intent) {
			in.Who, in.AtMS = who, h.NowMS()
			if err := h.Submit(1, in); err != nil {
				t.Fatal(err)
			}
		}
		to.step(t)
		from.step(t)
		submit(sim.Intent{Kind: sim.IntentJoin, Join: &sim.Join{
			Character: &sim.Character{ID: 7, Name: "P7", Template: 2, Level: 1, Attr: h.opt.World.Template(2).Attr}, Portal: -1, Login: true,
		}})
		from.step(t)
		from.step(t)
		before := new(sim.Area)
		to.state.CloneInto(before)
		submit(sim.Intent{Kind: sim.IntentTeleport, To: 0, Join: &sim.Join{Portal: -1}})
		for range 6 {
			from.step(t)
			to.step(t)
		}
		from.state.Outbox(func(sim.AreaID, sim.EntityID, *sim.Join) { t.Error("the arrival is not confirmed") })
		after := to.state
		to.state = before
		if got, behind := h.findNow(7); got.Entity != 0 || !behind {
			t.Errorf("in a copy before the arrival: found %+v, behind %v; want nothing and true", got, behind)
		}
		if _, behind := h.findNow(8); !behind {
			t.Error("a character that is not in the world may be among the arrivals, too")
		}
		to.state = after
		if got, behind := h.findNow(7); got.Entity != who || behind {
			t.Errorf("after the arrival: found %+v, behind %v; want %v and false", got, behind, who)
		}
		if got, behind := h.findNow(8); got.Entity != 0 || behind {
			t.Errorf("a character that is not in the world: found %+v, behind %v", got, behind)
		}
	})
}

func TestFindReportsWhetherClientControlsPlayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		def := fields(2)
		def.Rules.Linger = sim.LingerRules{MS: 20_000, CombatMS: 20_000}
		from := loneIn(t, def, new(disk), 1)
		h := from.host
		to, who := h.groups[0], sim.PlayerID(1, 2)
		to.step(t)
		from.step(t)
		act := func(in sim.Intent) {
			in.Who, in.AtMS = who, h.NowMS()
			if err := h.Submit(1, in); err != nil {
				t.Fatal(err)
			}
			from.step(t)
			from.step(t)
		}
		expect := func(when string, connected bool) {
			t.Helper()
			if got, _ := h.findNow(7); got.Entity != who || got.Connected != connected {
				t.Errorf("%s: found %+v, want connected %v", when, got, connected)
			}
		}
		expectLost := func(when string) {
			t.Helper()
			from.origins[1].gone = 1
			expect(when, false)
			from.origins[1].gone = 0
		}
		act(sim.Intent{Kind: sim.IntentJoin, Join: &sim.Join{
			Character: &sim.Character{ID: 7, Name: "P7", Template: 2, Level: 1, Attr: def.Template(2).Attr}, Portal: -1, Login: true,
		}})
		expect("after it has entered", true)
		expectLost("after the node of its client was declared dead")
		act(sim.Intent{Kind: sim.IntentDisconnect})
		expect("after its client has lost the connection", false)
		act(sim.Intent{Kind: sim.IntentResume, Join: &sim.Join{Portal: -1}})
		expect("after its client has reconnected", true)
		expectLost("after the node of the new connection was declared dead")
		act(sim.Intent{Kind: sim.IntentTeleport, To: 0, Join: &sim.Join{Portal: -1}})
		if got, _ := h.findNow(7); got.Arrived {
			t.Fatalf("found %+v, and it should be on its way", got)
		}
		expect("on its way", true)
		expectLost("on its way, after the node of its client was declared dead")
	})
}
