package demo

import (
	"context"
	"errors"
	"time"

	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/sim"
)

// Distances and times for bots with a web client.
const (
	webStrollRadius = 45 // maximum distance of a stroll from the bot's home, in world units
	webArrival      = 3  // distance in world units at which a goal counts as reached: within a block
	webTickMS       = 50 // duration of a client tick in ms
	webScanTicks    = 60 // number of ticks between two scans for players in sight
)

// playWeb plays one session of a bot with a web client, from the login to the end of the connection. The client uses
// WebSocket, because connections within a machine lose nothing and QUIC needs three times the processor time.
func playWeb(ctx context.Context, b *bot) error {
	joining, cancel := context.WithTimeout(ctx, joinTimeout)
	c, err := web.Dial(joining, "http://"+b.door.Addr, web.Options{
		Name: b.account, Secret: b.all.Password, Create: true, WS: true, Seed: b.seed, Grounds: &b.all.grounds,
	})
	cancel()
	if refused, ok := errors.AsType[*web.StatusError](err); ok && refused.Code == "denied" {
		return errNameTaken
	}
	if err != nil {
		return err
	}
	defer c.Close()
	b.logged = false
	return c.Play(ctx, newWebPlayer(b).act)
}

// webPlayer carries out the decisions of a bot with a web client.
type webPlayer struct {
	bot       *bot
	behaviour *behaviour
	fight     web.Fight
	area      sim.AreaID
}

func newWebPlayer(b *bot) *webPlayer {
	x := &webPlayer{bot: b, behaviour: b.newBehaviour(webStrollRadius, webArrival)}
	x.fight = web.Fight{
		AttackPlayers: true,
		Cooldown:      uint64(max(b.all.World.Rules.Combat.DelayMS, 500)/webTickMS) + 1,
		Exclude:       func(a *web.Actor) bool { return !b.all.worldMap.mayFight(x.area, a.Name) },
		Idle:          keys.Wander{Radius: 1}, // used for one tick only, because the behaviour then decides again
	}
	return x
}

// act decides what the bot does in this tick and returns the keys for it.
func (x *webPlayer) act(w *web.World) keys.Keys {
	now, own := time.Now(), w.State()
	still := keys.Keys{Yaw: own.Yaw}
	if x.area = x.bot.all.World.AreaNamed(w.Area); x.area == sim.NoArea {
		return still
	}
	x.scan(w, now)
	grid := &x.bot.all.World.Areas[x.area].BlockGrid
	d := x.behaviour.decide(now, x.area, grid.ToWorld(own.Pos))
	if d.say != "" {
		w.Say(d.say)
	}
	if d.fight || w.Dead() {
		if k := x.fight.Act(w); x.fight.HasTarget() || w.Dead() {
			return k
		}
	}
	if d.leg == 0 {
		return still
	}
	k := keys.KeysToward(w, grid.ToBlocks(d.goal))
	k.Sprint = d.run
	return k
}

// scan tells the bot's behaviour which players are in sight.
func (x *webPlayer) scan(w *web.World, now time.Time) {
	if w.Tick()%webScanTicks != 0 {
		return
	}
	for handle, a := range w.Actors {
		if a.Door != "" && handle != w.Own {
			x.behaviour.seePlayer(now, a.Name)
		}
	}
}
