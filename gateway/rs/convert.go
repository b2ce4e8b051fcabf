package rs

import (
	"math"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim/terrain"
)

// protoTile converts a tile of the world to the protocol's type, which also contains the plane.
func protoTile(t terrain.Tile, plane uint8) proto.Tile {
	return proto.Tile{X: t.X, Z: t.Z, Plane: plane}
}

// tileDistance returns the distance between two tiles in steps: the larger one of the distances on the two axes.
func tileDistance(a, b proto.Tile) int {
	dx, dz := int(a.X)-int(b.X), int(a.Z)-int(b.Z)
	return max(dx, -dx, dz, -dz)
}

// wireAngle converts a yaw in degrees, counterclockwise from north, to an angle in packets: 1/16384 of a turn, clockwise
// from south. West is 4096.
func wireAngle(yaw float32) uint16 {
	return uint16(int64(math.Round(8192-float64(yaw)*16384/360)) & 16383)
}

// simTile converts a tile of the protocol's type to the world's.
func simTile(t proto.Tile) terrain.Tile { return terrain.Tile{X: t.X, Z: t.Z} }

// healthFraction returns value as a fraction of maximum, in units of 1/255. It is at least 1 for a positive value.
func healthFraction(value, maximum int32) uint8 {
	if value <= 0 || maximum <= 0 {
		return 0
	}
	return uint8(max(int64(min(value, maximum))*255/int64(maximum), 1))
}

// percent returns value as a percentage of maximum, 0..100. If maximum is not positive, it returns 100.
func percent(value, maximum int32) uint8 {
	if maximum <= 0 {
		return 100
	}
	return uint8(int64(min(max(value, 0), maximum)) * 100 / int64(maximum))
}
