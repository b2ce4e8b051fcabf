package journal

import (
	"math"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
)

func TestDrawingOfRejectedMovementFits24LinesAnd100Columns(t *testing.T) {
	for _, to := range []geom.Vec{
		{}, {X: 60, Z: 60}, {X: -60}, {Z: 1}, {Y: 100}, {Y: -3, X: 1}, {X: 0.001}, {X: math.MaxFloat32, Z: -math.MaxFloat32, Y: 1}, {X: 1e-30},
	} {
		text := Draw(to, geom.Vec{X: 1, Y: 2, Z: 3})
		if lines := strings.Split(text, "\n"); len(lines) > 24 || !strings.Contains(text, "K kept  x 1  y 2  z 3") || !strings.Contains(text, "K") {
			t.Errorf("%v takes %d lines", to, len(lines))
		}
		for line := range strings.SplitSeq(text, "\n") {
			if len(line) > 100 {
				t.Errorf("%v: %q", to, line)
			}
		}
	}
	want := `  from above, north is up; a column is 0.2 units wide, a row 0.4 high
  +---------------------------------------------+
  |                                             |
  |                                         .A  |
  |                                     ....    |
  |                                 ....        |
  |                             ....            |
  |                         ....                |
  |                     ....                    |
  |                 ....                        |
  |             ....                            |
  |         ....                                |
  |     ....                                    |
  |  K<.                                        |
  |                                             |
  +---------------------------------------------+
  A asked x 8  y 0  z 4
  K kept  x 0  y 0  z 0
  asked is 8.94 units north-east of kept
`
	if got := Draw(geom.Vec{X: 8, Z: 4}, geom.Vec{}); got != want {
		t.Errorf("%s", got)
	}
}
