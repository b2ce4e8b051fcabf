package move

// PredictPolicy are the figures of the predict authority. Ticks are those of the client: 20 a second, one per input.
// Fields that Mojang's server has too bear, in the world file, its own name; see docs/wire/bedrock.md, comparison.
type PredictPolicy struct {
	TrustClient bool // take the client's position and never correct (SV-9); the bounds of SV-16 stay

	Threshold         float32 // blocks: a larger difference is corrected   player-position-acceptance-threshold
	StrictThreshold   float32 // blocks: the same for whoever is suspected (SV-23)
	VelocityThreshold float32 // blocks per tick: the same for the velocity; 0: not looked at
	AcceptShare       float32 // of Threshold: up to there the server takes over the client's position
	EaseShare         float32 // of Threshold: so far a tick the server gives way between the two
	EasePerSecond     float32 // blocks: all that acceptance and easing give away in a second of inputs (SV-12)

	MinDelay int32 // ticks between two corrections at least (SV-13)   player-rewind-min-correction-delay-ticks
	History  int32 // ticks that the client remembers (SV-14, SV-15, SV-17)   player-rewind-history-size-ticks

	Greedy     bool  // process inputs as they come, not one a tick   player-tick-policy
	MaxCredits int32 // inputs that idle ticks may save up (SV-18)   player-tick-throttled-max-tick-credits
	QueueSize  int32 // inputs that may wait, 1..MaxBatch; the oldest gives way   player-tick-throttled-input-batch-size

	TeleportResendMS int32 // without an acknowledgement for so long, or for four RTT, a teleport is told again
	MaxTeleportSends int32 // so often; then the player is dropped

	FrozenMS     int32 // a client silent for so long is reported (SV-20)...
	FrozenKickMS int32 // ...and for so long is dropped; 0: never

	StrictSuspicion int32 // suspicion from which on StrictThreshold counts; 0: never
	KickSuspicion   int32 // suspicion that drops the player; 0: never
}

// MostGain is how many blocks a client that lies about its movement is ahead, at most, of an honest one with the same
// keys, so many seconds after it began: what is given away meanwhile (SV-12), and the threshold once. It is never higher
// than the honest one, since nothing is given away up or down.
func (p *PredictPolicy) MaxGain(seconds float32) float32 {
	return p.Threshold + float32(p.EasePerSecond*seconds)
}

// MaxBatch bounds PredictPolicy.Batch, and so what one player's inputs can hold.
const MaxQueueSize = 128

// DefaultPredictPolicy is the figures of Mojang's server where it has them and docs/wire/bedrock.md where it has not.
func DefaultPredictPolicy() PredictPolicy {
	return PredictPolicy{
		Threshold: 0.5, StrictThreshold: 0.05, AcceptShare: 0.01, EaseShare: 0.004, EasePerSecond: 0.1,
		MinDelay: 5, History: 40,
		MaxCredits: 20, QueueSize: 40,
		TeleportResendMS: 2000, MaxTeleportSends: 3,
		FrozenMS: 2000, FrozenKickMS: 10_000,
		StrictSuspicion: 40, KickSuspicion: 200,
	}
}

// What odd input adds to a player's suspicion, which halves each 10 s. An honest client does none of it; 20 inputs that
// are no numbers reach the default KickAt (SV-16).   guess
const (
	suspectNotFinite = 10
	suspectOverflow  = 5
	suspectTeleport  = 5 // an acknowledgement of a teleport that was not
	suspectVehicle   = 5
	suspectForged    = 2 // a tick that was used already
	suspectClamped   = 2
	suspectGap       = 2
	suspectBigGap    = 20 // a gap that costs a teleport, in which he hangs in the air until he acknowledges
	suspectStance    = 1  // a request that the rules refuse
)

const suspicionHalfLifeSeconds = 10
