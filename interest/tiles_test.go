package interest

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// spot returns a random position. All positions are near a few coordinates, some of which share buckets of the index
// although they are far apart.
func spot(t *rapid.T) TilePosition {
	axis := rapid.Custom(func(t *rapid.T) uint16 {
		base := rapid.SampledFrom([]int{0, 3, 3200, 3200 + 128, 3200 + 1024, 16383}).Draw(t, "base")
		return uint16(min(max(base+rapid.IntRange(-20, 20).Draw(t, "aside"), 0), 16383))
	})
	plane := rapid.SampledFrom([]uint8{0, 0, 0, 1, 3, NoPlane}).Draw(t, "plane")
	return TilePosition{axis.Draw(t, "x"), axis.Draw(t, "z"), plane}
}

// near computes the result of TileIndex.Near by a scan of all positions.
func near(spots []TilePosition, at TilePosition, r int32) (rows []int32) {
	for i, s := range spots {
		if s.Plane == at.Plane && at.Plane != NoPlane && tileDistance(s, at) <= r {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

func TestTileIndexNearReturnsActorsOfSamePlaneWithinRange(t *testing.T) {
	var tiles TileIndex // reused, because a build must not depend on the previous one
	rapid.Check(t, func(t *rapid.T) {
		spots := rapid.SliceOfN(rapid.Custom(spot), 0, 60).Draw(t, "spots")
		tiles.Build(spots)
		at, r := spot(t), rapid.Int32Range(0, MaxSight).Draw(t, "r")
		got := tiles.Near(make([]int32, 70), at, r)[70:]
		slices.Sort(got)
		if want := near(spots, at, r); !slices.Equal(got, want) {
			t.Fatalf("near %v within %d: %v, want %v", at, r, got, want)
		}
		if n := tiles.countUpperBound(patchAround(at, r)); at.valid() && int(n) < len(got) {
			t.Fatalf("upper bound %d, but there are %d", n, len(got))
		}
	})
}

func TestTileIndexFindsActorsOnDifferentTilesThatShareBuckets(t *testing.T) {
	spots := make([]TilePosition, 50_000)
	for i := range spots {
		spots[i] = TilePosition{X: uint16(i % 500 * 32), Z: uint16(i / 500 * 160), Plane: uint8(i & 1)}
	}
	var tiles TileIndex
	tiles.Build(spots)
	at := spots[25_250]
	got := tiles.Near(nil, at, 60)
	slices.Sort(got)
	if want := near(spots, at, 60); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	tiles.Build(nil)
	if got := tiles.Near(nil, at, 60); len(got) != 0 {
		t.Errorf("found %v in an empty world", got)
	}
}

// question returns random positions, a random rule, and the query of one viewer among these positions.
func question(t *rapid.T) (spots []TilePosition, rule SightRule, ask Query) {
	edge := rapid.IntRange(1, 40).Draw(t, "edge") // edge length in tiles
	axis := rapid.Custom(func(t *rapid.T) uint16 { return uint16(3200 + rapid.IntRange(0, edge).Draw(t, "axis")) })
	spots = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) TilePosition {
		return TilePosition{axis.Draw(t, "x"), axis.Draw(t, "z"), rapid.SampledFrom([]uint8{0, 0, 0, 0, 0, 0, 1, NoPlane}).Draw(t, "plane")}
	}), 1, 150).Draw(t, "spots")
	rule = NearestFirst()
	rule.MaxShown = rapid.Int32Range(1, 60).Draw(t, "most")
	rule.Soft = rapid.Bool().Draw(t, "soft")
	rule.Hysteresis = rapid.Int32Range(0, 3).Draw(t, "margin")
	row := rapid.Int32Range(0, int32(len(spots)-1))
	ask.Viewer = row.Draw(t, "viewer")
	ask.Range = rapid.SampledFrom([]int32{15, 15, 15, 7, 1, 0}).Draw(t, "range")
	ask.Bound = rapid.SliceOfN(row, 0, 6).Draw(t, "bound")
	ask.Shown = rapid.SliceOfN(row, 0, 80).Draw(t, "shown")
	return spots, rule, ask
}

// answer computes the result of Select in the simplest possible way.
func answer(spots []TilePosition, rule *SightRule, ask *Query) []int32 {
	at := spots[ask.Viewer]
	rows := []int32{ask.Viewer}
	var others []int32
	margin := rule.Hysteresis
	if ask.Range < rule.Range {
		margin = 0
	}
	// counts returns the distance by which Select orders an actor: its distance from the viewer, reduced by margin if it
	// is already shown.
	counts := func(row, margin int32) int32 {
		d := tileDistance(spots[row], at)
		if slices.Contains(ask.Shown, row) {
			return max(d-margin, 0)
		}
		return d
	}
	for i := range spots {
		row := int32(i)
		switch {
		case row == ask.Viewer || spots[row].Plane != at.Plane || at.Plane == NoPlane:
		case slices.Contains(ask.Bound, row) && counts(row, rule.Hysteresis) <= rule.BoundRange:
			rows = append(rows, row)
		case counts(row, margin) <= ask.Range:
			others = append(others, row)
		}
	}
	slices.SortFunc(others, func(a, b int32) int {
		if d := counts(a, margin) - counts(b, margin); d != 0 {
			return int(d)
		}
		if x, y := slices.Contains(ask.Shown, a), slices.Contains(ask.Shown, b); x != y {
			if x {
				return -1
			}
			return 1
		}
		return int(a - b)
	})
	if room := max(int(rule.MaxShown)-len(rows), 0); !rule.Soft && len(others) > room {
		others = others[:room]
	}
	rows = append(rows, others...)
	slices.Sort(rows)
	return rows
}

