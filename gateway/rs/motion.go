package rs

import (
	"cmp"
	"math"

	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// Speeds of an actor in its extended info (proto/rs.KindSpeed). Source: the specification "The Player Updating Procedure",
// movement types.
const (
	speedWalk = 1
	speedRun  = 2
)

// Limits for displaying actors whose position is not bound to tiles, such as those of other protocols.
const (
	maxStepTiles        = 2    // maximum movement per cycle in tiles that is displayed as walking or running
	maxForcedTiles      = 15   // maximum movement per cycle in tiles that is displayed as a forced movement; a longer movement is displayed as a teleport
	edgeHysteresisTiles = 0.25 // distance in tiles by which an actor must pass the edge of its tile before it is displayed on its previous tile again
)

// motion is the kind of movement that clients are sent for an actor in one cycle.
type motion uint8

const (
	stood      motion = iota // no movement
	stepped                  // a walk or run of at most maxStepTiles
	forced                   // a movement at any speed, which clients draw without an animation
	teleported               // a change of position without interpolation
)

// shownTile returns the tile on which clients display an actor, or false if the actor is outside the tile map. For an actor that
// steps from tile to tile this is its own tile, for any other actor the tile of its position. An actor that walks back to its
// previous tile is displayed there only after it has passed the tile's edge by edgeHysteresisTiles, or when it stands still.
// Otherwise an actor that moves along the edge would flicker between two tiles.
func (as *areaScene) shownTile(row int32, a *sim.ActorState) (proto.Tile, bool) {
	g := &as.def.Tiles
	if a.Is(sim.FlagOnTiles) {
		return protoTile(a.Tile, g.Plane), true
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

// recordMidCycle records the tile of each actor in the middle of a cycle. From this tile, the method detour chooses the
// side on which a displayed actor passes a wall. Actors that step from tile to tile are skipped.
func (as *areaScene) recordMidCycle(f *sim.Frame) {
	if as.def.Ground == nil {
		return
	}
	table := as.w.actors
	for i := range f.Actors {
		a := &f.Actors[i]
		if a.Is(sim.FlagOnTiles) {
			continue
		}
		if row := table.rowOf(a.ID); row >= 0 {
			if t, ok := as.def.Tiles.ToTile(a.Pos); ok {
				table.rowStates[row].midTile, table.rowStates[row].midTick = protoTile(t, as.def.Tiles.Plane), f.Tick
			}
		}
	}
}

// moveActor moves the actor in a row to the tile in the parameter "at". It adds to info how clients draw the movement, and in
// which direction the actor faces. The parameter changedScene says whether the actor has just entered this scene; clients then
// draw a teleport.
func (as *areaScene) moveActor(state *rowState, row int32, a *sim.ActorState, at proto.Tile, changedScene bool, info *proto.Info) {
	oldTile, lastMotion := state.tile, state.motion
	state.motion = as.classifyMotion(state, a, at, changedScene)
	state.tile, state.pos = at, a.Pos
	if oldTile != at {
		state.previousTile = oldTile
	}
	switch state.motion {
	case teleported:
		setTeleport(info)
		as.w.actors.scene.Move(int(row), at, proto.MoveTeleport)
	case forced:
		via, bent := as.detour(state, oldTile, at)
		setForcedMove(info, via, at, bent)
		as.w.actors.scene.Move(int(row), at, proto.MoveTeleport)
	case stepped:
		as.w.actors.scene.Move(int(row), at, proto.MoveWalk)
	}
	if oldTile != at && state.motion != teleported {
		state.heading = [2]int8{int8(cmp.Compare(at.X, oldTile.X)), int8(cmp.Compare(at.Z, oldTile.Z))}
	}
	as.updateSpeed(state, a, tileDistance(oldTile, at), info)
	as.updateTurn(state, a, oldTile, info)
	as.animateForcedMove(a, state.motion, lastMotion, info)
}

// animateForcedMove plays the movement animation of the actor's model during forced movements, which clients draw without an
// animation. Attack and hurt animations are set later and replace the movement animation.
func (as *areaScene) animateForcedMove(a *sim.ActorState, now, last motion, info *proto.Info) {
	if now != forced && last != forced {
		return
	}
	seq := as.w.g.modelOf(a.Body).Glide
	switch {
	case seq == appearance.None:
		return
	case now != forced:
		seq = proto.None
	}
	info.Anim = proto.Anim{Seq: [4]uint16{seq, seq, seq, seq}}
	info.Has = info.Has.With(proto.KindAnim)
}

// classifyMotion returns how clients display a movement. A movement at running speed that follows a forced movement is
// displayed as a forced movement too, because it would look worse if the two kinds alternated.
func (as *areaScene) classifyMotion(state *rowState, a *sim.ActorState, at proto.Tile, changedScene bool) motion {
	oldTile, onTiles := state.tile, a.Is(sim.FlagOnTiles)
	tiles := tileDistance(oldTile, at)
	switch {
	case changedScene, oldTile.Plane != at.Plane, a.Gait == move.GaitTeleport, tiles > maxForcedTiles, tiles > 0 && as.pending.wasRelocated(a.ID):
		return teleported
	case tiles == 0:
		return stood
	case onTiles && tiles <= maxStepTiles:
		return stepped
	case tiles > maxStepTiles, tiles == maxStepTiles && state.motion == forced, !as.isLineClear(oldTile, at):
		return forced
	}
	return stepped
}

// Speeds at which clients draw movement, slightly less than one tile per cycle for walking and two tiles for running.
// Clients catch up only when they are three steps behind. Source: docs/wire/rs.md, motion of others.
const (
	fineTile   = 512          // fine units per tile
	fineWalk   = 480          // fine units per cycle of a walking actor
	fineRun    = 960          // fine units per cycle of a running actor
	catchUpLag = fineTile / 4 // lag in fine units from which clients draw an actor running, to catch up; not with sim.FlagOnTiles
)

// updateSpeed adds to info the speed at which clients draw an actor's steps, if the speed has changed.
func (as *areaScene) updateSpeed(state *rowState, a *sim.ActorState, tiles int, info *proto.Info) {
	speed := max(state.sentSpeed, speedWalk)
	if state.motion == stepped {
		speed = speedWalk
		drawnUnits := fineWalk
		if tiles == maxStepTiles || a.LastStep || a.Gait == move.GaitRun {
			speed = speedRun
		}
		switch {
		case a.LastStep:
			info.TempSpeed = speedWalk
			info.Has = info.Has.With(proto.KindTempSpeed)
		case speed == speedRun:
			drawnUnits = fineRun
		case state.drawnLag >= catchUpLag && !a.Is(sim.FlagOnTiles):
			info.TempSpeed, drawnUnits = speedRun, fineRun
			info.Has = info.Has.With(proto.KindTempSpeed)
		}
		state.drawnLag = max(state.drawnLag+tiles*fineTile-drawnUnits, 0)
	} else {
		state.drawnLag = 0
	}
	if state.sentSpeed != speed {
		state.sentSpeed = speed
		info.Speed = speed
		info.Has = info.Has.With(proto.KindSpeed)
	}
}

// updateTurn adds to info the angle at which an actor faces, if clients do not draw this angle already. There are three cases.
// (1) While an actor walks, clients turn it in the direction of its steps, so its angle is sent when it stands still. (2) During
// a forced movement, clients do not turn the actor, so the angle of the movement is sent. (3) The yaw of
// some actors does not follow their movement (Motion.FacesYaw). After a movement they face its direction until their yaw changes.
func (as *areaScene) updateTurn(state *rowState, a *sim.ActorState, oldTile proto.Tile, info *proto.Info) {
	dx, dz := int(state.tile.X)-int(oldTile.X), int(state.tile.Z)-int(oldTile.Z)
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

// isLineClear reports whether no wall crosses the straight line between two tiles.
func (as *areaScene) isLineClear(a, b proto.Tile) bool {
	return as.def.Ground.IsClearBetween(simTile(a), simTile(b))
}

// detour returns how clients must draw a movement around a wall between the tiles from and to: over the tile via. Candidates are
// the actor's tile in the middle of the cycle, and the two tiles that share one coordinate with each end. The result ok is false
// if no wall crosses the straight line, or if there is a wall on the way over each candidate; then clients draw the straight
// line.
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

// cycleClientTicks is the length of a cycle in client ticks of 20 ms.
const cycleClientTicks = 30

// noDirection is the value of the field Dir with which a forced movement does not turn the actor. Clients turn an actor for the
// directions 0..3; for any other value the actor keeps the angle that they were sent (extended info TURN).
const noDirection = 4

// setTeleport makes clients move the actor to its tile without interpolation.
func setTeleport(info *proto.Info) {
	info.TempSpeed = proto.SpeedInstant
	info.Has = info.Has.With(proto.KindTempSpeed)
}

// setForcedMove makes clients display a movement within one cycle that is neither a walk nor a run. It begins where the client
// draws the actor now and ends at the tile in the parameter "to". It is a straight line or, if bent is true, two lines that meet
// at the tile via. The packet always has two parts, and the second must not be empty, so a straight line is the first part and
// ends one client tick early. setForcedMove also sets a walking speed for this cycle: clients then queue the new tile as a step
// after the forced movement. Otherwise they would move the actor to the new tile first and begin the forced movement there.
func setForcedMove(info *proto.Info, via, to proto.Tile, bent bool) {
	e := proto.ExactMove{T1: cycleClientTicks - 1, T2: cycleClientTicks, Dir: noDirection}
	if bent {
		e.X1, e.Z1, e.T1 = int8(int(via.X)-int(to.X)), int8(int(via.Z)-int(to.Z)), cycleClientTicks/2
	}
	info.ExactMove, info.TempSpeed = e, speedWalk
	info.Has = info.Has.With(proto.KindExactMove).With(proto.KindTempSpeed)
}

// angleToward returns the angle, in the client's unit, of the direction dx, dz. Both are distances in tiles, and they must not
// both be 0.
func angleToward(dx, dz int) uint16 {
	return uint16(int64(math.Round(math.Atan2(float64(-dx), float64(-dz))*16384/(2*math.Pi))) & 16383)
}
