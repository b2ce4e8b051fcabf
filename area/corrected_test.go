package area

import (
	"maps"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/telemetry"
)

// A correction that is sent as a teleport is counted as a correction. Teleports through portals are not counted as corrections.
func TestCorrectionsWithAndWithoutTeleportAreCountedByReason(t *testing.T) {
	m := telemetry.New()
	l := newStatsRecorder(m, 0, "field")
	l.addTick(&sim.Frame{Events: []sim.Event{
		{Kind: sim.EventCorrected, Reason: reason.Mispredicted},
		{Kind: sim.EventTeleported, Reason: reason.Mispredicted},
		{Kind: sim.EventTeleported, Reason: reason.TickGap},
		{Kind: sim.EventKnockback, Reason: reason.TickGap}, // a part of the teleport above: not counted again
		{Kind: sim.EventTeleported},                        // a teleport through a portal, without a reason
	}}, 0, 0, 0)
	want := map[string]uint64{"mispredicted": 2, "tick_gap": 1}
	if got := l.corrected.byName(); !maps.Equal(got, want) {
		t.Errorf("counted %v, want %v", got, want)
	}
	if n := m.Corrected.With("mispredicted").Load(); n != 2 {
		t.Errorf("the metric is %d", n)
	}
}
