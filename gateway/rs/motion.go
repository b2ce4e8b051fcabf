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
	maxStepTiles        = 2    // steps of a cycle that are shown as walking or running
	maxForcedTiles      = 15   // a way of a cycle up to which the faster are shown to glide; beyond it they are there at once
	edgeHysteresisTiles = 0.25 // so far beyond its edge whoever goes back is still shown on the tile that he was to leave
)

// motion is how an actor was shown to move in a cycle.
type motion uint8

const (
	stood motion = iota
	stepped
	forced
	teleported
)

// tileOf is where an actor is shown on the client's map; false if the map ends before. Whoever walks on tiles has one
// of his own, a ridden mount that behind its rider, and all others that in which their position lies. Who goes back to
// the tile that he came from is shown there a little later, or whoever dances on an edge would be shown to jump to and
// fro; whoever stands is shown on his very tile.
func (as *areaScene) shownTile(row int32, a *sim.ActorState) (proto.Tile, bool) {
	g := &as.def.Tiles
	if a.Is(sim.FlagPath) {
		return protoTile(a.Tile, g.Plane), true
	}
	if r := as.riderRow(a.ID); r >= 0 {
		return as.mountTile(row, r), true
	}
	t, ok := g.ToTile(a.Pos)
	at := protoTile(t, g.Plane)
	if row < 0 || !ok {
		return at, ok
	}
	state := &as.w.actors.rowStates[row]
	if state.scene == as && at == state.previousTile && at != state.tile && a.Pos != state.pos && tileDistance(at, state.tile) == 1 && !as.pending.wasRelocated(a.ID) {
		c := g.Centre(simTile(state.tile))
		near := float32((0.5 + edgeHysteresisTiles) * g.UnitsPerTile)
		if abs(a.Pos.X-c.X) <= near && abs(a.Pos.Z-c.Z) <= near {
			return state.tile, true
		}
	}
	return at, true
}

func abs(v float32) float32 { return max(v, -v) }

// glimpse notes where those are in the middle of a cycle who do not walk on tiles: it tells around which side of a wall
// they went.
func (as *areaScene) recordMidCycle(f *sim.Frame) {
	if as.def.Ground == nil {
		return
	}
	c := as.w.actors
	for i := range f.Actors {
		a := &f.Actors[i]
		if a.Is(sim.FlagPath) {
			continue
		}
		if row := c.rowOf(a.ID); row >= 0 {
			if t, ok := as.def.Tiles.ToTile(a.Pos); ok {
				c.rowStates[row].midTile, c.rowStates[row].midTick = protoTile(t, as.def.Tiles.Plane), f.Tick
			}
		}
	}
}

// step moves a row to a tile and says how: steps are walked or run, whoever is faster glides, and what is far, or was no
// movement of his own, is a jump. It says as well where he looks.
func (as *areaScene) moveActor(state *rowState, row int32, a *sim.ActorState, at proto.Tile, travelled bool, info *proto.Info) {
	was, last := state.tile, state.motion
	state.motion = as.classifyMotion(state, a, at, travelled)
	state.tile, state.pos = at, a.Pos
	if was != at {
		state.previousTile = was
	}
	switch state.motion {
	case teleported:
		setTeleport(info)
		as.w.actors.scene.Move(int(row), at, proto.MoveTeleport)
	case forced:
		via, bent := as.detour(state, was, at)
		setForcedMove(info, via, at, bent)
		as.w.actors.scene.Move(int(row), at, proto.MoveTeleport)
	case stepped:
		as.w.actors.scene.Move(int(row), at, proto.MoveWalk)
	}
	if was != at && state.motion != teleported {
		state.heading = [2]int8{int8(cmp.Compare(at.X, was.X)), int8(cmp.Compare(at.Z, was.Z))}
	}
	as.updateSpeed(state, a, tileDistance(was, at), info)
	as.updateTurn(state, a, was, info)
	as.animateForcedMove(a, state.motion, last, info)
}

// stride lets the legs of whoever glides move: clients let him stand. His blows and the like are told after it and count.
func (as *areaScene) animateForcedMove(a *sim.ActorState, now, last motion, info *proto.Info) {
	if now != forced && last != forced {
		return
	}
	seq := cacheModelOf(as.w.g.world.Def(), a.Body).Glide
	switch {
	case seq == sim.NoMedia:
		return
	case now != forced:
		seq = proto.None
	}
	info.Anim = proto.Anim{Seq: [4]uint16{seq, seq, seq, seq}}
	info.Has = info.Has.With(proto.KindAnim)
}

// motionOf is how a movement is shown. Whoever glides goes on doing so for as long as he is as fast as a runner: to run
// and to glide by turns looks worse than either.
func (as *areaScene) classifyMotion(state *rowState, a *sim.ActorState, at proto.Tile, travelled bool) motion {
	was, path := state.tile, a.Is(sim.FlagPath)
	far := tileDistance(was, at)
	switch {
	case travelled, was.Plane != at.Plane, path && a.Gait == move.Teleported, far > maxForcedTiles, far > 0 && as.pending.wasRelocated(a.ID):
		return teleported
	case far == 0:
		return stood
	case path && far <= maxStepTiles:
		return stepped
	case far > maxStepTiles, far == maxStepTiles && state.motion == forced, !as.isLineClear(was, at):
		return forced
	}
	return stepped
}

