package console

import (
	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/worldmap"
)

type worldBody struct {
	Name       string         `json:"name"`
	TickRate   int            `json:"tickRate"`
	Live       bool           `json:"live"` // false: only recordings are shown
	Node       *string        `json:"node"` // this node of the cluster; null without one
	Doors      []doorBody     `json:"doors"`
	Areas      []areaBody     `json:"areas"`
	Templates  []templateBody `json:"templates"`
	Items      []namedBody    `json:"items"`
	Attributes []namedBody    `json:"attributes"` // those with a name
	Reasons    []reasonBody   `json:"reasons"`
}

type doorBody struct {
	Name    string     `json:"name"`
	Title   string     `json:"title"`
	Open    bool       `json:"open"`
	Addr    *string    `json:"addr"`
	CycleMS int        `json:"cycleMs"`
	Shape   string     `json:"shape"`
	Grid    *float32   `json:"grid"`  // cell size of the grid in area 0
	Grids   []float32  `json:"grids"` // cell size in each area, by area id
	Bands   []bandBody `json:"bands"`
}

type bandBody struct {
	Name    string    `json:"name"`
	Radius  float32   `json:"radius"` // radius in area 0, in world units
	Radii   []float32 `json:"radii"`  // radius in each area, by area id
	EveryMS int       `json:"everyMs"`
}

type areaBody struct {
	ID        sim.AreaID   `json:"id"`
	Name      string       `json:"name"`
	PvP       bool         `json:"pvp"`
	Bounds    boundsBody   `json:"bounds"`
	Portals   []portalBody `json:"portals"`
	Solids    []boxBody    `json:"solids"`
	Waters    []waterBody  `json:"waters"`
	Zones     []zoneBody   `json:"zones"`
	Ground    groundBody   `json:"ground"`
	Waypoints []vecBody    `json:"waypoints"`
	Tiles     tilesBody    `json:"tiles"`
	Blocks    blocksBody   `json:"blocks"`
}

// tilesBody maps the area to the tile grid of path clients: the area's origin is the south-west corner of tile BaseX, BaseZ.
type tilesBody struct {
	UnitsPerTile float32 `json:"unitsPerTile"`
	BaseX        uint16  `json:"baseX"`
	BaseZ        uint16  `json:"baseZ"`
	Plane        uint8   `json:"plane"`
}

// blocksBody maps the area to the block grid of predict clients: block Origin has its corner at the area's origin and its
// bottom at Height. z of blocks grows to the south.
type blocksBody struct {
	UnitsPerBlock float32 `json:"unitsPerBlock"`
	Origin        vecBody `json:"origin"`
	Height        float32 `json:"height"` // in world units
}

type boundsBody struct {
	MinX float32 `json:"minX"`
	MinZ float32 `json:"minZ"`
	MaxX float32 `json:"maxX"`
	MaxZ float32 `json:"maxZ"`
}

type portalBody struct {
	Name   string      `json:"name"`
	X      float32     `json:"x"`
	Y      float32     `json:"y"`
	Z      float32     `json:"z"`
	Radius float32     `json:"radius"`
	To     *sim.AreaID `json:"to"` // area that the portal leads to
}

type vecBody struct {
	X float32 `json:"x"`
	Y float32 `json:"y"`
	Z float32 `json:"z"`
}

type boxBody struct {
	Min vecBody `json:"min"`
	Max vecBody `json:"max"`
}

type waterBody struct {
	Name  string  `json:"name"`
	X     float32 `json:"x"`     // x of the corner with the least x and z
	Z     float32 `json:"z"`     // z of that corner
	Width float32 `json:"width"` // extent along x
	Depth float32 `json:"depth"` // extent along z
	Y     float32 `json:"y"`     // height of the surface
}

type zoneBody struct {
	Name   string  `json:"name"`
	Effect string  `json:"effect"`
	Level  uint8   `json:"level"`
	Min    vecBody `json:"min"`
	Max    vecBody `json:"max"`
}

// groundBody describes the tiles of GET /ground: the square that they cover, and how it is divided.
type groundBody struct {
	X      float32 `json:"x"`    // least x of the square in world units
	Z      float32 `json:"z"`    // least z of the square
	Size   float32 `json:"size"` // edge of the square
	Levels int     `json:"levels"`
	Tile   int     `json:"tile"` // edge of a tile in pixels
	Tag    string  `json:"tag"`  // changes whenever a tile does
}

type templateBody struct {
	ID       uint16 `json:"id"`
	Name     string `json:"name"`
	Playable bool   `json:"playable"`
}

// namedBody is an item or an attribute.
type namedBody struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

type reasonBody struct {
	Name     string `json:"name"`
	Sentence string `json:"sentence"`
	Weight   string `json:"weight"`
}

