package demo

import (
	"context"
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

const (
	bedrockStrollRadius = 45 // maximum distance of a stroll from home, in world units
	bedrockArrival      = 3  // distance in world units within which a goal counts as reached: within a block
	bedrockTickMS       = 50
	bedrockScanTicks    = 60 // ticks between two scans of the players in sight

	speedCheatPeriod = 500 // ticks between two speed cheats of a cheater
	speedCheatTicks  = 40  // ticks for which a cheater moves too fast
)

// playBedrock runs one session of a bot with a Bedrock client.
func playBedrock(ctx context.Context, b *bot) error {
	joining, cancel := context.WithTimeout(ctx, joinTimeout)
	c, err := bedrock.Dial(joining, b.door.Addr, bedrock.Options{Name: b.account, Chunks: &b.all.chunks, Tamper: speedCheat(b.role())})
	cancel()
	if err != nil {
		return err
	}
	defer c.Close()
	b.logged = false
	return c.Play(ctx, newBedrockPlayer(b))
}

// speedCheat returns a cheat that occasionally walks too fast for two seconds, nil for roles that do not cheat.
func speedCheat(r role) *bedrock.Tamper {
	if r != cheater {
		return nil
	}
	fast, _ := bedrock.NewCheat("speed", nil)
	return &bedrock.Tamper{AlterStep: func(before move.Avatar, after *move.Avatar, in *move.Input) {
		if in.Tick%speedCheatPeriod < speedCheatTicks {
			fast.AlterStep(before, after, in)
		}
	}}
}

// bedrockPlayer carries out decisions with a Bedrock client.
type bedrockPlayer struct {
	bot       *bot
	behaviour *behaviour
	fight     bedrock.Fight
	ride      bedrock.Ride // behaviour of riders
	area      areaTracker
}

func newBedrockPlayer(b *bot) *bedrockPlayer {
	x := &bedrockPlayer{bot: b, behaviour: b.newBehaviour(bedrockStrollRadius, bedrockArrival)}
	x.fight = bedrock.Fight{
		AttackPlayers: true,
		Cooldown:      uint64(max(b.all.World.Rules.Combat.DelayMS, 500)/bedrockTickMS) + 1,
		Exclude:       func(a *bedrock.Actor) bool { return !b.all.worldMap.mayFight(x.area.id, a.Name) },
		Idle:          bedrock.Wander{Radius: 1, Sneak: 1}, // used for one tick only, because the behaviour then decides again
	}
	x.ride = bedrock.Ride{Idle: x.fight.Idle}
	return x
}

// Act carries out the decision of this tick.
func (x *bedrockPlayer) Act(p *bedrock.Player) bedrock.Keys {
	now, own := time.Now(), p.State()
	still := bedrock.Keys{Yaw: own.Yaw}
	if !x.area.update(now, x.bot) {
		return still
	}
	x.scan(p, now)
	grid := &x.bot.all.World.Areas[x.area.id].BlockGrid
	d := x.behaviour.decide(now, x.area.id, grid.ToWorld(own.Pos))
	if d.say != "" {
		p.Say(d.say)
	}
	if d.fight {
		if keys := x.fight.Act(p); x.fight.HasTarget() {
			return keys
		}
	}
	if x.behaviour.role == rider {
		if keys := x.ride.Act(p); x.ride.Active() {
			return keys
		}
	}
	if d.leg == 0 {
		return still
	}
	keys := p.KeysToward(grid.ToBlocks(d.goal))
	keys.Sprint = d.run
	return keys
}

// scan reports the players in sight to the behaviour.
func (x *bedrockPlayer) scan(p *bedrock.Player, now time.Time) {
	if p.Tick()%bedrockScanTicks != 0 {
		return
	}
	for a := range p.World().Actors() {
		if p.World().IsRealPlayer(a) {
			x.behaviour.seePlayer(now, a.Name)
		}
	}
}

// areaTracker tracks the area of a bot whose protocol does not tell the client the name of its area.
type areaTracker struct {
	id    sim.AreaID // the area that the client has loaded
	next  sim.AreaID // the area according to the server
	since time.Time  // time at which next was first seen
	known bool       // id is valid
}

// areaChangeTime is the time after an area change on the server for which the client is assumed to be still in the old area.
const areaChangeTime = 1500 * time.Millisecond

// update updates the tracker and reports whether a.id is now the area that the bot's client has loaded.
func (a *areaTracker) update(now time.Time, b *bot) bool {
	at, ok := b.area()
	switch {
	case !ok:
		return a.known && a.next == a.id
	case a.since.IsZero() || at != a.next:
		a.next, a.since = at, now
	}
	if now.Sub(a.since) >= areaChangeTime {
		a.id, a.known = a.next, true
	}
	return a.known && a.id == a.next
}
