package content

import (
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

func TestEveryPredictionRuleInWorldFileIsLoaded(t *testing.T) {
	w, _, err := LoadWorld("tiny.toml", []byte(tinyTOML+`
[rules.prediction]
movement = "accept"
accept_limit = 1.5
player-tick-policy = "greedy"
player-position-acceptance-threshold = 0.25
player-rewind-min-correction-delay-ticks = 7
player-rewind-history-size-ticks = 60
player-tick-throttled-max-tick-credits = 12
player-tick-throttled-input-batch-size = 30
strict_threshold = 0.125
velocity_threshold = 0.5
acceptance = 0.25
easing = 0.125
easing_per_second = 0.75
teleport_wait = 3
teleport_tries = 5
frozen_after = 4
kick_frozen_after = 20
strict_at_suspicion = 30
kick_at_suspicion = 90
knockback_away = 0.5
knockback_up = 0.25
`))
	if err != nil {
		t.Fatal(err)
	}
	got := w.Rules.Predict
	want := move.DefaultPredictPolicy()
	want.TrustClient, want.AcceptLimit, want.Greedy = true, 1.5, true
	want.Threshold, want.StrictThreshold, want.VelocityThreshold = 0.25, 0.125, 0.5
	want.AcceptShare, want.EaseShare, want.EasePerSecond = 0.25, 0.125, 0.75
	want.MinDelay, want.History, want.MaxCredits, want.QueueSize = 7, 60, 12, 30
	want.TeleportResendMS, want.MaxTeleportResends, want.SilentReportMS, want.SilentKickMS = 3000, 5, 4000, 20000
	want.StrictSuspicion, want.KickSuspicion = 30, 90
	if got != want {
		t.Errorf("policy %+v, want %+v", got, want)
	}
	if k := w.Rules.Knockback; k != (sim.Knockback{Away: 0.5, Up: 0.25}) {
		t.Errorf("knockback %+v", k)
	}
}
