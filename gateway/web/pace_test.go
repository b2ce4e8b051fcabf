package web_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/client/keys"
	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/web"
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

// A client sends three times as many inputs as it may for 0.6 s, without a stall before them. The door passes all but six to the
// area, which processes one a tick. Each snapshot must count those that wait in the area, too. The client could not know otherwise
// that its inputs take effect a second late, and would not send fewer.
func TestSnapshotCountsInputsThatWaitInArea(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{DelayMS: 5}, func(r *rig) {
		x := r.newRaw()
		tick := x.enter().Tick
		headers := make(chan proto.SnapshotHeader, 1)
		go func() {
			for {
				_, b, err := x.ws.Read(context.Background())
				if err != nil {
					return
				}
				if b[0]&proto.KindSnapshot == 0 {
					continue
				}
				if h, _, err := proto.ParseSnapshotHeader(b); err == nil {
					select {
					case <-headers:
					default:
					}
					headers <- h
				}
			}
		}()
		send := func(n int) {
			tick += uint64(n)
			in := proto.Input{N: n, Tick: uint32(tick)}
			x.send(in.Append(nil))
			time.Sleep(50 * time.Millisecond)
		}
		for range 3 { // snapshots before the first input
			if h := <-headers; h.Waits != 0 || h.Input != uint8(tick) {
				r.t.Errorf("before the first input a snapshot says that %d wait and input %d is processed, want 0 and that of the Welcome, %d", h.Waits, h.Input, uint8(tick))
			}
		}
		for range 12 {
			send(3)
		}
		for range 20 {
			send(1)
			h := <-headers
			late := int(uint8(tick) - h.Input) // inputs that were sent and are not processed
			if late < 12 {
				r.t.Fatalf("%d inputs are late, too few for this test", late)
			}
			if got := int(h.Waits); got < min(late-2, 15) || got > late { // up to two are under way or processed by the next tick
				r.t.Errorf("%d inputs are late, and the snapshot says that %d wait", late, got)
			}
		}
		if n := r.bad("budget") + r.bad("overflow"); n != 0 {
			r.t.Errorf("%d inputs were dropped", n)
		}
		_ = x.ws.CloseNow()
	})
}
