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
	// join logs in, for the first time or again, and plays until the method cut is called.
	join(ctx context.Context) error
	// cut ends the connection without a logout. Afterwards shown returns the last state that the client has received.
	cut()
	// shown returns the last state of the client's own player that the client has received.
	shown() shown
	// updates returns the number of updates of the world that the client was shown. A new connection may count from 0 again.
	updates() uint64
	// playing returns nil while the client is in the world, and otherwise an error that says why it is not.
	playing() error
}

// shown is the last state of a client's own player that the client has received from the server.
type shown struct {
	area   *truth.Area // nil if the client has not entered an area yet
	pos    geom.Vec    // position in units; only X and Z are compared
	health float64     // 0 to 1, 1 is full health; negative if the client has not received it
	dead   bool
}

// healthByte converts a share of full health, 0 to 1, to the scale of the live map, 0 to 255, rounded up. The subtracted 0.001
// compensates for errors of floating point.
func healthByte(share float64) int { return int(math.Ceil(share*255 - 1e-3)) }

// crowd holds the settings and the world that all players share.
type crowd struct {
	server  *server
	world   *truth.World
	seed    uint64
	holding atomic.Bool // while set, players stand still and send no requests
	resume  bool        // RuneScape clients may resume their sessions; not after a clean stop, which ends all sessions
}

// seedOf returns the seed of a client's random numbers. The parameter i is the client's number among those of its door.
func (c *crowd) seedOf(door, i int) uint64 { return c.seed<<32 + uint64(door)<<16 + uint64(i) + 1 }

const tripPause = 12 * time.Second // average time between two walks to other areas, and maximum duration of a walk
