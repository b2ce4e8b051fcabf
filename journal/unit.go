package journal

import (
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// reasonUnits is the unit of the two figures of each reason. A reason that is missing here has no figures, or only with
// certain events.
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

// figureUnit returns the unit of an event's figures, "" if it has none. One reason has figures with some events only. The
// figures of BadSlot are slot numbers, which are not compared.
func figureUnit(e *sim.Event) string {
	switch {
	case e.Asked == 0 && e.Allowed == 0 || e.Reason == reason.BadSlot:
		return ""
	case e.Kind == sim.EventCorrected && e.Rewind != nil:
		return "blocks" // whatever the reason, the figures are of the prediction
	case e.Reason == reason.NotInParty:
		return "members"
	}
	return reasonUnits[e.Reason]
}

// clampFinite makes a figure finite, so that it can be stored and encoded as JSON: clients may send any float.
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

// finiteVec replaces coordinates that are not finite by 0, as the movement rules do.
func finiteVec(v geom.Vec) geom.Vec {
	for _, c := range [...]*float32{&v.X, &v.Y, &v.Z} {
		if !geom.Finite(*c) {
			*c = 0
		}
	}
	return v
}
