package bedrock

// MoveCounts counts the packets about the movement of a predicted player, and the corrections of the player by cause.
type MoveCounts struct {
	Ticks uint64 // predicted ticks, each with one input

	Corrections   uint64  // all corrections received; a correction that has taken effect also counts in one of the next four fields
	Tampered      uint64  // corrections after a cheat: Tamper changed the input of the tick, or of an earlier tick in the history
	NoEffect      uint64  // corrections to a position that the client already had
	AfterTeleport uint64  // first corrections after a teleport: the server holds the player in place until the client acknowledges the teleport
	Unexpected    uint64  // corrections that moved an honest client for no known reason
	MaxUnexpected float32 // greatest distance in blocks by which an unexpected correction moved the player

	VehicleTicks uint64 // ticks in which the player drove a vehicle
	Mounts       uint64 // number of times that the player mounted a vehicle

	Teleports  uint64 // MovePlayer packets for the client's own player
	Motions    uint64 // SetActorMotion packets for the client's own player
	ActorData  uint64 // SetActorData packets with posture flags of the client's own player
	Attributes uint64 // UpdateAttributes packets for the client's own player
	Effects    uint64 // MobEffect packets for the client's own player
	Abilities  uint64 // UpdateAbilities packets for the client's own player
}

func (c *MoveCounts) counterPairs(o *MoveCounts) []counterPair {
	return []counterPair{
		{&c.Ticks, o.Ticks}, {&c.Corrections, o.Corrections}, {&c.Tampered, o.Tampered}, {&c.NoEffect, o.NoEffect},
		{&c.AfterTeleport, o.AfterTeleport}, {&c.Unexpected, o.Unexpected}, {&c.VehicleTicks, o.VehicleTicks}, {&c.Mounts, o.Mounts},
		{&c.Teleports, o.Teleports}, {&c.Motions, o.Motions}, {&c.ActorData, o.ActorData},
		{&c.Attributes, o.Attributes}, {&c.Effects, o.Effects}, {&c.Abilities, o.Abilities},
	}
}

// Add adds the counts of another player.
func (c *MoveCounts) Add(o *MoveCounts) {
	for _, f := range c.counterPairs(o) {
		*f.to += f.from
	}
	c.MaxUnexpected = max(c.MaxUnexpected, o.MaxUnexpected)
}

// subtract subtracts earlier counts of the same player. It does not change MaxUnexpected.
func (c *MoveCounts) subtract(o *MoveCounts) {
	for _, f := range c.counterPairs(o) {
		*f.to -= f.from
	}
}
