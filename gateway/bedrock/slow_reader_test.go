package bedrock

import (
	"math/rand/v2"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
)

// Who does not read is dropped when four megabytes wait for him, long before RakNet would do it, and nobody else minds.
func TestWhoLetsFourMegabytesWaitIsDropped(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{Workers: 1}, func(srv *testServer) {
		slow, beside := srv.join("ann"), srv.joinPlayer("bob")
		noise := make([]byte, 64<<10) // which nothing compresses
		luck := rand.NewChaCha8([32]byte{1})
		luck.Read(noise)
		queued, sent := 0, 0
		srv.onWorker(func(k *worker) {
			c := connOf(k, slow)
			for ; sent < 200 && !c.closed; sent++ {
				queued = c.peer.Queued()
				send(c, proto.LevelChunk{X: 1000, SubChunks: 1, Payload: noise})
			}
		})
		if most := maxQueued; queued > most || queued < most-flushThreshold-len(noise) {
			t.Errorf("dropped with %d bytes that waited, after %d packets", queued, sent)
		}
		if n := srv.faults("slow_reader"); n != 1 {
			t.Errorf("%d counted", n)
		}
		beside.walk(time.Second, walkNorth)
		srv.advance(300 * time.Millisecond)
		beside.assertUnaffected("a slow reader")
		if _, ok := beside.findActor("ann"); ok {
			t.Error("bob still sees whom the door has dropped")
		}
	})
}
