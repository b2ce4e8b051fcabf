package journal

import (
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// reasonUnits says what the two figures of a reason are. A reason that is not here has none, or only with certain events.
var reasonUnits = map[reason.Reason]string{
	reason.TooFast:           "units",
	reason.TooFastUp:         "units",
	reason.NotFinite:         "units",
	reason.BackwardRun:       "units/s",
	reason.RepeatedHolds:     "units",
	reason.Blocked:           "units",
	reason.Halted:            "units",
	reason.TooSoon:           "ms",
	reason.OutOfRange:        "units",
	reason.TooMuch:           "wishes",
	reason.TooFar:            "units",
	reason.AreaFull:          "actors",
	reason.Mispredicted:      "blocks",
	reason.MispredictedSpeed: "blocks",
	reason.Landing:           "blocks",
	reason.VehicleRefused:    "blocks",
	reason.TickForged:        "ticks",
	reason.TickGap:           "ticks",
	reason.InputOverflow:     "inputs",
	reason.Frozen:            "ms",
}

// figureUnit is what the figures of an event are, "" if it has none: one reason has figures with some events only. Bad slots
// bring the numbers of the slots, which compare nothing.
func figureUnit(e *sim.Event) string {
	switch {
	case e.Asked == 0 && e.Allowed == 0 || e.Reason == reason.BadSlot:
		return ""
	case e.Kind == sim.EventCorrected && e.Rewind != nil:
		return "blocks" // whatever the reason, the prediction is what is corrected
	case e.Reason == reason.NotInParty:
		return "members"
	}
	return reasonUnits[e.Reason]
}

// clampFinite makes a figure finite, so that it can be stored and sent: clients may claim anything.
func clampFinite(f float32) float32 {
	switch {
	case f != f:
		return 0
	case f > math.MaxFloat32:
		return math.MaxFloat32
	case f < -math.MaxFloat32:
		return -math.MaxFloat32
	}
	return f
}

// finiteVec reads coordinates that are not finite as 0, as the rules do.
func finiteVec(v geom.Vec) geom.Vec {
	for _, c := range [...]*float32{&v.X, &v.Y, &v.Z} {
		if !geom.Finite(*c) {
			*c = 0
		}
	}
	return v
}
