package oneworld

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// toughWorld returns the source of the test world with players that survive a long fight.
func toughWorld() string {
	return strings.Replace(testWorld, "attributes = { Health = 100, Strength", "attributes = { Health = 5000, Strength", 1)
}

// While players of all doors fight, the world file is reloaded with another formula of damage and a further spawn. No player
// loses the connection, the next hits have the new damage, and all clients are shown the damage and the new NPC.
func TestReloadDuringFightChangesNextHitAndKeepsClientsOfAllProtocolsConnected(t *testing.T) {
	const points = 7 // damage of every hit after the reload
	overAllLines(t, func(t testing.TB) *content.World { return load(t, toughWorld()) }, func(t *testing.T, r *rig) {
		after := strings.Replace(toughWorld(), "formula = 2", fmt.Sprintf("formula = 4\nscript = \"%d\"", points), 1)
		after = strings.Replace(after, "[[area]]\nname = \"Meadow\"", "[[area.spawn]]\ntemplate = \"Post\"\nat = [10, 0, 60]\n\n[[area]]\nname = \"Meadow\"", 1)
		next, needsRestart := content.Reload(load(t, toughWorld()), load(t, after))
		if len(needsRestart) > 0 {
			t.Fatalf("needs a restart: %+v", needsRestart)
		}
		var entrants []entrant
		for i, door := range doors {
			at := geom.Vec{X: float32(25*i - 30), Z: 40}
			entrants = append(entrants, entrant{door: door, name: "Hit" + door, area: "Field", at: at}, entrant{door: door, name: "Bear" + door, area: "Field", at: at.Add(geom.Vec{X: 5})})
		}
		all := r.join(entrants...)
		r.waitForPositions(t, "Field", all, all)
		hits := func(by, on *player, from sim.Tick) []savedEvent {
			list := r.truth.eventsOf(sim.EventAttacked, by.name, on.name)
			return slices.DeleteFunc(list, func(d savedEvent) bool { return d.N <= 0 || d.tick < from })
		}
		for i := 0; i < len(all); i += 2 {
			by, on := all[i], all[i+1]
			by.startFight(on.name)
			waitFor(t, by.name+" hits "+on.name, func() bool { return len(hits(by, on, 0)) >= 3 })
			for _, d := range hits(by, on, 0) {
				if d.N == points {
					t.Errorf("%s hits with %d points before the reload", by.name, d.N)
				}
			}
		}
		field, _ := r.area("Field")
		if err := r.world.Redefine(t.Context(), next.World, nil); err != nil {
			t.Fatal(err)
		}
		tick := r.world.Stats()[field].Tick
		for i := 0; i < len(all); i += 2 {
			by, on := all[i], all[i+1]
			waitFor(t, by.name+" hits "+on.name+" after the reload", func() bool { return len(hits(by, on, tick+1)) >= 3 })
			by.stopFight()
			for _, d := range hits(by, on, tick+1) {
				if d.N != points {
					t.Errorf("%s hits with %d points in tick %d, after the reload in tick %d", by.name, d.N, d.tick, tick)
				}
			}
		}
		for _, p := range all {
			waitFor(t, p.name+" sees the new NPC", func() bool { return slices.Contains(p.names(), "Post") })
		}
		if gone := r.truth.eventsOf(sim.EventLeft, "", ""); len(gone) > 0 {
			t.Errorf("%d players left", len(gone))
		}
		late, err := r.dial(t.Context(), rcce, "Late") // this player logs in after the reload
		if err != nil {
			t.Fatal(err)
		}
		defer late.leave()
		waitFor(t, "the late player sees the new NPC", func() bool { return slices.Contains(late.names(), "Post") })
		time.Sleep(time.Second)
		r.waitForPositions(t, "Field", all, all)
		checkHonest(t, all...)
	})
}
