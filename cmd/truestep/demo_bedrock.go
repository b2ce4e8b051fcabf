package main

import (
	"context"
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

const (
	demoBedrockStray = 45 // units
	demoBedrockReach = 3  // units: within a block
	demoTickMS       = 50 // of those clients
	demoBedrockLook  = 60 // ticks between two looks at who is there

	demoSpeedEvery = 500 // ticks: a cheat is too fast about so often...
	demoSpeedFor   = 40  // ...for so many
)

// visitBedrock is one stay in the world through the door for Bedrock clients.
func (b *demoBot) visitBedrock(ctx context.Context, at string) error {
	joining, cancel := context.WithTimeout(ctx, demoJoin)
	c, err := bedrock.Dial(joining, at, bedrock.Options{Name: b.account, Chunks: &b.d.chunks, Tamper: b.tamper()})
	cancel()
	if err != nil {
		return err
	}
	defer c.Close()
	b.failed = false
	return c.Play(ctx, newDemoBedrock(b))
}

// tamper is how a cheat cheats, nil for the honest: it walks too fast for two seconds, now and then.
func (b *demoBot) tamper() *bedrock.Tamper {
	if b.door.role(b.number) != demoCheat {
		return nil
	}
	fast, _ := bedrock.Cheat("speed", nil)
	return &bedrock.Tamper{Bend: func(before move.Avatar, after *move.Avatar, in *move.Input) {
		if in.Tick%demoSpeedEvery < demoSpeedFor {
			fast.Bend(before, after, in)
		}
	}}
}

// demoBedrock is a bot's body at the door for Bedrock clients.
type demoBedrock struct {
	b     *demoBot
	mind  *demoMind
	fight bedrock.Fight
	where demoPlace
}

func newDemoBedrock(b *demoBot) *demoBedrock {
	x := &demoBedrock{b: b, mind: b.mind(demoBedrockStray, demoBedrockReach)}
	x.fight = bedrock.Fight{
		Persons: true,
		Delay:   uint64(max(b.d.atlas.world.Rules.Combat.DelayMS, 500)/demoTickMS) + 1,
		Spare:   func(a *bedrock.Actor) bool { return !b.d.atlas.mayFight(x.where.area, a.Name) },
		Between: bedrock.Wander{Radius: 1, Sneak: 1}, // one tick of it, before the mind takes over again
	}
	return x
}

// Act goes on with what the mind wants.
func (x *demoBedrock) Act(p *bedrock.Player) bedrock.Keys {
	now, own := time.Now(), p.State()
	still := bedrock.Keys{Yaw: own.Yaw}
	if !x.where.find(now, x.b.d, "bedrock:"+x.b.account) {
		return still
	}
	x.look(p, now)
	grid := &x.b.d.atlas.world.Areas[x.where.area].BlockGrid
	w := x.mind.think(now, x.where.area, grid.ToWorld(own.Pos))
	if w.say != "" {
		p.Say(w.say)
	}
	if w.fight {
		if keys := x.fight.Act(p); x.fight.Active() {
			return keys
		}
	}
	if w.leg == 0 {
		return still
	}
	keys := p.Toward(grid.ToBlocks(w.goal))
	keys.Sprint = w.run
	return keys
}

// look tells the mind who is there.
func (x *demoBedrock) look(p *bedrock.Player, now time.Time) {
	if p.Tick()%demoBedrockLook != 0 {
		return
	}
	for a := range p.World().Actors() {
		if p.World().Person(a) {
			x.mind.meet(now, a.Name)
		}
	}
}

// demoPlace is the area where a bot is whose client is not told it.
type demoPlace struct {
	area  sim.AreaID
	next  sim.AreaID
	since time.Time // next is known since then
	known bool
}

// demoSettle is how long the way of an area change may take to the client, who believes to be in the old one until then.
const demoSettle = 1500 * time.Millisecond

// find tells whether the area is known.
func (w *demoPlace) find(now time.Time, d *demo, account string) bool {
	at, ok := d.where(account)
	switch {
	case !ok:
		return w.known && w.next == w.area
	case w.since.IsZero() || at != w.next:
		w.next, w.since = at, now
	}
	if now.Sub(w.since) >= demoSettle {
		w.area, w.known = w.next, true
	}
	return w.known && w.area == w.next
}
