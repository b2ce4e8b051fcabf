package web_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/truestep-io/truestep/client/keys"
	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// A client acknowledges the teleport to a new area late, because it downloads the ground file of the area first. It is still
// teleported only once, and its player continues to walk without a correction.
func TestPlayerOnSlowConnectionIsTeleportedOnceByPortal(t *testing.T) {
	t.Parallel()
	line := netsim.Impairment{DelayMS: 125, JitterMS: 25, Loss: 0.05, Duplicate: 0.01, Reorder: 0.01}
	near := strings.Replace(testWorld, "at = [60, 0, 0]", "at = [20, 0, 0]", 1)
	withServerOf(t, near, web.Options{}, line, func(r *rig) {
		var all [6]*player
		var joining sync.WaitGroup
		for i := range all {
			o, h := r.options(fmt.Sprintf("Walker%d", i), i%2 == 1)
			joining.Go(func() {
				p, err := r.dial(o, h)
				if err != nil {
					r.t.Errorf("%s: %v", o.Name, err)
					return
				}
				gait, toGate := wander(uint64(i)), walkTo(geom.Vec{X: 10, Z: 0})
				p.do(func(w *webcl.World) keys.Keys {
					k := gait(w)
					if w.Area == "Field" {
						at := toGate(w)
						k.Forward, k.Yaw = at.Forward, at.Yaw
					}
					return k
				})
				all[i] = p
			})
		}
		joining.Wait()
		if r.t.Failed() {
			return
		}
		for _, p := range all {
			p.until("the player is in the Meadow", func(w *webcl.World) bool { return w.Area == "Meadow" && w.Self() != nil })
		}
		time.Sleep(3 * time.Second)
		for _, p := range all {
			p.look(func(w *webcl.World) {
				if w.Counts.Teleports != 1 || w.Counts.Corrections != 0 {
					r.t.Errorf("counts %+v, last own message %+v for reason %v", w.Counts, w.LastOwn, reason.Reason(w.LastOwn.Reason))
				}
			})
			if err := p.stop(); err != nil {
				r.t.Error(err)
			}
		}
	})
}
