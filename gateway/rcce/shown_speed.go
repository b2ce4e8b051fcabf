package rcce

import (
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// shownSpeedMax is the maximum speed in packets about actors that do not move at the speed of their attribute. Such a
// packet has the speed as a fraction of this maximum: clients move a walking actor at 45 units/s times speed/maximum.
const shownSpeedMax = 1000

// runWeight determines at which walking speed clients display an actor. Clients draw running as twice as fast as walking, while the
// actors of some doors run less than twice as fast as they walk. No displayed speed is then right for both. The displayed walking
// speed is therefore the mean of the real walking speed, with weight 1-runWeight, and half the real running speed, with weight
// runWeight. Both then look smooth, and actors are displayed close to their real positions. An actor that walks at 4.317 and sprints
// at 5.612 blocks/s is displayed as walking at 3.7 blocks/s (measured; see the section "Delays" of docs/one-world.md).
const runWeight = (4.317 - 3.7) / (4.317 - 5.612/2)

// shownSpeed returns the speed and the maximum speed of an actor in packets. Clients move a walking actor toward its destination
// at 45 units/s times speed/speedMax, and a running actor at twice that speed. Actors with speeds of their own move at
// other speeds than that of their attribute. If their packets contained the attribute, clients would move them too fast and let
// them wait at each destination for the next update.
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
