package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// travel moves a player to the town through the gate of the field. It returns a stage with the town, whose first tick is the
// arrival.
func (s *stage) travel(x *actor) *stage {
	s.t.Helper()
	x.place(s.a.def.Portals[1].Pos, 0)
	e := s.expectEvent(EventDeparted)
	in, err := ParseIntents(nil, AppendIntents(nil, []Intent{{Kind: IntentJoin, Who: x.id, Join: e.Join}}))
	if err != nil {
		s.t.Fatal(err)
	}
	town := &stage{t: s.t, w: s.w, a: NewArea(s.w, areaTown, 1)}
	town.step(in...)
	return town
}

// By going through a portal, a player can neither shorten its linger time after a fight nor extend its linger time after
// a reconnection.
func TestPlayerCannotChangeLingerTimeByUsingPortal(t *testing.T) {
	fight := func(s *stage, x *actor) {
		y := s.player(2, geom.Vec{X: 21})
		x.ratings[y.homeFaction] = 0
		s.step(attackIntent(x, y))
	}
	reconnect := func(s *stage, x *actor) {
		s.step(disconnectIntent(x.id))
		s.run(7)
		s.step(resumeIntent(x.id, move.ByClaim))
	}
	for name, c := range map[string]struct {
		before        func(s *stage, x *actor)
		there, stayed float32 // seconds from before to the portal, and from the arrival to the loss of the connection
		want          float32
	}{
		"at peace":                    {func(*stage, *actor) {}, 60, 1, 10},
		"in a fight":                  {fight, 5, 4, 20},
		"after a fight":               {fight, 5, 6, 10},
		"long after a fight":          {fight, 60, 1, 10},
		"after a reconnection":        {reconnect, 30, 29, 3},
		"a minute after reconnecting": {reconnect, 30, 31, 10},
		"long after reconnecting":     {reconnect, 61, 1, 10},
	} {
		t.Run(name, func(t *testing.T) {
			s := lingerStage(t)
			s.run(100) // the field has had more ticks than the town
			x := s.player(1, geom.Vec{X: 20})
			c.before(s, x)
			s.run(c.there)
			town := s.travel(x)
			town.run(c.stayed)
			town.step(disconnectIntent(1))
			if got := town.leavesAfter(1); !near(got, c.want, 0.2) {
				t.Errorf("leaves %g s after the loss of its connection, want %g s", got, c.want)
			}
		})
	}
}

func TestUseDelayContinuesInNextArea(t *testing.T) {
	s := newStage(t, effectWorld(Effect{Kind: EffectSpeed, Level: 1, Ticks: 10}))
	s.w.Items[0].UseDelayMS = 3000
	s.run(10)
	k := effectClient(s, geom.Vec{})
	s.step(k.use(), k.next(0))
	if len(effectEvents(s.f, EffectSpeed)) != 1 {
		t.Fatalf("the item was not used: %+v", s.f.Events)
	}
	for range 20 {
		s.step(k.next(0))
	}
	s.a.beginFrame()
	s.a.transfer(k.x, areaTown, &Join{Portal: -1})
	e := events(s.a.publish(), EventDeparted)[0]
	town := &stage{t: t, w: s.w, a: NewArea(s.w, areaTown, 1)}
	town.step(Intent{Kind: IntentJoin, Who: 1, Join: e.Join})
	arrived := town.a.now
	use := func() *Frame {
		town.a.beginFrame()
		town.a.useHeldItem(town.a.find(1))
		return town.a.publish()
	}
	if refused := events(use(), EventRefused); len(refused) != 1 || refused[0].Reason != reason.TooMuch {
		t.Errorf("used again right after the arrival: %+v", refused)
	}
	for len(events(use(), EventRefused)) > 0 {
		if town.step(); town.a.now > 1000 {
			t.Fatal("the item cannot be used again")
		}
	}
	if got := town.a.now - arrived; got != 40 {
		t.Errorf("the item can be used %d ticks after the arrival, want 40", got)
	}
}

func TestJoinWithoutTimersIsEncodedInFormatThatPredatesTimers(t *testing.T) {
	join := func(j Join) []byte {
		c := codec{}
		c.join(&j)
		return c.b
	}
	plain, effects := join(Join{}), join(Join{Effects: &ActorEffects{}})
	const flagOfEffects = 3
	if plain[flagOfEffects] != 0 || effects[flagOfEffects] != 1<<1 {
		t.Errorf("encoded as %x and %x", plain[:8], effects[:8])
	}
	timed := join(Join{Timers: PlayerTimers{Use: 1}})
	zero := timed[:len(timed)-4]
	c := codec{b: append(zero[:len(zero):len(zero)], 0, 0, 0, 0), reading: true}
	if c.join(&Join{}); c.err == nil {
		t.Error("timers that are all zero were read: a join would have two encodings")
	}
}
