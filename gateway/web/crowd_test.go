package web_test

import (
	"fmt"
	"net"
	"testing"
	"testing/synctest"
	"time"

	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// crowdGame is a game with 1,000 sheep around the start position in the Field. The warmth of each sheep changes at random
// in each tick, so each sheep takes more than a byte in each snapshot.
type crowdGame struct{ *testGame }

func (g *crowdGame) Tick(h *sim.Hand) {
	if h.Area() != 0 {
		return
	}
	n := 0
	for id := range h.NPCs() {
		h.Set(id, g.warmth, h.Rand(1000))
		n++
	}
	for ; n < 1000; n++ {
		h.Spawn(2, geom.Vec{X: float32(h.Rand(120) - 60), Z: float32(h.Rand(120) - 60)}, 0)
	}
}

// A player has 1,000 actors in view that change in each tick. At 20 and at 60 ticks a second, the client is sent 20 KiB a
// second with all headers, plus QUIC's acknowledgements (1.2 to 2.3 KB a second), and the player is not corrected.
func TestClientWith1000ActorsInViewIsSent20KiBPerSecond(t *testing.T) {
	t.Parallel()
	for _, rate := range []int{20, 60} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			t.Parallel()
			w, _, err := content.LoadWorld("test.toml", fmt.Appendf(nil, "tick_rate = %d\n%s%s", rate, testWorld, gameData))
			if err != nil {
				t.Fatal(err)
			}
			w.World.Game = &crowdGame{newTestGame(&w.World.Schema)}
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				r := open(t, w, dir, web.Options{}, netsim.Impairment{DelayMS: 25, Loss: 0.01})
				defer r.start()()
				var c socketCounts
				o, h := r.options("Ann", false)
				listen := o.Listen
				o.Listen = func() (net.PacketConn, error) {
					conn, err := listen()
					return countedConn{conn, &c}, err
				}
				ann, err := r.dial(o, h)
				if err != nil {
					t.Fatal(err)
				}
				ann.do(wander(1))
				ann.until("1,000 actors are in view", func(w *webcl.World) bool { return len(w.Actors) >= 1000 })
				counts := func() (n webcl.Counts, wire int64) {
					ann.look(func(w *webcl.World) { n = w.Counts })
					return n, c.bytesIn.Load() + 28*c.packetsIn.Load() // with IP and UDP
				}
				time.Sleep(3 * time.Second) // wait until the burst of Enter messages is over
				const seconds = 5
				before, wire0 := counts()
				time.Sleep(seconds * time.Second)
				n, wire := counts()
				n.Sub(&before)
				sent, all := (float64(n.BytesIn)+52*float64(n.Snapshots))/seconds, float64(wire-wire0)/seconds
				t.Logf("%d ticks a second: %.0f bytes a second in %d snapshots, %.0f on the wire; %.0f states of actors", rate, sent, n.Snapshots/seconds, all, float64(n.Told)/seconds)
				if sent > proto.SendRate || sent < 0.85*proto.SendRate || all > 1.15*proto.SendRate || n.Snapshots < uint64(seconds*rate*9/10) || n.Corrections > 0 {
					t.Errorf("%d ticks a second: %.0f bytes a second in %d snapshots, %.0f on the wire, %d corrections", rate, sent, n.Snapshots/seconds, all, n.Corrections)
				}
				if err := ann.stop(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
