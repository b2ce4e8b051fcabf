package duration

import (
	"strings"
	"testing"
	"time"
)

func TestDurationWithDaysOrWeeksIsParsed(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"400ms": 400 * time.Millisecond, "1h30m": 90 * time.Minute, "30d": 30 * day, "1w": 7 * day, "1w2d3h": 9*day + 3*time.Hour,
		"1d12h": 36 * time.Hour, "0.5d": 12 * time.Hour, "-1d": -day, "-1d12h": -36 * time.Hour, "0": 0, "0s": 0,
		"2562047h47m16.854775807s": 1<<63 - 1,
	} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%s is %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "-", "d", "10", "1d5", "5 d", "1y", "d1", "1d-2h", "1e9d", "9999999999999d", strings.Repeat("9", 400) + "d", "1..5d", "1dd"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%s is accepted as %v", text, got)
		}
	}
}

func TestFormattedDurationIsParsedBack(t *testing.T) {
	for d, want := range map[time.Duration]string{
		7 * day: "7d", 36 * time.Hour: "36h", 90 * time.Minute: "1h30m", 10 * time.Minute: "10m", 400 * time.Millisecond: "400ms", 0: "0s", time.Hour + time.Second: "1h0m1s",
	} {
		if got := Format(d); got != want {
			t.Errorf("%v is printed as %s, want %s", time.Duration(d), got, want)
		}
		if back, err := Parse(want); err != nil || back != d {
			t.Errorf("%s is read as %v, %v", want, back, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1d12h", "-1w", "0.5d", "1d-2h"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(text)
		if err != nil {
			return
		}
		if back, err := Parse(Format(d)); err != nil || back != d {
			t.Fatalf("%q is %v, printed as %s, read as %v, %v", text, d, Format(d), back, err)
		}
	})
}
