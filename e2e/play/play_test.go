//go:build linux

package play

import (
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/truestep-io/truestep/e2e/truth"
	"github.com/truestep-io/truestep/sim"
)

func TestTripToPortalBeginsAfterPauseAndEndsInOtherAreaOrAfterTimeout(t *testing.T) {
	const pause = 10 * time.Second
	to := sim.AreaID(1)
	a, b := &truth.Area{}, &truth.Area{ID: to}
	a.Portals = append(a.Portals, struct {
		X, Z float32
		To   *sim.AreaID
	}{X: 5, Z: 6, To: &to})
	random, now := rand.New(rand.NewPCG(1, 2)), time.Unix(0, 0)
	var trip Trip
	if _, ok := trip.GoalIn(a, pause, now, random); ok {
		t.Error("the first trip begins without a pause")
	}
	now = now.Add(pause)
	if goal, ok := trip.GoalIn(a, pause, now, random); !ok || goal.X != 5 || goal.Z != 6 {
		t.Errorf("after a pause the goal is %v, %v", goal, ok)
	}
	if _, ok := trip.GoalIn(nil, pause, now, random); ok {
		t.Error("there is a goal in an unknown area")
	}
	if _, ok := trip.GoalIn(a, pause, now.Add(pause), random); !ok {
		t.Error("the trip ends before its time")
	}
	if _, ok := trip.GoalIn(b, pause, now, random); ok {
		t.Error("the trip does not end in another area")
	}
	now = now.Add(2 * pause)
	if _, ok := trip.GoalIn(a, pause, now, random); !ok {
		t.Error("there is no second trip")
	}
	if _, ok := trip.GoalIn(a, pause, now.Add(pause+1), random); ok {
		t.Error("the trip does not end after its time")
	}
}

func TestErrReturnsReasonIfClientIsNotPlaying(t *testing.T) {
	over := make(chan error, 1)
	if err := Err(false, over); !errors.Is(err, ErrNotJoined) {
		t.Errorf("before the login: %v", err)
	}
	if err := Err(true, over); err != nil {
		t.Errorf("during play: %v", err)
	}
	over <- io.EOF
	for range 2 {
		if err := Err(true, over); !errors.Is(err, io.EOF) {
			t.Errorf("after the connection is lost: %v", err)
		}
	}
	<-over
	over <- nil
	if err := Err(true, over); !errors.Is(err, ErrNotJoined) {
		t.Errorf("after a cut: %v", err)
	}
}
