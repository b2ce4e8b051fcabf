package rs

import (
	"context"
	"strings"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// A broken invariant in a worker ends the door and not the process: whoever runs it can still save everybody.
func TestABrokenWorkerEndsTheDoorWithAnError(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true, Workers: 2}, func(r *rig) {
		ada, bob := r.join("Ada"), r.join("Bob") // one for each worker
		from := ada.tile()
		ada.send(proto.MoveGameClick{X: from.X + 2, Z: from.Z})
		r.cycles(4)
		r.gate.workers[0].ask(context.Background(), func() { panic("an invariant") })
		r.run(2 * time.Second)
		if err := <-r.ended; err == nil || !strings.Contains(err.Error(), "an invariant") {
			t.Errorf("ended with %v", err)
		}
		r.ended <- nil // for the rig
		if !ada.ended() || !bob.ended() || r.world.Err() != nil {
			t.Error("a connection outlived the door, or the world did not")
		}
		r.must(r.world.Stop(context.Background()))
		r.must(r.hub.Close(context.Background()))
		a, err := r.disk.Account(r.t.Context(), "Ada")
		r.must(err)
		list, err := r.disk.Characters(r.t.Context(), a.ID)
		r.must(err)
		if at, _ := r.world.Def().Areas[0].Tiles.ToTile(list[0].Pos); at.X != from.X+2 {
			t.Errorf("saved at %v", at)
		}
	})
}

// What a connection asks of a worker that has stopped is not done, and nobody waits for it.
func TestAStoppedWorkerIsNotWaitedFor(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
		w := r.gate.workers[0]
		r.must(r.world.Stop(context.Background()))
		r.run(time.Second)
		for range 2 * maxAsked {
			w.ask(context.Background(), func() { t.Error("done after the end") })
		}
	})
}

func TestAFullWorkerIsWaitedForNoLongerThanTheServerRuns(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
		ada := r.join("Ada")
		w := r.gate.workers[0]
		w.ask(context.Background(), func() { time.Sleep(20 * time.Second) })
		go func() {
			for range 3 * maxAsked {
				w.ask(context.Background(), func() {})
			}
		}()
		ada.send(proto.OpPlayer{Option: 1, Index: 5})
		r.run(time.Second)
	})
}
