package rcce

import (
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

func TestReconnectAfterTimeoutResumesLingeringPlayer(t *testing.T) {
	w := emptyFields()
	w.Rules.Linger = sim.LingerRules{MS: 20_000, CombatMS: 20_000}
	withServer(t, w, serverOptions{}, func(srv *testServer) {
		a, b := srv.join("ann"), srv.join("bob")
		who := srv.hub.Players()[0].Entity
		a.unresponsive = true
		srv.advance(12 * time.Second)
		srv.waitFor("the connection to be lost", func() bool { return srv.hub.Players()[0].Lingering })
		srv.advance(5 * time.Second)
		again := srv.enterWorld("ann")
		if p := srv.hub.Players(); len(p) != 2 || p[0].Entity != who || p[0].Lingering {
			t.Fatalf("players %+v", p)
		}
		srv.advance(30 * time.Second)
		if n := countOf[proto.ActorGone](b); n != 0 || again.runtimeID != a.runtimeID {
			t.Errorf("%d ActorGone for the other client; runtime id %d, was %d", n, again.runtimeID, a.runtimeID)
		}
		health := uint8(w.Roles.Health)
		found := false
		for _, p := range packetsOf[proto.StatUpdate](again) {
			found = found || p.RuntimeID == again.runtimeID && p.Attribute == health
		}
		if !found {
			t.Error("the client that came back is not sent its health")
		}
		again.disconnect()
		srv.advance(time.Second)
		if n := countOf[proto.ActorGone](b); n != 1 || len(srv.hub.Players()) != 1 {
			t.Errorf("%d ActorGone after a logout, players %+v", n, srv.hub.Players())
		}
	})
}
