package bedrock

// MoveCounts is what happened to a predicted player.
type MoveCounts struct {
	Ticks uint64 // inputs

	Corrections   uint64  // CorrectPlayerMovePrediction, all of them; each is one of the next four, once it took effect
	Tampered      uint64  // for a tick that was tampered with, or one after it in the history
	NoEffect      uint64  // that told nothing new: by then the client was where the server had it
	AfterTeleport uint64  // the first after a teleport: the server stood still until it heard that it was handled
	Unexpected    uint64  // that moved an honest client which had heard of nothing
	MaxUnexpected float32 // blocks that one of those moved it at most

	Teleports  uint64 // MovePlayer of oneself
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

// subtract takes away what was counted before.
func (c *MoveCounts) subtract(o *MoveCounts) {
	for _, f := range c.counterPairs(o) {
		*f.to -= f.from
	}
}
