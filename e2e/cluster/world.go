//go:build linux

package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// worldFile is the world of the nodes.
//
//go:embed world.toml
var worldFile []byte

// Values in world.toml that the checks need to know.
const (
	areaCount    = 3     // areas of the world
	kitAmount    = 10000 // Tokens of a new character
	lingerTime   = 25 * time.Second
	portalRadius = 8 // radius of entrances in units
	maxHealth    = 400
)

// worldInfo is the part of the console's GET /world that this test needs.
type worldInfo struct{ Areas []areaInfo }

// areaInfo is an area with the scales of its tiles and blocks, which do not overlap those of other areas.
type areaInfo struct {
	ID      sim.AreaID
	Name    string
	Portals []struct {
		X, Z float32
		To   *sim.AreaID
	}
	Tiles struct {
		UnitsPerTile float32
		BaseX, BaseZ uint16
		Plane        uint8
	}
	Blocks struct {
		UnitsPerBlock float32
		Origin        geom.Vec
		Height        float32
	}
}

// entrance is a portal that leads to another area.
type entrance struct {
	at geom.Vec
	to sim.AreaID
}

func (a *areaInfo) entrances() (list []entrance) {
	for _, p := range a.Portals {
		if p.To != nil {
			list = append(list, entrance{geom.Vec{X: p.X, Z: p.Z}, *p.To})
		}
	}
	return list
}

// entranceTo returns the entrance that leads to another area.
func (a *areaInfo) entranceTo(to *areaInfo) (geom.Vec, bool) {
	for _, e := range a.entrances() {
		if e.to == to.ID {
			return e.at, true
		}
	}
	return geom.Vec{}, false
}

func (a *areaInfo) tiles() terrain.TileGrid {
	return terrain.TileGrid{UnitsPerTile: a.Tiles.UnitsPerTile, BaseX: a.Tiles.BaseX, BaseZ: a.Tiles.BaseZ, Plane: a.Tiles.Plane}
}

func (a *areaInfo) blocks() terrain.BlockGrid {
	o := a.Blocks.Origin
	return terrain.BlockGrid{
		UnitsPerBlock: a.Blocks.UnitsPerBlock, Height: a.Blocks.Height, Origin: [3]int32{int32(o.X), int32(o.Y), int32(o.Z)},
	}
}

// areaExtent is the radius in units around the middle of an area that belongs to the area. It is more than the distance of any
// player from the middle of its area, and less than half of the distance between two areas in the coordinates of any client.
const areaExtent = 400

// areaNamed returns the area with a name, or nil if there is none.
func (w *worldInfo) areaNamed(name string) *areaInfo {
	for i := range w.Areas {
		if w.Areas[i].Name == name {
			return &w.Areas[i]
		}
	}
	return nil
}

// atTile returns the area that contains a tile, and the position of the tile's middle. The area is nil if no area contains it.
func (w *worldInfo) atTile(t terrain.Tile) (*areaInfo, geom.Vec) {
	for i := range w.Areas {
		if at := w.Areas[i].tiles().Centre(t); geom.DistXZ(at, geom.Vec{}) < areaExtent {
			return &w.Areas[i], at
		}
	}
	return nil, geom.Vec{}
}

// atBlock returns the area that contains a point in block coordinates, and its position in units. The area is nil if no area contains it.
func (w *worldInfo) atBlock(p geom.Vec) (*areaInfo, geom.Vec) {
	for i := range w.Areas {
		if at := w.Areas[i].blocks().ToWorld(p); geom.DistXZ(at, geom.Vec{}) < areaExtent {
			return &w.Areas[i], at
		}
	}
	return nil, geom.Vec{}
}

// get sends a request to the console API of a node and decodes the JSON answer into to.
func (n *node) get(ctx context.Context, call string, to any) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, n.console+"/api/v1/"+call, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+n.token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("console of node %s: %s: %s", n.name, call, resp.Status)
	}
	return json.NewDecoder(resp.Body).Decode(to)
}

// readWorld reads the areas from the console of a node.
func (n *node) readWorld(ctx context.Context) (*worldInfo, error) {
	w := &worldInfo{}
	if err := n.get(ctx, "world", w); err != nil {
		return nil, err
	}
	if len(w.Areas) != areaCount {
		return nil, fmt.Errorf("node %s has %d areas, not the %d of the test's world", n.name, len(w.Areas), areaCount)
	}
	return w, nil
}
