package console

import (
	"slices"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/worldmap"
)

// worldBody is the response of GET /world: the static data of the world.
type worldBody struct {
	Name       string         `json:"name"`       // name of the world
	TickRate   int            `json:"tickRate"`   // ticks per second
	Live       bool           `json:"live"`       // the world is running; false if only recordings are shown
	Node       *string        `json:"node"`       // name of the answering node; null if the server is not in a cluster
	Doors      []doorBody     `json:"doors"`      // all doors, also closed ones
	Areas      []areaBody     `json:"areas"`      // areas that the console shows, by area id
	Templates  []templateBody `json:"templates"`  // templates of actors
	Items      []namedBody    `json:"items"`      // kinds of items
	Attributes []namedBody    `json:"attributes"` // attributes that have a name
	Reasons    []reasonBody   `json:"reasons"`    // all reasons of holds, corrections and refusals
}

// doorBody describes a door of the server in the response of GET /world.
type doorBody struct {
	Name    string     `json:"name"`    // short name, such as "rcce"
	Title   string     `json:"title"`   // name for people, such as "RealmCrafter CE"
	Open    bool       `json:"open"`    // the door accepts clients
	Addr    *string    `json:"addr"`    // listening address; null if the door is closed
	CycleMS int        `json:"cycleMs"` // interval of updates to a client, in ms
	Shape   string     `json:"shape"`   // shape of the area of interest: "circle" or "square"
	Grid    *float32   `json:"grid"`    // cell size of the interest grid in area 0, in world units; null if the door has no grid
	Grids   []float32  `json:"grids"`   // cell size of the interest grid in each area, by area id
	Bands   []bandBody `json:"bands"`   // distance bands, nearest first
}

// bandBody is a range of distances within which a door's clients receive updates at one rate.
type bandBody struct {
	Name    string    `json:"name"`    // name of the band, such as "close"
	Radius  float32   `json:"radius"`  // outer radius in area 0, in world units; half the edge if Shape is "square"
	Radii   []float32 `json:"radii"`   // outer radius in each area, by area id
	EveryMS int       `json:"everyMs"` // interval of updates about other actors in the band, in ms
}

// areaBody describes the static data of an area. Positions and sizes are in world units.
type areaBody struct {
	ID        sim.AreaID   `json:"id"`        // id of the area
	Name      string       `json:"name"`      // name of the area
	PvP       bool         `json:"pvp"`       // players may attack each other
	Bounds    boundsBody   `json:"bounds"`    // rectangle around everything in the area, with a margin
	Portals   []portalBody `json:"portals"`   // portals to other areas
	Solids    []boxBody    `json:"solids"`    // boxes that actors cannot enter
	Waters    []waterBody  `json:"waters"`    // surfaces of water
	Zones     []zoneBody   `json:"zones"`     // boxes that give an effect to players inside
	Ground    groundBody   `json:"ground"`    // tiles of GET /ground
	Waypoints []vecBody    `json:"waypoints"` // positions of the waypoints that NPCs walk along
	Tiles     tilesBody    `json:"tiles"`     // tile grid of RuneScape clients
	Blocks    blocksBody   `json:"blocks"`    // block grid of Bedrock clients
}

// tilesBody has what is needed to convert a position of an area to a tile, the unit in which RuneScape clients state positions.
// The area's origin is the south-west corner of the tile with the coordinates BaseX and BaseZ.
type tilesBody struct {
	UnitsPerTile float32 `json:"unitsPerTile"` // edge of a tile, in world units
	BaseX        uint16  `json:"baseX"`        // x of the tile at the area's origin
	BaseZ        uint16  `json:"baseZ"`        // z of the tile at the area's origin
	Plane        uint8   `json:"plane"`        // plane of the tile grid, 0 to 3
}

// blocksBody has what is needed to convert a position of an area to block coordinates, the unit in which Minecraft clients state
// positions. A corner of the block with the coordinates Origin is at the area's origin, and the bottom of that block is at
// Height. In block coordinates z grows to the south.
type blocksBody struct {
	UnitsPerBlock float32 `json:"unitsPerBlock"` // edge of a block, in world units
	Origin        vecBody `json:"origin"`        // coordinates of the block at the area's origin
	Height        float32 `json:"height"`        // height of the bottom of block Origin, in world units
}

// boundsBody is a rectangle on the ground, in world units.
type boundsBody struct {
	MinX float32 `json:"minX"` // west edge
	MinZ float32 `json:"minZ"` // south edge
	MaxX float32 `json:"maxX"` // east edge
	MaxZ float32 `json:"maxZ"` // north edge
}

// portalBody is a portal: a circle that moves players to another area.
type portalBody struct {
	Name   string      `json:"name"` // name of the portal
	X      float32     `json:"x"`    // centre, in world units
	Y      float32     `json:"y"`
	Z      float32     `json:"z"`
	Radius float32     `json:"radius"` // radius within which a player is moved, in world units
	To     *sim.AreaID `json:"to"`     // id of the target area; null if the portal leads nowhere
}

