package rs

import (
	"slices"
	"testing"
)

// The hub ends all sessions when the cluster has given up on its node. The player's actor stays in the world, so no frame says that the player left.
func TestCutOffPlayerReadsReason(t *testing.T) {
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
