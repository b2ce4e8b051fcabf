package rcce

import (
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// shownSpeedMax is the value of SpeedMax in packets about actors whose speed does not come from their speed attribute. Speed in
// these packets is therefore in 1/1000 of the speed at which clients move a walking actor, 45 units/s.
const shownSpeedMax = 1000

// runWeight determines the walking speed that clients display. Clients draw a running actor twice as fast as a walking one, but
// actors may run less than twice as fast as they walk. The displayed walking speed is therefore a weighted mean of two numbers:
// the real walking speed, with weight 1-runWeight, and half the real running speed, with weight runWeight. Both walking and
// running then look smooth, and the displayed position stays close to the real one. An actor that walks at 4.317 and sprints at
// 5.612 blocks/s is displayed as walking at 3.7 blocks/s (measured: docs/one-world.md, delays).
const runWeight = (4.317 - 3.7) / (4.317 - 5.612/2)

// shownSpeed returns the speed of an actor in packets. Clients move a walking actor toward its destination at 45 units/s times
// speed/speedMax, and a running actor at twice that speed. An actor under path or predict authority moves at another speed than
// that of its attribute. If the packets contained the attribute, clients would move the actor too fast, so that it would stand
// still at its destination until the next update.
func shownSpeed(a *sim.ActorState) (speed, speedMax uint16) {
	if !a.Motion.OwnSpeed {
		return u16(a.Speed), u16(a.SpeedMax)
	}
	w, r := a.Speeds()
	walk, run := float64(w), float64(r)
	units := walk - (walk-run/2)*runWeight // displayed walking speed in units/s
	points := math.Round(units * shownSpeedMax / move.BaseUnitsPerSecond)
	return uint16(min(max(points, 1), math.MaxUint16)), shownSpeedMax
}
