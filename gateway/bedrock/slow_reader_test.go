package bedrock

import (
	"math/rand/v2"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
)

// A client that does not read is disconnected at maxQueued bytes, long before RakNet's timeout, and other clients are
// not affected.
func TestClientIsDisconnectedWhenSendQueueReachesMaxQueued(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{Workers: 1}, func(srv *testServer) {
		slow, other := srv.join("ann"), srv.joinPlayer("bob")
		noise := make([]byte, 64<<10) // random bytes, which cannot be compressed
		rng := rand.NewChaCha8([32]byte{1})
		rng.Read(noise)
		queued, sent := 0, 0
		srv.onWorker(func(k *worker) {
			c := connOf(k, slow)
			for ; sent < 200 && !c.closed; sent++ {
				queued = c.peer.QueuedBytes()
				send(c, proto.LevelChunk{X: 1000, SubChunks: 1, Payload: noise})
			}
		})
		if most := maxQueued; queued > most || queued < most-flushThreshold-len(noise) {
			t.Errorf("dropped with %d bytes queued, after %d packets", queued, sent)
		}
		if n := srv.faults("slow_reader"); n != 1 {
			t.Errorf("counted %d faults", n)
		}
		other.walk(time.Second, walkNorth)
		srv.advance(300 * time.Millisecond)
		other.assertUnaffected("a slow reader")
		if _, ok := other.findActor("ann"); ok {
			t.Error("bob still has the dropped player")
		}
	})
}

// A client is disconnected when its send queue becomes full while the worker sends it a frame. The worker must process the
// rest of the frame without a panic, and must send none of it to this client.
func TestRestOfFrameIsNotSentToClientThatDisconnectsDuringFrame(t *testing.T) {
	c := &conn{closed: true}
	if p := c.position(); p != (geom.Vec{}) {
		t.Errorf("position %v, want none", p)
	}
	c.sendOwnArmour()
}
