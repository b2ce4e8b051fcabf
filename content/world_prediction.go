package content

import "github.com/truestep-io/truestep/sim/move"

// Values of keys in [rules.prediction] of a world file.
var (
	predictWords    = []string{"simulate", "accept"}
	tickPolicyWords = []string{"throttled", "greedy"}
	vehicleModes    = []string{"simulate", "bounded", "refuse"} // names of the values of move.VehicleMode, in order
)

// readPrediction reads [rules.prediction], the rules by which the inputs of predicting clients are judged. A key that also
// exists in server.properties of Mojang's server has the same name here.
func (b *builder) readPrediction(t *table) {
	if t == nil {
		return
	}
	p := &b.w.Rules.Predict
	if i, ok := t.choice("movement", predictWords); ok {
		p.TrustClient = predictWords[i] == "accept"
	}
	t.float("accept_limit", &p.AcceptLimit, 0, 100)
	if i, ok := t.choice("player-tick-policy", tickPolicyWords); ok {
		p.Greedy = tickPolicyWords[i] == "greedy"
	}
	t.float("player-position-acceptance-threshold", &p.Threshold, 0, 100)
	readInteger(t, "player-rewind-min-correction-delay-ticks", &p.MinDelay, 0, 1000)
	readInteger(t, "player-rewind-history-size-ticks", &p.History, 1, 1000)
	readInteger(t, "player-tick-throttled-max-tick-credits", &p.MaxCredits, 0, 1000)
	readInteger(t, "player-tick-throttled-input-batch-size", &p.QueueSize, 1, move.MaxQueueSize)
	t.float("strict_threshold", &p.StrictThreshold, 0, 100)
	t.float("velocity_threshold", &p.VelocityThreshold, 0, 100)
	t.float("acceptance", &p.AcceptShare, 0, 1)
	t.float("easing", &p.EaseShare, 0, 1)
	t.float("easing_per_second", &p.EasePerSecond, 0, 10)
	t.milliseconds("teleport_wait", &p.TeleportResendMS, 0.1, 60)
	readInteger(t, "teleport_tries", &p.MaxTeleportResends, 1, 100)
	t.milliseconds("frozen_after", &p.SilentReportMS, 0, 3600)
	t.milliseconds("kick_frozen_after", &p.SilentKickMS, 0, 3600)
	readInteger(t, "strict_at_suspicion", &p.StrictSuspicion, 0, 1_000_000)
	readInteger(t, "kick_at_suspicion", &p.KickSuspicion, 0, 1_000_000)
	b.readVehicleKinds(t.subtable("vehicles"))
	t.float("knockback_away", &b.w.Rules.Knockback.Away, 0, 4)
	t.float("knockback_up", &b.w.Rules.Knockback.Up, 0, 4)
	readLiquidRules(t.subtable("liquids"), &p.Liquids)
	t.reportUnknownKeys()
}

// readVehicleKinds reads [rules.prediction.vehicles], which has a table of constants for each kind of vehicle.
func (b *builder) readVehicleKinds(t *table) {
	if t == nil {
		return
	}
	for of := move.NoVehicle + 1; of.Valid(); of++ {
		if kind := t.subtable(of.String()); kind != nil {
			readVehicleKind(kind, &b.w.Rules.Predict.Vehicles[of])
		}
	}
	t.reportUnknownKeys()
}

func readVehicleKind(t *table, k *move.VehicleKind) {
	if i, ok := t.choice("mode", vehicleModes); ok {
		k.Mode = move.VehicleMode(i)
	}
	for _, key := range k.Keys() {
		if key.Whole != nil {
			readInteger(t, key.Name, key.Whole, int64(key.Min), int64(key.Max))
		} else {
			t.float(key.Name, key.Float, key.Min, key.Max)
		}
	}
	t.reportUnknownKeys()
}