// A client walks 480 fine units in a cycle and runs 960, a little less than the 512 of a tile or the 1024 of two, and
// makes that up only when it is three steps behind. Source: docs/wire/rs.md, motion of others.
const (
	fineTile   = 512
	fineWalk   = 480
	fineRun    = 960
	catchUpLag = fineTile / 4 // from then on a step of somebody who moves without tiles is drawn as a run, which catches up
)

// pace tells with which speed clients draw the steps of an actor.
func (as *areaScene) updateSpeed(state *rowState, a *sim.ActorState, far int, info *proto.Info) {
	speed := max(state.sentSpeed, speedWalk)
	if state.motion == stepped {
		speed = speedWalk
		drawn := fineWalk
		if far == maxStepTiles || a.LastStep || a.Is(sim.FlagPath) && a.Gait == move.Ran {
			speed = speedRun
		}
		switch {
		case a.LastStep:
			info.TempSpeed = speedWalk
			info.Has = info.Has.With(proto.KindTempSpeed)
		case speed == speedRun:
			drawn = fineRun
		case state.drawnLag >= catchUpLag && !a.Is(sim.FlagPath):
			info.TempSpeed, drawn = speedRun, fineRun
			info.Has = info.Has.With(proto.KindTempSpeed)
		}
		state.drawnLag = max(state.drawnLag+far*fineTile-drawn, 0)
	} else {
		state.drawnLag = 0
	}
	if state.sentSpeed != speed {
		state.sentSpeed = speed
		info.Speed = speed
		info.Has = info.Has.With(proto.KindSpeed)
	}
}

// look turns an actor. Clients let whoever takes steps look where he goes, and forget any other turn then: so he is
// told to turn once he stands. Who glides is not turned by clients, and looks along his way. NPCs, and players who claim
// positions, have no yaw while they walk; they go on looking where they went until they are given one.
func (as *areaScene) updateTurn(state *rowState, a *sim.ActorState, was proto.Tile, info *proto.Info) {
	dx, dz := int(state.tile.X)-int(was.X), int(state.tile.Z)-int(was.Z)
	switch {
	case state.motion == teleported, state.yaw != a.Yaw:
		state.yaw, state.movedSinceYaw = a.Yaw, false
	case dx != 0 || dz != 0:
		state.movedSinceYaw, state.moveAngle = true, angleToward(dx, dz)
	}
	turn := wireAngle(a.Yaw)
	switch {
	case state.motion == stepped:
		state.sentTurn = -1
		return
	case state.motion == forced:
		turn = angleToward(dx, dz)
	case state.movedSinceYaw && !a.Motion.FacesYaw:
		turn = state.moveAngle
	}
	if state.sentTurn != int32(turn) {
		state.sentTurn = int32(turn)
		info.Turn = turn
		info.Has = info.Has.With(proto.KindTurn)
	}
}

// clear tells whether the straight line between two tiles leads through no wall.
func (as *areaScene) isLineClear(a, b proto.Tile) bool {
	return as.def.Ground.Clear(simTile(a), simTile(b))
}

// bend is a tile by which a way leads around what stands between its ends: where the actor was halfway, or else one of
// the corners. It is false if the straight line is as good as any.
func (as *areaScene) detour(state *rowState, from, to proto.Tile) (via proto.Tile, ok bool) {
	if as.isLineClear(from, to) {
		return to, false
	}
	ways := [...]proto.Tile{state.midTile, {X: to.X, Z: from.Z, Plane: to.Plane}, {X: from.X, Z: to.Z, Plane: to.Plane}}
	for i, via := range ways {
		if i == 0 && (state.midTick == 0 || as.frame.Tick-state.midTick >= as.w.cycleTicks || tileDistance(via, to) > maxForcedTiles) {
			continue
		}
		if via != from && via != to && as.isLineClear(from, via) && as.isLineClear(via, to) {
			return via, true
		}
	}
	return to, false
}

// cycleClientTicks is how long a cycle is for a client, in its ticks of 20 ms.
const cycleClientTicks = 30

// noQuarter is no direction of a forced movement. Clients turn whoever moves by force to one of four directions, and for
// any other number not at all, so that his TURN counts.
const noDirection = 4

// instant is the info of a movement that is none: the client puts the player there without an animation.
func setTeleport(info *proto.Info) {
	info.TempSpeed = proto.SpeedInstant
	info.Has = info.Has.With(proto.KindTempSpeed)
}

// glide is the info of a movement within a cycle that no walk or run can show: a forced movement from wherever the
// client draws him by now, around a corner if via is one, else straight. Its second part may not be empty, so a straight
// one ends a client tick early. The speed makes the new tile a step that waits for the end of the glide; without it the
// client would put him there at once, and glide from there.
func setForcedMove(info *proto.Info, via, to proto.Tile, bent bool) {
	e := proto.ExactMove{T1: cycleClientTicks - 1, T2: cycleClientTicks, Dir: noDirection}
	if bent {
		e.X1, e.Z1, e.T1 = int8(int(via.X)-int(to.X)), int8(int(via.Z)-int(to.Z)), cycleClientTicks/2
	}
	info.ExactMove, info.TempSpeed = e, speedWalk
	info.Has = info.Has.With(proto.KindExactMove).With(proto.KindTempSpeed)
}

// angleOf is where one looks who looks by dx and dz tiles, not both 0, as clients count angles.
func angleToward(dx, dz int) uint16 {
	return uint16(int64(math.Round(math.Atan2(float64(-dx), float64(-dz))*16384/(2*math.Pi))) & 16383)
}
