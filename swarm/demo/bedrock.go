package demo

import (
	"context"
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// Distances and times for bots with a Bedrock client.
const (
	bedrockStrollRadius = 45 // maximum distance of a stroll from the bot's home, in world units
	bedrockArrival      = 3  // distance in world units at which a goal counts as reached: within a block
	bedrockTickMS       = 50 // duration of a client tick in ms
	bedrockScanTicks    = 60 // number of ticks between two scans for players in sight

	speedCheatPeriod = 500 // number of ticks between the beginnings of two speed cheats of a bot
	speedCheatTicks  = 40  // number of ticks for which a bot moves too fast
)

// playBedrock plays one session of a bot with a Bedrock client, from the login to the end of the connection.
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

// speedCheat returns a cheat that from time to time moves too fast for two seconds. It returns nil for roles that do not cheat.
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

// bedrockPlayer carries out the decisions of a bot with a Bedrock client.
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

// Act decides what the bot does in this tick and returns the keys for it.
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

// scan tells the bot's behaviour which players are in sight.
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

// areaTracker determines the area in which a bot is, for protocols that do not tell a client the name of its area.
type areaTracker struct {
	id    sim.AreaID // area that the client has loaded
	next  sim.AreaID // area of the player on the server
	since time.Time  // time since which next is the area on the server
	known bool       // id has been determined
}

// areaChangeTime is how long a client is assumed to need to load a new area after its player has changed areas on the server.
const areaChangeTime = 1500 * time.Millisecond

// update asks the server in which area the bot is. It returns true if the bot's client has loaded that area, which is then a.id.
// After a change of areas, the client is assumed to need areaChangeTime for that.
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
