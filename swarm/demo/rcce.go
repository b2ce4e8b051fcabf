package demo

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

// Distances and times for bots with a RealmCrafter client.
const (
	rcceStrollRadius = 70  // maximum distance of a stroll from the bot's home, in world units
	rcceArrival      = 1.5 // distance in world units at which a goal counts as reached; a walk ends within half a unit of the goal on each axis
	rcceFightRange   = 120 // distance in world units within which a bot looks for an enemy
	rcceRunEnergy    = 60  // points of energy below which a bot does not run

	lagPeriod     = 40 * time.Second        // average time between two lag spikes of a bot that cheats
	lagDuration   = 1200 * time.Millisecond // duration of a lag spike
	lagDistance   = 1.3                     // length of the jump in a lag spike, relative to the longest walk that the claim rule allows after a silence
	lagMinSavedMS = 2000                    // minimum silence in ms for which the longest walk is computed
)

// playRCCE plays one session of a bot with a RealmCrafter client, from the login to the end of the connection.
func playRCCE(ctx context.Context, b *bot) error {
	joining, cancel := context.WithTimeout(ctx, joinTimeout)
	defer cancel()
	c, err := rcce.Dial(joining, b.door.Addr, rcce.Options{
		User: b.account, Password: b.all.Password, Template: b.all.worldMap.template(b.number),
	})
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Join(joining); err != nil {
		var refused *rcce.RefusedError
		if errors.As(err, &refused) && refused.Answer == proto.ReplyPassword {
			return errNameTaken
		}
		return err
	}
	b.logged = false
	return c.Play(ctx, newRCCEPlayer(b))
}

// rccePlayer carries out the decisions of a bot with a RealmCrafter client.
type rccePlayer struct {
	bot       *bot
	behaviour *behaviour
	fight     rcce.Fight
	area      sim.AreaID
	leg       int // number of the walk that the client performs; 0 if none
	nextScan  time.Time
	lag       lagSpikes
}

func newRCCEPlayer(b *bot) *rccePlayer {
	x := &rccePlayer{bot: b, behaviour: b.newBehaviour(rcceStrollRadius, rcceArrival)}
	m := b.all.worldMap
	x.fight = rcce.Fight{
		Players: true, Range: rcceFightRange, Delay: time.Duration(m.world.Rules.Combat.DelayMS) * time.Millisecond,
		LineOfSight: func(from, to geom.Vec) bool { return m.canWalk(x.area, from, to) },
		Exclude:     func(a rcce.Actor) bool { return !m.mayFight(x.area, a.Name) },
	}
	return x
}

// Act decides what the bot does in this tick and performs it.
func (x *rccePlayer) Act(p *rcce.Player) {
	x.area = x.bot.all.World.AreaNamed(p.World().Area)
	if x.area == sim.NoArea {
		return
	}
	x.scan(p)
	d := x.behaviour.decide(p.Now(), x.area, p.Pos())
	if d.say != "" {
		p.Say(d.say)
	}
	if x.behaviour.role == cheater && x.lag.act(p, x.behaviour) {
		return
	}
	if d.fight {
		if x.fight.Act(p); x.fight.HasTarget() {
			x.leg = 0
			return
		}
	}
	switch {
	case d.leg == 0:
		p.Stop()
	case d.leg != x.leg || !p.Walking():
		energy := p.World().Self.Energy
		p.WalkTo(d.goal.X, d.goal.Z, d.run && (energy < 0 || energy >= rcceRunEnergy))
	}
	x.leg = d.leg
}

// scan tells the bot's behaviour which players are in sight.
func (x *rccePlayer) scan(p *rcce.Player) {
	if p.Now().Before(x.nextScan) {
		return
	}
	x.nextScan = p.Now().Add(sightPeriod)
	for a := range p.World().Actors() {
		if a.Player {
			x.behaviour.seePlayer(p.Now(), a.Name)
		}
	}
}

// lagSpikes simulates a connection that stalls from time to time. In each lag spike, the client claims a position that is
// farther away than the server allows.
type lagSpikes struct {
	next, end time.Time // beginning of the next lag spike, end of the last one
	offset    geom.Vec  // offset of the claimed position from the position at the beginning of the spike
	from      geom.Vec  // position at the beginning of the spike
}

// act simulates a lag spike from time to time. During a lag spike, it claims a position that is too far away, and returns true:
// the bot must then do nothing else. At other times it returns false.
func (l *lagSpikes) act(p *rcce.Player, b *behaviour) bool {
	switch {
	case l.next.IsZero():
		l.next = p.Now().Add(b.vary(lagPeriod / 2))
		return false
	case p.Now().Before(l.next):
		return false
	case l.end.Before(l.next):
		sin, cos := math.Sincos(2 * math.Pi * b.rng.Float64())
		far := float64(lagJump(&b.worldMap.world.Rules.Claim))
		l.offset, l.from = geom.Vec{X: float32(far * cos), Z: float32(far * sin)}, p.Pos()
		l.end = p.Now().Add(lagDuration)
	case p.Now().After(l.end):
		l.next = p.Now().Add(b.vary(lagPeriod))
		return false
	}
	p.Teleport(l.from.X+l.offset.X, l.from.Z+l.offset.Z)
	return true
}

// lagJump returns a distance in world units that the server never accepts in a claim, not even from a player that has
// claimed no position for a long time.
func lagJump(p *move.ClaimPolicy) float32 {
	return lagDistance * p.UnitsPerMS * (1 + p.SpeedBias) * float32(max(p.MaxSavedMS, lagMinSavedMS))
}
