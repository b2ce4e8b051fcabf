package bedrock

import (
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
)

// CH-1: whose own column was not sent is not simulated and not corrected, wherever his client falls to; with the column
// he goes on from where he was.
func TestCH1WhoseColumnWasNotSentStands(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		w := r.walker("ann")
		beside := r.enters("bob")
		w.walk(5, northward)
		r.run(300 * time.Millisecond)
		at := eyes(w.body.Pos)
		r.on(func(k *worker) { clear(connOf(k, w.client).ground.sent) }) // and nothing is sent again: nothing is missed
		w.take()
		beside.take()
		for range 20 {
			falls := w.next(northward)
			falls.Position[1] -= 5
			w.send(falls)
			r.run(50 * time.Millisecond)
		}
		if n := count[proto.CorrectPlayerMovePrediction](w.client); n > 0 {
			t.Errorf("corrected %d times", n)
		}
		for _, m := range each[proto.MoveActorAbsolute](beside) {
			if m.Position != at {
				t.Errorf("the one beside it saw %v, not %v", m.Position, at)
			}
		}
		r.on(func(k *worker) { c := connOf(k, w.client); c.ground.sent[chunkOf(c.at())] = struct{}{} })
		w.body.Pos = feet(at)
		w.take()
		w.walk(10, northward)
		if n := count[proto.CorrectPlayerMovePrediction](w.client); n > 0 {
			t.Errorf("corrected %d times on its own ground", n)
		}
		if moves := each[proto.MoveActorAbsolute](beside); len(moves) == 0 || moves[len(moves)-1].Position == at {
			t.Error("it does not go on")
		}
	})
}
