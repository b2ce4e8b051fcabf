package session

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// slowLog is a log whose ticks become durable only when the test calls setDurable.
type slowLog struct {
	area.Log
	mu      sync.Mutex
	durable sim.Tick
}

func (*slowLog) Seal(area.Batch)           {}
func (*slowLog) Commit()                   {}
func (*slowLog) SnapshotBuffer() *sim.Area { return nil }
func (*slowLog) Sync()                     {}
func (*slowLog) Saved(sim.Tick)            {}
func (l *slowLog) Durable() sim.Tick       { l.mu.Lock(); defer l.mu.Unlock(); return l.durable }
func (l *slowLog) Storable() sim.Tick      { return l.Durable() }
func (l *slowLog) setDurable(t sim.Tick)   { l.mu.Lock(); defer l.mu.Unlock(); l.durable = t }

// restart replaces the world and the hub of a server by new ones. The areas start with logs, and with the states that the function
// states returns.
func (r *testServer) restart(opt Options, states func() []*sim.Area) (logs []*slowLog) {
	r.t.Helper()
	def := r.world.Def()
	r.must(r.world.Stop(context.Background()))
	r.must(r.Close(context.Background()))
	list := states()
	for range def.Areas {
		logs = append(logs, &slowLog{durable: 1 << 40})
	}
	quiet := slog.New(slog.DiscardHandler)
	r.world = area.NewWorld(def, area.Options{Log: quiet, Open: func(id sim.AreaID) (area.Log, *sim.Area) { return logs[id], list[id] }})
	or(&opt.HashCost, cheap)
	opt.Log = quiet
	r.Hub = NewHub(r.world, r.disk, opt)
	return logs
}

// stateWith returns the state of the area at after players with the given IDs and characters have joined it.
func stateWith(def *sim.World, at sim.AreaID, players map[sim.EntityID]*sim.Character) *sim.Area {
	a := sim.NewArea(def, at, 0)
	var joins []sim.Intent
	for who, c := range players {
		joins = append(joins, sim.Intent{Kind: sim.IntentJoin, Who: who, AtMS: 5000, Join: &sim.Join{Character: c, Portal: 0}})
	}
	a.Step(joins)
	return a
}

func TestLoginTakesOverPlayerRestoredAfterRestart(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l, other := r.player("Ada"), r.player("Bea")
		c := *r.stored(l)
		c.Gold, c.Version = 77, 40 // newer than the stored record
		r.restart(Options{}, func() []*sim.Area {
			return []*sim.Area{stateWith(r.world.Def(), 0, map[sim.EntityID]*sim.Character{9: &c}), nil}
		})
		r.must(r.Restore(r.ctx, r.world.Restored()))
		r.world.Start(r.ctx)
		s, bea := r.enters(l), r.enters(other)
		ticks(3)
		if s.Character.Gold != 77 || s.Entity != 9 || bea.Entity <= 9 {
			t.Errorf("entered with %d gold as entity %d, the other player as %d; want 77 gold, entity 9 and an entity above 9", s.Character.Gold, s.Entity, bea.Entity)
		}
		if n := r.world.Stats()[0].Players; n != 2 {
			t.Errorf("%d players in the area, want the two that entered", n)
		}
	})
}

func TestRestoredPlayersLeaveAfterRestartLingerTimeIfTheyDoNotReconnect(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l, gone := r.player("Ada"), r.player("Bea")
		r.must(r.disk.SetFrozen(r.ctx, l.Account, true))
		deleted := *r.stored(gone)
		r.must(r.disk.DeleteCharacter(r.ctx, store.SessionHolder{}, gone.Account, deleted.ID))
		r.restart(Options{}, func() []*sim.Area {
			west := stateWith(r.world.Def(), 0, map[sim.EntityID]*sim.Character{3: r.stored(l), 4: &deleted})
			west.Step([]sim.Intent{{Kind: sim.IntentTeleport, Who: 3, To: 1, Join: &sim.Join{Portal: -1}}})
			return []*sim.Area{west, nil}
		})
		r.must(r.Restore(r.ctx, r.world.Restored()))
		r.world.Start(r.ctx)
		ticks(6)
		list := r.Players()
		if len(list) != 1 || list[0].Entity != 3 || !list[0].Lingering || list[0].Area != 1 || list[0].Name != "Ada" {
			t.Fatalf("players %+v, want the lingering traveller in the area that it went to", list)
		}
		if p := list[0]; p.Account != l.Name || !p.Frozen {
			t.Errorf("the player of the frozen account %q is %+v", l.Name, p)
		}
		time.Sleep(61 * time.Second)
		synctest.Wait()
		for _, a := range r.world.Stats() {
			if a.Players != 0 {
				t.Errorf("%d players are still in %s", a.Players, a.Name)
			}
		}
		if s := r.enters(l); s.Area() != 1 {
			t.Errorf("the traveller enters area %d, want the one that it went to", s.Area())
		}
		if s := r.Hub.Stats(); s.Leaving != 0 {
			t.Errorf("%d players still leave", s.Leaving)
		}
	})
}

func TestEnterWaitsUntilPreviousLeaveOfAccountIsDurable(t *testing.T) {
	withServer(t, Options{RecordTimeout: 10 * time.Second}, func(r *testServer) {
		l := r.player("Ada")
		logs := r.restart(Options{RecordTimeout: 10 * time.Second}, func() []*sim.Area { return make([]*sim.Area, 2) })
		r.world.Start(r.ctx)
		s := r.enters(l)
		ticks(3)
		logs[0].setDurable(3)
		s.Leave()
		ticks(3)
		entered := make(chan struct{})
		go func() {
			defer close(entered)
			if _, err := r.Enter(r.ctx, l, 0); err != nil {
				t.Error(err)
			}
		}()
		ticks(20)
		select {
		case <-entered:
			t.Error("the account entered again although the tick in which it left is not durable")
		default:
		}
		logs[0].setDurable(1 << 40)
		ticks(2)
		synctest.Wait()
		select {
		case <-entered:
		default:
			t.Error("the account did not enter although the tick in which it left is durable")
		}
	})
}
