package cluster

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
)

func TestLeaderWithClockInFutureAdvancesTimeByAtMostMaxTimeAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, fields(1), 3, 1)
		var feed *area.Feed
		c.set = func(h *Host) {
			switch h.opt.Self {
			case 1: // leads the area
				h.baseMS += maxAtMS / 2
			case 2:
				feed = h.Subscribe("times", 256, area.All)
			}
		}
		// ahead waits for the time d. It returns by how much the time of the newest frame on node 2 is then ahead of the present.
		ahead := func(d time.Duration) (newest time.Duration) {
			t.Helper()
			time.Sleep(d)
			frames := 0
			for {
				select {
				case p := <-feed.C():
					newest = time.Until(p.Time())
					p.Release()
					frames++
				default:
					if frames == 0 {
						t.Fatal("the area stands still on node 2")
					}
					return newest
				}
			}
		}
		for _, n := range c.nodes[1:] {
			n.start()
		}
		defer c.stopAll()
		defer feed.Close()
		if d := ahead(4 * time.Second); d > maxTimeAhead || d < maxTimeAhead-time.Second {
			t.Fatalf("the time is %v ahead, want about %v", d, maxTimeAhead)
		}
		c.nodes[1].kill()
		ahead(10 * time.Second)
		if d := ahead(2 * time.Second); d > 0 || d < -time.Second {
			t.Errorf("the time is %v ahead after another node has begun to lead", d)
		}
	})
}
