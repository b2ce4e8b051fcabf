package rcce_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	gate "github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/internal/leaktest"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim/geom"
)

func TestMain(m *testing.M) { leaktest.VerifyTestMain(m) }

// idle is a behaviour that stands still and sends each line that it receives from the channel say as chat.
type idle struct{ say chan string }

func (i idle) Act(p *rcce.Player) {
	select {
	case text := <-i.say:
		p.Say(text)
	default:
	}
}

// slow is a behaviour whose Act takes longer than a tick, as it may on an overloaded machine.
type slow struct{ ticks *atomic.Int32 }

func (s slow) Act(*rcce.Player) {
	s.ticks.Add(1)
	time.Sleep(60 * time.Millisecond)
}

// A client that is late for every tick still reads from its socket and stays connected.
func TestClientWithLateTicksStaysConnected(t *testing.T) {
	withServer(t, func(t *testing.T, s *server) {
		ticks := new(atomic.Int32)
		p := s.join(t, slow{ticks}, rcce.Options{User: "Late", SameConnection: true})
		time.Sleep(time.Minute)
		p.stop()
		// Without input the server disconnects a client after 15 s. Each tick takes 60 ms and then up to 1 ms of reading.
		if n := p.Stats(nil, nil); ticks.Load() < 900 || n.Updates == 0 || n.Bad != 0 {
			t.Errorf("%d ticks in a minute, want 900 or more; %+v", ticks.Load(), n)
		}
	})
}

// Of two players in one area, the watcher sees the walker move, with one update per broadcast. Both receive the watcher's chat.
func TestClientsSeeActorsAndChatOfEachOther(t *testing.T) {
	withServer(t, func(t *testing.T, s *server) {
		say := make(chan string, 1)
		watcher := s.join(t, idle{say}, rcce.Options{User: "Watcher"})
		walker := s.join(t, &rcce.Wander{Radius: 60}, rcce.Options{User: "Walker", SameConnection: true})

		var from geom.Vec
		watcher.waitUntil("the walker is seen", func(w *rcce.World, _ rcce.Counts) bool {
			a, ok := w.FindByName("Walker")
			from = a.Pos
			return ok && a.Player && a.Updates > 0
		})
		watcher.waitUntil("the walker walks", func(w *rcce.World, _ rcce.Counts) bool {
			a, _ := w.FindByName("Walker")
			return geom.DistXZ(a.Pos, from) > 20
		})
		say <- "hello there"
		waitForChat(t, walker, "<Watcher> hello there")
		waitForChat(t, watcher, "<Watcher> hello there")

		gaps, trips := rcce.NewHistogram(), rcce.NewHistogram()
		n := watcher.Stats(gaps, trips)
		if n.Updates == 0 || n.Claims != 0 || gaps.TotalCount() == 0 || trips.TotalCount() == 0 {
			t.Errorf("watcher: %+v, %d gaps, %d trips", n, gaps.TotalCount(), trips.TotalCount())
		}
		if walker.Stats(nil, nil).Claims == 0 {
			t.Error("the walker sent no claims")
		}
		synctest.Wait() // waits until a tick that is due now has run
		ticks, updates := s.ticks(), watcher.updatesOf("Walker")
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if ticks, updates = s.ticks()-ticks, watcher.updatesOf("Walker")-updates; ticks != 40 || updates != 10 {
			t.Errorf("%d updates in %d ticks, want 10 in 40", updates, ticks)
		}
		watcher.checkNoCorrections()
		walker.checkNoCorrections()
	})
}

// updatesOf returns how many updates of the named actor the client has received.
func (p *bot) updatesOf(name string) (n int) {
	p.Inspect(func(w *rcce.World) {
		a, _ := w.FindByName(name)
		n = int(a.Updates)
	})
	return n
}

func waitForChat(t *testing.T, p *bot, want string) {
	t.Helper()
	for timeout := time.After(waitLimit); ; {
		select {
		case line := <-p.chats:
			if strings.Contains(line, want) {
				return
			}
		case <-timeout:
			t.Fatalf("chat line %q not received", want)
		}
	}
}

func TestFightBehaviourFindsAndHitsNPC(t *testing.T) {
	withServer(t, func(t *testing.T, s *server) {
		fighter := s.join(t, &rcce.Fight{}, rcce.Options{User: "Fighter", SameConnection: true})
		fighter.waitUntil("an attack hits", func(_ *rcce.World, n rcce.Counts) bool { return n.Hits > 0 && n.DamageDealt > 0 })
		fighter.checkNoCorrections()
	})
}

// rideHorse is a Behaviour of a player that walks to a horse and mounts it.
type rideHorse struct{}

func (rideHorse) Act(p *rcce.Player) {
	w := p.World()
	horse, ok := w.FindByName("Horse")
	switch {
	case !ok || w.Self.Mount != 0:
	case geom.DistXZ(p.Pos(), horse.Pos) < 15:
		p.RightClick(horse.RuntimeID)
	case !p.Walking():
		p.WalkTo(horse.Pos.X, horse.Pos.Z, true)
	}
}

