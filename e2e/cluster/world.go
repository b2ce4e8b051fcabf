//go:build linux

package main

import (
	_ "embed"
	"time"
)

// worldFile is the text of the world file that the nodes load.
//
//go:embed world.toml
var worldFile []byte

// Values in world.toml that the checks need to know.
const (
	areaCount  = 3     // areas of the world
	kitAmount  = 10000 // Tokens of a new character
	lingerTime = 25 * time.Second
)
