//go:build linux

package main

import _ "embed"

// worldFile is the text of the world file that the servers load.
//
//go:embed world.toml
var worldFile []byte

// Values in world.toml that the checks need to know.
const (
	areaCount      = 3     // areas of the world
	kitAmount      = 10000 // number of pieces of each item that a new character has
	respawnSeconds = 10    // time from a player's death to its respawn
	spawnSeconds   = 12    // time after which a dead NPC is replaced
	maxKillPoints  = 120   // maximum experience points for one killed NPC: xp of the NPC's template, and up to 20 random points
	maxHealth      = 60    // health of players
	npcHealth      = 40    // health of NPCs
)

// itemNames are the names of the items with the ids 1 to 3.
var itemNames = map[uint16]string{1: "Token", 2: "Seal", 3: "Relic"}
