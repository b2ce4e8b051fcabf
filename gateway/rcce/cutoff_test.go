package rcce

import (
	"slices"
	"testing"
)

// The hub ends all sessions when the cluster has given up on its node. The player's actor stays in the world, so no frame says that the player left.
func TestCutOffPlayerReadsReason(t *testing.T) {
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
