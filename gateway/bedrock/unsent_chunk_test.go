package bedrock

import (
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
)

// Rule CH-1 of docs/wire/bedrock.md: a player in a chunk that its client has not been sent is neither simulated nor corrected,
// even if the client predicts a fall. Once the chunk is sent, the player continues from its last position.
func TestPlayerDoesNotMoveInChunkThatItsClientHasNotBeenSent(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		w := srv.walker("ann")
		other := srv.join("bob")
		w.walk(5, northward)
		srv.advance(300 * time.Millisecond)
		at := eyePosition(w.body.Pos)
		srv.onWorker(func(k *worker) { clear(connOf(k, w.client).chunks.sent) }) // chunkView.next stays, so the cleared chunks are not sent again
		w.takePackets()
		other.takePackets()
		for range 20 {
			falling := w.next(northward)
			falling.Position[1] -= 5
			w.send(falling)
			srv.advance(50 * time.Millisecond)
		}
		if n := countOf[proto.CorrectPlayerMovePrediction](w.client); n > 0 {
			t.Errorf("client corrected %d times", n)
		}
		for _, m := range packetsOf[proto.MoveActorAbsolute](other) {
			if m.Position != at {
				t.Errorf("the other player received %v, want %v", m.Position, at)
			}
		}
		srv.onWorker(func(k *worker) { c := connOf(k, w.client); c.chunks.sent[chunkOf(c.position())] = struct{}{} })
		w.body.Pos = feetPosition(at)
		w.takePackets()
		w.walk(10, northward)
		if n := countOf[proto.CorrectPlayerMovePrediction](w.client); n > 0 {
			t.Errorf("corrected %d times after its chunk was sent", n)
		}
		if moves := packetsOf[proto.MoveActorAbsolute](other); len(moves) == 0 || moves[len(moves)-1].Position == at {
			t.Error("the player does not move again")
		}
	})
}
