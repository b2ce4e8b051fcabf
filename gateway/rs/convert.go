package rs

import (
	"math"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Speeds of movement blocks. Source: seed, movement types.
const (
	speedWalk = 1
	speedRun  = 2
)

// tileOf is where an actor stands on the client's map; false if the map ends before. Whoever walks on tiles has one of
// his own, and all others that in which their position lies.
func (pl *place) tileOf(a *sim.ActorState) (proto.Tile, bool) {
	t, ok := a.Tile, true
	if !a.Is(sim.FlagPath) {
		t, ok = pl.def.Tiles.ToTile(a.Pos)
	}
	return protoTile(t, pl.def.Tiles.Plane), ok
}

// protoTile and simTile are the same tile in the words of the wire and of the world.
func protoTile(t terrain.Tile, plane uint8) proto.Tile {
	return proto.Tile{X: t.X, Z: t.Z, Plane: plane}
}

// distance is how many steps lie between two tiles: the larger of the distances on the two axes.
func distance(a, b proto.Tile) int {
	dx, dz := int(a.X)-int(b.X), int(a.Z)-int(b.Z)
	return max(dx, -dx, dz, -dz)
}

// turnOf is a yaw in degrees, 0 north and growing to the left, as an angle of 1/16384 turns, 0 south and growing to the
// right: which is 4096 for west.
func turnOf(yaw float32) uint16 {
	return uint16(int64(math.Round(8192-float64(yaw)*16384/360)) & 16383)
}

// fraction is a share of 255, and at least 1 for the living.
func fraction(value, most int32) uint8 {
	if value <= 0 || most <= 0 {
		return 0
	}
	return uint8(max(int64(min(value, most))*255/int64(most), 1))
}

// percent is a share of 100.
func percent(value, most int32) uint8 {
	if most <= 0 {
		return 100
	}
	return uint8(int64(min(max(value, 0), most)) * 100 / int64(most))
}

// jump is the info of a movement that is no walk: the client puts the player there without an animation.
func jump(info *proto.Info) {
	info.TempSpeed = proto.SpeedInstant
	info.Has = info.Has.With(proto.KindTempSpeed)
}

// cycleClientTicks is how long a cycle is for a client, in its ticks of 20 ms.
const cycleClientTicks = 30

// glide is a movement within a cycle that is too far for a run: a forced movement from where it was shown.
func glide(info *proto.Info, from, to proto.Tile) {
	dx, dz := int(from.X)-int(to.X), int(from.Z)-int(to.Z)
	info.ExactMove = proto.ExactMove{X1: int8(dx), Z1: int8(dz), T1: 0, T2: cycleClientTicks, Dir: quarter(-dx, -dz)}
	info.Has = info.Has.With(proto.KindExactMove)
}

// quarter is the direction of a forced movement: 0 north, 1 east, 2 south, 3 west.
func quarter(dx, dz int) uint16 {
	switch {
	case dx*dx > dz*dz && dx > 0:
		return 1
	case dx*dx > dz*dz:
		return 3
	case dz < 0:
		return 2
	}
	return 0
}
