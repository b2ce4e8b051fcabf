package rs

import (
	"testing"

	proto "github.com/truestep-io/truestep/proto/rs"
)

func TestPlayerLogsInAndWalks(t *testing.T) {
	withServer(t, nil, Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada")
		from := ada.ownTile()
		ada.send(proto.MoveGameClick{X: from.X + 3, Z: from.Z})
		srv.advanceCycles(5)
		if got := ada.ownTile(); got.X != from.X+3 || got.Z != from.Z {
			t.Errorf("from %v to %v", from, got)
		}
		if err := ada.firstError(); err != nil {
			t.Error(err)
		}
		t.Log(ada.packets, ada.base)
	})
}
