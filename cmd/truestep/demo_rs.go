package main

import (
	"context"
	"errors"
	"time"

	"github.com/truestep-io/truestep/client/rs"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim/terrain"
)

const (
	demoRSStray = 50 // units
	demoRSReach = 5  // units: on the goal's tile
	demoClick   = 8  // cycles on one tile after which it clicks again
)

// visitRS is one stay in the world through the door for RuneScape clients.
func (b *demoBot) visitRS(ctx context.Context, at string) error {
	joining, cancel := context.WithTimeout(ctx, demoJoin)
	c, err := rs.Dial(joining, rs.Config{Addr: at, Key: b.d.rsKey, User: b.account, Password: b.d.secret})
	cancel()
	var refused *rs.RefusedError
	if errors.As(err, &refused) && refused.Code == proto.ResponseCredentials {
		return errNotOurs
	}
	if err != nil {
		return err
	}
	defer c.Close()
	b.failed = false
	c.Play(newDemoRS(b))
	select {
	case <-ctx.Done():
		return nil
	case <-c.Done():
		return c.Err()
	}
}

// demoRS is a bot's body at the door for RuneScape clients.
type demoRS struct {
	b     *demoBot
	mind  *demoMind
	fight rs.Fight
	where demoPlace
	leg   int
	tile  proto.Tile
	stood int // cycles on that tile
	looks time.Time
}

func newDemoRS(b *demoBot) *demoRS {
	x := &demoRS{b: b, mind: b.mind(demoRSStray, demoRSReach)}
	x.fight = rs.Fight{Spare: func(name string) bool { return !b.d.atlas.mayFight(x.where.area, name) }}
	return x
}

// Act goes on with what the mind wants.
func (x *demoRS) Act(p *rs.Player) {
	if !x.where.find(p.Now(), x.b.d, x.b.account) {
		return
	}
	x.look(p)
	grid := &x.b.d.atlas.world.Areas[x.where.area].Tiles
	at := p.World().Tile()
	if at != x.tile {
		x.tile, x.stood = at, 0
	}
	x.stood++
	w := x.mind.think(p.Now(), x.where.area, grid.Centre(terrain.Tile{X: at.X, Z: at.Z}))
	if w.say != "" {
		p.Say(w.say)
	}
	if w.fight {
		if x.fight.Act(p); x.fight.Active() {
			x.leg = 0
			return
		}
	}
	if w.leg != 0 && (w.leg != x.leg || x.stood%demoClick == 0) {
		if t, ok := grid.ToTile(w.goal); ok {
			p.WalkTo(int(t.X), int(t.Z), w.run)
		}
	}
	x.leg = w.leg
}

// look tells the mind who is there. Clients of this door are shown NPCs as players; the mind knows those by name.
func (x *demoRS) look(p *rs.Player) {
	if p.Now().Before(x.looks) {
		return
	}
	x.looks = p.Now().Add(demoLookRound)
	w := p.World()
	for i := range w.Locals() {
		if a, err := w.Appearance(i); err == nil && i != w.Self() {
			x.mind.meet(p.Now(), proto.TextString(a.Name))
		}
	}
}
