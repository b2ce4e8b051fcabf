package move

import (
	"math"
	"testing"
)

func TestEverySineTableEntryEqualsMathSinRoundedToFloat32(t *testing.T) {
	for i := range int32(sineSteps) {
		want := float32(math.Sin(float64(i) * 2 * math.Pi / sineSteps))
		if got := sineAt(i); got != want {
			t.Errorf("entry %d is %v, want %v", i, got, want)
		}
		if got := sineAt(i - sineSteps); got != want {
			t.Errorf("entry %d is %v, want %v", i-sineSteps, got, want)
		}
	}
}

func TestAngleIsTruncatedToIndexOfSineTable(t *testing.T) {
	for _, tt := range []struct {
		x            float32
		sine, cosine int32
	}{
		{0, 0, 16384},
		{1.5707964, 16384, 32768},
		{-1.5707964, -16384, 0},
		{3.1415927, 32768, 49152},
		{-0.00009, 0, 16383},
		{0.00009, 0, 16384},
	} {
		if got := sine(tt.x); got != sineAt(tt.sine) {
			t.Errorf("sine of %v is %v, want entry %d", tt.x, got, tt.sine)
		}
		if got := cosine(tt.x); got != sineAt(tt.cosine) {
			t.Errorf("cosine of %v is %v, want entry %d", tt.x, got, tt.cosine)
		}
	}
}