// world handles GET /world. It returns the static data of the world.
func (k *call) world() (any, error) { return k.worldBody, nil }

// describeWorld builds the response of GET /world.
func describeWorld(w *sim.World, doors []Door, maps []*worldmap.Map, looks *appearance.Tables) *worldBody {
	b := &worldBody{
		Name: w.Name, TickRate: w.TicksPerSecond,
		Doors: []doorBody{}, Areas: []areaBody{}, Templates: []templateBody{}, Items: []namedBody{}, Attributes: []namedBody{}, Reasons: []reasonBody{},
	}
	for i := range doors {
		b.Doors = append(b.Doors, doors[i].describe(w))
	}
	for i := range w.Areas {
		b.Areas = append(b.Areas, describeArea(sim.AreaID(i), &w.Areas[i], maps[i], looks.MapOf(i)))
	}
	for i := range w.Templates {
		t := &w.Templates[i]
		name := t.Race
		if t.Playable && t.Class != "" {
			name += " " + t.Class
		}
		b.Templates = append(b.Templates, templateBody{t.ID, name, t.Playable})
	}
	for i := range w.Items {
		b.Items = append(b.Items, namedBody{int(w.Items[i].ID), w.Items[i].Name})
	}
	for _, a := range attributeChoices(w) {
		b.Attributes = append(b.Attributes, namedBody{a.id, a.names[0]})
	}
	for _, r := range reason.All() {
		b.Reasons = append(b.Reasons, reasonBody{r.String(), r.Sentence(), r.Weight().String()})
	}
	return b
}

func (d *Door) describe(w *sim.World) doorBody {
	b := doorBody{
		Name: d.Name, Title: d.Title, Open: d.Open, Addr: orNull(d.Addr, ""), CycleMS: d.CycleMS, Shape: d.Shape,
		Bands: []bandBody{},
	}
	b.Grids = perArea(w, d.Grid)
	if len(b.Grids) > 0 {
		b.Grid = &b.Grids[0]
	}
	for _, band := range d.Bands {
		e := bandBody{Name: band.Name, EveryMS: band.EveryMS, Radii: perArea(w, band.Radius)}
		if len(e.Radii) > 0 {
			e.Radius = e.Radii[0]
		}
		b.Bands = append(b.Bands, e)
	}
	return b
}

// perArea calls value for each area and returns the results, or an empty slice if value is nil.
func perArea(w *sim.World, value func(*sim.AreaDef) float32) []float32 {
	list := []float32{}
	if value == nil {
		return list
	}
	for i := range w.Areas {
		list = append(list, value(&w.Areas[i]))
	}
	return list
}

func describeArea(id sim.AreaID, a *sim.AreaDef, m *worldmap.Map, look appearance.Map) areaBody {
	b := areaBody{
		ID: id, Name: a.Name, PvP: a.PvP,
		Portals: []portalBody{}, Solids: []boxBody{}, Waters: []waterBody{}, Zones: []zoneBody{}, Waypoints: []vecBody{},
		Tiles: tilesBody{a.Tiles.UnitsPerTile, a.Tiles.BaseX, a.Tiles.BaseZ, a.Tiles.Plane},
	}
	g := &a.BlockGrid
	b.Blocks = blocksBody{g.UnitsPerBlock, vecBody{float32(g.Origin[0]), float32(g.Origin[1]), float32(g.Origin[2])}, g.Height}
	for i := range a.Portals {
		p := &a.Portals[i]
		b.Portals = append(b.Portals, portalBody{p.Name, p.Pos.X, p.Pos.Y, p.Pos.Z, p.Radius, orNull(p.ToArea, sim.NoArea)})
	}
	for i := range a.Waypoints {
		if p := &a.Waypoints[i]; p.Used {
			b.Waypoints = append(b.Waypoints, vecBody(p.Pos))
		}
	}
	for i := range a.Waters {
		w := &a.Waters[i]
		b.Waters = append(b.Waters, waterBody{nameAt(look.WaterNames, i), w.X, w.Z, w.Width, w.Depth, w.Y})
	}
	for i := range a.Solids {
		s := &a.Solids[i]
		b.Solids = append(b.Solids, boxBody{vecBody(s.Min), vecBody(s.Max)})
	}
	for i := range a.Zones {
		z := &a.Zones[i]
		b.Zones = append(b.Zones, zoneBody{nameAt(look.ZoneNames, i), z.Effect.Kind.String(), z.Effect.Level, vecBody(z.Min), vecBody(z.Max)})
	}
	x, z, size := m.Square()
	b.Bounds = boundsBody(m.Bounds())
	b.Ground = groundBody{x, z, size, m.Levels(), worldmap.TileSize, m.Tag()}
	return b
}

// nameAt returns name i of a list, or "" if the list is shorter.
func nameAt(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return ""
}
