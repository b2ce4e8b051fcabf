package gateway

import (
	"testing"

	"github.com/truestep-io/truestep/telemetry"
)

func TestDropsAreCountedOnceASecondAndOnce(t *testing.T) {
	bad := telemetry.New().Door("rcce").Bad
	var d Drops
	for _, look := range []struct {
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
		{1000, true, 13, 13}, // 1001 ms later: the clock began anew
	} {
		due := d.Due(look.at)
		if due {
			d.Count(bad, []Dropped{{"one", look.n}, {"none", 0}})
		}
		if got := bad.With("one").Load(); due != look.due || got != look.want {
			t.Errorf("at %d: due %v, %d are counted, want %v and %d", look.at, due, got, look.due, look.want)
		}
	}
}
