package session

import (
	"testing"
	"time"
)

// A server that is already stopping no longer receives planned stops. Operators can still plan one until the hub is closed.
func TestPlannedStopsThatServerNoLongerReceivesDoNotBlockClose(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		for range 3 {
			_, err := r.PlanStop(PlannedStop{}, 0)
			r.must(err)
			time.Sleep(time.Second)
		}
		r.must(r.world.Stop(r.ctx))
		r.must(r.Close(r.ctx))
		_, err := r.PlanStop(PlannedStop{}, 0)
		r.mustBe(err, ErrClosed)
	})
}

func TestNewPlannedStopReplacesDueStopThatServerHasNotReceived(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		_, err := r.PlanStop(PlannedStop{By: "ann"}, 0)
		r.must(err)
		time.Sleep(time.Second)
		_, err = r.PlanStop(PlannedStop{By: "bob"}, time.Minute)
		r.must(err)
		began := time.Now()
		if p := <-r.StopDue(); p.By != "bob" || time.Since(began) != time.Minute {
			t.Errorf("due is %+v after %v", p, time.Since(began))
		}
	})
}
