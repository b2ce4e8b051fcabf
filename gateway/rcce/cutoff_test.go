package rcce

import (
	"slices"
	"testing"
)

// If the other nodes of the cluster declare this node dead, its hub ends all sessions. The actors of the players stay in
// the world, so no frame says that they have left.
func TestPlayerOfLostClusterNodeIsDisconnectedWithReason(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		ann := srv.join("ann")
		ann.received = nil
		srv.hub.EndAll("The server lost its connection to the others.")
		srv.waitFor("the kick of ann", func() bool { return ann.disconnected })
		if got := chatTexts(ann); !slices.Equal(got, []string{"The server lost its connection to the others."}) {
			t.Errorf("texts %q", got)
		}
	})
}
