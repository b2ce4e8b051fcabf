package main

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

const (
	demoRcceStray = 70  // units
	demoRcceReach = 1.5 // units; a walk ends within half a unit on each axis
	demoRcceHunt  = 120 // units around itself in which it looks for a fight
	demoTired     = 60  // energy below which it does not run

	demoLagEvery = 40 * time.Second // a laggard is elsewhere about so often...
	demoLagFor   = 1200 * time.Millisecond
	demoLagJump  = 1.3  // ...by so much more than the allowance can have saved
	demoLagLeast = 2000 // ms of saved allowance, at least
)

// visitRcce is one stay in the world through the door for RealmCrafter clients.
func (b *demoBot) visitRcce(ctx context.Context, at string) error {
	joining, cancel := context.WithTimeout(ctx, demoJoin)
	defer cancel()
	c, err := rcce.Dial(joining, at, rcce.Options{User: b.account, Password: b.d.secret, Template: uint16(b.number % 3)})
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Join(joining); err != nil {
		var refused *rcce.RefusedError
		if errors.As(err, &refused) && refused.Answer == proto.ReplyPassword {
			return errNotOurs
		}
		return err
	}
	b.failed = false
	return c.Play(ctx, newDemoRcce(b))
}

// demoRcce is a bot's body at the door for RealmCrafter clients.
type demoRcce struct {
	b     *demoBot
	mind  *demoMind
	fight rcce.Fight
	area  sim.AreaID
	leg   int
	looks time.Time
	lags  demoLag
}

func newDemoRcce(b *demoBot) *demoRcce {
	x := &demoRcce{b: b, mind: b.mind(demoRcceStray, demoRcceReach)}
	clear := func(from, to geom.Vec) bool { return x.b.d.atlas.clear(x.area, from, to) }
	x.fight = rcce.Fight{
		Persons: true, Range: demoRcceHunt, Clear: clear, Delay: time.Duration(b.d.atlas.world.Rules.Combat.DelayMS) * time.Millisecond,
		Spare: func(a rcce.Actor) bool { return !x.b.d.atlas.mayFight(x.area, a.Name) },
	}
	return x
}

// Act goes on with what the mind wants.
func (x *demoRcce) Act(p *rcce.Player) {
	x.area = x.b.d.atlas.world.AreaNamed(p.World().Area)
	if x.area == sim.NoArea {
		return
	}
	x.look(p)
	w := x.mind.think(p.Now(), x.area, p.Pos())
	if w.say != "" {
		p.Say(w.say)
	}
	if x.mind.role == demoCheat && x.lags.act(p, x.mind) {
		return
	}
	if w.fight {
		if x.fight.Act(p); x.fight.Active() {
			x.leg = 0
			return
		}
	}
	switch {
	case w.leg == 0:
		p.Stop()
	case w.leg != x.leg || !p.Walking():
		energy := p.World().Self.Energy
		p.WalkTo(w.goal.X, w.goal.Z, w.run && (energy < 0 || energy >= demoTired))
	}
	x.leg = w.leg
}

// look tells the mind who is there.
func (x *demoRcce) look(p *rcce.Player) {
	if p.Now().Before(x.looks) {
		return
	}
	x.looks = p.Now().Add(demoLookRound)
	for a := range p.World().Actors() {
		if a.Player {
			x.mind.meet(p.Now(), a.Name)
		}
	}
}

// demoLookRound is how often bots look who is there.
const demoLookRound = 3 * time.Second

// demoLag is a line that hangs now and then, after which the client believes to be farther than anybody can have gone.
type demoLag struct {
	next, end time.Time
	east      float32
	north     float32
	from      geom.Vec
}

// act tells whether the line hangs.
func (l *demoLag) act(p *rcce.Player, m *demoMind) bool {
	switch {
	case l.next.IsZero():
		l.next = p.Now().Add(m.spell(demoLagEvery / 2))
		return false
	case p.Now().Before(l.next):
		return false
	case l.end.Before(l.next):
		sin, cos := math.Sincos(2 * math.Pi * m.rng.Float64())
		far := float64(lagJump(&m.atlas.world.Rules.Claim))
		l.east, l.north, l.from = float32(far*cos), float32(far*sin), p.Pos()
		l.end = p.Now().Add(demoLagFor)
	case p.Now().After(l.end):
		l.next = p.Now().Add(m.spell(demoLagEvery))
		return false
	}
	p.Blink(l.from.X+l.east, l.from.Z+l.north)
	return true
}

// lagJump is farther, in units, than anybody has saved who moves at full speed.
func lagJump(p *move.ClaimPolicy) float32 {
	return demoLagJump * p.UnitsPerMS * (1 + p.SpeedBias) * float32(max(p.MaxSavedMS, demoLagLeast))
}
