package main

import (
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/client/rs"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

const (
	mixedStray     = 145 // units around the middle of the area in which RealmCrafter players wander
	mixedTiles     = 17  // the same for RuneScape players, in tiles
	mixedBlocks    = 36  // and for Bedrock players, in blocks
	mixedChat      = 3 * time.Minute
	mixedLookEvery = time.Second // between two looks at a client
	rsLookEvery    = 2           // cycles: its clients are looked at when a packet has come
)

// home is the place around which all wander: where newcomers begin, the first portal that leads nowhere.
func (w *mixedWorld) home() (area *mixedArea, at geom.Vec) {
	area = &w.Areas[0]
	for _, p := range area.Portals {
		if p.To == nil {
			return area, geom.Vec{X: p.X, Y: p.Y, Z: p.Z}
		}
	}
	return area, geom.Vec{}
}

// clear tells whether a straight way keeps away from all solids.
func (a *mixedArea) clear(from, to geom.Vec) bool { return clearOf(a.Solids, from, to) }

// playRcce is what a RealmCrafter player does.
func (m *mixedSwarm) playRcce(*rcce.Client, int) rcce.Behaviour {
	wander, fight := rcce.Wander{Radius: mixedStray, Chat: mixedChat}, rcce.Fight{Range: swarmHunt}
	if m.world != nil {
		area, home := m.world.home()
		wander.Home, fight.Home = &home, &home
		wander.Clear, fight.Clear = area.clear, area.clear
	}
	return &rcce.Mixed{Fight: fight, Wander: wander}
}

// playBedrock is what a Bedrock player does.
func (m *mixedSwarm) playBedrock(_ *bedrock.Client, i int) bedrock.Behaviour {
	wander := bedrock.Wander{Radius: mixedBlocks}
	if m.world != nil {
		area, home := m.world.home()
		at := area.blocks()
		blocks := at.ToBlocks(home)
		wander.Home = &blocks
	}
	if i%2 == 0 {
		return &wander
	}
	return &bedrock.Fight{Idle: wander, Exclude: func(a *bedrock.Actor) bool { return m.cmd.ours(a.Name) }}
}

// playRS is what a RuneScape player does. It also notes what his client sees, since what a client of this door draws
// depends on two packets.
func (m *mixedSwarm) playRS(_ *rs.Client, i int) rs.Behaviour {
	wander := rs.Wander{Radius: mixedTiles, Chat: mixedChat}
	if m.world != nil {
		area, home := m.world.home()
		if t, ok := area.tiles().ToTile(home); ok {
			at := rsTile(t, area.Tiles.Plane)
			wander.Centre = &at
		}
	}
	return &rsObserver{m: m, name: m.rs.cmd.user(i), play: &rs.Mixed{Fight: rs.Fight{Centre: wander.Centre, Exclude: m.cmd.ours}, Wander: wander}}
}

func rsTile(t terrain.Tile, plane uint8) proto.Tile { return proto.Tile{X: t.X, Z: t.Z, Plane: plane} }

// rsObserver plays, and notes where its client draws the others. A client walks to a tile for the cycle after it was
// told it: when a packet comes, it draws everybody where the one before has put him.
type rsObserver struct {
	m     *mixedSwarm
	name  string
	play  rs.Behaviour
	cycle int
	was   map[proto.Index]proto.Tile
}

// Act plays on.
func (o *rsObserver) Act(p *rs.Player) {
	if o.m.looking.Load() {
		o.look(p)
	}
	o.play.Act(p)
}

func (o *rsObserver) look(p *rs.Player) {
	w := p.World()
	if o.cycle++; o.cycle%rsLookEvery == 0 && len(o.was) > 0 {
		look := &mixedLook{door: "rs", viewer: o.name, at: p.Now()}
		for i, t := range w.Locals() {
			before, ok := o.was[i]
			switch ch, changed := w.Change(i); {
			case !changed:
			case ch.Kind == proto.ChangeAdd, ch.Kind == proto.ChangeReplace:
				ok = false // clients draw him where he is going to, up to a cycle ahead
			case ch.Kind == proto.ChangeTeleport && !gliding(w, i):
				before = t // he is there at once
			}
			if a, err := w.Appearance(i); i != w.Self() && err == nil {
				look.shown = append(look.shown, mixedShown{
					name: proto.TextString(a.Name), raw: geom.Vec{X: float32(before.X), Z: float32(before.Z)}, fresh: !ok,
				})
			}
		}
		o.m.saw(look)
	}
	if o.was == nil {
		o.was = map[proto.Index]proto.Tile{}
	}
	clear(o.was)
	for i, t := range w.Locals() {
		o.was[i] = t
	}
}

// gliding tells whether the last packet moves somebody by force, which takes a cycle.
func gliding(w *rs.World, i proto.Index) bool {
	var in proto.Info
	return w.Info(i, &in) && in.Has.Has(proto.KindExactMove)
}

// lookRcce and lookBedrock note what a client sees.
func lookRcce(c *rcce.Client, name string) *mixedLook {
	look := &mixedLook{door: "rcce", viewer: name}
	c.Look(func(w *rcce.World) {
		look.at = time.Now()
		look.shown = make([]mixedShown, 0, w.Len())
		for a := range w.Actors() {
			look.shown = append(look.shown, mixedShown{name: a.Name, raw: a.Pos})
		}
	})
	return look
}

func lookBedrock(c *bedrock.Client, name string) *mixedLook {
	look := &mixedLook{door: "bedrock", viewer: name}
	c.Inspect(func(s *bedrock.Session) {
		look.at = time.Now()
		w := s.World()
		look.shown = make([]mixedShown, 0, w.ActorCount())
		for a := range w.Actors() {
			look.shown = append(look.shown, mixedShown{name: a.Name, raw: a.Pos, high: true})
		}
	})
	return look
}
