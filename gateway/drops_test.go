package gateway

import (
	"testing"

	"github.com/truestep-io/truestep/telemetry"
)

func TestInputDropMeterAddsNewDropsToMetricOncePerSecond(t *testing.T) {
	bad := telemetry.New().Door("rcce").Bad
	var d InputDropMeter
	for _, step := range []struct {
		at   uint32
		due  bool
		n    uint64
		want uint64
	}{
		{999, false, 5, 0},
		{1000, true, 5, 5},
		{1999, false, 7, 5},
		{2000, true, 5, 5},
		{3000, true, 12, 12},
		{1<<32 - 1, true, 12, 12},
		{1000, true, 13, 13}, // 1001 ms later, after the clock has wrapped around
	} {
		due := d.Due(step.at)
		if due {
			d.Update(bad, []DropCount{{"one", step.n}, {"none", 0}})
		}
		if got := bad.With("one").Load(); due != step.due || got != step.want {
			t.Errorf("at %d: due %v, %d are counted, want %v and %d", step.at, due, got, step.due, step.want)
		}
	}
}
