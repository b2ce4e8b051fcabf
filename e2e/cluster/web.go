//go:build linux

package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/e2e/cluster/checker"
	"github.com/truestep-io/truestep/e2e/play"
	"github.com/truestep-io/truestep/e2e/truth"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim/geom"
)

// grounds holds the ground of the areas that the nodes have sent. All web clients share it.
var grounds web.GroundCache

// webPlayer is a web client. There is one for each node and area. Web clients receive every tick, so the test uses them to
// measure the time between frames and to count corrections.
type webPlayer struct {
	common
	ws     bool // over WebSocket instead of WebTransport
	client atomic.Pointer[web.Client]
	end    context.CancelFunc
	over   chan error // result of Play
	fight  web.Fight
	around string // name of the area in whose middle the idle player wanders; "" before the first tick
	joins  atomic.Int64
	left   atomic.Bool // the connection is stale, and the player has not logged in again
}

// staleConn is a connection of a web client that stays open while its account logs in through another node. With it the test checks
// whether the node of the connection, which was stopped, ends the connection.
type staleConn struct {
	account, connection string
	client              *web.Client
	end                 context.CancelFunc
	over                chan error // result of Play
	tick                uint64     // newest tick that the watcher has seen; used by the watcher alone
}

// ended reports whether the connection has ended.
func (c *staleConn) ended() bool {
	select {
	case err := <-c.over:
		c.over <- err
		return true
	default:
		return false
	}
}

func (p *webPlayer) join(ctx context.Context, n *node) error {
	p.node, p.around = n, ""
	number := p.joins.Add(1) // number of this connection; stale ones have older numbers and play no more: see abandon
	c, err := web.Dial(ctx, "http://"+n.Addresses["web"], web.Options{
		Name: p.name, Secret: password, Create: true, WS: p.ws, Seed: p.seed, Grounds: &grounds,
		Events: func(w *web.World, e *proto.Event) {
			switch {
			case p.joins.Load() != number:
			case e.Kind == proto.EventSaid:
				p.listen(e.Text)
			case e.Kind == proto.EventStruck:
				p.crowd.history.RecordBlow(time.Now(), p.name, blowOf(w, e))
			}
		},
	})
	if err != nil {
		return err
	}
	p.client.Store(c)
	p.left.Store(false)
	playing, end := context.WithCancel(context.Background())
	p.end, p.over = end, make(chan error, 1)
	act := func(w *web.World) keys.Keys {
		if p.joins.Load() != number {
			return keys.Keys{}
		}
		return p.act(w)
	}
	go func(over chan<- error) { over <- c.Play(playing, act) }(p.over)
	return nil
}

// blowOf returns the blow of an event.
func blowOf(w *web.World, e *proto.Event) checker.Blow {
	b := checker.Blow{Area: w.Area, Tick: uint64(e.Tick), Damage: int(e.Value)}
	if a := w.Actors[e.Who]; a != nil {
		b.Attacker = a.Name
	}
	if a := w.Actors[e.Other]; a != nil {
		b.Victim = a.Name
	}
	return b
}

func (p *webPlayer) cut() {
	if p.client.Load() != nil {
		p.end()
		p.over <- <-p.over
	}
}

// abandon leaves the connection open as a stale one, in which the player does nothing more. The player can log in again.
func (p *webPlayer) abandon() *staleConn {
	c := &staleConn{account: p.name, connection: p.connection(), client: p.client.Load(), end: p.end, over: p.over}
	p.joins.Add(1)
	p.left.Store(true)
	c.client.Inspect((*web.World).Silence) // no further inputs: the node would get all of them at once after its stop, and find them too many
	return c
}

// connection returns a name of the present connection for the history.
func (p *webPlayer) connection() string {
	return fmt.Sprintf("connection %d, to node %s", p.joins.Load(), p.node.name)
}

func (*webPlayer) logout() func() { return nil }

func (p *webPlayer) playing() error { return play.Err(p.client.Load() != nil, p.over) }

func (p *webPlayer) shown() (s shown) {
	if p.client.Load() == nil {
		return s
	}
	p.client.Load().Inspect(func(w *web.World) {
		if s.area = p.crowd.world.AreaNamed(w.Area); s.area != nil {
			pos := w.State().Pos
			if self := w.Self(); self != nil { // not the predicted position, which is ahead by all inputs that the server has not processed
				pos = self.Pos()
			}
			s.pos = s.area.BlockGrid().ToWorld(pos)
		}
		s.dead = w.Dead()
	})
	return s
}

// newestTick returns the tick and the area of the newest frame that the client is shown. The area is nil if the client has not been
// shown a frame yet on its present connection.
func (p *webPlayer) newestTick() (uint64, *truth.Area) {
	c := p.client.Load()
	if c == nil || p.left.Load() {
		return 0, nil
	}
	tick, area := tickOf(c)
	return tick, p.crowd.world.AreaNamed(area)
}

// tickOf returns the newest tick that a client is shown, 0 if none or if the player itself is not shown, and the name of the area.
func tickOf(c *web.Client) (tick uint64, area string) {
	c.Inspect(func(w *web.World) {
		if area = w.Area; w.Self() != nil {
			tick = uint64(w.NewestTick())
		}
	})
	return tick, area
}

func (p *webPlayer) corrections() (c corrections) {
	if p.client.Load() != nil {
		p.client.Load().Inspect(func(w *web.World) { c = corrections{w.Counts.False, w.Counts.MaxOff} })
	}
	return c
}

// act returns the keys that the player presses in a tick.
func (p *webPlayer) act(w *web.World) keys.Keys {
	area := p.crowd.world.AreaNamed(w.Area)
	if area == nil || p.still() {
		return keys.Keys{}
	}
	now := time.Now()
	if text, ok := p.lineDue(now, w.Rand()); ok {
		w.Say(text)
	}
	if area.Name != p.around {
		p.around = area.Name
		middle := area.BlockGrid().ToBlocks(geom.Vec{})
		p.fight = web.Fight{Idle: keys.Wander{Home: &middle, Radius: 12}}
	}
	if goal, ok := p.goalIn(area, now, w.Rand()); ok && !w.Dead() {
		return keys.KeysToward(w, area.BlockGrid().ToBlocks(goal))
	}
	return p.fight.Act(w)
}