func TestRightClickOnNearbyHorseMountsIt(t *testing.T) {
	withServer(t, func(t *testing.T, s *server) {
		rider := s.join(t, rideHorse{}, rcce.Options{User: "Rider", SameConnection: true})
		rider.waitUntil("the player rides", func(w *rcce.World, _ rcce.Counts) bool {
			mount, ok := w.Actor(w.Self.Mount)
			return ok && mount.Name == "Horse"
		})
		rider.checkNoCorrections()
	})
}

// A client repeats its login on the same connection while the server is busy. It enters the world after the 24 s for which
// the server does not answer.
func TestLoginIsRetriedWhileServerIsBusy(t *testing.T) {
	withServer(t, func(t *testing.T, s *server) {
		s.join(t, &rcce.Wander{}, rcce.Options{User: "Patient", SameConnection: true}).stop()
		ctx := t.Context()
		c, err := rcce.Dial(ctx, s.addr, rcce.Options{User: "Patient", Password: "secret", Dial: s.newHost(netsim.Impairment{}).Dial})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		s.slow.Store(int64(24 * time.Second))
		began := time.Now()
		roster, err := c.Login(ctx)
		if took := time.Since(began); err != nil || len(roster) != 1 || took < 24*time.Second || took > 25*time.Second {
			t.Errorf("after %v: %v, %v", took, roster, err)
		}
	})
}

// A player that leaves disappears for all others. When it returns, its account and its character still exist.
func TestSecondLoginEntersWithExistingCharacter(t *testing.T) {
	withServer(t, func(t *testing.T, s *server) {
		watcher := s.join(t, idle{}, rcce.Options{User: "Watcher", SameConnection: true})
		dial := s.newHost(netsim.Impairment{}).Dial
		for range 2 {
			c, err := rcce.Dial(t.Context(), s.addr, rcce.Options{User: "Guest", Password: "pw", SameConnection: true, Dial: dial})
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Join(t.Context()); err != nil {
				t.Fatal(err)
			}
			watcher.waitUntil("the guest is in the world", func(w *rcce.World, _ rcce.Counts) bool {
				_, ok := w.FindByName("Guest")
				return ok
			})
			c.Inspect(func(w *rcce.World) {
				if w.Self.RuntimeID == 0 || w.Self.HealthMax == 0 || w.Self.SpeedMax == 0 || w.Area == "" {
					t.Errorf("own actor incomplete: %+v in area %q", w.Self, w.Area)
				}
			})
			c.Close()
			watcher.waitUntil("the guest is gone", func(w *rcce.World, _ rcce.Counts) bool {
				_, ok := w.FindByName("Guest")
				return !ok
			})
		}
	})
}

func TestRefusedLoginReturnsReason(t *testing.T) {
	withServer(t, func(t *testing.T, s *server) {
		s.join(t, idle{}, rcce.Options{User: "Owner", SameConnection: true})
		dial := s.newHost(netsim.Impairment{}).Dial
		for _, c := range []struct {
			password string
			answer   byte
		}{{"wrong", proto.ReplyPassword}, {"secret", proto.ReplyOnline}} {
			second, err := rcce.Dial(t.Context(), s.addr, rcce.Options{User: "Owner", Password: c.password, Dial: dial})
			if err != nil {
				t.Fatal(err)
			}
			_, err = second.Login(t.Context())
			var refused *rcce.RefusedError
			if !errors.As(err, &refused) || refused.Answer != c.answer {
				t.Errorf("password %q: %v, want %q", c.password, err, c.answer)
			}
			second.Close()
		}
	})
}

func TestClosedPortReturnsErrNoServer(t *testing.T) {
	for name, dial := range map[string]func(context.Context, string, string) (net.Conn, error){
		"kernel socket": nil, "in-memory network": netsim.New(1).Host("127.0.0.1").Dial,
	} {
		_, err := rcce.Dial(t.Context(), "127.0.0.1:9", rcce.Options{User: "Player", Dial: dial})
		if !errors.Is(err, rcce.ErrNoServer) {
			t.Errorf("%s: %v, want ErrNoServer", name, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := rcce.Dial(ctx, "127.0.0.1:9", rcce.Options{User: "Player", Dial: dial}); err == nil {
			t.Errorf("%s: Dial with a cancelled context succeeds", name)
		}
	}
}

// A player joins, moves, is seen and leaves. The other tests use an in-memory network.
func TestClientJoinsMovesAndLeavesOverKernelSockets(t *testing.T) {
	t.Parallel()
	conn, err := gate.Bind("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := conn.LocalAddr().String()
	serve(t, conn, new(atomic.Int64))
	watcher := start(t, addr, idle{}, rcce.Options{User: "Watcher"})
	walker := start(t, addr, &rcce.Wander{Radius: 60}, rcce.Options{User: "Walker", SameConnection: true})
	watcher.await()
	walker.await()
	var from *geom.Vec
	watcher.waitUntil("the walker is seen to move", func(w *rcce.World, _ rcce.Counts) bool {
		a, ok := w.FindByName("Walker")
		if ok && from == nil {
			from = &a.Pos
		}
		return ok && a.Pos != *from
	})
	walker.stop()
	watcher.waitUntil("the walker is gone", func(w *rcce.World, _ rcce.Counts) bool {
		_, ok := w.FindByName("Walker")
		return !ok
	})
}
