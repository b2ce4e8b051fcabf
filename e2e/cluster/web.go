//go:build linux

package main

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/e2e/play"
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
	around string // name of the area around whose middle the idle player wanders; "" before the first tick
}

func (p *webPlayer) join(ctx context.Context, n *node) error {
	p.node, p.around = n, ""
	c, err := web.Dial(ctx, "http://"+n.Addresses["web"], web.Options{
		Name: p.name, Secret: password, Create: true, WS: p.ws, Seed: p.seed, Grounds: &grounds,
		Events: func(_ *web.World, e *proto.Event) {
			if e.Kind == proto.EventSaid {
				p.listen(e.Text)
			}
		},
	})
	if err != nil {
		return err
	}
	p.client.Store(c)
	playing, end := context.WithCancel(context.Background())
	p.end, p.over = end, make(chan error, 1)
	go func(over chan<- error) { over <- c.Play(playing, p.act) }(p.over)
	return nil
}

func (p *webPlayer) cut() {
	if p.client.Load() != nil {
		p.end()
		p.over <- <-p.over
	}
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
			if self := w.Self(); self != nil { // the predicted position is ahead of it by all inputs that the server has not processed
				pos = self.Pos()
			}
			s.pos = s.area.BlockGrid().ToWorld(pos)
		}
		s.dead = w.Dead()
	})
	return s
}

// newestTick returns the tick of the newest frame that the client is shown.
func (p *webPlayer) newestTick() (n uint64) {
	if p.client.Load() != nil {
		p.client.Load().Inspect(func(w *web.World) { n = uint64(w.NewestTick()) })
	}
	return n
}

// counts returns the client's counters of corrections and other events on its present connection.
func (p *webPlayer) counts() (c web.Counts) {
	if p.client.Load() != nil {
		p.client.Load().Inspect(func(w *web.World) { c = w.Counts })
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
