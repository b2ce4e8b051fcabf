package rcce

import (
	"math"
	"testing"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Section "Scales" of docs/one-world.md: a claimed position is sent to other clients without rounding, up to the edge of the world.
func TestSentPositionsAreNotRounded(t *testing.T) {
	last := math.Nextafter32(move.WorldLimit, 0)
	for _, v := range []float32{0, 1, -1, 0.1, 1.0 / 3, -12345.678, 65536.01, last, -last, math.SmallestNonzeroFloat32, 1e-20} {
		said := proto.StandardUpdateRequest{DestX: v, DestZ: -v, Y: v / 2, X: -v, Z: v}
		heard, err := proto.ParseStandardUpdateRequest(said.Append(nil)[1:])
		if err != nil {
			t.Fatal(err)
		}
		c := toClaim(&heard)
		for _, w := range []float32{c.X, c.Y, c.Z, c.DestX, c.DestZ} {
			if move.SanitizeCoord(w) != w {
				t.Errorf("%v is outside the world", w)
			}
		}
		a := sim.ActorState{Flags: sim.FlagFlying, Pos: geom.Vec{X: c.X, Y: c.Y, Z: c.Z}, DestX: c.DestX, DestZ: c.DestZ}
		told, err := proto.ParseS2C(standardUpdate(7, 0, &a).Append(nil))
		if err != nil {
			t.Fatal(err)
		}
		if u := told.(proto.StandardUpdate); u.X != -v || u.Y != v/2 || u.Z != v || u.DestX != v || u.DestZ != -v {
			t.Errorf("%v was sent as %+v", v, u)
		}
	}
	for _, v := range []float32{move.WorldLimit, -move.WorldLimit, float32(math.Inf(1)), float32(math.NaN())} {
		if move.SanitizeCoord(v) != 0 {
			t.Errorf("%v is inside the world", v)
		}
	}
}
