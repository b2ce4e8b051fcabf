package interest

import "testing"

// The range shrinks by a tile in each cycle with 250 or more actors in view, and grows by a tile per cycle after ten
// cycles with fewer. Source: docs/wire/rs.md, more than 250 in view.
func TestSightRangeShrinksInCrowdAndGrowsAfterTenQuietCycles(t *testing.T) {
	for name, rule := range map[string]SightRule{"classic": DefaultSightRule(), "soft cap": SoftCap()} {
		t.Run(name, func(t *testing.T) { shrinksAndGrows(t, rule) })
	}
}

func shrinksAndGrows(t *testing.T, rule SightRule) {
	s := rule.NewSight()
	cycle := 0
	run := func(what string, cycles, shown int, want ...int32) {
		t.Helper()
		for n := range cycles {
			cycle++
			s.Next(&rule, shown)
			if got, want := s.Range, want[min(n, len(want)-1)]; got != want {
				t.Fatalf("%s, cycle %d: range %d, want %d", what, cycle, got, want)
			}
		}
	}
	run("alone", 30, 1, 15)
	run("one below the limit", 5, 249, 15)
	run("the limit", 3, 250, 14, 13, 12)
	run("nine quiet cycles", 9, 249, 12)
	run("growing one by one", 2, 249, 13, 14)
	run("full again: a tile and ten cycles", 1, 400, 13)
	run("waiting", 9, 100, 13)
	run("growing to the full", 8, 100, 14, 15, 15)
	run("full", 40, 2046, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
	run("quiet after all", 24, 30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
	run("and full", 30, 30, 15)
	run("shrinks at once", 1, 250, 14)
}

func TestSightRangeStaysConstantUnderNearestFirstRule(t *testing.T) {
	rule := NearestFirst()
	s := rule.NewSight()
	for range 20 {
		if s.Next(&rule, 2046); s.Range != 15 {
			t.Fatalf("range %d", s.Range)
		}
	}
}

func TestInvalidSightRulesAreRefused(t *testing.T) {
	for _, rule := range []SightRule{DefaultSightRule(), NearestFirst(), SoftCap()} {
		if err := rule.Check(); err != nil {
			t.Error(err)
		}
	}
	for name, change := range map[string]func(*SightRule){
		"none":            func(r *SightRule) { r.MaxShown = 0 },
		"negative far":    func(r *SightRule) { r.Range = -1 },
		"too far":         func(r *SightRule) { r.Range, r.BoundRange = 60, 60 },
		"negative margin": func(r *SightRule) { r.Hysteresis = -1 },
		"bound too near":  func(r *SightRule) { r.BoundRange = 14 },
		"never grows":     func(r *SightRule) { r.QuietCycles = 0 },
	} {
		r := NearestFirst()
		if change(&r); r.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