func TestSelectionOfActorsInViewMatchesReferenceImplementation(t *testing.T) {
	var tiles TileIndex
	var c Selector
	rapid.Check(t, func(t *rapid.T) {
		spots, rule, ask := question(t)
		tiles.Build(spots)
		got, want := c.Select([]int32{-7}, &tiles, &rule, &ask), answer(spots, &rule, &ask)
		if got[0] != -7 || !slices.Equal(got[1:], want) {
			t.Fatalf("%+v of %v: %v, want %v", ask, spots, got, want)
		}
	})
}

func TestSelectionOfActorsInViewIncludesTargetAndPartyInRange(t *testing.T) {
	var tiles TileIndex
	var c Selector
	rapid.Check(t, func(t *rapid.T) {
		spots, rule, ask := question(t)
		rule.Soft = false
		tiles.Build(spots)
		got := c.Select(nil, &tiles, &rule, &ask)
		never := map[int32]bool{ask.Viewer: true}
		for _, row := range ask.Bound {
			if at := spots[ask.Viewer]; at.Plane <= 3 && spots[row].Plane == at.Plane && tileDistance(spots[row], at) <= rule.BoundRange {
				never[row] = true
			}
		}
		for row := range never {
			if !slices.Contains(got, row) {
				t.Fatalf("%d is not in %v", row, got)
			}
		}
		// Select may return more than MaxShown rows only if these are bound to the viewer.
		if maximum := max(int(rule.MaxShown), 1+len(ask.Bound)); len(got) > maximum {
			t.Fatalf("%d rows selected, at most %d allowed", len(got), maximum)
		}
		if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Fatalf("%v is not ascending", got)
		}
	})
}

// entries counts how often row 1 enters the view of row 0 while row 1 moves back and forth between the positions near and far.
func entries(rule *SightRule, crowd []TilePosition, near, far TilePosition) (n int) {
	var tiles TileIndex
	var c Selector
	spots := append([]TilePosition{{X: 100, Z: 100}, near}, crowd...)
	var shown []int32
	for cycle := range 20 {
		spots[1] = near
		if cycle%2 == 1 {
			spots[1] = far
		}
		tiles.Build(spots)
		now := c.Select(nil, &tiles, rule, &Query{Range: rule.Range, Shown: shown})
		if slices.Contains(now, 1) && !slices.Contains(shown, 1) {
			n++
		}
		shown = now
	}
	return n
}

func TestHysteresisPreventsReentryAtViewBorder(t *testing.T) {
	rule := NearestFirst()
	if n := entries(&rule, nil, TilePosition{X: 115, Z: 100}, TilePosition{X: 116, Z: 100}); n != 1 {
		t.Errorf("at the end of the range row 1 enters %d times", n)
	}
	var crowd []TilePosition // 300 actors at distance 5, more than MaxShown; row 1 is shown at distance 5, but not at distance 6
	for range 300 {
		crowd = append(crowd, TilePosition{X: 105, Z: 105})
	}
	if n := entries(&rule, crowd, TilePosition{X: 95, Z: 100}, TilePosition{X: 94, Z: 100}); n != 1 {
		t.Errorf("at the limit of MaxShown row 1 enters %d times", n)
	}
	rule.Hysteresis = 0
	if n := entries(&rule, nil, TilePosition{X: 115, Z: 100}, TilePosition{X: 116, Z: 100}); n != 10 {
		t.Errorf("without hysteresis row 1 enters %d times, want 10", n)
	}
}

// In a crowd whose actors move at most a tile per cycle, few enter and leave although far more than MaxShown are
// near.
func TestWalkingCrowdCausesFewActorsToEnterOrLeaveView(t *testing.T) {
	spots := scatterTiles(2000, 40)
	rule := NearestFirst()
	var tiles TileIndex
	var c Selector
	shown, changed := []int32(nil), 0
	for cycle := range 10 {
		for i := range spots { // a third of the actors move back and forth
			if i%3 == 0 {
				spots[i].X += uint16(1 - 2*(cycle&1))
			}
		}
		tiles.Build(spots)
		now := c.Select(nil, &tiles, &rule, &Query{Viewer: 7, Range: 15, Shown: shown})
		if cycle > 0 {
			for _, row := range now {
				if !slices.Contains(shown, row) {
					changed++
				}
			}
		}
		shown = now
	}
	if len(shown) != 250 || changed > 9*15 {
		t.Errorf("%d in view, %d entered in 9 cycles", len(shown), changed)
	}
}
