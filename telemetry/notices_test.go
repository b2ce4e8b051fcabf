package telemetry

import (
	"testing"
	"time"
)

func TestNoticesHaveABurstAndThenARate(t *testing.T) {
	var n Notices
	began := time.UnixMilli(1_000_000)
	logged, leftOut := 0, uint64(0)
	for at := time.Duration(0); at < time.Minute; at += 10 * time.Millisecond {
		if left, ok := n.Take(began.Add(at)); ok {
			logged++
			leftOut += left
		}
	}
	if logged < noticesAtOnce+58 || logged > noticesAtOnce+60 {
		t.Errorf("%d of 6000 were logged in a minute", logged)
	}
	if total := uint64(logged) + leftOut + n.leftOut; total != 6000 {
		t.Errorf("%d of 6000 are accounted for", total)
	}
	if left, ok := n.Take(began.Add(time.Hour)); !ok || left == 0 {
		t.Errorf("after a pause: %v, with %d left out", ok, left)
	}
}
