package move

// PredictPolicy is the parameters of the predict authority. Ticks are client ticks: 20 per second, one per input. Where
// Mojang's server has the same parameter, the world file uses its name, which the comments below repeat; see
// docs/wire/bedrock.md, comparison.
type PredictPolicy struct {
	// TrustClient makes the server accept the client's position without corrections (rule SV-9 of docs/wire/bedrock.md). The
	// limits of rule SV-16 still apply.
	TrustClient bool
	AcceptLimit float32 // blocks: with TrustClient, maximum movement per input, never into a block; 0 accepts every position

	Threshold         float32 // blocks: larger position errors are corrected   player-position-acceptance-threshold
	StrictThreshold   float32 // blocks: Threshold for a player under suspicion (rule SV-23 of docs/wire/bedrock.md)
	VelocityThreshold float32 // blocks per tick: larger velocity errors are corrected; 0 disables the check
	AcceptShare       float32 // share of Threshold below which the server adopts the client's position
	EaseShare         float32 // share of Threshold by which the server's position moves toward the client's per tick
	// EasePerSecond is the maximum number of blocks per second by which the server's position moves toward the client's
	// (rule SV-12 of docs/wire/bedrock.md).
	EasePerSecond float32

	MinDelay int32 // minimum ticks between two corrections (rule SV-13 of docs/wire/bedrock.md)   player-rewind-min-correction-delay-ticks
	History  int32 // length of the client's history in ticks (rules SV-14, SV-15 and SV-17 of docs/wire/bedrock.md)   player-rewind-history-size-ticks

	Greedy     bool  // process inputs as they arrive instead of one per tick   player-tick-policy
	MaxCredits int32 // maximum extra inputs after ticks without input (rule SV-18 of docs/wire/bedrock.md)   player-tick-throttled-max-tick-credits
	QueueSize  int32 // maximum queued inputs, 1..MaxQueueSize; beyond it the oldest is dropped   player-tick-throttled-input-batch-size

	TeleportResendMS   int32 // ms after which an unacknowledged teleport is sent again, but at least four RTTs
	MaxTeleportResends int32 // number of resends after which the player is disconnected

	SilentReportMS int32 // ms without input after which a client is reported as frozen (rule SV-20 of docs/wire/bedrock.md)
	SilentKickMS   int32 // ms without input after which a client is disconnected; 0 for never

	Liquids Liquids // how bodies move in water and lava

	StrictSuspicion int32 // suspicion points from which StrictThreshold applies; 0 for never
	KickSuspicion   int32 // suspicion points from which the player is disconnected; 0 for never

	Vehicles VehicleKinds // constants of the vehicles, by type
}

// MaxGain returns the maximum distance in blocks by which a cheating client can be ahead of an honest client with the same keys
// after the given time. It is the sum of (1) the distance by which the server's position can move toward the client's in that
// time (rule SV-12 of docs/wire/bedrock.md) and (2) the position error up to which a client is not corrected, the threshold. A
// cheating client gains no height, because the server's position moves only horizontally.
func (p *PredictPolicy) MaxGain(seconds float32) float32 {
	return p.Threshold + float32(p.EasePerSecond*seconds)
}

// MaxQueueSize is the maximum that PredictPolicy.QueueSize can be set to. It limits the memory for one player's inputs.
const MaxQueueSize = 128

// DefaultPredictPolicy returns the default parameters: those of Mojang's server where it has the parameter, otherwise
// those of docs/wire/bedrock.md.
func DefaultPredictPolicy() PredictPolicy {
	return PredictPolicy{
		Threshold: 0.5, StrictThreshold: 0.05, AcceptShare: 0.01, EaseShare: 0.004, EasePerSecond: 0.1,
		MinDelay: 5, History: 40,
		MaxCredits: 20, QueueSize: 40,
		TeleportResendMS: 2000, MaxTeleportResends: 3,
		SilentReportMS: 2000, SilentKickMS: 10_000,
		Liquids:         DefaultLiquids(),
		Vehicles:        DefaultVehicleKinds(),
		StrictSuspicion: 40, KickSuspicion: 200,
	}
}

// Suspicion points of a player, by the kind of anomaly that adds them. The sum of a player's points halves every 10 s. An honest
// client causes none. As an example, 20 inputs with NaN are enough to be disconnected at the default KickSuspicion (rule SV-16 of
// docs/wire/bedrock.md). The values are not measured.
const (
	suspectNotFinite   = 10 // a value that is not finite, or a position too far away
	suspectOverflow    = 5  // more inputs than elapsed ticks
	suspectTeleport    = 5  // acknowledgement of a teleport that was not sent
	suspectVehicle     = 5  // an input that moves a vehicle which the player does not ride (rule VH-2 of docs/wire/bedrock.md)
	suspectVehicleFlip = 2  // a change between walking and riding beyond the limit (rule VH-10 of docs/wire/bedrock.md)
	suspectForged      = 2  // an input with a tick that was already used
	suspectClamped     = 2  // a move vector or pitch out of range
	suspectGap         = 2  // a gap between the ticks of two inputs
	suspectBigGap      = 20 // a tick gap beyond the history, after which the player hovers until it acknowledges a teleport
	suspectStance      = 1  // a stance request that the rules refuse
)

// suspicionHalfLifeSeconds is the time after which suspicion points are halved.
const suspicionHalfLifeSeconds = 10
