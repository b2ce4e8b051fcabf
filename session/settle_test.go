package session

import (
	"context"
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
)

func TestStoreThroughReturnsOnlyWhenTicksAreDurableAndTheirRecordsStored(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		logs := r.restart(Options{}, func() []*sim.Area { return make([]*sim.Area, len(r.world.Def().Areas)) })
		r.world.Start(context.Background())
		s := r.enters(r.player("Ada"))
		time.Sleep(2 * time.Second)
		for i, log := range logs {
			log.setDurable(r.world.Stats()[i].Tick)
		}
		s.Leave()
		time.Sleep(200 * time.Millisecond)
		through := make([]sim.Tick, len(logs))
		for i := range through {
			through[i] = r.world.Stats()[i].Tick
		}
		ctx, cancel := context.WithTimeout(r.ctx, time.Second)
		defer cancel()
		if err := r.StoreThrough(ctx, through); err == nil || r.SaveStatus().Unsaved != 1 {
			t.Errorf("before the tick of the last record is durable: %v, %d records wait", err, r.SaveStatus().Unsaved)
		}
		began := time.Now()
		go func() {
			time.Sleep(300 * time.Millisecond)
			for _, log := range logs {
				log.setDurable(1 << 40)
			}
		}()
		if err := r.StoreThrough(r.ctx, through); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took < 300*time.Millisecond || took > 400*time.Millisecond {
			t.Errorf("it took %v, want 300 ms", took)
		}
		if n := r.SaveStatus().Unsaved; n != 0 {
			t.Errorf("%d records are not stored", n)
		}
	})
}
