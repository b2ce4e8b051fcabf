package swarm

import (
	"context"
	"iter"
	"sync"
	"sync/atomic"
	"time"
)

// Limits of the players' logins.
const (
	joinTimeout  = 45 * time.Second // maximum time between the first packet of a player and its entry to the world, with retries
	maxJoinTries = 4                // maximum number of login attempts with the policy retryFew
	joinPause    = 2 * time.Second  // pause after the first failed login; it becomes longer with each further one
)

// playerState is the state of a player during a run.
type playerState int32

const (
	waiting playerState = iota // the player waits for its login or is logging in
	inWorld
	failed  // the player could not enter the world
	dropped // the player has lost its connection without a logout
)

// player is one player of a run. The field client is nil until the player is in the world.
type player struct {
	state  atomic.Int32
	client atomic.Pointer[client]
	login  time.Duration // duration of the login; valid in the states inWorld and dropped
	joined time.Time     // time of the entry to the world; valid in the states inWorld and dropped
	err    error         // reason of the state; valid in the states failed and dropped
}

func (p *player) is(s playerState) bool { return playerState(p.state.Load()) == s }

// end stores the final state of a player that could not enter the world or has left it, and the error that caused this.
func (p *player) end(s playerState, err error) {
	p.err = err
	p.state.Store(int32(s))
}

// roster contains the players of one protocol. It also counts the repeated logins by the error that made them necessary.
type roster struct {
	players []*player

	mu      sync.Mutex
	retries map[string]int // number of repeated logins, by the error of the failed one
}

func (r *roster) count(s playerState) int {
	n := 0
	for _, p := range r.players {
		if p.is(s) {
			n++
		}
	}
	return n
}

// clients iterates over the players that have entered the world. It yields the number and the client of each.
func clients[C client](r *roster) iter.Seq2[int, C] {
	return func(yield func(int, C) bool) {
		for i, p := range r.players {
			if c := p.client.Load(); c != nil && !yield(i, (*c).(C)) {
				return
			}
		}
	}
}

// play logs player i in, unless ctx has already ended. The player then plays until the context in the parameter playing ends.
func (g *group) play(ctx, playing context.Context, i int, p *player) {
	if !sleep(ctx, time.Duration(float64(i)/g.config.Ramp*float64(time.Second))) {
		return
	}
	joining, cancel := context.WithTimeout(ctx, joinTimeout)
	started := time.Now()
	c, err := g.join(joining, i)
	cancel()
	if err != nil {
		if ctx.Err() == nil {
			p.end(failed, err)
		}
		return
	}
	defer c.close()
	p.client.Store(&c)
	p.joined = time.Now()
	p.login = p.joined.Sub(started)
	p.state.Store(int32(inWorld))
	if err := c.play(playing); err != nil {
		p.end(dropped, err)
	}
}

// join logs player i in. It retries after failures that may be temporary: a busy server refuses logins, and a server that
// has not detected the end of an earlier run reports that the account is online.
func (g *group) join(ctx context.Context, i int) (client, error) {
	for try := 1; ; try++ {
		c, err := g.driver.join(ctx, i)
		if err == nil {
			return c, nil
		}
		switch policy := g.driver.retry(err); {
		case policy == retryNever, policy == retryFew && try >= maxJoinTries:
			return nil, err
		}
		if !sleep(ctx, time.Duration(min(try, maxJoinTries))*joinPause) {
			return nil, err
		}
		g.mu.Lock()
		g.retries[err.Error()]++
		g.mu.Unlock()
	}
}

// sleep waits for d. It returns false if ctx ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// eachSecond calls the function f about once per second until done returns true or ctx ends. The argument of f is the time
// since the previous call.
func eachSecond(ctx context.Context, done func() bool, f func(elapsed time.Duration)) {
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
			f(elapsed)
			last = time.Now()
		}
	}
}
