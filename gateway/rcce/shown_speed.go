package rcce

import (
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// shownSpeedMax is the SpeedMax that is sent for actors without a speed attribute. Displayed speeds have a resolution of 1/1000 of the full speed.
const shownSpeedMax = 1000

// runWeight is the weight of half the real running speed in the displayed walking speed; the real walking speed has the
// remaining weight. Clients draw a running actor twice as fast as a walking one. For actors that run less than twice as
// fast as they walk, a walking speed between the two keeps both gaits smooth and close to the real position. With walking
// at 4.317 and sprinting at 5.612 blocks/s the shown walking speed is 3.7 blocks/s (measured: docs/one-world.md, delays).
const runWeight = (4.317 - 3.7) / (4.317 - 5.612/2)

// shownSpeed returns the speed of an actor that clients are sent. Clients draw an actor at 45 units/s times speed/speedMax
// toward its destination, and at twice that speed when it runs. An actor of path or predict authority, whose speed is not
// that of its attribute, would otherwise reach its destination early and stand there until the next update.
func shownSpeed(a *sim.ActorState) (speed, speedMax uint16) {
	if !a.Motion.OwnSpeed {
		return u16(a.Speed), u16(a.SpeedMax)
	}
	w, r := a.Speeds()
	walk, run := float64(w), float64(r)
	units := walk - (walk-run/2)*runWeight // shown walking speed in units/s
	points := math.Round(units * shownSpeedMax / move.BaseUnitsPerSecond)
	return uint16(min(max(points, 1), math.MaxUint16)), shownSpeedMax
}
