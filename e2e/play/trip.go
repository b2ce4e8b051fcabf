//go:build linux

// Package play contains the actions that the players of several end-to-end tests share: logging in with an existing character,
// and walking to other areas.
package play

import (
	"math/rand/v2"
	"time"

	"github.com/truestep-io/truestep/e2e/truth"
	"github.com/truestep-io/truestep/sim/geom"
)

// Trip schedules a player's walks to other areas: when the next walk begins, and to which entrance it leads. With the zero Trip,
// the first walk begins after a pause.
type Trip struct {
	next  time.Time   // time at which the next trip begins; zero before the first call of GoalIn
	until time.Time   // time at which the player abandons the present trip; zero without a trip
	goal  geom.Vec    // position of the entrance, in units
	from  *truth.Area // area of the entrance, in which the trip began
}

// GoalIn returns the position of the entrance that the player walks to. ok is false if the player is not on a trip. The parameter
// area is the player's area, nil if unknown. The parameter pause is both the average time between two trips and the maximum
// duration of one.
func (t *Trip) GoalIn(area *truth.Area, pause time.Duration, now time.Time, random *rand.Rand) (goal geom.Vec, ok bool) {
	anyPause := func() time.Duration {
		return pause/2 + time.Duration(random.IntN(int(pause/time.Millisecond)))*time.Millisecond
	}
	switch {
	case area == nil:
		return geom.Vec{}, false
	case t.next.IsZero():
		t.next = now.Add(anyPause() / 2)
	case !t.until.IsZero() && (area != t.from || now.After(t.until)):
		t.until, t.next = time.Time{}, now.Add(anyPause())
	case t.until.IsZero() && now.After(t.next):
		list := area.Entrances()
		t.goal, t.from, t.until = list[random.IntN(len(list))].At, area, now.Add(pause)
	}
	return t.goal, !t.until.IsZero()
}
