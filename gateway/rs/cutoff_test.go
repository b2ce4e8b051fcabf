package rs

import (
	"slices"
	"testing"
)

// If the other nodes of the cluster declare this node dead, its hub ends all sessions. The actors of the players stay in
// the world, so no frame says that they have left.
func TestEndOfAllSessionsDisconnectsPlayersWithReason(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada")
		ada.startRecording()
		srv.hub.EndAll("The server lost its connection to the others.")
		srv.advanceCycles(2)
		if lines := ada.linesRead(); !slices.Contains(lines, "The server lost its connection to the others.") || !ada.loggedOut() || !ada.isClosed() {
			t.Errorf("read %q, logged out %v, ended %v", lines, ada.loggedOut(), ada.isClosed())
		}
	})
}
