package settings

import (
	"math"
	"testing"
)

func TestPercentIsParsedFromPercentageOrFraction(t *testing.T) {
	for text, want := range map[string]float64{"5%": 0.05, "0.05": 0.05, "0%": 0, "99.9%": 0.999} {
		var p Percent
		if err := p.UnmarshalText([]byte(text)); err != nil || math.Abs(float64(p)-want) > 1e-9 {
			t.Errorf("%q: %v, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "%", "100%", "1", "-1%", "NaN", "x"} {
		if err := new(Percent).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("share %q is accepted", text)
		}
	}
}
