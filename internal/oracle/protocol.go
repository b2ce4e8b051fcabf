package oracle

import (
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// AreaUnits holds the conversions of positions in an area between world units and the tiles or blocks of clients.
type AreaUnits struct {
	Tiles  terrain.TileGrid  // conversion to RuneScape tiles
	Blocks terrain.BlockGrid // conversion to Bedrock blocks
}

// Protocol describes how clients of one protocol show other actors. A limit or share of zero means no limit.
type Protocol struct {
	Name     string // name of the protocol, such as "rcce"
	Rounding string // how positions are rounded, as text for reports

	// ToWorld converts a shown position to the unit of the Truth. It is nil if the units are the same.
	ToWorld func(a *AreaUnits, shown geom.Vec) geom.Vec
	// Slack returns the maximum rounding error on each axis, in the unit of the Truth, for an actor whose client uses actorProtocol.
	Slack func(a *AreaUnits, pos geom.Vec, actorProtocol string) float32
	// HeightOf reports whether the heights of actors whose client uses actorProtocol are compared.
	HeightOf func(actorProtocol string) bool
	// Stepwise means that clients show an actor only at its positions after ticks, never between two of them.
	Stepwise bool

	// CycleMS is the time in ms between two updates of a shown actor, if Bands is empty or EveryCycle is set. Otherwise that time
	// is Band.EveryMS of the band that contains the actor.
	CycleMS    int
	Bands      []Band  // ranges of distances with different update intervals, nearest first
	EveryCycle bool    // every shown actor is updated every CycleMS at any distance
	UsedShare  float32 // share of the farthest band's radius within which positions are compared
	DeadMS     float64 // ms for which an actor that died or left stays visible

	// SureShare and SureRange define the distance within which a client must show every actor. (1) If SureRange is not nil, it
	// returns the distance in world units. (2) Otherwise the distance is the radius of the farthest band multiplied by SureShare.
	// (3) If SureShare is 0 too, the distance is unlimited.
	SureShare float32
	SureRange func(a *AreaUnits) float32 // distance within which every actor must be shown, in world units
	Square    bool                       // SureRange is a limit per axis (a square), not of the distance (a circle)
	Crowd     *Crowd                     // from which number of near actors the client need not show all; nil if it always shows all
}

// Band is a range of distances from the viewer in which all actors have the same update interval. It begins where the previous
// band ends, and ends at Radius.
type Band struct {
	Radius  float32   // maximum distance from the viewer in world units
	Radii   []float32 // radius of the band in each area, if it differs between areas
	EveryMS int       // ms between two updates of the same actor
}

// Crowd describes when too many actors are near a viewer for its client to show all of them.
type Crowd struct {
	Max       int                        // maximum number of actors within Range at which all must be shown
	Range     func(a *AreaUnits) float32 // half the side, in world units, of the square around the viewer in which actors are counted
	RecoverMS float64                    // ms after Max was exceeded until all actors must be shown again
}

func (b *Band) radius(area sim.AreaID) float32 {
	if int(area) < len(b.Radii) {
		return b.Radii[area]
	}
	return b.Radius
}

// delayMS returns the maximum time in ms between two updates of an actor at the given distance from the viewer. ok is false if
// positions at that distance are not compared.
func (p *Protocol) delayMS(area sim.AreaID, distance float32) (ms float64, ok bool) {
	if p.EveryCycle || len(p.Bands) == 0 {
		return float64(p.CycleMS), true
	}
	for i := range p.Bands {
		if distance <= p.Bands[i].radius(area) {
			return float64(p.Bands[i].EveryMS), p.UsedShare == 0 || distance <= p.UsedShare*p.farthest(area)
		}
	}
	return 0, false
}

// farthest returns the maximum distance at which actors are shown, 0 if there is no limit.
func (p *Protocol) farthest(area sim.AreaID) float32 {
	if len(p.Bands) == 0 {
		return 0
	}
	return p.Bands[len(p.Bands)-1].radius(area)
}

// slowestMS returns the maximum time between two updates of an actor at any distance.
func (p *Protocol) slowestMS() float64 {
	most := p.CycleMS
	for i := range p.Bands {
		most = max(most, p.Bands[i].EveryMS)
	}
	return float64(most)
}

// sureRange returns the distance in world units within which a client must show every actor; see SureShare.
func (p *Protocol) sureRange(area sim.AreaID, a *AreaUnits) float32 {
	switch {
	case p.SureRange != nil:
		return p.SureRange(a)
	case p.SureShare > 0:
		return p.SureShare * p.farthest(area)
	}
	return float32(math.Inf(1))
}

// Rounding errors and limits of the protocols.
const (
	rcceSlack     = 0.001  // rounding error in world units: both sides use float32
	rcceUsedShare = 0.95   // Protocol.UsedShare of RealmCrafter clients
	blockSlack    = 0.002  // rounding error in world units: float32 blocks, converted twice
	tileSlack     = 0.51   // rounding error in tiles on each axis, for actors that walk on tiles
	offTileSlack  = 0.76   // rounding error in tiles for other actors, whose tile changes a quarter tile beyond its edge; source: docs/wire/rs.md, others' motion
	rsDeadMS      = 3000   // ms: five cycles of 600 ms
	rsSureTiles   = 13     // tiles: two less than the range in which the RuneScape door shows actors
	rsCrowdTiles  = 18     // tiles: Crowd.Range of RuneScape clients
	rsCrowdMax    = 240    // actors: ten fewer than the RuneScape door's maximum
	rsRecoverMS   = 20_000 // ms: Crowd.RecoverMS of RuneScape clients
	webSlack      = 0.1    // blocks: rounding and the tolerance of predictions, 5/64, and the rounding of other doors' clients
	bedrockSure   = 0.9    // Protocol.SureShare of Bedrock and web clients
	bedrockDeadMS = 2500   // ms: length of the clients' death animation
)

// Protocols returns how the protocol of each door displays positions, in the order in which reports list the doors. The Truth must
// contain positions in world units. The caller must set CycleMS and Bands, which are zero, because they depend on the settings of
// the server.
func Protocols() []Protocol {
	return []Protocol{{
		Name: "rcce", Rounding: "none: float32 units",
		Slack: func(*AreaUnits, geom.Vec, string) float32 { return rcceSlack }, UsedShare: rcceUsedShare,
	}, {
		Name: "rs", Rounding: "half a tile; a quarter more for actors that do not walk on tiles",
		ToWorld: func(a *AreaUnits, shown geom.Vec) geom.Vec {
			return a.Tiles.Centre(terrain.Tile{X: uint16(shown.X), Z: uint16(shown.Z)})
		},
		Slack: func(a *AreaUnits, _ geom.Vec, actor string) float32 {
			if actor == "rs" {
				return tileSlack * a.Tiles.UnitsPerTile
			}
			return offTileSlack * a.Tiles.UnitsPerTile
		},
		EveryCycle: true, DeadMS: rsDeadMS, Square: true,
		SureRange: func(a *AreaUnits) float32 { return rsSureTiles * a.Tiles.UnitsPerTile },
		Crowd: &Crowd{
			Max: rsCrowdMax, Range: func(a *AreaUnits) float32 { return rsCrowdTiles * a.Tiles.UnitsPerTile }, RecoverMS: rsRecoverMS,
		},
	}, {
		Name: "bedrock", Rounding: "none that matters: float32 blocks",
		ToWorld:  func(a *AreaUnits, shown geom.Vec) geom.Vec { return a.Blocks.ToWorld(shown) },
		Slack:    func(*AreaUnits, geom.Vec, string) float32 { return blockSlack },
		HeightOf: func(actor string) bool { return actor == "bedrock" },
		DeadMS:   bedrockDeadMS, SureShare: bedrockSure,
	}, {
		Name: "web", Rounding: "1/64 block; 1/16 for actors that are far away or predicted",
		ToWorld:  func(a *AreaUnits, shown geom.Vec) geom.Vec { return a.Blocks.ToWorld(shown) },
		Slack:    func(a *AreaUnits, _ geom.Vec, _ string) float32 { return webSlack * a.Blocks.UnitsPerBlock },
		HeightOf: func(actor string) bool { return actor == "bedrock" || actor == "web" },
		DeadMS:   bedrockDeadMS, SureShare: bedrockSure,
	}}
}
