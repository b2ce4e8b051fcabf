package interest

import "fmt"

// SightRule sets how far a viewer in a tile world (RuneScape) sees, and the maximum number of actors in its view. It is
// plain data. Distances are Chebyshev distances in tiles, which means the larger of the distances on the two axes.
// Source: docs/wire/rs.md, more than 250 in view.
type SightRule struct {
	MaxShown    int32 // maximum number of actors in view, including the viewer, > 0
	Range       int32 // view range in tiles, 0..MaxSight - Hysteresis
	BoundRange  int32 // range in tiles within which actors bound to the viewer are always in view, >= Range
	Hysteresis  int32 // an actor in view counts as nearer by this many tiles, so that it does not flicker at the border, >= 0
	QuietCycles int32 // consecutive update cycles with fewer than MaxShown in view, after which a reduced range grows again, > 0

	// Shrinks makes the range adapt to a crowd. The range shrinks by one tile in each cycle that begins with MaxShown or more
	// actors in view. After QuietCycles consecutive cycles with fewer actors, it grows by one tile per cycle. If Shrinks is
	// false, the range is constant.
	Shrinks bool

	// If Soft is true, every actor within the range is shown. The range adapts to a crowd by only a tile per cycle, so more than
	// MaxShown actors may be shown for a while. If Soft is false, only the nearest MaxShown actors are shown.
	Soft bool
}

// MaxSight is the maximum of the sum of SightRule.Range and SightRule.Hysteresis, in tiles.
const MaxSight = 60

// DefaultSightRule returns a range of 15 tiles that shrinks and grows with the crowd, and at most 250 actors. The farthest are
// omitted, but never the actors with which the viewer fights, rides or is in a party.
func DefaultSightRule() SightRule {
	r := NearestFirst()
	r.Shrinks = true
	return r
}

// NearestFirst returns DefaultSightRule with a constant range. Actors are omitted only when more than MaxShown are in range.
func NearestFirst() SightRule {
	return SightRule{MaxShown: 250, Range: 15, BoundRange: 15, Hysteresis: 1, QuietCycles: 10}
}

// SoftCap returns the rule that other RuneScape-like servers use: a crowd reduces the range by one tile per cycle, and
// meanwhile more than MaxShown actors may be in view.
func SoftCap() SightRule {
	return SightRule{MaxShown: 250, Range: 15, BoundRange: 15, QuietCycles: 10, Shrinks: true, Soft: true}
}

// Check returns an error if the rule is invalid. The methods of Sight and Selector require a valid rule.
func (r *SightRule) Check() error {
	switch {
	case r.MaxShown <= 0:
		return fmt.Errorf("sight rule: MaxShown (the maximum number of actors that are shown) is %d, must be above 0", r.MaxShown)
	case r.Hysteresis < 0 || r.Hysteresis > MaxSight || r.Range < 0 || r.Range > MaxSight-r.Hysteresis:
		return fmt.Errorf("sight rule: Range is %d tiles and Hysteresis %d: both must not be negative, and their sum must be at most %d", r.Range, r.Hysteresis, MaxSight)
	case r.BoundRange < r.Range:
		return fmt.Errorf("sight rule: BoundRange is %d, must not be smaller than Range, %d", r.BoundRange, r.Range)
	case r.QuietCycles <= 0:
		return fmt.Errorf("sight rule: QuietCycles is %d, must be above 0", r.QuietCycles)
	}
	return nil
}

// Sight is the current view range of one viewer, which changes with the crowd around it. Create it with NewSight.
type Sight struct {
	Range int32 // current range in tiles, 0..SightRule.Range
	quiet int32 // number of cycles with fewer than MaxShown in view since the range last shrank; at full range reset to 0 after QuietCycles
}

// NewSight returns the sight of a viewer that has just joined: the full range of the rule.
func (r *SightRule) NewSight() Sight { return Sight{Range: r.Range, quiet: r.QuietCycles} }

// Next adapts the range to the crowd at the beginning of a cycle. The parameter shown is the number of actors in view at the end
// of the last cycle, the viewer included. If the rule does not let the range shrink, the range is unchanged.
func (s *Sight) Next(r *SightRule, shown int) {
	if !r.Shrinks {
		return
	}
	if shown >= int(r.MaxShown) {
		s.Range, s.quiet = max(0, s.Range-1), 0
		return
	}
	if s.quiet++; s.quiet < r.QuietCycles {
		return
	}
	if s.Range < r.Range {
		s.Range++
	} else {
		s.quiet = 0
	}
}
