package demo

import (
	"context"
	"errors"
	"time"

	"github.com/truestep-io/truestep/client/rs"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Distances and times for bots with a RuneScape client.
const (
	rsStrollRadius = 50 // maximum distance of a stroll from the bot's home, in world units
	rsArrival      = 5  // distance in world units at which a goal counts as reached: on the tile of the goal
	rsClickCycles  = 8  // number of cycles after which a bot that stays on its tile clicks its goal again
)

// playRS plays one session of a bot with a RuneScape client, from the login to the end of the connection.
func playRS(ctx context.Context, b *bot) error {
	joining, cancel := context.WithTimeout(ctx, joinTimeout)
	c, err := rs.Dial(joining, rs.Config{Addr: b.door.Addr, Key: b.door.Key, User: b.account, Password: b.all.Password})
	cancel()
	var refused *rs.RefusedError
	if errors.As(err, &refused) && refused.Code == proto.ResponseCredentials {
		return errNameTaken
	}
	if err != nil {
		return err
	}
	defer c.Close()
	b.logged = false
	c.Play(newRSPlayer(b))
	select {
	case <-ctx.Done():
		return nil
	case <-c.Done():
		return c.Err()
	}
}

// rsPlayer carries out the decisions of a bot with a RuneScape client.
type rsPlayer struct {
	bot       *bot
	behaviour *behaviour
	fight     rs.Fight
	area      areaTracker
	leg       int        // number of the walk that the client performs; 0 if none
	tile      proto.Tile // tile of the player in the last cycle
	stood     int        // number of cycles for which the player has been on its tile
	nextScan  time.Time
}

func newRSPlayer(b *bot) *rsPlayer {
	x := &rsPlayer{bot: b, behaviour: b.newBehaviour(rsStrollRadius, rsArrival)}
	x.fight = rs.Fight{Exclude: func(name string) bool { return !b.all.worldMap.mayFight(x.area.id, name) }}
	return x
}

// Act decides what the bot does in this cycle and performs it.
func (x *rsPlayer) Act(p *rs.Player) {
	if !x.area.update(p.Now(), x.bot) {
		return
	}
	x.scan(p)
	grid := &x.bot.all.World.Areas[x.area.id].Tiles
	at := p.World().Tile()
	if at != x.tile {
		x.tile, x.stood = at, 0
	}
	x.stood++
	d := x.behaviour.decide(p.Now(), x.area.id, grid.Centre(terrain.Tile{X: at.X, Z: at.Z}))
	if d.say != "" {
		p.Say(d.say)
	}
	if d.fight {
		if x.fight.Act(p); x.fight.HasTarget() {
			x.leg = 0
			return
		}
	}
	if d.leg != 0 && (d.leg != x.leg || x.stood%rsClickCycles == 0) {
		if t, ok := grid.ToTile(d.goal); ok {
			p.WalkTo(int(t.X), int(t.Z), d.run)
		}
	}
	x.leg = d.leg
}

// scan tells the bot's behaviour which actors are in sight. It passes on NPCs too, because they are players in this protocol;
// seePlayer recognizes them by their names.
func (x *rsPlayer) scan(p *rs.Player) {
	if p.Now().Before(x.nextScan) {
		return
	}
	x.nextScan = p.Now().Add(sightPeriod)
	w := p.World()
	for i := range w.Locals() {
		if a, err := w.Appearance(i); err == nil && i != w.Self() {
			x.behaviour.seePlayer(p.Now(), proto.TextString(a.Name))
		}
	}
}
