package main

import (
	"context"
	"sync/atomic"
	"time"
)

// botState is how far a player got.
type botState int32

const (
	botWaiting botState = iota // for its turn to log in
	botIn                      // the world
	botFailed                  // to join
	botDropped                 // out of the world, against its will
)

// swarmBot is one player with a client of some protocol. client is set once there is a connection and stays; the rest
// is valid by state.
type swarmBot[Client any] struct {
	state  atomic.Int32
	client atomic.Pointer[Client]
	login  time.Duration // botIn, botDropped
	err    error         // botFailed, botDropped
}

func (b *swarmBot[Client]) is(s botState) bool { return botState(b.state.Load()) == s }

// ended notes the end of a player that nobody wished.
func (b *swarmBot[Client]) ended(s botState, err error) {
	b.err = err
	b.state.Store(int32(s))
}

// swarmBots is all players of a swarm.
type swarmBots[Client any] []*swarmBot[Client]

func (all swarmBots[Client]) count(s botState) int {
	n := 0
	for _, b := range all {
		if b.is(s) {
			n++
		}
	}
	return n
}

// pause waits; false if ctx ended.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// eachSecond calls fn about each second, with the time since the last call, until done or ctx ends.
func eachSecond(ctx context.Context, done func() bool, fn func(elapsed time.Duration)) {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	last := time.Now()
	for !done() {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if elapsed := time.Since(last); elapsed >= time.Second {
			fn(elapsed)
			last = time.Now()
		}
	}
}
