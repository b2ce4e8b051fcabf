package web

import (
	"testing"
	"time"
)

func TestClientSlowsDownIfInputsWaitAtServerAndElseSpeedsUp(t *testing.T) {
	p := newPace()
	check := func(waits uint8, rate float64, interval time.Duration) {
		t.Helper()
		for range paceWindow {
			p.heard(waits)
		}
		if p.rate != rate || p.interval().Round(time.Microsecond) != interval {
			t.Errorf("%d inputs wait: rate %v, a tick in %v; want %v, %v", waits, p.rate, p.interval(), rate, interval)
		}
	}
	check(2, 0.98, 51020*time.Microsecond)
	check(5, 0.92, 54348*time.Microsecond)
	check(15, 0.8, 62500*time.Microsecond)
	check(0, 1.02, 49020*time.Microsecond)
	check(1, 1, 50*time.Millisecond)
	for range 3 { // three of forty snapshots, less than a tenth, report no waiting input
		p.heard(0)
	}
	for range 7 {
		p.heard(1)
	}
	if p.rate != 1 {
		t.Errorf("rate %v after three of forty snapshots without waiting inputs, want 1", p.rate)
	}
}
