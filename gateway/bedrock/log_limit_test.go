package bedrock

import (
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
)

// Faults of many sessions are all counted, but only some are logged, because log lines are rate limited.
func TestLogLinesOfClientFaultsAreRateLimited(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		const sessions = 100
		began := time.Now()
		for range sessions {
			c := srv.connect("mallory")
			c.connection.send([]byte{proto.BatchID, 1, 9, 1, 9}) // a batch of two packets where only one is allowed
			c.waitDisconnect()
		}
		most := 31 + int(time.Since(began)/time.Second)
		if n := srv.faults("batch_count"); n != sessions {
			t.Errorf("counted %d of %d", n, sessions)
		}
		if n := srv.logs.Count("fault=batch_count"); n < 20 || n > most {
			t.Errorf("%d lines logged, at most %d expected", n, most)
		}
		if srv.logs.Count("left_out=") == 0 {
			t.Error("no log line has the count of suppressed lines")
		}
	})
}
