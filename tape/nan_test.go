package tape

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// oddFloats are bits of floats that a hostile client may claim: finite ones, infinities, and quiet and signaling NaNs of both signs.
var oddFloats = []uint32{0, 0x3f800000, 0x7f800000, 0xff800000, 0x7fc00001, 0x7f800001, 0xffc12345, 0xff812345}

// oddTicks returns ticks with one player for each pair of oddFloats. The player sends claims and inputs with these two values, so
// that every pair of values occurs as a prediction's input.
func oddTicks() (ticks []Tick) {
	chain := uint64(1)
	for n := range 4 {
		t := Tick{Tick: sim.Tick(41 + n), WallMS: int64(50 * n)}
		for i, before := range oddFloats {
			for j, last := range oddFloats {
				v := math.Float32frombits([]uint32{before, last}[n%2])
				w := math.Float32frombits([]uint32{last, before}[n%2])
				who := sim.EntityID(1 + len(oddFloats)*i + j)
				claim := sim.Intent{Kind: sim.IntentClaim, Who: who, Claim: move.Claim{X: v, Y: v, Z: w, DestX: w, DestZ: v}}
				input := sim.Intent{Kind: sim.IntentInput, Who: who, Input: move.Input{Tick: uint64(n), Yaw: v, HeadYaw: w}}
				input.Input.Pos.X, input.Input.Pos.Z, input.Input.Delta.X, input.Input.Delta.Z = v, w, v, v
				t.Intents = append(t.Intents, claim, input)
			}
		}
		rec := appendRecord(nil, recordTick, &t)
		chain = sealRecord(rec, chain)
		t.chain = chain
		ticks = append(ticks, t)
	}
	return ticks
}

// After a claim of infinity or NaN, the prediction of the next claim is a NaN, whose bits differ between processors: infinity minus
// infinity is 0xffc00000 on amd64 and 0x7fc00000 on arm64. The digest is that of amd64, so that tapes written there stay readable.
func TestColumnsOfInfiniteAndNaNFloatsAreSameOnEveryProcessor(t *testing.T) {
	ticks := oddTicks()
	var g groupWriter
	g.reset(&ticks[0], 1)
	for i := range ticks {
		g.add(&ticks[i])
	}
	h := sha256.New()
	for _, column := range g.columns {
		h.Write(column)
	}
	const want = "53e23ff0133baec471530981a7e4c4a5b0758b88e99b153751b4bcbd9c6fb155"
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("the digest of the columns is %s, want %s", got, want)
	}
	r, err := newPacker().readGroup(newPacker().appendGroup(nil, &g))
	if err != nil {
		t.Fatal(err)
	}
	for i := range ticks {
		var got Tick
		if err := r.next(&got); err != nil {
			t.Fatal(err)
		}
		sameTicks(t, []Tick{got}, ticks[i:i+1])
	}
}
