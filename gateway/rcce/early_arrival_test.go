package rcce

import (
	"slices"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

// The frames of the area that the player has left are behind those of the area in which it has arrived: they still contain it.
func TestClientFollowsPlayerWhoseDepartureIsNotReadYet(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{cluster: true}, func(srv *testServer) {
		ann := srv.join("ann")
		id := srv.entityOf(ann)
		c, err := srv.hub.Record(srv.ctx, id)
		srv.must(err)
		ann.received = nil
		srv.must(srv.world.Submit(1, sim.Intent{Kind: sim.IntentJoin, Who: id, Join: &sim.Join{Portal: -1, Character: c}}))
		srv.advance(time.Second)
		if areas := packetsOf[proto.ChangeArea](ann); len(areas) != 1 || areas[0].Name != srv.world.Def().Areas[1].Name {
			t.Fatalf("the client is sent the areas %+v, want the second one", areas)
		}
		srv.must(srv.hub.SendMessage(id, "Behave."))
		srv.advance(time.Second)
		if got := chatTexts(ann); !slices.Contains(got, "[Operator] Behave.") {
			t.Errorf("texts %q", got)
		}
	})
}
