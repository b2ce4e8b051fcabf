package rcce_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/client/rcce"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim/geom"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// idle stands and says what it is told to.
type idle struct{ say chan string }

func (i idle) Act(p *rcce.Player) {
	select {
	case text := <-i.say:
		p.Say(text)
	default:
	}
}

// slow takes longer for a tick than a tick lasts, as all clients of a busy machine do.
type slow struct{ ticks *atomic.Int32 }

func (s slow) Act(*rcce.Player) {
	s.ticks.Add(1)
	time.Sleep(60 * time.Millisecond)
}

// A client that is late for every tick still hears the server, which would drop it for its silence.
func TestLateClientIsNotDeaf(t *testing.T) {
	t.Parallel()
	ticks := new(atomic.Int32)
	p := join(t, serve(t), slow{ticks}, rcce.Options{User: "Late", SameConnection: true})
	p.soon("it is late", func(*rcce.World, rcce.Counts) bool { return ticks.Load() >= 3 })
	p.ResetStats()
	p.soon("it hears something", func(_ *rcce.World, n rcce.Counts) bool { return n.BytesIn > 0 })
}

// Two players in one area: each sees the other walk by as much as it walked, and hears it.
func TestPlayersSeeAndHearEachOther(t *testing.T) {
	t.Parallel()
	addr, world := serveWorld(t)
	say := make(chan string, 1)
	watcher := join(t, addr, idle{say}, rcce.Options{User: "Watcher"})
	before := ticksOf(world)
	walker := join(t, addr, &rcce.Wander{Radius: 60}, rcce.Options{User: "Walker", SameConnection: true})

	var from geom.Vec
	watcher.soon("the walker is seen", func(w *rcce.World, _ rcce.Counts) bool {
		a, ok := w.Find("Walker")
		from = a.Pos
		return ok && a.Player && a.Updates > 0
	})
	watcher.soon("the walker walks", func(w *rcce.World, _ rcce.Counts) bool {
		a, _ := w.Find("Walker")
		return geom.DistXZ(a.Pos, from) > 20
	})
	say <- "hello there"
	heard(t, walker, "<Watcher> hello there")
	heard(t, watcher, "<Watcher> hello there")

	gaps, trips := rcce.NewHistogram(), rcce.NewHistogram()
	n := watcher.Stats(gaps, trips)
	if n.Updates == 0 || n.Claims != 0 || gaps.TotalCount() == 0 || trips.TotalCount() == 0 {
		t.Errorf("%+v, %d gaps, %d trips", n, gaps.TotalCount(), trips.TotalCount())
	}
	if walker.Stats(nil, nil).Claims == 0 {
		t.Error("the walker claims nothing")
	}
	updatedEachFourthTick(t, watcher, world, before)
	watcher.honest()
	walker.honest()
}

// ticksOf is how many ticks the area of the players has had.
func ticksOf(w *area.World) int {
	for _, s := range w.Stats() {
		if s.Players > 0 {
			return int(s.Tick)
		}
	}
	return 0
}

// updatedEachFourthTick checks how often a watcher is told of the walker, who came when the area had had before ticks: each
// 200 ms by the clock of the server, which on a busy machine is not that of the wall.
func updatedEachFourthTick(t *testing.T, watcher *bot, world *area.World, before int) {
	t.Helper()
	updates := func(w *rcce.World) int {
		a, _ := w.Find("Walker")
		return int(a.Updates)
	}
	had, got := 0, 0
	watcher.Look(func(w *rcce.World) { had = updates(w) })
	from := ticksOf(world)
	watcher.soon("the area has had 40 ticks more", func(*rcce.World, rcce.Counts) bool { return ticksOf(world) >= from+40 })
	watcher.soon("the walker is updated in three of four broadcasts", func(w *rcce.World, _ rcce.Counts) bool {
		got = updates(w)
		return got-had >= (ticksOf(world)-from)/4*3/4 // what is on its way is due as well, and comes
	})
	if most := (ticksOf(world)-before)/4 + 1; got > most {
		t.Errorf("%d updates of an actor who came %d ticks ago, want at most %d", got, ticksOf(world)-before, most)
	}
}

func heard(t *testing.T, p *bot, want string) {
	t.Helper()
	for timeout := time.After(patience); ; {
		select {
		case line := <-p.chats:
			if strings.Contains(line, want) {
				return
			}
		case <-timeout:
			t.Fatalf("%q was not heard", want)
		}
	}
}

func TestFighterFindsAndStrikesAnNPC(t *testing.T) {
	t.Parallel()
	fighter := join(t, serve(t), &rcce.Fight{}, rcce.Options{User: "Fighter", SameConnection: true})
	fighter.soon("a blow meets", func(_ *rcce.World, n rcce.Counts) bool { return n.Hits > 0 && n.DamageDealt > 0 })
	fighter.honest()
}

// Whoever leaves is forgotten by the others; whoever comes back finds account and character again.
func TestAnAccountIsMadeOnceAndComesBack(t *testing.T) {
	t.Parallel()
	addr := serve(t)
	watcher := join(t, addr, idle{}, rcce.Options{User: "Watcher", SameConnection: true})
	for range 2 {
		c, err := rcce.Dial(t.Context(), addr, rcce.Options{User: "Guest", Password: "pw", SameConnection: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Join(t.Context()); err != nil {
			t.Fatal(err)
		}
		watcher.soon("the guest is there", func(w *rcce.World, _ rcce.Counts) bool {
			_, ok := w.Find("Guest")
			return ok
		})
		c.Look(func(w *rcce.World) {
			if w.Self.RuntimeID == 0 || w.Self.HealthMax == 0 || w.Self.SpeedMax == 0 || w.Area == "" {
				t.Errorf("%+v in %q", w.Self, w.Area)
			}
		})
		c.Close()
		watcher.soon("the guest is gone", func(w *rcce.World, _ rcce.Counts) bool {
			_, ok := w.Find("Guest")
			return !ok
		})
	}
}

func TestRefusalsSayWhy(t *testing.T) {
	t.Parallel()
	addr := serve(t)
	join(t, addr, idle{}, rcce.Options{User: "Owner", SameConnection: true})
	for _, c := range []struct {
		password string
		answer   byte
	}{{"wrong", proto.ReplyPassword}, {"secret", proto.ReplyOnline}} {
		thief, err := rcce.Dial(t.Context(), addr, rcce.Options{User: "Owner", Password: c.password})
		if err != nil {
			t.Fatal(err)
		}
		_, err = thief.Login(t.Context())
		var refused *rcce.RefusedError
		if !errors.As(err, &refused) || refused.Answer != c.answer {
			t.Errorf("password %q: %v, want %q", c.password, err, c.answer)
		}
		thief.Close()
	}
}

func TestNobodyListens(t *testing.T) {
	_, err := rcce.Dial(t.Context(), "127.0.0.1:9", rcce.Options{User: "Nobody"})
	if !errors.Is(err, rcce.ErrNoServer) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := rcce.Dial(ctx, "127.0.0.1:9", rcce.Options{User: "Nobody"}); err == nil {
		t.Error("a cancelled dial succeeds")
	}
}
