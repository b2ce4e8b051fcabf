package console

import (
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// The node through which a player has entered may no longer have it, because the player was taken over by a node that does not answer.
func TestNodeOfPlayerThatNoneHasDescribedIsKnownOnlyIfItDoesNotAnswer(t *testing.T) {
	t.Parallel()
	onTwoNodes(t, func(t *testing.T, a, b *harness) {
		want := map[sim.EntityID]string{sim.PlayerID(1, 77): "", sim.PlayerID(2, 77): "", sim.PlayerID(3, 77): "c"} // entered through a, b and c
		for id := range want {
			character := &sim.Character{ID: sim.CharacterID(id.Node()), Name: "Stray", Template: a.def.Templates[0].ID, Level: 1, Attr: a.def.Templates[0].Attr, Area: a.def.Areas[0].Name}
			if err := a.world.Submit(0, sim.Intent{Kind: sim.IntentJoin, Who: id, Join: &sim.Join{Character: character, Portal: -1, Pos: geom.Vec{}}}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(2 * time.Second)
		list := get[playersBody](a, Viewer, "/players").Players
		if len(list) != len(want) {
			t.Errorf("players %+v, want %d", list, len(want))
		}
		for _, p := range list {
			if node, known := want[p.Entity]; (p.Node != nil) != (node != "") || node != "" && *p.Node != node || !known || p.Name != "Stray" || p.Account != "" {
				t.Errorf("player %+v, want the node %q", p, node)
			}
		}
	})
}
