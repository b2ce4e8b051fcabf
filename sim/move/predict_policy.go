package move

// PredictPolicy holds the parameters of the predict authority. Ticks are client ticks: 20 per second, one per input.
// Where Mojang's server has the same parameter, the world file uses its name; see docs/wire/bedrock.md, comparison.
type PredictPolicy struct {
	TrustClient bool // take the client's position and never correct it (SV-9); the limits of SV-16 still apply

	Threshold         float32 // blocks: a larger position error is corrected   player-position-acceptance-threshold
	StrictThreshold   float32 // blocks: the same for a player under suspicion (SV-23)
	VelocityThreshold float32 // blocks per tick: the same for the velocity; 0: not checked
	AcceptShare       float32 // of Threshold: up to this error the server takes over the client's position
	EaseShare         float32 // of Threshold: how far per tick the server moves toward the client above that
	EasePerSecond     float32 // blocks: the most that acceptance and easing give away per second of inputs (SV-12)

	MinDelay int32 // minimum ticks between two corrections (SV-13)   player-rewind-min-correction-delay-ticks
	History  int32 // ticks in the client's history (SV-14, SV-15, SV-17)   player-rewind-history-size-ticks

	Greedy     bool  // process inputs as they arrive instead of one per tick   player-tick-policy
	MaxCredits int32 // maximum of inputs that idle ticks save up (SV-18)   player-tick-throttled-max-tick-credits
	QueueSize  int32 // queued inputs, 1..MaxQueueSize; a full queue drops the oldest   player-tick-throttled-input-batch-size

	TeleportResendMS   int32 // an unacknowledged teleport is sent again after this time, at least four RTT
	MaxTeleportResends int32 // resends after which the player is dropped

	FrozenMS     int32 // a client silent for this long is reported (SV-20)
	FrozenKickMS int32 // a client silent for this long is dropped; 0: never

	StrictSuspicion int32 // suspicion at which StrictThreshold applies; 0: never
	KickSuspicion   int32 // suspicion at which the player is dropped; 0: never
}

// MaxGain is the most, in blocks, that a client that lies about its movement can be ahead of an honest one with the
// same keys after the given time: what is given away meanwhile (SV-12) plus the threshold once. It gains no height,
// because nothing is given away vertically.
func (p *PredictPolicy) MaxGain(seconds float32) float32 {
	return p.Threshold + float32(p.EasePerSecond*seconds)
}

// MaxQueueSize bounds PredictPolicy.QueueSize, and so the memory of one player's inputs.
const MaxQueueSize = 128

// DefaultPredictPolicy has the values of Mojang's server where it has them, and those of docs/wire/bedrock.md
// otherwise.
func DefaultPredictPolicy() PredictPolicy {
	return PredictPolicy{
		Threshold: 0.5, StrictThreshold: 0.05, AcceptShare: 0.01, EaseShare: 0.004, EasePerSecond: 0.1,
		MinDelay: 5, History: 40,
		MaxCredits: 20, QueueSize: 40,
		TeleportResendMS: 2000, MaxTeleportResends: 3,
		FrozenMS: 2000, FrozenKickMS: 10_000,
		StrictSuspicion: 40, KickSuspicion: 200,
	}
}

// What each anomaly adds to a player's suspicion, which halves every 10 s. An honest client causes none; 20 inputs
// with NaN reach the default KickSuspicion (SV-16).   guess
const (
	suspectNotFinite = 10
	suspectOverflow  = 5
	suspectTeleport  = 5 // acknowledgement of a teleport that was not sent
	suspectVehicle   = 5
	suspectForged    = 2 // a tick that was already used
	suspectClamped   = 2
	suspectGap       = 2
	suspectBigGap    = 20 // a gap that is answered with a teleport, during which the player hovers until it acknowledges
	suspectStance    = 1  // a request that the rules refuse
)

const suspicionHalfLifeSeconds = 10
