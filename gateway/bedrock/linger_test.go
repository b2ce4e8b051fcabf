package bedrock

import (
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

func TestReconnectAfterTimeoutResumesLingeringPlayer(t *testing.T) {
	t.Parallel()
	w := twoFields()
	w.Rules.Linger = sim.LingerRules{MS: 20_000, CombatMS: 20_000}
	withServer(t, w, Options{}, func(srv *testServer) {
		a := srv.join("ann")
		who := srv.gateway.hub.Players()[0].Entity
		a.stalled = true
		srv.advance(12 * time.Second)
		if p := srv.gateway.hub.Players(); len(p) != 1 || !p[0].Lingering {
			t.Fatalf("players %+v", p)
		}
		again := srv.join("ann")
		if p := srv.gateway.hub.Players(); len(p) != 1 || p[0].Entity != who || p[0].Lingering {
			t.Fatalf("players %+v", p)
		}
		if countOf[proto.StartGame](again) != 1 {
			t.Error("the client that came back is sent no StartGame")
		}
		srv.advance(25 * time.Second)
		if p := srv.gateway.hub.Players(); len(p) != 1 {
			t.Errorf("players %+v", p)
		}
	})
}
