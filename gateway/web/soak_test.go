package web_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/sim/reason"
)

// Honest players that wander close together are never corrected at a round trip of 250 ms, with jitter and a loss of 5 % in
// each direction. make soak-web runs this test with 200 players for ten simulated minutes.
func TestSoakHonestPlayersAreNotCorrected(t *testing.T) {
	t.Parallel()
	players, duration := 10, 20*time.Second
	if os.Getenv("TRUESTEP_SOAK") == "full" {
		players, duration = 200, 10*time.Minute
	}
	line := netsim.Impairment{DelayMS: 125, JitterMS: 25, Loss: 0.05, Duplicate: 0.01, Reorder: 0.01}
	withServer(t, web.Options{}, line, func(r *rig) {
		var all []*player
		for i := range players {
			p := r.join(fmt.Sprintf("Walker%d", i), false)
			p.do(wander(uint64(i)))
			all = append(all, p)
		}
		time.Sleep(duration)
		inputs := uint64(0)
		for _, p := range all {
			p.look(func(w *webcl.World) {
				inputs += w.Counts.Inputs
				if w.Counts.Corrections != 0 {
					r.t.Errorf("counts %+v, last own message %+v for reason %v", w.Counts, w.LastOwn, reason.Reason(w.LastOwn.Reason))
				}
			})
			if err := p.stop(); err != nil {
				r.t.Error(err)
			}
		}
		if want := uint64(players) * uint64(duration/time.Second) * 19; inputs < want {
			r.t.Errorf("%d inputs were made, want at least %d", inputs, want)
		}
		r.t.Logf("%d players, %v: %d inputs", players, duration, inputs)
	})
}
