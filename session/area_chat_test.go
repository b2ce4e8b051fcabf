package session

import "testing"

// speakers describes n sessions that each submit a chat line every everyMS milliseconds for 60 s. The first 10 s are not counted.
type speakers struct {
	n, everyMS int
	loss       float64 // maximum share of the speakers' lines that may be dropped
}

func TestChatRateLimitOfAreaIsSharedFairlyAmongSpeakers(t *testing.T) {
	const perSecond, seconds, warmUp = 20, 60, 10
	for name, c := range map[string]struct{ honest, flood speakers }{
		"30 players who talk":           {honest: speakers{30, 2000, 0}},
		"one player as fast as allowed": {honest: speakers{1, 250, 0}},
		"100 clients flood":             {honest: speakers{10, 10_000, 0.1}, flood: speakers{100, 250, 1}},
		"100 flood, 30 behind one NAT":  {honest: speakers{30, 15_000, 0.1}, flood: speakers{100, 50, 1}},
	} {
		var area areaChat
		tried, granted, all := 0, 0, 0
		groups := [2]speakers{c.flood, c.honest} // in every ms the flooding sessions submit before the honest ones
		state := [2][]speaker{make([]speaker, c.flood.n), make([]speaker, c.honest.n)}
		for ms := range seconds * 1000 {
			for g, of := range groups {
				for i := range state[g] {
					if (ms+i*37)%of.everyMS != 0 {
						continue
					}
					ok := area.grant(&state[g][i], perSecond, int64(ms))
					if ok {
						all++
					}
					if g == 1 && ms >= warmUp*1000 {
						tried++
						if ok {
							granted++
						}
					}
				}
			}
		}
		if most := perSecond * (seconds + chatBurst); all > most {
			t.Errorf("%s: %d lines in %d s, at most %d are allowed", name, all, seconds, most)
		}
		if dropped := tried - granted; float64(dropped) > c.honest.loss*float64(tried) {
			t.Errorf("%s: %d of %d lines of honest players are dropped", name, dropped, tried)
		}
	}
}
