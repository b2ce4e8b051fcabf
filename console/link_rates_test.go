package console

import (
	"testing"
	"time"

	"github.com/truestep-io/truestep/session"
)

func TestConnectionTrafficOfLastMinuteIsKept(t *testing.T) {
	var l linkRates
	p := session.Player{Entity: 7}
	start := time.Unix(1000, 0)
	for i := range 100 {
		p.Link.BytesIn += uint64(i)
		p.Link.RTT = int32(i)
		if i == 99 {
			p.Link.RTT = -1
		}
		l.update([]session.Player{p}, start.Add(time.Duration(i)*time.Second))
	}
	b := l.past(7)
	if len(b.RTT) != 60 || len(b.BytesIn) != 60 || len(b.BytesOut) != 60 || len(b.PacketsIn) != 60 || len(b.PacketsOut) != 60 || b.StepMS != 1000 {
		t.Fatalf("%d and %d points of %d ms", len(b.RTT), len(b.BytesIn), b.StepMS)
	}
	if *b.RTT[0] != 40 || *b.RTT[58] != 98 || b.RTT[59] != nil || b.BytesIn[0] != 40 || b.BytesIn[59] != 99 {
		t.Errorf("round trips %v %v %v, bytes %v %v", *b.RTT[0], *b.RTT[58], b.RTT[59], b.BytesIn[0], b.BytesIn[59])
	}
	l.update(nil, start.Add(100*time.Second))
	if b := l.past(7); b.RTT == nil || len(b.RTT) != 0 {
		t.Errorf("a player that has left has %d points", len(b.RTT))
	}
}
