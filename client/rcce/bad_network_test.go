package rcce_test

import (
	"testing"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/internal/netsim"
)

func TestClientsPlayWithoutCorrectionsAtTenPercentPacketLoss(t *testing.T) {
	withServer(t, func(t *testing.T, s *server) {
		bad := netsim.Impairment{DelayMS: 15, JitterMS: 10, Loss: 0.1, Duplicate: 0.02, Reorder: 0.1, ReorderMS: 40}
		fighter := start(t, s.addr, &rcce.Fight{}, rcce.Options{User: "Fighter", SameConnection: true, Dial: s.newHost(bad).Dial})
		walker := start(t, s.addr, &rcce.Wander{Radius: 60}, rcce.Options{User: "Walker", SameConnection: true, Dial: s.newHost(bad).Dial})
		walker.await()
		fighter.await()
		fighter.waitUntil("an attack hits", func(_ *rcce.World, n rcce.Counts) bool { return n.Hits > 0 })
		time.Sleep(time.Minute)
		walker.waitUntil("the walker receives 150 updates of the fighter and sends 100 claims", func(w *rcce.World, n rcce.Counts) bool {
			a, ok := w.FindByName("Fighter")
			return ok && a.Updates > 150 && n.Claims > 100
		})
		walker.checkNoCorrections()
		fighter.checkNoCorrections()
		if c := s.network.Counts(); c.Lost*20 < c.Sent {
			t.Errorf("%+v: want more than 5%% lost", c)
		}
	})
}
