package telemetry

import (
	"testing"
	"time"
)

func TestNoticeLimiterAllowsBurstThenOneNoticePerSecond(t *testing.T) {
	var n Notices
	began := time.UnixMilli(1_000_000)
	logged, dropped := 0, uint64(0)
	for at := time.Duration(0); at < time.Minute; at += 10 * time.Millisecond {
		if left, ok := n.Allow(began.Add(at)); ok {
			logged++
			dropped += left
		}
	}
	if logged < noticeBurst+58 || logged > noticeBurst+60 {
		t.Errorf("%d of 6000 were logged in a minute", logged)
	}
	if total := uint64(logged) + dropped + n.dropped; total != 6000 {
		t.Errorf("%d of 6000 are accounted for", total)
	}
	if left, ok := n.Allow(began.Add(time.Hour)); !ok || left == 0 {
		t.Errorf("after a pause: %v, with %d dropped", ok, left)
	}
}
