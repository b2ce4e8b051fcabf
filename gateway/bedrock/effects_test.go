package bedrock

import (
	"testing"
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// standing is a bot behaviour that presses no keys, so that the player stands still.
type standing struct{}

func (standing) Act(p *bot.Player) bot.Keys { return bot.Keys{} }

// A client that enters an effect zone is sent each effect once, with the tick and a barrier, and applies the effect at that
// tick. The speed is sent as an attribute that already includes the effect.
func TestStatusEffectsAreSentWithTickAndBarrier(t *testing.T) {
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

// A client predicts with an effect that its player does not have, as happens when packets arrive too late for its
// prediction history. The second correction resends the effects. After that, client and server agree.
func TestEffectsAreResentToClientThatAppliedThemAtWrongTick(t *testing.T) {
	loaded := effectsWorld(t)
	loaded.Areas[0].Zones = []sim.EffectZone{{ // an effect zone, so that the server has sent the client an effect
		Min: geom.Vec{X: -99, Y: -99, Z: -99}, Max: geom.Vec{X: 99, Y: 199, Z: 99}, Effect: sim.Effect{Kind: sim.EffectJumpBoost, Level: 1, Ticks: 6000},
	}}
	withSoakModels(t, loaded, 1, func(srv *soakServer) {
		c := srv.addClient(bot.Options{Name: "Guest"}, soakNet{RTT: 100}, standing{})
		srv.waitForJoins()
		srv.advance(2 * time.Second)
		for _, wrong := range []proto.MobEffect{
			{Event: proto.EffectAdd, Effect: proto.EffectLevitation, Amplifier: 5},
			{Event: proto.EffectAdd, Effect: proto.EffectSlowFalling},
			{Event: proto.EffectRemove, Effect: proto.EffectJumpBoost},
		} {
			c.Predictor().AddEffect(wrong)
		}
		srv.advance(5 * time.Second)
		a, rec := c.Predictor().State(), srv.checker.record("Guest")
		if a.Levitation != 0 || a.SlowFalling != 0 || a.JumpBoost != 1 || a.Pos != rec.state.Avatar.Pos {
			t.Errorf("client has %+v, server %+v", a, rec.state.Avatar)
		}
		if n := total(rec.byCause); n < 2 || n > 4 {
			t.Errorf("%d corrections, want two to four: %v", n, rec.notes)
		}
	})
}
