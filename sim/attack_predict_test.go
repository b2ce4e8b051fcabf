package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
)

// dies kills the walker.
func (k *walker) dies() {
	k.s.a.open()
	k.s.a.kill(k.x, nil)
	k.s.a.publish()
}

// A corpse lies where its player fell, whatever the client says: he may wake there.
func TestACorpseDoesNotTravel(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.walker(1, geom.Vec{X: 100})
	s.step(k.next(0))
	fell := k.state().Avatar.Pos
	k.dies()
	for range 100 {
		in := k.next(1)
		in.Input.Pos = k.state().Avatar.Pos.Add(geom.Vec{X: 1, Y: 1, Z: 1})
		in.Input.Delta = geom.Vec{X: 1, Y: 1, Z: 1}
		s.step(in)
		if e := events(s.f, EventCorrected); len(e) > 0 {
			t.Fatalf("a corpse is corrected: %+v", e[0].Rewind)
		}
	}
	if at := k.state().Avatar.Pos; at != fell {
		t.Errorf("it went from %v to %v", fell, at)
	}
}

func TestACorpseFalls(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.walker(1, geom.Vec{X: 100})
	s.step(k.next(0))
	k.x.predicted.Avatar.Pos.Y += 10
	k.dies()
	for range 100 {
		in := k.next(0)
		in.Input.Pos = k.state().Avatar.Pos.Add(geom.Vec{Y: -0.5})
		s.step(in)
	}
	if at := k.state().Avatar.Pos; at.Y != 64 {
		t.Errorf("it hangs at %v", at)
	}
}

func TestWhoLivesAgainDoesNothingThatHeDidBefore(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.walker(1, geom.Vec{X: 100})
	s.step(k.next(1))
	a := &k.x.predicted.Avatar
	a.Using, a.Sprinting = true, true
	k.dies()
	s.run(60) // and his client is silent meanwhile: it shows him a button
	if len(events(s.f, EventExpelled)) > 0 {
		t.Error("sent away while he lay dead")
	}
	s.step(Intent{Kind: IntentWake, Who: 1})
	if at := k.state().Avatar; at.Using || at.Sprinting || at.Dead {
		t.Errorf("he woke as %+v", at)
	}
	for range 100 { // what waits for an answer waits again, and silence is counted from now on
		s.step()
	}
	if e := events(s.f, EventExpelled); len(e) > 0 {
		t.Errorf("sent away (%v) five seconds after he woke", e[0].Reason)
	}
}
