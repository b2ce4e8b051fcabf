package rsscene

import (
	"testing"

	"github.com/truestep-io/truestep/proto/rs"
)

// A player info packet contains runs of idle players. Runs of every possible length are decoded: 1 to 2046 external players, 1 to 2047
// local ones (docs/wire/rs.md, the four passes). In every other cycle one player moves; it ends one run and begins the next, so all
// lengths occur.
func TestRunsOfIdlePlayersOfEveryPossibleLengthAreDecoded(t *testing.T) {
	t.Run("external", func(t *testing.T) {
		checkIdleRuns(t, func(i rs.Index, odd uint16) rs.Tile { return rs.Tile{X: 3200, Z: 64*(i+odd)&rs.MaxCoord | 5} }, false)
	})
	t.Run("local", func(t *testing.T) {
		checkIdleRuns(t, func(i rs.Index, odd uint16) rs.Tile { return rs.Tile{X: 3200 + i&31 + odd, Z: 3200 + i>>5} }, true)
	})
}

// checkIdleRuns moves each player i except the viewer once, one after the other: from the tile at(i, 0) to the tile at(i, 1).
func checkIdleRuns(t *testing.T, at func(i rs.Index, odd uint16) rs.Tile, seen bool) {
	s, want, truth := rs.NewScene(rs.Profile667), rs.NewRowSet(rs.MaxIndex+1), &Truth{}
	for i := rs.Index(1); i <= rs.MaxIndex; i++ {
		s.Add(int(i), uint64(i), at(i, 0))
		if truth.IsLocal[i] = seen || i == 1; truth.IsLocal[i] {
			want.Add(int(i))
		}
	}
	v := rs.NewViewer(s, 1)
	c, err := rs.NewPlayerInfoDecoder(rs.Profile667, 1, v.AppendPlacement(nil, s))
	if err != nil {
		t.Fatal(err)
	}
	var enc rs.PlayerInfoEncoder
	var trace rs.PacketTrace
	var lengths [rs.MaxIndex + 1]bool
	for n := 1; n <= 2*rs.MaxIndex; n++ {
		if i := n / 2; n%2 == 0 && i > 1 {
			s.Move(i, at(rs.Index(i), 1), rs.MoveWalk)
		}
		s.Prepare()
		b, err := enc.Encode(nil, s, v, want, rs.PacketLimits{})
		if err != nil {
			t.Fatal(err)
		}
		v.Commit()
		s.Advance()
		if err := c.ApplyTraced(b, &trace); err != nil {
			t.Fatalf("cycle %d: %v", n, err)
		}
		for _, step := range trace.Steps {
			lengths[step.Players] = lengths[step.Players] || step.Kind == rs.StepRun && (step.Pass <= 2) == seen
		}
		if n%16 != 0 && n < 2*rs.MaxIndex-1 { // checking every 16th cycle suffices, because a wrong state persists
			continue
		}
		for i := 1; i <= rs.MaxIndex; i++ {
			if truth.IsLocal[i] {
				truth.Tile[i] = s.Tile(i)
			} else {
				truth.Square[i] = rs.SquareOf(s.Tile(i), rs.Profile667.SquareShift)
			}
		}
		if err := Compare(c, truth); err != nil {
			t.Fatalf("cycle %d: %v", n, err)
		}
	}
	most := rs.MaxIndex - 1
	if seen {
		most = rs.MaxIndex
	}
	for n := 1; n <= most; n++ {
		if !lengths[n] {
			t.Errorf("no run of %d players", n)
		}
	}
}
