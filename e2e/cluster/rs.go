//go:build linux

package main

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/e2e/play"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim/terrain"
)

// rsPlayer is a RuneScape client. RuneScape clients receive one update every 600 ms.
type rsPlayer struct {
	common
	client atomic.Pointer[rs.Client]
	wander rs.Wander
	halted bool // the client has asked to stop, and must stand still since
	stale  bool // the connection of client is stale
}

func (p *rsPlayer) join(ctx context.Context, n *node) error {
	p.node, p.trip = n, play.Trip{}
	p.wander, p.halted = rs.Wander{Radius: 7}, false
	newest := p.connects()
	c, err := rs.Dial(ctx, rs.Config{
		Addr: n.Addresses["rs"], Key: n.cluster.rsKey, User: p.name, Password: password, Seed: p.seed,
		Line: func(w *rs.World, l rs.TextLine) {
			if newest() {
				p.read(w, l)
			}
		},
	})
	if err != nil {
		return err
	}
	if p.client.Load() != nil && !p.stale {
		p.client.Load().Close()
	}
	p.client.Store(c)
	p.shows(func() uint64 { return c.Stats(nil).Infos })
	p.stale = false
	c.Play(p)
	return nil
}

func (p *rsPlayer) cut() {
	if p.client.Load() != nil {
		p.client.Load().Play(nil)
		p.client.Load().Kill()
		<-p.client.Load().Done()
	}
}

func (p *rsPlayer) abandon() *staleConn {
	p.joins.Add(1)
	p.stale = true
	c := p.client.Load()
	c.Play(nil)
	return newStale(p, func(ctx context.Context) error {
		select {
		case <-c.Done():
			return c.Err()
		case <-ctx.Done():
			go c.Close()
			return nil
		}
	})
}

func (*rsPlayer) door() string { return "RuneScape" }

func (p *rsPlayer) logout() func() {
	return func() {
		p.client.Load().Play(nil)
		ctx, cancel := context.WithTimeout(context.Background(), joinLimit)
		defer cancel()
		_ = p.client.Load().Logout(ctx) // an error is not checked here: it makes the next login fail, which is checked
	}
}

func (p *rsPlayer) playing() error {
	if p.client.Load() == nil {
		return play.ErrNotJoined
	}
	select {
	case <-p.client.Load().Done():
		return fmt.Errorf("the client has lost its connection: %w", p.client.Load().Err())
	default:
		return nil
	}
}

func (p *rsPlayer) shown() (s shown) {
	if p.client.Load() == nil {
		return s
	}
	p.client.Load().Inspect(func(w *rs.World) {
		t := w.Tile()
		s.area, s.pos = p.crowd.world.AtTile(terrain.Tile{X: t.X, Z: t.Z})
		s.dead = w.Life == 0
	})
	return s
}

// read records a chat line that the client was shown. A player is shown its own lines above its head, and those of others in the
// chat box.
func (p *rsPlayer) read(w *rs.World, l rs.TextLine) {
	if own := l.Kind != rs.LineGame && l.Who == w.Self(); own == (l.Kind == rs.LineOverhead) {
		p.listen(l.Text)
	}
}

// Act implements rs.Behaviour. It says lines, walks to other areas and wanders. When the player has to stand still, Act clicks on the own
// tile once: otherwise the server walks the player on to the tile that it clicked on last.
func (p *rsPlayer) Act(a *rs.Player) {
	w := a.World()
	if text, ok := p.commands.next(); ok {
		a.Say(text)
	}
	at := w.Tile()
	if p.still() {
		if !p.halted {
			a.WalkTo(int(at.X), int(at.Z), false)
		}
		p.halted = true
		return
	}
	p.halted = false
	if text, ok := p.lineDue(a.Now(), a.Rand()); ok {
		a.Say(text)
	}
	area, _ := p.crowd.world.AtTile(terrain.Tile{X: at.X, Z: at.Z})
	goal, travels := p.goalIn(area, a.Now(), a.Rand())
	if !travels {
		if area != nil {
			t := area.Tiles
			p.wander.Centre = &proto.Tile{X: t.BaseX, Z: t.BaseZ, Plane: t.Plane}
		}
		p.wander.Act(a)
		return
	}
	if t, ok := area.TileGrid().ToTile(goal); ok {
		a.WalkTo(int(t.X), int(t.Z), true)
	}
}
