package bedrock

// MoveCounts counts the packets and corrections of a predicted player.
type MoveCounts struct {
	Ticks uint64 // inputs sent

	Corrections   uint64  // CorrectPlayerMovePrediction, all; each is also counted as one of the next four when it takes effect
	Tampered      uint64  // corrections of a tick that was tampered with, or of a later one in the history
	NoEffect      uint64  // corrections without effect: the client already had the server's position
	AfterTeleport uint64  // first correction after a teleport: the server holds the player until it is reported as handled
	Unexpected    uint64  // corrections that moved an honest client without a known reason
	MaxUnexpected float32 // greatest distance of those, blocks

	Teleports  uint64 // MovePlayer of the own player
	Motions    uint64 // SetActorMotion
	ActorData  uint64 // SetActorData with postures
	Attributes uint64 // UpdateAttributes
	Effects    uint64 // MobEffect
	Abilities  uint64 // UpdateAbilities
}

func (c *MoveCounts) counterPairs(o *MoveCounts) []counterPair {
	return []counterPair{
		{&c.Ticks, o.Ticks}, {&c.Corrections, o.Corrections}, {&c.Tampered, o.Tampered}, {&c.NoEffect, o.NoEffect},
		{&c.AfterTeleport, o.AfterTeleport}, {&c.Unexpected, o.Unexpected}, {&c.Teleports, o.Teleports}, {&c.Motions, o.Motions}, {&c.ActorData, o.ActorData},
		{&c.Attributes, o.Attributes}, {&c.Effects, o.Effects}, {&c.Abilities, o.Abilities},
	}
}

// Add adds another player's counts.
func (c *MoveCounts) Add(o *MoveCounts) {
	for _, f := range c.counterPairs(o) {
		*f.to += f.from
	}
	c.MaxUnexpected = max(c.MaxUnexpected, o.MaxUnexpected)
}

// subtract subtracts earlier counts.
func (c *MoveCounts) subtract(o *MoveCounts) {
	for _, f := range c.counterPairs(o) {
		*f.to -= f.from
	}
}
