package rs

import (
	"context"
	"strings"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// A panic in a worker ends the gateway with an error, but not the process, so that all players can still be saved.
func TestPanicInWorkerEndsGatewayWithError(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true, Workers: 2}, func(srv *testServer) {
		ada, bob := srv.join("Ada"), srv.join("Bob") // each worker has one player
		from := ada.ownTile()
		ada.send(proto.MoveGameClick{X: from.X + 2, Z: from.Z})
		srv.advanceCycles(4)
		srv.gateway.workers[0].enqueue(context.Background(), func() { panic("an invariant") })
		srv.advance(2 * time.Second)
		if err := <-srv.ended; err == nil || !strings.Contains(err.Error(), "an invariant") {
			t.Errorf("ended with %v", err)
		}
		srv.ended <- nil // testServer.stop waits for this value
		if !ada.isClosed() || !bob.isClosed() || srv.world.Err() != nil {
			t.Error("a connection is still open, or the world has stopped")
		}
		srv.must(srv.world.Stop(context.Background()))
		srv.must(srv.hub.Close(context.Background()))
		a, err := srv.store.Account(srv.t.Context(), "Ada")
		srv.must(err)
		list, err := srv.store.Characters(srv.t.Context(), a.ID)
		srv.must(err)
		if at, _ := srv.world.Def().Areas[0].Tiles.ToTile(list[0].Pos); at.X != from.X+2 {
			t.Errorf("saved at %v", at)
		}
	})
}

// On a stopped worker, enqueue returns false without running the function.
func TestFunctionPassedToStoppedWorkerIsRejected(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		w := srv.gateway.workers[0]
		srv.must(srv.world.Stop(context.Background()))
		srv.advance(time.Second)
		for range 2 * maxRequests {
			w.enqueue(context.Background(), func() { t.Error("a stopped worker ran the function") })
		}
	})
}

func TestGoroutineBlockedOnFullWorkerQueueReturnsWhenServerStops(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada")
		w := srv.gateway.workers[0]
		w.enqueue(context.Background(), func() { time.Sleep(20 * time.Second) })
		go func() {
			for range 3 * maxRequests {
				w.enqueue(context.Background(), func() {})
			}
		}()
		ada.send(proto.OpPlayer{Option: 1, Index: 5})
		srv.advance(time.Second)
	})
}
