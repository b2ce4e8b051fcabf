package interest

import "errors"

// SightRule is how far a viewer of a tile world sees, and how many others at most. It is plain data. Distances are in
// tiles, Chebyshev: the larger of the two axes. Source: docs/wire/rs.md, more than 250 in view.
type SightRule struct {
	MaxShown    int32 // actors that a viewer is shown, himself included, > 0
	Range       int32 // tiles, 0..MaxSight - Margin
	BoundRange  int32 // tiles within which those bound to the viewer are shown whatever the crowd, >= Far
	Hysteresis  int32 // tiles that somebody who is shown counts as nearer, so that nobody flickers, >= 0
	QuietCycles int32 // cycles below Most after which a range that had shrunk grows, > 0

	// Shrinks lets the range shrink by a tile in each cycle that begins with Most or more in view, and grow again by one
	// a cycle when QuietCycles have been quiet. Otherwise it stays at Far.
	Shrinks bool

	// Soft shows everybody within the range. It is slow to follow a crowd, and a dense one may exceed Most. Otherwise the
	// nearest of more than Most are shown.
	Soft bool
}

// MaxSight is the largest Far and Margin together, in tiles.
const MaxSight = 60

// Classic is the default rule: 15 tiles that shrink and grow with the crowd, and never more than 250 actors unless more are
// bound to the viewer. Those who are left out are the farthest.
func DefaultSightRule() SightRule {
	r := NearestFirst()
	r.Shrinks = true
	return r
}

// NearestFirst is Classic with a range that stays: a crowd leaves out no more than it must.
func NearestFirst() SightRule {
	return SightRule{MaxShown: 250, Range: 15, BoundRange: 15, Hysteresis: 1, QuietCycles: 10}
}

// SoftCap is the rule that other servers of such games have, for comparison.
func SoftCap() SightRule {
	return SightRule{MaxShown: 250, Range: 15, BoundRange: 15, QuietCycles: 10, Shrinks: true, Soft: true}
}

// Check returns what is wrong with the rule, nil if it can be used. Sight and Chooser rely on it.
func (r *SightRule) Check() error {
	switch {
	case r.MaxShown <= 0:
		return errors.New("most must be above 0")
	case r.Hysteresis < 0 || r.Hysteresis > MaxSight || r.Range < 0 || r.Range > MaxSight-r.Hysteresis:
		return errors.New("far and margin must not be negative and together at most 60 tiles")
	case r.BoundRange < r.Range:
		return errors.New("the bound must be seen as far as everybody")
	case r.QuietCycles <= 0:
		return errors.New("quiet cycles must be above 0")
	}
	return nil
}

// Sight is how far one viewer sees now. Begin with Start.
type Sight struct {
	Range int32 // tiles, 0..Far
	quiet int32 // cycles since the range shrank last, up to when it grows
}

// Start is the sight of somebody who came in.
func (r *SightRule) NewSight() Sight { return Sight{Range: r.Range, quiet: r.QuietCycles} }

// Next brings the sight to the coming cycle. shown is how many are in view at the end of the last one, the viewer
// included. A rule that does not shrink leaves the range as it is.
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
