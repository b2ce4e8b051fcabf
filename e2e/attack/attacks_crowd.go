//go:build linux

package main

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/client/web"
)

// maxCrowd is the maximum number of players of an attack. With more players, the machine that runs both server and attackers
// would be overloaded before the server is.
const maxCrowd = 800

// join is a function that logs in one attacking player. The parameter dial opens the player's connections. The result play makes
// the player play until its ctx ends; gather calls it as soon as the player has joined.
type join func(ctx context.Context, a *assault, name string, dial dialer) (play func(ctx context.Context), err error)

type dialer func(ctx context.Context, network, addr string) (net.Conn, error)

// gather logs in n players, six at a time, and makes each of them play until ctx ends. The parameter one logs in one player. The
// parameter attack, if not nil, is called at the beginning of the attack with the newest connection of each player.
func (a *assault) gather(ctx context.Context, n int, one join, attack func(conn net.Conn)) error {
	n = min(a.scaled(n), maxCrowd)
	slots := make(chan struct{}, 6)
	failed := make(chan error, n)
	var joined sync.WaitGroup
	prefix := strings.ToUpper(fmt.Sprintf("%x", randomSeed()&0xfff)) // each strength uses new names
	for i := range n {
		slots <- struct{}{}
		joined.Add(1)
		a.done.Go(func() {
			var last net.Conn
			dial := dialFrom(crowdAddr(i), 0)
			play, err := one(ctx, a, fmt.Sprint("Mob", prefix, i), func(ctx context.Context, network, addr string) (net.Conn, error) {
				conn, err := dial(ctx, network, addr)
				last = conn
				return conn, err
			})
			<-slots
			joined.Done()
			if err != nil {
				failed <- err
				return
			}
			a.count.Add(1)
			if attack != nil {
				go func() {
					select {
					case <-a.begin:
						attack(last)
					case <-ctx.Done():
					}
				}()
			}
			play(ctx)
		})
	}
	joined.Wait()
	if len(failed) > n/20 { // a full server may refuse a few of the attackers
		return fmt.Errorf("%d of %d attackers cannot join, the first because of: %w", len(failed), n, <-failed)
	}
	close(a.started)
	<-ctx.Done()
	a.done.Wait()
	return nil
}

// attacking reports whether the attack has begun: before that, its clients join.
func (a *assault) attacking() bool {
	select {
	case <-a.begin:
		return true
	default:
		return false
	}
}

// talk schedules the chat lines of an attacking player: four a second, from the beginning of the attack.
type talk struct {
	a    *assault
	next time.Time
}

func (t *talk) due() bool {
	now := time.Now()
	if now.Before(t.next) || !t.a.attacking() {
		return false
	}
	t.next = now.Add(250 * time.Millisecond)
	return true
}

var longLine = strings.Repeat("x", 250)

type rcceTalker struct{ talk }

// Act implements rcce.Behaviour. It says longLine whenever a line is due.
func (t *rcceTalker) Act(p *rcce.Player) {
	if t.due() {
		p.Say(longLine)
	}
}

func joinRcceTalker(ctx context.Context, a *assault, name string, dial dialer) (func(context.Context), error) {
	c, err := rcce.Dial(ctx, a.Rcce, rcce.Options{User: name, Password: password, SameConnection: true, Dial: dial})
	if err != nil {
		return nil, err
	}
	if err := c.Join(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return func(ctx context.Context) { _ = c.Play(ctx, &rcceTalker{talk{a: a}}) }, nil
}

func rcceChat(ctx context.Context, a *assault) error { return a.gather(ctx, 100, joinRcceTalker, nil) }

// rcceNoAcks closes the sockets of the attacking players without a disconnect, so that the server queues chat for clients that
// never acknowledge it.
func rcceNoAcks(ctx context.Context, a *assault) error {
	return a.gather(ctx, 350, joinRcceTalker, func(conn net.Conn) { conn.Close() })
}

type bedrockTalker struct {
	talk
	c *bedrock.Client
}

// Act implements bedrock.Behaviour. It says longLine whenever a line is due, and presses no keys.
func (t *bedrockTalker) Act(*bedrock.Player) bedrock.Keys {
	if t.due() {
		t.c.Say(longLine)
	}
	return bedrock.Keys{}
}

func joinBedrockTalker(ctx context.Context, a *assault, name string, dial dialer) (func(context.Context), error) {
	c, err := bedrock.Dial(ctx, a.Bedrock, bedrock.Options{Name: name, Chunks: &chunks, Dial: dial})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) { _ = c.Play(ctx, &bedrockTalker{talk{a: a}, c}) }, nil
}

func bedrockChat(ctx context.Context, a *assault) error {
	return a.gather(ctx, 100, joinBedrockTalker, nil)
}

func bedrockNoAcks(ctx context.Context, a *assault) error {
	return a.gather(ctx, 100, joinBedrockTalker, func(conn net.Conn) { conn.Close() })
}

func joinRsTalker(ctx context.Context, a *assault, name string, dial dialer) (func(context.Context), error) {
	c, err := rs.Dial(ctx, rs.Config{Addr: a.Rs, Key: a.key, User: name, Password: password, Dial: dial})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) {
		defer c.Close()
		t := talk{a: a}
		for ctx.Err() == nil {
			if t.due() {
				_ = c.Say(longLine)
			}
			select {
			case <-c.Done():
				return
			case <-ctx.Done():
			case <-time.After(50 * time.Millisecond):
			}
		}
	}, nil
}

func rsChat(ctx context.Context, a *assault) error { return a.gather(ctx, 100, joinRsTalker, nil) }

// rsNoReads makes players stop reading from their connections while they continue to chat.
func rsNoReads(ctx context.Context, a *assault) error {
	one := func(ctx context.Context, a *assault, name string, dial dialer) (func(context.Context), error) {
		return joinRsTalker(ctx, a, name, func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := dial(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return &deafConn{Conn: conn, deaf: a.begin, closed: make(chan struct{})}, nil
		})
	}
	return a.gather(ctx, 200, one, nil)
}

// webNoReads makes players stop reading from their connections while they continue to walk.
func webNoReads(ctx context.Context, a *assault) error {
	one := func(ctx context.Context, a *assault, name string, dial dialer) (func(context.Context), error) {
		c, err := web.Dial(ctx, "http://"+a.Web, web.Options{Name: name, WS: true, Grounds: &grounds,
			Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
				conn, err := dial(ctx, network, addr)
				if err != nil {
					return nil, err
				}
				return &deafConn{Conn: conn, deaf: a.begin, closed: make(chan struct{})}, nil
			}})
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) { _ = c.Play(ctx, web.Wander(keys.Wander{})) }, nil
	}
	return a.gather(ctx, 100, one, nil)
}

// deafConn is a connection that stops reading when the channel deaf is closed: Read then blocks. Soon the server cannot send any
// more, because the buffers of TCP are full.
type deafConn struct {
	net.Conn
	deaf   <-chan struct{}
	closed chan struct{}
	once   atomic.Bool
}

// Read implements net.Conn. Once the channel deaf is closed, it blocks until Close.
func (c *deafConn) Read(b []byte) (int, error) {
	select {
	case <-c.deaf:
		<-c.closed
		return 0, net.ErrClosed
	default:
		return c.Conn.Read(b)
	}
}

// Close implements net.Conn and ends a Read that blocks.
func (c *deafConn) Close() error {
	if c.once.CompareAndSwap(false, true) {
		close(c.closed)
	}
	return c.Conn.Close()
}
