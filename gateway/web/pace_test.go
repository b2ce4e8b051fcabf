package web_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/client/keys"
	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/sim/geom"
)

// The inputs of clients that walk in circles arrive with 30 ms of jitter, those of each client at another time between two ticks
// of the area. Each client keeps one input waiting at the server, so that the area has an input of each player in nearly every
// tick, and others see the player move by the same distance in every tick.
func TestClientKeepsOneInputInReserveDespiteJitterAndAfterDelay(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{DelayMS: 40, JitterMS: 30}, func(r *rig) {
		const players, seconds = 6, 20
		all := make([]*player, players)
		for i := range all {
			time.Sleep(50 * time.Millisecond / players)
			all[i] = r.join(fmt.Sprintf("Walker%d", i), false)
			yaw := float32(60 * i)
			all[i].do(func(*webcl.World) keys.Keys {
				yaw += 6
				return keys.Keys{Forward: 1, Yaw: yaw}
			})
		}
		feed := r.world.Subscribe("test", 1024, area.All)
		defer feed.Close()
		time.Sleep(20 * time.Second) // time for the clients to adjust when they send their inputs
		for len(feed.C()) > 0 {
			p := <-feed.C()
			p.Release()
		}
		// reserves checks for some seconds how many inputs of each player wait at the server: one at the 10th percentile, and
		// never more than three.
		reserves := func(when string, seconds int) {
			waits := make([][]uint8, players)
			for range seconds * 20 {
				time.Sleep(50 * time.Millisecond)
				for i, p := range all {
					p.look(func(w *webcl.World) { waits[i] = append(waits[i], w.Waits) })
				}
			}
			for i, w := range waits {
				slices.Sort(w)
				low, middle, most := w[len(w)/10], w[len(w)/2], w[len(w)-1]
				r.t.Logf("%s, Walker%d: inputs wait, 10th percentile %d, median %d, most %d", when, i, low, middle, most)
				if low != 1 || most > 3 {
					r.t.Errorf("%s, Walker%d: inputs wait, 10th percentile %d, most %d; want 1 and at most 3", when, i, low, most)
				}
			}
		}
		reserves("with jitter", seconds)
		steps, last := map[string][]float32{}, map[string]geom.Vec{}
		for len(feed.C()) > 0 {
			p := <-feed.C()
			for i := range p.Frame.Actors {
				if x := &p.Frame.Actors[i]; x.Body != nil && x.Body.Name != "" {
					if from, ok := last[x.Body.Name]; ok {
						steps[x.Body.Name] = append(steps[x.Body.Name], geom.DistXZ(from, x.Pos))
					}
					last[x.Body.Name] = x.Pos
				}
			}
			p.Release()
		}
		of, uneven := 0, 0
		for i := range all {
			name := fmt.Sprintf("Walker%d", i)
			typical := slices.Sorted(slices.Values(steps[name]))[len(steps[name])/2]
			n := 0
			for _, s := range steps[name] {
				if s < typical*0.8 || s > typical*1.2 {
					n++
				}
			}
			of, uneven = of+len(steps[name]), uneven+n
			r.t.Logf("%s: %d of %d steps are uneven, the others are of %.3f units", name, n, len(steps[name]), typical)
			if typical < 0.1 {
				r.t.Errorf("%s: steps of %.3f units", name, typical)
			}
		}
		if of < players*seconds*19 || uneven*100 > of {
			r.t.Errorf("%d of %d steps are uneven, want at most 1 %%", uneven, of)
		}
		for _, p := range all {
			r.network.Impair(p.host, r.host, netsim.Impairment{DelayMS: 240}, r.line)
		}
		time.Sleep(time.Second)
		for _, p := range all {
			r.network.Impair(p.host, r.host, r.line, r.line) // inputs that were delayed by 0.2 s arrive at once
		}
		time.Sleep(20 * time.Second)
		reserves("20 s after a delay", 5)
		for _, p := range all {
			if err := p.stop(); err != nil {
				r.t.Error(err)
			}
		}
	})
}
