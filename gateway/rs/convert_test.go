package rs

import (
	"testing"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Section "Scales" of docs/one-world.md: the tiles at the corners of the protocol's range convert to the world and back without a
// change.
func TestTilesAtMapCornersRoundTripThroughWorldCoordinates(t *testing.T) {
	for _, at := range []terrain.Tile{{}, {X: terrain.MaxTile}, {Z: terrain.MaxTile}, {X: terrain.MaxTile, Z: terrain.MaxTile}, {X: 3200, Z: 3200}} {
		for plane := range uint8(4) {
			g := terrain.TileGrid{UnitsPerTile: 7, BaseX: 3200, BaseZ: 3200, Plane: plane}
			p := protoTile(at, plane)
			if p != (proto.Tile{X: at.X, Z: at.Z, Plane: plane}) || simTile(p) != at {
				t.Errorf("%v on plane %d converts to %v", at, plane, p)
			}
			if got, ok := g.ToTile(g.Centre(simTile(p))); !ok || got != at {
				t.Errorf("%v converts back to %v, %v", at, got, ok)
			}
		}
	}
}

// An actor outside the tile map is not shown and causes no error.
func TestActorOutsideTileMapIsNotDisplayed(t *testing.T) {
	s := newMotionTest(t, 0)
	was := len(s.viewer.shownIDs)
	at := s.centre(0, 0)
	at.X = -float32(s.scene.def.Tiles.BaseX)*s.scene.def.Tiles.UnitsPerTile - 1
	s.moveTo(at, at)
	s.moveTo(at, at)
	if got := len(s.viewer.shownIDs); got != was-1 {
		t.Errorf("%d actors are shown, %d before", got, was)
	}
	at = s.centre(0, 0)
	s.moveTo(at, at)
	if got := len(s.viewer.shownIDs); got != was {
		t.Errorf("back on the map: %d actors are shown", got)
	}
}
