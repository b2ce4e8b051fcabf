//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/e2e/play"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim/terrain"
)

// rsPlayer is a RuneScape client. After a restart, clients with even numbers reconnect, which resumes their session; the others
// log in as if for the first time.
type rsPlayer struct {
	crowd  *crowd
	number int

	client *rs.Client
	play   rs.FightOrWander
	trip   play.Trip
}

func (p *rsPlayer) name() string { return fmt.Sprintf("Rs%04d", p.number) }

func (p *rsPlayer) join(ctx context.Context) error {
	p.trip = play.Trip{}
	p.play = rs.FightOrWander{Fight: rs.Fight{Range: 10}, Wander: rs.Wander{Radius: 9}}
	var refused error
	if p.client != nil && p.number%2 == 0 && p.crowd.resume {
		if refused = p.client.Reconnect(ctx); refused == nil {
			p.client.Play(p)
			return nil
		}
		refused = fmt.Errorf("resume the RuneScape session: %w", refused)
	}
	c, err := rs.Dial(ctx, rs.Config{
		Addr: p.crowd.server.Addresses["rs"], Key: p.crowd.server.Key, User: p.name(), Password: password, Seed: p.crowd.seedOf(1, p.number),
	})
	if err != nil {
		return errors.Join(refused, err)
	}
	if p.client != nil {
		p.client.Close()
	}
	p.client = c
	c.Play(p)
	return refused
}

func (p *rsPlayer) cut() {
	if p.client != nil {
		p.client.Play(nil)
		p.client.Kill()
		<-p.client.Done()
	}
}

func (p *rsPlayer) playing() error {
	if p.client == nil {
		return play.ErrNotJoined
	}
	select {
	case <-p.client.Done():
		return fmt.Errorf("the client has lost its connection: %w", p.client.Err())
	default:
		return nil
	}
}

func (p *rsPlayer) shown() (s shown) {
	if p.client == nil {
		return s
	}
	p.client.Inspect(func(w *rs.World) {
		t := w.Tile()
		s.area, s.pos = p.crowd.world.AtTile(terrain.Tile{X: t.X, Z: t.Z})
		s.health, s.dead = -1, w.Life == 0
		if w.Life >= 0 {
			s.health = float64(w.Life) / maxHealth
		}
	})
	return s
}

func (p *rsPlayer) updates() uint64 {
	if p.client == nil {
		return 0
	}
	return p.client.Stats(nil).Infos
}

// Act implements rs.Behaviour. It walks to other areas, fights and wanders.
func (p *rsPlayer) Act(a *rs.Player) {
	w := a.World()
	at := w.Tile()
	area, _ := p.crowd.world.AtTile(terrain.Tile{X: at.X, Z: at.Z})
	if p.crowd.holding.Load() {
		return
	}
	goal, travels := p.trip.GoalIn(area, tripPause, a.Now(), a.Rand())
	if !travels {
		if area != nil {
			t := area.Tiles
			p.play.Wander.Centre = &proto.Tile{X: t.BaseX, Z: t.BaseZ, Plane: t.Plane}
		}
		p.play.Act(a)
		return
	}
	if t, ok := area.TileGrid().ToTile(goal); ok {
		a.WalkTo(int(t.X), int(t.Z), true)
	}
}
