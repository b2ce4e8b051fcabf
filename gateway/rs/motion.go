package rs

import (
	"cmp"
	"math"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// Speeds of movement blocks. Source: seed, movement types.
const (
	speedWalk = 1
	speedRun  = 2
)

// Figures of how those are shown who do not walk on tiles.
const (
	followTiles = 2    // steps of a cycle that are shown as walking or running
	glideTiles  = 15   // a way of a cycle up to which the faster are shown to glide; beyond it they are there at once
	stickTiles  = 0.25 // so far beyond its edge whoever goes back is still shown on the tile that he was to leave
)

// motion is how an actor was shown to move in a cycle.
type motion uint8

const (
	stood motion = iota
	stepped
	glided
	jumped
)

// tileOf is where an actor is shown on the client's map; false if the map ends before. Whoever walks on tiles has one
// of his own, a ridden mount that behind its rider, and all others that in which their position lies. Who goes back to
// the tile that he came from is shown there a little later, or whoever dances on an edge would be shown to jump to and
// fro; whoever stands is shown on his very tile.
func (pl *place) tileOf(row int32, a *sim.ActorState) (proto.Tile, bool) {
	g := &pl.def.Tiles
	if a.Is(sim.FlagPath) {
		return protoTile(a.Tile, g.Plane), true
	}
	if r := pl.riderOf(a.ID); r >= 0 {
		return pl.behind(row, r), true
	}
	t, ok := g.ToTile(a.Pos)
	at := protoTile(t, g.Plane)
	if row < 0 || !ok {
		return at, ok
	}
	fig := &pl.w.crowd.figures[row]
	if fig.place == pl && at == fig.from && at != fig.tile && a.Pos != fig.pos && distance(at, fig.tile) == 1 && !pl.news.wasTaken(a.ID) {
		c := g.Centre(simTile(fig.tile))
		near := float32((0.5 + stickTiles) * g.UnitsPerTile)
		if abs(a.Pos.X-c.X) <= near && abs(a.Pos.Z-c.Z) <= near {
			return fig.tile, true
		}
	}
	return at, true
}

func abs(v float32) float32 { return max(v, -v) }

// glimpse notes where those are in the middle of a cycle who do not walk on tiles: it tells around which side of a wall
// they went.
func (pl *place) glimpse(f *sim.Frame) {
	if pl.def.Ground == nil {
		return
	}
	c := pl.w.crowd
	for i := range f.Actors {
		a := &f.Actors[i]
		if a.Is(sim.FlagPath) {
			continue
		}
		if row := c.row(a.ID); row >= 0 {
			if t, ok := pl.def.Tiles.ToTile(a.Pos); ok {
				c.figures[row].mid, c.figures[row].midAt = protoTile(t, pl.def.Tiles.Plane), f.Tick
			}
		}
	}
}

// step moves a row to a tile and says how: steps are walked or run, whoever is faster glides, and what is far, or was no
// movement of his own, is a jump. It says as well where he looks.
func (pl *place) step(fig *figure, row int32, a *sim.ActorState, at proto.Tile, travelled bool, info *proto.Info) {
	was, last := fig.tile, fig.motion
	fig.motion = pl.motionOf(fig, a, at, travelled)
	fig.tile, fig.pos = at, a.Pos
	if was != at {
		fig.from = was
	}
	switch fig.motion {
	case jumped:
		instant(info)
		pl.w.crowd.scene.Move(int(row), at, proto.MoveTeleport)
	case glided:
		via, bent := pl.bend(fig, was, at)
		glide(info, via, at, bent)
		pl.w.crowd.scene.Move(int(row), at, proto.MoveTeleport)
	case stepped:
		pl.w.crowd.scene.Move(int(row), at, proto.MoveWalk)
	}
	if was != at && fig.motion != jumped {
		fig.ahead = [2]int8{int8(cmp.Compare(at.X, was.X)), int8(cmp.Compare(at.Z, was.Z))}
	}
	pl.pace(fig, a, distance(was, at), info)
	pl.look(fig, a, was, info)
	pl.stride(a, fig.motion, last, info)
}

// stride lets the legs of whoever glides move: clients let him stand. His blows and the like are told after it and count.
func (pl *place) stride(a *sim.ActorState, now, last motion, info *proto.Info) {
	if now != glided && last != glided {
		return
	}
	seq := figureOf(pl.w.g.world.Def(), a.Body).Glide
	switch {
	case seq == sim.NoMedia:
		return
	case now != glided:
		seq = proto.None
	}
	info.Anim = proto.Anim{Seq: [4]uint16{seq, seq, seq, seq}}
	info.Has = info.Has.With(proto.KindAnim)
}

// motionOf is how a movement is shown. Whoever glides goes on doing so for as long as he is as fast as a runner: to run
// and to glide by turns looks worse than either.
func (pl *place) motionOf(fig *figure, a *sim.ActorState, at proto.Tile, travelled bool) motion {
	was, path := fig.tile, a.Is(sim.FlagPath)
	far := distance(was, at)
	switch {
	case travelled, was.Plane != at.Plane, path && a.Gait == move.Teleported, far > glideTiles, far > 0 && pl.news.wasTaken(a.ID):
		return jumped
	case far == 0:
		return stood
	case path && far <= followTiles:
		return stepped
	case far > followTiles, far == followTiles && fig.motion == glided, !pl.clear(was, at):
		return glided
	}
	return stepped
}

// A client walks 480 fine units in a cycle and runs 960, a little less than the 512 of a tile or the 1024 of two, and
// makes that up only when it is three steps behind. Source: docs/wire/rs.md, motion of others.
const (
	fineTile   = 512
	fineWalk   = 480
	fineRun    = 960
	mostBehind = fineTile / 4 // from then on a step of somebody who moves without tiles is drawn as a run, which catches up
)

// pace tells with which speed clients draw the steps of an actor.
func (pl *place) pace(fig *figure, a *sim.ActorState, far int, info *proto.Info) {
	speed := max(fig.speed, speedWalk)
	if fig.motion == stepped {
		speed = speedWalk
		drawn := fineWalk
		if far == followTiles || a.LastStep || a.Is(sim.FlagPath) && a.Gait == move.Ran {
			speed = speedRun
		}
		switch {
		case a.LastStep:
			info.TempSpeed = speedWalk
			info.Has = info.Has.With(proto.KindTempSpeed)
		case speed == speedRun:
			drawn = fineRun
		case fig.behind >= mostBehind && !a.Is(sim.FlagPath):
			info.TempSpeed, drawn = speedRun, fineRun
			info.Has = info.Has.With(proto.KindTempSpeed)
		}
		fig.behind = max(fig.behind+far*fineTile-drawn, 0)
	} else {
		fig.behind = 0
	}
	if fig.speed != speed {
		fig.speed = speed
		info.Speed = speed
		info.Has = info.Has.With(proto.KindSpeed)
	}
}

// look turns an actor. Clients let whoever takes steps look where he goes, and forget any other turn then: so he is
// told to turn once he stands. Who glides is not turned by clients, and looks along his way. NPCs, and players who claim
// positions, have no yaw while they walk; they go on looking where they went until they are given one.
func (pl *place) look(fig *figure, a *sim.ActorState, was proto.Tile, info *proto.Info) {
	dx, dz := int(fig.tile.X)-int(was.X), int(fig.tile.Z)-int(was.Z)
	switch {
	case fig.motion == jumped, fig.turned != a.Yaw:
		fig.turned, fig.went = a.Yaw, false
	case dx != 0 || dz != 0:
		fig.went, fig.way = true, angleOf(dx, dz)
	}
	turn := turnOf(a.Yaw)
	switch {
	case fig.motion == stepped:
		fig.turn = -1
		return
	case fig.motion == glided:
		turn = angleOf(dx, dz)
	case fig.went && !a.Motion.FacesYaw:
		turn = fig.way
	}
	if fig.turn != int32(turn) {
		fig.turn = int32(turn)
		info.Turn = turn
		info.Has = info.Has.With(proto.KindTurn)
	}
}

// clear tells whether the straight line between two tiles leads through no wall.
func (pl *place) clear(a, b proto.Tile) bool { return pl.def.Ground.Clear(simTile(a), simTile(b)) }

// bend is a tile by which a way leads around what stands between its ends: where the actor was halfway, or else one of
// the corners. It is false if the straight line is as good as any.
func (pl *place) bend(fig *figure, from, to proto.Tile) (via proto.Tile, ok bool) {
	if pl.clear(from, to) {
		return to, false
	}
	ways := [...]proto.Tile{fig.mid, {X: to.X, Z: from.Z, Plane: to.Plane}, {X: from.X, Z: to.Z, Plane: to.Plane}}
	for i, via := range ways {
		if i == 0 && (fig.midAt == 0 || pl.frame.Tick-fig.midAt >= pl.w.every || distance(via, to) > glideTiles) {
			continue
		}
		if via != from && via != to && pl.clear(from, via) && pl.clear(via, to) {
			return via, true
		}
	}
	return to, false
}

// cycleClientTicks is how long a cycle is for a client, in its ticks of 20 ms.
const cycleClientTicks = 30

// noQuarter is no direction of a forced movement. Clients turn whoever moves by force to one of four directions, and for
// any other number not at all, so that his TURN counts.
const noQuarter = 4

// instant is the info of a movement that is none: the client puts the player there without an animation.
func instant(info *proto.Info) {
	info.TempSpeed = proto.SpeedInstant
	info.Has = info.Has.With(proto.KindTempSpeed)
}

// glide is the info of a movement within a cycle that no walk or run can show: a forced movement from wherever the
// client draws him by now, around a corner if via is one, else straight. Its second part may not be empty, so a straight
// one ends a client tick early. The speed makes the new tile a step that waits for the end of the glide; without it the
// client would put him there at once, and glide from there.
func glide(info *proto.Info, via, to proto.Tile, bent bool) {
	e := proto.ExactMove{T1: cycleClientTicks - 1, T2: cycleClientTicks, Dir: noQuarter}
	if bent {
		e.X1, e.Z1, e.T1 = int8(int(via.X)-int(to.X)), int8(int(via.Z)-int(to.Z)), cycleClientTicks/2
	}
	info.ExactMove, info.TempSpeed = e, speedWalk
	info.Has = info.Has.With(proto.KindExactMove).With(proto.KindTempSpeed)
}

// angleOf is where one looks who looks by dx and dz tiles, not both 0, as clients count angles.
func angleOf(dx, dz int) uint16 {
	return uint16(int64(math.Round(math.Atan2(float64(-dx), float64(-dz))*16384/(2*math.Pi))) & 16383)
}
