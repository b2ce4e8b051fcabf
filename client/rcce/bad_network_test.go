package rcce_test

import (
	"context"
	"net/netip"
	"testing"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/internal/netsim"
)

// A line that loses a tenth of everything, both ways, costs time and nothing else.
func TestATenthLostIsNoReasonToFail(t *testing.T) {
	t.Parallel()
	server := netip.MustParseAddrPort(serve(t))
	bad := netsim.Impairment{DelayMS: 15, JitterMS: 10, Loss: 0.1, Duplicate: 0.02, Reorder: 0.1, ReorderMS: 40}
	relay, err := netsim.NewRelay(context.Background(), server, bad, bad, 42)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(relay.Close) // after the players have left: they are cleaned up first
	addr := relay.Addr().String()
	fighter := joining(t, addr, &rcce.Fight{}, rcce.Options{User: "Fighter", SameConnection: true})
	walker := join(t, addr, &rcce.Wander{Radius: 60}, rcce.Options{User: "Walker", SameConnection: true})
	fighter.await()
	fighter.soon("a blow meets", func(_ *rcce.World, n rcce.Counts) bool { return n.Hits > 0 })
	walker.soon("both are updated", func(w *rcce.World, n rcce.Counts) bool {
		a, ok := w.Find("Fighter")
		return ok && a.Updates > 5 && n.Claims > 5
	})
	walker.honest()
	fighter.honest()
	if relay.Lost() == 0 {
		t.Error("nothing was lost: the line was not bad")
	}
}
