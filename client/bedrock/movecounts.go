package bedrock

// MoveCounts counts the packets and corrections of a predicted player.
type MoveCounts struct {
	Ticks uint64 // ticks predicted, each with one input

	Corrections   uint64  // corrections received; each also counts in one of the next four fields when it takes effect
	Tampered      uint64  // corrections of a tick that the Tamper altered, or of a later tick in the history
	NoEffect      uint64  // corrections without effect: the client already had the server's position
	AfterTeleport uint64  // first corrections after a teleport: the server holds the player until the client reports the teleport as handled
	Unexpected    uint64  // corrections that moved an honest client without a known reason
	MaxUnexpected float32 // greatest distance in blocks that an unexpected correction moved the player

	VehicleTicks uint64 // ticks in which the player drove a vehicle
	Mounts       uint64 // times that the player mounted

	Teleports  uint64 // MovePlayer packets for the client's player
	Motions    uint64 // SetActorMotion packets for the client's player
	ActorData  uint64 // SetActorData packets with postures of the client's player
	Attributes uint64 // UpdateAttributes packets for the client's player
	Effects    uint64 // MobEffect packets for the client's player
	Abilities  uint64 // UpdateAbilities packets for the client's player
}

func (c *MoveCounts) counterPairs(o *MoveCounts) []counterPair {
	return []counterPair{
		{&c.Ticks, o.Ticks}, {&c.Corrections, o.Corrections}, {&c.Tampered, o.Tampered}, {&c.NoEffect, o.NoEffect},
		{&c.AfterTeleport, o.AfterTeleport}, {&c.Unexpected, o.Unexpected}, {&c.VehicleTicks, o.VehicleTicks}, {&c.Mounts, o.Mounts},
		{&c.Teleports, o.Teleports}, {&c.Motions, o.Motions}, {&c.ActorData, o.ActorData},
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

// subtract subtracts earlier counts. MaxUnexpected does not change.
func (c *MoveCounts) subtract(o *MoveCounts) {
	for _, f := range c.counterPairs(o) {
		*f.to -= f.from
	}
}
