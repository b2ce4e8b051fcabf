package rs

import (
	"math"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim/terrain"
)

// protoTile is a tile of the world in the words of the wire.
func protoTile(t terrain.Tile, plane uint8) proto.Tile {
	return proto.Tile{X: t.X, Z: t.Z, Plane: plane}
}

// distance is how many steps lie between two tiles: the larger of the distances on the two axes.
func tileDistance(a, b proto.Tile) int {
	dx, dz := int(a.X)-int(b.X), int(a.Z)-int(b.Z)
	return max(dx, -dx, dz, -dz)
}

// turnOf is a yaw in degrees, 0 north and growing to the left, as an angle of 1/16384 turns, 0 south and growing to the
// right: which is 4096 for west.
func wireAngle(yaw float32) uint16 {
	return uint16(int64(math.Round(8192-float64(yaw)*16384/360)) & 16383)
}

// simTile is a tile of the wire in the words of the world.
func simTile(t proto.Tile) terrain.Tile { return terrain.Tile{X: t.X, Z: t.Z} }

// fraction is a share of 255, and at least 1 for the living.
func healthFraction(value, most int32) uint8 {
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
