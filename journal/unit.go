package journal

import (
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// reasonUnits has, by reason, the unit of the two numbers that the rule compares (Entry.Asked and Entry.Allowed). For
// reasons that are missing here, see figureUnit.
var reasonUnits = map[reason.Reason]string{
	reason.TooFast:           "units",
	reason.TooFastUp:         "units",
	reason.NotFinite:         "units",
	reason.BackwardRun:       "units/s",
	reason.RepeatedHolds:     "units",
	reason.Blocked:           "units",
	reason.Halted:            "units",
	reason.TooSoon:           "ms",
	reason.SeenLongAgo:       "ms",
	reason.SeenAhead:         "ms",
	reason.OutOfRange:        "units",
	reason.TooMuch:           "wishes",
	reason.TooFar:            "units",
	reason.AreaFull:          "actors",
	reason.Mispredicted:      "blocks",
	reason.MispredictedSpeed: "blocks",
	reason.Landing:           "blocks",
	reason.VehicleForeign:    "blocks",
	reason.TickForged:        "ticks",
	reason.TickGap:           "ticks",
	reason.InputOverflow:     "inputs",
	reason.Frozen:            "ms",
}

// figureUnit returns the unit of the numbers Asked and Allowed of an event, or "" if the event has none. Some reasons
// have numbers only in some events. For the reason BadSlot the numbers are inventory slots, which are not compared.
func figureUnit(e *sim.Event) string {
	switch {
	case e.Asked == 0 && e.Allowed == 0 || e.Reason == reason.BadSlot:
		return ""
	case e.Kind == sim.EventCorrected && e.Rewind != nil:
		return "blocks" // for any reason, the numbers compare predicted with simulated positions
	case e.Reason == reason.NotInParty:
		return "members"
	}
	return reasonUnits[e.Reason]
}

// clampFinite returns the nearest finite number, and 0 for NaN, because clients may send any float and JSON encodes
// only finite numbers.
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
