package bedrock

import (
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
)

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
		most := 31 + int(time.Since(began)/time.Second)
		if n := r.bad("batch_count"); n != sessions {
			t.Errorf("%d of %d are counted", n, sessions)
		}
		if n := r.logged.count("fault=batch_count"); n < 20 || n > most {
			t.Errorf("%d lines are logged, %d would be enough", n, most)
		}
		if r.logged.count("left_out=") == 0 {
			t.Error("no line says that others were left out")
		}
	})
}
