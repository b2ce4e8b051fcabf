package session

import "testing"

func TestPacketLossIsMovingAverageOfRetransmittedShare(t *testing.T) {
	var l Loss
	if got := l.Update(0, 0); got != -1 {
		t.Errorf("before anything was sent the loss is %d, want -1", got)
	}
	sent, again := uint64(0), uint64(0)
	run := func(looks, s, a int) (got int32) {
		for range looks {
			sent, again = sent+uint64(s), again+uint64(a)
			got = l.Update(sent, again)
		}
		return got
	}
	for _, c := range []struct {
		what           string
		looks, s, a    int
		least, highest int32
	}{
		{"all arrive", 10, 100, 0, 0, 0},
		{"half was sent again at once", 1, 100, 100, 100, 140},
		{"one in eleven for long", 60, 100, 10, 90, 92},
		{"all arrive again", 5, 100, 0, 40, 65},
		{"for long", 60, 100, 0, 0, 1},
		{"nothing more is sent", 200, 0, 0, 0, 0},
	} {
		if got := run(c.looks, c.s, c.a); got < c.least || got > c.highest {
			t.Errorf("%s: loss is %d thousandths", c.what, got)
		}
	}
}
