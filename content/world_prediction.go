package content

import "github.com/truestep-io/truestep/sim/move"

// Words of [rules.prediction].
var (
	predictWords = []string{"simulate", "accept"}
	paceWords    = []string{"throttled", "greedy"}
)

// prediction reads [rules.prediction]: how the inputs of predicting clients are judged. Keys that Mojang's server has in
// its server.properties bear the same name here.
func (b *builder) prediction(t *table) {
	if t == nil {
		return
	}
	p := &b.w.Rules.Predict
	if i, ok := t.choice("movement", predictWords); ok {
		p.TrustClient = predictWords[i] == "accept"
	}
	if i, ok := t.choice("player-tick-policy", paceWords); ok {
		p.Greedy = paceWords[i] == "greedy"
	}
	t.f32("player-position-acceptance-threshold", &p.Threshold, 0, 100)
	whole(t, "player-rewind-min-correction-delay-ticks", &p.MinDelay, 0, 1000)
	whole(t, "player-rewind-history-size-ticks", &p.History, 1, 1000)
	whole(t, "player-tick-throttled-max-tick-credits", &p.MaxCredits, 0, 1000)
	whole(t, "player-tick-throttled-input-batch-size", &p.QueueSize, 1, move.MaxQueueSize)
	t.f32("strict_threshold", &p.StrictThreshold, 0, 100)
	t.f32("velocity_threshold", &p.VelocityThreshold, 0, 100)
	t.f32("acceptance", &p.AcceptShare, 0, 1)
	t.f32("easing", &p.EaseShare, 0, 1)
	t.f32("easing_per_second", &p.EasePerSecond, 0, 10)
	t.milliseconds("teleport_wait", &p.TeleportResendMS, 0.1, 60)
	whole(t, "teleport_tries", &p.MaxTeleportResends, 1, 100)
	t.milliseconds("frozen_after", &p.FrozenMS, 0, 3600)
	t.milliseconds("kick_frozen_after", &p.FrozenKickMS, 0, 3600)
	whole(t, "strict_at_suspicion", &p.StrictSuspicion, 0, 1_000_000)
	whole(t, "kick_at_suspicion", &p.KickSuspicion, 0, 1_000_000)
	t.f32("knockback_away", &b.w.Rules.Knockback.Away, 0, 4)
	t.f32("knockback_up", &b.w.Rules.Knockback.Up, 0, 4)
	t.done()
}
