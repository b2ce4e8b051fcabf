package bedrock

import (
	"testing"
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// standing is a behaviour that presses no keys.
type standing struct{}

func (standing) Act(p *bot.Player) bot.Keys { return bot.Keys{} }

// A client that enters a zone is told each of its effects once with the tick and a barrier, applies it at that tick, and is
// told the speed as an attribute that neither side multiplies again.
func TestEffectsAreSentWithTickAndBarrier(t *testing.T) {
	loaded := effectsWorld(t)
	area := &loaded.Areas[0]
	area.Zones = nil
	for kind := range sim.LastingEffects {
		area.Zones = append(area.Zones, sim.EffectZone{
			Min: geom.Vec{X: -9, Y: -9, Z: -9}, Max: geom.Vec{X: 9, Y: 90, Z: 9}, Effect: sim.Effect{Kind: kind, Level: 2, Ticks: 6000},
		})
	}
	withSoakModels(t, loaded, 1, func(srv *soakServer) {
		c := srv.addClient(bot.Options{Name: "Guest"}, soakNet{RTT: 100}, standing{})
		srv.waitForJoins()
		srv.advance(2 * time.Second)
		a, n := c.Predictor().State(), c.Predictor().Counts()
		const speed = move.WalkSpeed * 1.4 * 0.7
		if a.JumpBoost != 2 || a.Levitation != 2 || a.SlowFalling != 2 || geom.Abs(a.Speed-speed) > 1e-6 || !a.MayGlide {
			t.Errorf("client has %+v, want level 2 of each and a speed of %v", a, speed)
		}
		if rec := srv.checker.record("Guest"); rec.state.Avatar.Speed != a.Speed || total(rec.byCause) > 0 {
			t.Errorf("server has a speed of %v, client %v; corrections %v: %v", rec.state.Avatar.Speed, a.Speed, rec.byCause, rec.notes)
		}
		if n.Effects < 5 || c.Counts().Rewind.Queued == 0 || c.Counts().Barriers < 5 {
			t.Errorf("told %d effects, %d barriers, %d packets with a tick", n.Effects, c.Counts().Barriers, c.Counts().Rewind.Queued)
		}
	})
}
