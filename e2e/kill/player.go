//go:build linux

package main

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/e2e/truth"
	"github.com/truestep-io/truestep/sim/geom"
)

const password = "correct horse"

// player is a client of one door. It has one connection at a time and connects again after each kill of the server.
type player interface {
	name() string
	// join logs in, for the first time or again, and plays until cut.
	join(ctx context.Context) error
	// cut ends the connection without a logout. Afterwards shown returns the last state that the client was shown.
	cut()
	// shown returns the state of its own character that the client was last shown.
	shown() shown
	// playing returns nil while the client is in the world, and otherwise an error that says why it is not.
	playing() error
}

// shown is the state of its own character that a client was last shown.
type shown struct {
	area   *truth.Area // nil if the client was not shown an area
	pos    geom.Vec    // in units; only X and Z count
	health float64     // share of the maximum; negative if it was not shown
	dead   bool
}

// healthByte converts a share of the maximum to the scale of the live map.
func healthByte(share float64) int { return int(math.Ceil(share*255 - 1e-3)) }

// crowd holds the settings and the world that all players share.
type crowd struct {
	server  *server
	world   *truth.World
	seed    uint64
	holding atomic.Bool // players stand still and request nothing
	resume  bool        // sessions can be resumed
}

// seedOf returns the seed of the random numbers of a client.
func (c *crowd) seedOf(door, i int) uint64 { return c.seed<<32 + uint64(door)<<16 + uint64(i) + 1 }

const tripPause = 12 * time.Second // average time between two walks to other areas, and maximum time of one
