package bedrock

import (
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
)

func TestNoticesHaveABurstAndThenARate(t *testing.T) {
	var n notices
	logged, leftOut := 0, uint64(0)
	for ms := int64(0); ms < 60000; ms += 10 {
		if left, ok := n.take(ms); ok {
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
	if left, ok := n.take(200000); !ok || left == 0 {
		t.Errorf("after a pause: %v, with %d left out", ok, left)
	}
}

// Whoever connects again and again with something that cannot be used is counted each time, and fills no log.
func TestManySessionsOfOneFaultFillNoLog(t *testing.T) {
	t.Parallel()
	beside(t, Options{}, func(r *rig) {
		const sessions = 100
		began := time.Now()
		for range sessions {
			c := r.stranger("mallory")
			c.line.send([]byte{proto.BatchID, 1, 9, 1, 9}) // two packets, where one may be
			c.sentAway()
		}
		most := noticesAtOnce + int(time.Since(began)/(noticeEvery*time.Millisecond)) + 1
		if n := r.bad("batch_count"); n != sessions {
			t.Errorf("%d of %d are counted", n, sessions)
		}
		if n := r.logged.count("fault=batch_count"); n < noticesAtOnce || n > most {
			t.Errorf("%d lines are logged, %d would be enough", n, most)
		}
		if r.logged.count("left_out=") == 0 {
			t.Error("no line says that others were left out")
		}
	})
}