// vecBody is a position or a vector in world units.
type vecBody struct {
	X float32 `json:"x"` // east
	Y float32 `json:"y"` // up
	Z float32 `json:"z"` // north
}

// boxBody is an axis-aligned box.
type boxBody struct {
	Min vecBody `json:"min"` // corner with the least coordinates
	Max vecBody `json:"max"` // corner with the greatest coordinates
}

// waterBody is a rectangular surface of water, in world units.
type waterBody struct {
	Name  string  `json:"name"`  // name in the world file; empty if it has none
	X     float32 `json:"x"`     // x of the corner with the least x and z
	Z     float32 `json:"z"`     // z of that corner
	Width float32 `json:"width"` // extent along x
	Depth float32 `json:"depth"` // extent along z
	Y     float32 `json:"y"`     // height of the surface
}

// zoneBody is a box that gives an effect to players inside.
type zoneBody struct {
	Name   string  `json:"name"`   // name in the world file; empty if it has none
	Effect string  `json:"effect"` // name of the effect, such as "levitation"
	Level  uint8   `json:"level"`  // strength of the effect
	Min    vecBody `json:"min"`    // corner with the least coordinates
	Max    vecBody `json:"max"`    // corner with the greatest coordinates
}

// groundBody describes the picture of an area's ground: the square that it covers, and how it is divided into the tiles of GET
// /ground.
type groundBody struct {
	X      float32 `json:"x"`      // west edge of the square, in world units
	Z      float32 `json:"z"`      // south edge of the square, in world units
	Size   float32 `json:"size"`   // edge length of the square, in world units
	Levels int     `json:"levels"` // number of zoom levels; level n has 2^n tiles along each axis
	Tile   int     `json:"tile"`   // edge of a tile in pixels
	Tag    string  `json:"tag"`    // hash that changes whenever the content of a tile does
}

// templateBody describes a template of actors in the response of GET /world.
type templateBody struct {
	ID       uint16 `json:"id"`       // id of the template
	Name     string `json:"name"`     // race, with the class for playable templates
	Playable bool   `json:"playable"` // players may choose the template
}

// namedBody is the id and the name of a kind of item or of an attribute.
type namedBody struct {
	ID   int    `json:"id"`   // id of the item, or index of the attribute
	Name string `json:"name"` // name of the item or attribute
}

// reasonBody describes a reason for which movements of players are held or corrected, or intents refused.
type reasonBody struct {
	Name     string `json:"name"`     // name in the API, such as "too_fast"
	Sentence string `json:"sentence"` // meaning of the reason, in one sentence
	Weight   string `json:"weight"`   // what the reason tells about a player: "operator", "harmless", "unusual" or "suspicious"
}

// describedWorld is what the console computes from the definition of the world. After a reload of the world file it is computed
// again.
type describedWorld struct {
	def    *sim.World
	body   *worldBody
	ground *groundTiles
}

// world handles GET /world. It returns the data of the world that change only with a reload of the world file.
func (k *call) world() (any, error) { return k.describedWorld().body, nil }

// describedWorld returns the description of the present world.
func (c *Console) describedWorld() *describedWorld {
	def := c.World.Def()
	if d := c.described.Load(); d != nil && d.def == def {
		return d
	}
	c.describing.Lock()
	defer c.describing.Unlock()
	if d := c.described.Load(); d != nil && d.def == def {
		return d
	}
	var tables appearance.Tables
	if c.Maps != nil {
		tables.Maps = c.Maps()
	}
	d := &describedWorld{def: def, ground: newGroundTiles(def, &tables)}
	d.body = describeWorld(def, c.Doors, d.ground.maps, &tables)
	d.body.Live = !c.NoLiveWorld
	d.body.Node = orNull(c.node, "")
	d.body.Areas = slices.DeleteFunc(d.body.Areas, func(a areaBody) bool { return !c.showsArea(a.ID) })
	c.described.Store(d)
	return d
}

// describeWorld builds the response of GET /world.
func describeWorld(w *sim.World, doors []DoorInfo, maps []*worldmap.Map, tables *appearance.Tables) *worldBody {
	b := &worldBody{
		Name: w.Name, TickRate: w.TicksPerSecond,
		Doors: []doorBody{}, Areas: []areaBody{}, Templates: []templateBody{}, Items: []namedBody{}, Attributes: []namedBody{}, Reasons: []reasonBody{},
	}
	for i := range doors {
		b.Doors = append(b.Doors, doors[i].describe(w))
	}
	for i := range w.Areas {
		b.Areas = append(b.Areas, describeArea(sim.AreaID(i), &w.Areas[i], maps[i], tables.MapOf(i)))
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

func (d *DoorInfo) describe(w *sim.World) doorBody {
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

// perArea calls the function value for each area and returns the results by area id. If value is nil, it returns an empty
// slice.
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

func describeArea(id sim.AreaID, a *sim.AreaDef, m *worldmap.Map, look appearance.MapStyle) areaBody {
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

// nameAt returns the element of a list with index i, or "" if the list is shorter.
func nameAt(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return ""
}
