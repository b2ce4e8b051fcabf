package swarm

import (
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/internal/oracle"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim/geom"
)

// Distances and times of the players of a mixed run. The first three constants are the same distance in the units of three
// protocols: how far players go from the centre of the area.
const (
	mixedUnits        = 145             // RealmCrafter units
	mixedTiles        = 17              // RuneScape tiles
	mixedBlocks       = 36              // Minecraft blocks
	mixedChatInterval = 3 * time.Minute // time between two chat lines of a player
	rsObserveCycles   = 2               // number of cycles between two observations of a RuneScape client
)

// home returns the position around which all players stay: the position of the first portal without a destination, where new
// players start.
func (w *consoleWorld) home() (area *consoleArea, at geom.Vec) {
	area = &w.Areas[0]
	for _, p := range area.Portals {
		if p.To == nil {
			return area, geom.Vec{X: p.X, Y: p.Y, Z: p.Z}
		}
	}
	return area, geom.Vec{}
}

// canWalk reports whether a straight line stays at least wallDistance away from all obstacles of the area.
func (a *consoleArea) canWalk(from, to geom.Vec) bool { return canWalk(a.Solids, from, to) }

func (o RCCE) inMixed(_ *MixedConfig, c *check, ramp float64) Protocol {
	o.Ramp = ramp
	o.behaviour = func(*rcce.Client, int) rcce.Behaviour {
		wander, fight := rcce.Wander{Radius: mixedUnits, Chat: mixedChatInterval}, rcce.Fight{Range: rcceFightRadius}
		if c != nil {
			area, home := c.world.home()
			wander.Centre, fight.Centre = &home, &home
			wander.LineOfSight, fight.LineOfSight = area.canWalk, area.canWalk
		}
		return &rcce.FightOrWander{Fight: fight, Wander: wander}
	}
	return o
}

func (o Bedrock) inMixed(m *MixedConfig, c *check, ramp float64) Protocol {
	o.Ramp = ramp
	o.behaviour = func(_ *bedrock.Client, i int) bedrock.Behaviour {
		wander := bedrock.Wander{Radius: mixedBlocks}
		if c != nil {
			area, home := c.world.home()
			at := area.blocks()
			blocks := at.ToBlocks(home)
			wander.Home = &blocks
		}
		if i%2 == 0 {
			return &wander
		}
		return &bedrock.Fight{Idle: wander, Exclude: func(a *bedrock.Actor) bool { return m.isOurs(a.Name) }}
	}
	return o
}

func (o RS) inMixed(m *MixedConfig, c *check, ramp float64) Protocol {
	o.Ramp = ramp
	o.behaviour = func(_ *rs.Client, i int) rs.Behaviour {
		wander := rs.Wander{Radius: mixedTiles, Chat: mixedChatInterval}
		if c != nil {
			area, home := c.world.home()
			if t, ok := area.tiles().ToTile(home); ok {
				wander.Centre = &proto.Tile{X: t.X, Z: t.Z, Plane: area.Tiles.Plane}
			}
		}
		play := &rs.FightOrWander{Fight: rs.Fight{Centre: wander.Centre, Exclude: m.isOurs}, Wander: wander}
		if c == nil {
			return play
		}
		return &rsObserver{check: c, user: o.user(i), play: play}
	}
	return o
}

// rsObserver wraps the behaviour of a RuneScape player and also observes the client regularly, when a packet arrives. A client
// draws a walking player on its way to the tile in the latest packet, and the player arrives there when the next packet does. At
// the time of an observation, each player is therefore drawn on the tile of the previous packet.
type rsObserver struct {
	check    *check
	user     string
	play     rs.Behaviour
	cycle    int                        // number of packets so far
	previous map[proto.Index]proto.Tile // tile of each player in the previous packet
}

// Act implements rs.Behaviour. It observes the client and then acts as the wrapped behaviour.
func (o *rsObserver) Act(p *rs.Player) {
	if o.check.active.Load() {
		o.observe(p)
	}
	o.play.Act(p)
}

func (o *rsObserver) observe(p *rs.Player) {
	w := p.World()
	if o.cycle++; o.cycle%rsObserveCycles == 0 && len(o.previous) > 0 {
		obs := &oracle.Observation{Protocol: "rs", Viewer: o.user, At: p.Now()}
		for i, t := range w.Locals() {
			before, known := o.previous[i]
			switch ch, changed := w.Change(i); {
			case !changed:
			case ch.Kind == proto.ChangeAdd, ch.Kind == proto.ChangeReplace:
				known = false // the previous tile is not known: the client draws the player on its new tile up to a cycle before the player arrives there
			case ch.Kind == proto.ChangeTeleport && !isForcedMove(w, i):
				before = t // the client draws the player on its new tile at once
			}
			if a, err := w.Appearance(i); i != w.Self() && err == nil {
				obs.Actors = append(obs.Actors, oracle.Sighting{
					Name: proto.TextString(a.Name), Pos: geom.Vec{X: float32(before.X), Z: float32(before.Z)}, Fresh: !known,
				})
			}
		}
		o.check.add(obs)
	}
	if o.previous == nil {
		o.previous = map[proto.Index]proto.Tile{}
	}
	clear(o.previous)
	for i, t := range w.Locals() {
		o.previous[i] = t
	}
}

// isForcedMove reports whether the last packet contains a forced movement of the player with the index i. A forced movement
// takes one cycle.
func isForcedMove(w *rs.World, i proto.Index) bool {
	var in proto.Info
	return w.Info(i, &in) && in.Has.Has(proto.KindExactMove)
}
