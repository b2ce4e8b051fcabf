package move

import (
	"testing"
)

// Whatever the tick rate of the world, a client lives twenty ticks a second: a faster server gives it no more time, and a
// slower one no less.
func TestSV18AClientsTimeIsItsOwnAtAnyTickRate(t *testing.T) {
	for _, rate := range []int{5, 10, 20, 25, 30, 60} {
		p := DefaultPredictPolicy()
		s := PredictState{Begun: true}
		const seconds = 60
		for name, perSecond := range map[string]int{"honest": 20, "a timer cheat": 60} {
			waiting, done, owed := 0, 0, 0
			for range seconds * rate {
				for owed += perSecond; owed >= rate; owed -= rate {
					waiting = min(waiting+1, int(p.Batch))
				}
				n := p.Turns(&s, waiting, rate)
				waiting -= n
				done += n
			}
			if most := seconds*20 + int(p.MaxCredits); done > most || done < seconds*20-1 {
				t.Errorf("%s at %d ticks a second: %d inputs in %d s", name, rate, done, seconds)
			}
		}
	}
}
