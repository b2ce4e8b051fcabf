//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/client/rs"
)

// player is an honest client in the world.
type player interface {
	play(ctx context.Context) error // walks about until ctx ends, which is no error
	corrections() uint64            // number of corrections that an honest client does not expect
	close()
}

// route is a door and a network delay with which honest players join.
type route struct {
	name  string
	delay time.Duration // delay in each direction
	join  func(ctx context.Context, s *testServer, from, name string, delay time.Duration) (player, error)
}

var routes = []route{
	{"rcce", 0, joinRcce},
	{"rcce-300ms", 150 * time.Millisecond, joinRcce},
	{"rs", 0, joinRs},
	{"bedrock", 0, joinBedrock},
	{"bedrock-300ms", 150 * time.Millisecond, joinBedrock},
}

const password = "correct horse"

type rccePlayer struct{ *rcce.Client }

func joinRcce(ctx context.Context, _ *testServer, from, name string, delay time.Duration) (player, error) {
	c, err := rcce.Dial(ctx, rcceAddr, rcce.Options{User: name, Password: password, Dial: dialFrom(from, delay)})
	if err != nil {
		return nil, err
	}
	if err := c.Join(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return rccePlayer{c}, nil
}

func (p rccePlayer) play(ctx context.Context) error {
	return p.Play(ctx, &rcce.Mixed{Wander: rcce.Wander{Radius: 30, Chat: 10 * time.Second}, Fight: rcce.Fight{Range: 1}})
}
func (p rccePlayer) corrections() uint64 { return p.Stats(nil, nil).Corrections }
func (p rccePlayer) close()              { p.Close() }

type rsPlayer struct{ *rs.Client }

func joinRs(ctx context.Context, s *testServer, from, name string, delay time.Duration) (player, error) {
	c, err := rs.Dial(ctx, rs.Config{Addr: rsAddr, Key: s.key, User: name, Password: password, Dial: dialFrom(from, delay)})
	if err != nil {
		return nil, err
	}
	return rsPlayer{c}, nil
}

func (p rsPlayer) play(ctx context.Context) error {
	p.Play(&rs.Wander{Chat: 10 * time.Second})
	select {
	case <-p.Done():
		return p.Err()
	case <-ctx.Done():
		return nil
	}
}
func (p rsPlayer) corrections() uint64 { return 0 } // the server itself walks these players, so they are never corrected
func (p rsPlayer) close()              { p.Close() }

type bedrockPlayer struct{ *bedrock.Client }

// chunks is shared by all Bedrock clients of this process.
var chunks bedrock.ChunkCache

func joinBedrock(ctx context.Context, _ *testServer, from, name string, delay time.Duration) (player, error) {
	c, err := bedrock.Dial(ctx, bedrockAddr, bedrock.Options{Name: name, Chunks: &chunks, Dial: dialFrom(from, delay)})
	if err != nil {
		return nil, err
	}
	return bedrockPlayer{c}, nil
}

func (p bedrockPlayer) play(ctx context.Context) error { return p.Play(ctx, &bedrock.Wander{}) }
func (p bedrockPlayer) corrections() uint64            { return p.Stats(nil).Move.Unexpected }
func (p bedrockPlayer) close()                         { p.Close() }

// residents are players that are in the world before an attack begins, and stay.
type residents struct {
	cancel context.CancelFunc
	done   sync.WaitGroup

	mu      sync.Mutex
	players []player
	names   []string
	lost    []error
}

// joinResidents lets n players of each route join, all from the address from: a house behind one NAT.
func joinResidents(ctx context.Context, s *testServer, n int, from string) (*residents, error) {
	ctx, cancel := context.WithCancel(ctx)
	r := &residents{cancel: cancel}
	for _, way := range routes {
		for i := range n {
			name := fmt.Sprintf("Home%s%d", way.name[:2], i)
			if way.delay > 0 {
				name = fmt.Sprintf("Far%s%d", way.name[:2], i)
			}
			p, err := joinWithin(ctx, 20*time.Second, s, way, from, name)
			if err != nil {
				r.leave()
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			r.players, r.names = append(r.players, p), append(r.names, name)
			r.done.Go(func() {
				err := p.play(ctx)
				if err != nil && ctx.Err() == nil {
					r.mu.Lock()
					r.lost = append(r.lost, fmt.Errorf("%s: %w", name, err))
					r.mu.Unlock()
				}
			})
		}
	}
	return r, nil
}

// corrections returns the sum over all players.
func (r *residents) corrections() (n uint64) {
	for _, p := range r.players {
		n += p.corrections()
	}
	return n
}

func (r *residents) lostPlayers() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(r.lost...)
}

// leave logs all players out.
func (r *residents) leave() {
	r.cancel()
	r.done.Wait()
	for _, p := range r.players {
		p.close()
	}
}

// joinWithin joins within a time limit.
func joinWithin(ctx context.Context, limit time.Duration, s *testServer, way route, from, name string) (player, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return way.join(ctx, s, from, name, way.delay)
}
