package web_test

import (
	"fmt"
	"os"
	"sync"
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
		all := r.joinAtOnce(players)
		time.Sleep(duration)
		var sum webcl.Counts
		views := 0 // number of other actors that the players are shown
		for _, p := range all {
			p.look(func(w *webcl.World) {
				sum.Add(&w.Counts)
				views += len(w.Actors) - 1
				if w.Counts.Corrections != 0 {
					r.t.Errorf("counts %+v, last own message %+v for reason %v", w.Counts, w.LastOwn, reason.Reason(w.LastOwn.Reason))
				}
			})
			if err := p.stop(); err != nil {
				r.t.Error(err)
			}
		}
		if want := uint64(players) * uint64(duration/time.Second) * 19; sum.Inputs < want {
			r.t.Errorf("%d inputs were made, want at least %d", sum.Inputs, want)
		}
		seconds := float64(sum.Inputs) / 20
		r.t.Logf("%d players, %v: %d inputs, %d corrections, %d snapshots with %d states of actors, %d portals; at the end each player is shown %.1f others; "+
			"per player and second %.0f bytes in, %.0f bytes out", players, duration, sum.Inputs, sum.Corrections, sum.Snapshots, sum.Told, sum.Teleports,
			float64(views)/float64(players), float64(sum.BytesIn)/seconds, float64(sum.BytesOut)/seconds)
	})
}

// joinAtOnce lets a number of players enter at the same time. Each presses pseudorandom keys as soon as it is in the world.
// If they entered one after the other, this would take longer than the rest of the test, and the first would play
// meanwhile.
func (r *rig) joinAtOnce(players int) []*player {
	all := make([]*player, players)
	var joined sync.WaitGroup
	for i := range all {
		o, h := r.options(fmt.Sprintf("Walker%d", i), false)
		joined.Go(func() {
			p, err := r.dial(o, h)
			if err != nil {
				r.t.Errorf("%s: %v", o.Name, err)
				return
			}
			p.do(wander(uint64(i)))
			all[i] = p
		})
	}
	joined.Wait()
	if r.t.Failed() {
		r.t.FailNow()
	}
	return all
}
