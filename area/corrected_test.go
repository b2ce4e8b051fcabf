package area

import (
	"maps"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/telemetry"
)

// Whoever is told where he is because his client was wrong is counted by the reason, told by a correction or by a
// teleport; whoever travels is not.
func TestCorrectionsAreCountedByReasonHoweverTheyAreTold(t *testing.T) {
	m := telemetry.New()
	l := newLedger(m, 0, "field")
	l.tick(&sim.Frame{Events: []sim.Event{
		{Kind: sim.EventCorrected, Reason: reason.Mispredicted},
		{Kind: sim.EventTeleported, Reason: reason.Mispredicted},
		{Kind: sim.EventTeleported, Reason: reason.TickGap},
		{Kind: sim.EventKnocked, Reason: reason.TickGap}, // behind that teleport
		{Kind: sim.EventTeleported},                      // through a portal
	}}, 0, 0, 0)
	want := map[string]uint64{"mispredicted": 2, "tick_gap": 1}
	if got := l.corrected.byName(); !maps.Equal(got, want) {
		t.Errorf("counted %v, want %v", got, want)
	}
	if n := m.Corrected.With("mispredicted").Load(); n != 2 {
		t.Errorf("the metrics have %d", n)
	}
}
