package web_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/client/keys"
	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim"
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

// wayGame is a game in which every command moves the player that sent it to the other area.
type wayGame struct{ *testGame }

func (g *wayGame) Command(h *sim.Hand, who sim.EntityID, _ *sim.Command) {
	h.Move(who, 1-h.Area(), geom.Vec{X: 8192, Z: 8192}, 0)
}

// A command that moves the player to another area is answered with its result. A later request of the same tick, which the
// former area no longer carries out, is answered with an unknown result.
func TestRequestsOfPlayerThatChangesAreasAreAnswered(t *testing.T) {
	t.Parallel()
	w := loadGameWorld(t)
	w.World.Game = &wayGame{newTestGame(&w.World.Schema)}
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		r := open(t, w, dir, web.Options{}, netsim.Impairment{})
		defer r.start()()
		ann := r.join("Ann", true)
		var numbers []uint16
		ann.do(func(w *webcl.World) keys.Keys {
			for range 2 - len(numbers) {
				n, err := w.Command("join", "red")
				if err != nil {
					t.Error(err)
				}
				numbers = append(numbers, n)
			}
			return keys.Keys{}
		})
		ann.until("the player is in the Meadow", func(w *webcl.World) bool { return w.Area == "Meadow" && w.Self() != nil })
		for i, want := range []reason.Reason{reason.None, reason.Unknown} {
			var a proto.Answer
			ann.until("the request is answered", func(w *webcl.World) (ok bool) {
				a, ok = w.Answer(numbers[i])
				return ok
			})
			if reason.Reason(a.Reason) != want {
				t.Errorf("request %d: %v, want %v", i+1, reason.Reason(a.Reason), want)
			}
		}
		if err := ann.stop(); err != nil {
			t.Error(err)
		}
	})
}
