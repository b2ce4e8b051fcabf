package rcce

import (
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// pacePoints is full speed as clients are told it of those whose speed is not an attribute: fine enough for a thousandth.
const shownSpeedMax = 1000

// runWeight is how far the drawn walking speed lies from the real one toward half of the real running speed. Clients draw
// runners twice as fast as walkers; actors whose running speed is less than that are drawn with a walking speed between the
// two, so that both are drawn evenly and close to where they are. Walking 4.317 and sprinting 5.612 blocks a second gives
// 3.7.   measured: docs/one-world.md, delays
const runWeight = (4.317 - 3.7) / (4.317 - 5.612/2)

// pace is the speed of an actor as clients are told it. They draw others with 45 units a second times speed by most,
// toward their destination, twice that running. An actor with a speed of its own, drawn with that of its attribute, would
// run to its destination and wait there for the next update.
func shownSpeed(a *sim.ActorState) (speed, speedMax uint16) {
	if !a.Motion.OwnSpeed {
		return u16(a.Speed), u16(a.SpeedMax)
	}
	w, r := a.Speeds()
	walk, run := float64(w), float64(r)
	units := walk - (walk-run/2)*runWeight // per second
	points := math.Round(units * shownSpeedMax / move.BaseUnitsPerSecond)
	return uint16(min(max(points, 1), math.MaxUint16)), shownSpeedMax
}
