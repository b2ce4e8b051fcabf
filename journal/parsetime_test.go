package journal

import (
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/duration"
)

func TestParseTimeAcceptsDurationsAndTimesOfDayAndDates(t *testing.T) {
	now := time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"10m": now.Add(-10 * time.Minute), "2h": now.Add(-2 * time.Hour), "3d": now.Add(-72 * time.Hour), "1w": now.AddDate(0, 0, -7),
		"1d12h": now.Add(-36 * time.Hour), "1.5h": now.Add(-90 * time.Minute), " 90s ": now.Add(-90 * time.Second), "-5m": now.Add(-5 * time.Minute),
		"15:00": time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC), "16:00": time.Date(2026, 3, 13, 16, 0, 0, 0, time.UTC),
		"15:00:30": time.Date(2026, 3, 14, 15, 0, 30, 0, time.UTC), "15:00:30.25": time.Date(2026, 3, 14, 15, 0, 30, 250_000_000, time.UTC), "2026-01-31": time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
		"2026-01-31 15:04": time.Date(2026, 1, 31, 15, 4, 0, 0, time.UTC), "2026-01-31T15:04:05+01:00": time.Date(2026, 1, 31, 14, 4, 5, 0, time.UTC),
	} {
		if got, err := ParseTime(text, now); err != nil || !got.Equal(want) {
			t.Errorf("%q is %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "10", "m", "10x", "--5m", "-", "-15:00", "1e3h", "200000000w", "..h", "25:00", "2026-13-01", "10m ago", "NaNh"} {
		if got, err := ParseTime(text, now); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func FuzzParseTime(f *testing.F) {
	for _, s := range []string{"10m", "1d12h", "15:04", "2026-01-31 15:04", "9999999999999999999h", "0.0000001s", "1.2.3h"} {
		f.Add(s)
	}
	now := time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := duration.Parse(text); err != nil {
			_, _ = ParseTime(text, now)
		} else if got, err := ParseTime(text, now); err == nil && got.After(now) {
			t.Errorf("%q is %v, after now", text, got)
		}
	})
}
