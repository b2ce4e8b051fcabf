package rcce

import (
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// pacePoints is full speed as clients are told it of those whose speed is not an attribute: fine enough for a thousandth.
const pacePoints = 1000

// blocksPerSecond is how fast clients draw a predicted player who walks, and half of how fast one who sprints. Really he
// walks 4.317 blocks a second and sprints 5.612, which is less than twice as fast: between that and half of this both are
// drawn evenly, and closest to where they are.   measured: docs/one-world.md, delays
const blocksPerSecond = 3.7

// pace is the speed of an actor as clients are told it. They draw others with 45 units a second times speed by most,
// toward their destination, twice that running. Whoever walks on tiles, or among blocks, has a speed of his own, and drawn
// with that of his attribute would run to his destination and wait there for the next word.
func pace(w *sim.World, def *sim.AreaDef, a *sim.ActorState) (speed, most uint16) {
	units := 0.0 // per second
	switch {
	case a.Is(sim.FlagPath):
		units = float64(def.Tiles.UnitsPerTile) * 1000 / move.CycleMS
	case a.Is(sim.FlagPredicted):
		units = float64(def.BlockGrid.UnitsPerBlock) * blocksPerSecond
		if t := w.Template(a.Body.Template); t != nil && w.Fixed.Speed >= 0 {
			if own := t.Attr[w.Fixed.Speed].Value; own > 0 {
				units *= float64(max(a.Speed, 0)) / float64(own)
			}
		}
	default:
		return u16(a.Speed), u16(a.SpeedMax)
	}
	points := math.Round(units * pacePoints / move.BaseUnitsPerSecond)
	return uint16(min(max(points, 1), math.MaxUint16)), pacePoints
}
