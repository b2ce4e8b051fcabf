//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/client/web"
)

// player is an honest client in the world.
type player interface {
	play(ctx context.Context) error // walks about until ctx ends; returns an error only if the connection ends before
	corrections() uint64            // number of corrections so far, except those that an honest client expects
	close()
}

// route is a way for honest players to join: through a door, with or without a delay of the network.
type route struct {
	name  string
	delay time.Duration // delay in each direction
	join  func(ctx context.Context, s *targets, from, name string, delay time.Duration) (player, error)
}

var routes = []route{
	{"rcce", 0, joinRcce},
	{"rcce-300ms", 150 * time.Millisecond, joinRcce},
	{"rs", 0, joinRs},
	{"bedrock", 0, joinBedrock},
	{"bedrock-300ms", 150 * time.Millisecond, joinBedrock},
	{"web", 0, joinWeb},
}

const password = "correct horse"

type rccePlayer struct{ *rcce.Client }

func joinRcce(ctx context.Context, s *targets, from, name string, delay time.Duration) (player, error) {
	c, err := rcce.Dial(ctx, s.Rcce, rcce.Options{User: name, Password: password, Dial: dialFrom(from, delay)})
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
	return p.Play(ctx, &rcce.FightOrWander{Wander: rcce.Wander{Radius: 30, Chat: 10 * time.Second}, Fight: rcce.Fight{Range: 1}})
}
func (p rccePlayer) corrections() uint64 { return p.Stats(nil, nil).Corrections }
func (p rccePlayer) close()              { p.Close() }

type rsPlayer struct{ *rs.Client }

func joinRs(ctx context.Context, s *targets, from, name string, delay time.Duration) (player, error) {
	c, err := rs.Dial(ctx, rs.Config{Addr: s.Rs, Key: s.key, User: name, Password: password, Dial: dialFrom(from, delay)})
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

// chunks caches the chunks of the world that clients have received. All Bedrock clients of this process share it.
var chunks bedrock.ChunkCache

func joinBedrock(ctx context.Context, s *targets, from, name string, delay time.Duration) (player, error) {
	c, err := bedrock.Dial(ctx, s.Bedrock, bedrock.Options{Name: name, Chunks: &chunks, Dial: dialFrom(from, delay)})
	if err != nil {
		return nil, err
	}
	return bedrockPlayer{c}, nil
}

func (p bedrockPlayer) play(ctx context.Context) error { return p.Play(ctx, &bedrock.Wander{}) }
func (p bedrockPlayer) corrections() uint64            { return p.Stats(nil).Move.Unexpected }
func (p bedrockPlayer) close()                         { p.Close() }

type webPlayer struct{ *web.Client }

// grounds caches the ground (terrain) of each area, which clients receive from the server. All web clients of this process share it.
var grounds web.GroundCache

// joinWeb joins over WebTransport, without a network delay. If the server refuses because it is busy, joinWeb waits for the
// time that the server asks for and tries again, as the web client in a browser does.
func joinWeb(ctx context.Context, s *targets, from, name string, _ time.Duration) (player, error) {
	for {
		c, err := web.Dial(ctx, "http://"+s.Web, web.Options{
			Name: name, Grounds: &grounds, Dial: dialFrom(from, 0), Listen: func() (net.PacketConn, error) { return listenUDP(from) },
		})
		if err == nil {
			return webPlayer{c}, nil
		}
		refused, ok := errors.AsType[*web.RefusedError](err)
		if !ok || refused.Seconds == 0 {
			return nil, err
		}
		if wait(ctx, time.Duration(refused.Seconds)*time.Second); ctx.Err() != nil {
			return nil, err
		}
	}
}

func (p webPlayer) play(ctx context.Context) error { return p.Play(ctx, web.Wander(keys.Wander{})) }

func (p webPlayer) corrections() (n uint64) {
	p.Inspect(func(w *web.World) { n = w.Counts.False })
	return n
}

func (p webPlayer) close() { p.Close() }

// victimName is the name of the account for which attackers try wrong passwords. No player uses the account.
const victimName = "Victim"

// residentsPerRoute is the number of residents that join by each route. Residents are the honest players that stay in the world
// during an attack. All 36 residents of the six routes have the same NAT address.
const residentsPerRoute = 6

// residents are players that join before an attack begins and stay in the world during the attack.
type residents struct {
	cancel context.CancelFunc
	done   sync.WaitGroup

	mu      sync.Mutex
	players []player
	names   []string // names of players
	lost    []error
}

// joinResidents logs in n honest players by each route, all at the same time, as players do after a restart of the server. They
// have the NAT address and stay in the world during the attack.
func joinResidents(ctx context.Context, s *targets, n int) (*residents, error) {
	ctx, cancel := context.WithCancel(ctx)
	r := &residents{cancel: cancel}
	errs := make(chan error)
	for _, way := range routes {
		for i := range n {
			go func() {
				errs <- r.add(ctx, s, way, residentName(way, i))
			}()
		}
	}
	var err error
	for range n * len(routes) {
		err = errors.Join(err, <-errs)
	}
	if err != nil {
		r.leave()
		return nil, err
	}
	return r, nil
}

// residentName returns the name of the i-th resident of a route.
func residentName(way route, i int) string {
	if way.delay > 0 {
		return fmt.Sprint("Far", way.name[:2], i)
	}
	return fmt.Sprint("Home", way.name[:2], i)
}

// add logs in a resident by a route and starts a goroutine in which the resident plays until ctx ends.
func (r *residents) add(ctx context.Context, s *targets, way route, name string) error {
	p, err := joinWithin(ctx, 20*time.Second, s, way, natAddr(), name)
	if err != nil {
		return fmt.Errorf("honest client %s cannot join: %w", name, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.players, r.names = append(r.players, p), append(r.names, name)
	r.done.Go(func() {
		if err := p.play(ctx); err != nil && ctx.Err() == nil {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.lost = append(r.lost, fmt.Errorf("honest client %s lost its connection: %w", name, err))
		}
	})
	return nil
}

// corrections returns how many unexpected corrections all residents, the honest players in the world, have received so far.
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
	var all sync.WaitGroup
	for _, p := range r.players {
		all.Go(p.close)
	}
	all.Wait()
}

// joinWithin lets a player join, and returns an error if that takes longer than the time limit.
func joinWithin(ctx context.Context, limit time.Duration, s *targets, way route, from, name string) (player, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return way.join(ctx, s, from, name, way.delay)
}
