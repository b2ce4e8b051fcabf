//go:build linux

package main

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/e2e/cluster/checker"
	"github.com/truestep-io/truestep/e2e/play"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim/geom"
)

// grounds caches the ground (terrain) of each area, which clients receive from the nodes. All web clients of the test share it.
var grounds web.GroundCache

// webPlayer is a web client. One of each node stays in each area; the others travel. Web clients receive every tick, so the test
// uses them to measure the time between frames and to count corrections.
type webPlayer struct {
	common
	ws     bool // over WebSocket instead of WebTransport
	client atomic.Pointer[web.Client]
	newest atomic.Pointer[webConnection] // the connection whose frames count; nil before the first login
	end    context.CancelFunc
	over   chan error // result of Play
	fight  web.Fight
	around string      // name of the area in whose middle the idle player wanders; "" before the first tick
	unsure []frameSeen // frames whose area may be another one; see sure; used by the watcher alone
}

// webConnection is a connection of a web client with its name for the history. The client is nil if the connection is stale, and the player
// has not logged in again.
type webConnection struct {
	client *web.Client
	name   string
}

func (p *webPlayer) join(ctx context.Context, n *node) error {
	p.node, p.around, p.trip = n, "", play.Trip{}
	newest := p.connects() // stale connections play no more: see abandon
	c, err := web.Dial(ctx, "http://"+n.Addresses["web"], web.Options{
		Name: p.name, Secret: password, Create: true, WS: p.ws, Seed: p.seed, Grounds: &grounds,
		Events: func(w *web.World, e *proto.Event) {
			switch {
			case !newest():
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
	p.newest.Store(&webConnection{c, p.connection()})
	playing, end := context.WithCancel(context.Background())
	p.end, p.over = end, make(chan error, 1)
	act := func(w *web.World) keys.Keys {
		if !newest() {
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

func (p *webPlayer) abandon() *staleConn {
	c := newStale(p, nil)
	c.connection, c.web, c.end, c.over = p.newest.Load().name, p.client.Load(), p.end, p.over
	p.joins.Add(1)
	p.newest.Store(&webConnection{name: p.connection()})
	c.web.Inspect((*web.World).Silence) // no further inputs: the node would get all of them at once after its stop, and find them too many
	return c
}

func (*webPlayer) door() string { return webDoor }

func (*webPlayer) logout() func() { return nil }

func (p *webPlayer) playing() error { return play.Err(p.client.Load() != nil, p.over) }

func (p *webPlayer) shown() (s shown) {
	if p.client.Load() == nil {
		return s
	}
	p.client.Load().Inspect(func(w *web.World) {
		self := w.Self()
		if self == nil { // the client has been told of an area, and not yet where in it the player is
			return
		}
		if s.area = p.crowd.world.AreaNamed(w.Area); s.area != nil {
			s.pos = s.area.BlockGrid().ToWorld(self.Pos()) // not the predicted position, which is ahead by all inputs that the server has not processed
		}
		s.dead = w.Dead()
	})
	return s
}

// newestFrame returns the newest frame that the client was shown on its present connection. Its tick is 0 if the client was shown none yet.
func (p *webPlayer) newestFrame() (f frameSeen) {
	c := p.newest.Load()
	if c == nil {
		return f
	}
	f.connection = c.name
	if c.client != nil {
		tick, area := tickOf(c.client)
		f.tick, f.area = tick, p.crowd.world.AreaNamed(area)
	}
	return f
}

// earlyFrames is a time after which a frame of the next area cannot arrive before the message about that area any more.
const earlyFrames = 250 * time.Millisecond

// sure returns the frames of which it is known by now that they are of the area that the client was shown with them. Over WebTransport the
// first frame of another area, a datagram, can arrive before the message about that area, so
// the last frames of a connection are never sure. The parameter newer says whether now is a new frame.
func (p *webPlayer) sure(now frameSeen, newer bool) (list []frameSeen) {
	if p.ws {
		if newer {
			list = append(list, now)
		}
		return list
	}
	p.unsure = slices.DeleteFunc(p.unsure, func(f frameSeen) bool { return f.connection != now.connection || f.area != now.area })
	if newer {
		p.unsure = append(p.unsure, now)
	}
	n := 0
	for n < len(p.unsure) && now.at.Sub(p.unsure[n].at) > earlyFrames {
		n++
	}
	list, p.unsure = slices.Clone(p.unsure[:n]), p.unsure[n:]
	return list
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

// act says a chat line if one is due, and returns the keys that the player presses in this tick.
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
		p.fight = web.Fight{Exclude: func(a *web.Actor) bool { return isAnimal(a.Name) }, Idle: keys.Wander{Home: &middle, Radius: 12}}
	}
	if goal, ok := p.goalIn(area, now, w.Rand()); ok && !w.Dead() {
		return keys.KeysToward(w, area.BlockGrid().ToBlocks(goal))
	}
	return p.fight.Act(w)
}
