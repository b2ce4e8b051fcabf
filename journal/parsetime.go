package journal

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// ParseTime parses a time as operators type it: a duration before now (10m, 1d12h, -90s), a time of day (the latest before now), a
// date, or a date and time. Times are in the location of now. The error begins with the text.
func ParseTime(text string, now time.Time) (time.Time, error) {
	trimmed := strings.TrimSpace(text)
	if ago, ok := parseAgo(strings.TrimPrefix(trimmed, "-")); ok {
		return now.Add(-ago), nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02", "2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if t, err := time.ParseInLocation(layout, trimmed, now.Location()); err == nil {
			return t, nil
		}
	}
	for _, layout := range []string{"15:04", "15:04:05"} {
		t, err := time.Parse(layout, trimmed)
		if err != nil {
			continue
		}
		today := time.Date(now.Year(), now.Month(), now.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), now.Location())
		if today.After(now) {
			return today.AddDate(0, 0, -1), nil
		}
		return today, nil
	}
	return time.Time{}, fmt.Errorf("%q is not a time: write how long ago (10m, 2h, 3d) or when (15:04, 2026-01-31, '2026-01-31 15:04')", text)
}

// agoUnits maps the unit letters of a duration to their lengths.
var agoUnits = map[string]time.Duration{
	"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour,
}

// parseAgo parses a duration such as 90s, 1.5h or 1d12h, up to 100 years.
func parseAgo(text string) (time.Duration, bool) {
	const longest = 100 * 365 * 24 * time.Hour
	var sum float64
	rest := text
	for rest != "" {
		n := strings.IndexFunc(rest, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
		if n <= 0 {
			return 0, false
		}
		v, err := strconv.ParseFloat(rest[:n], 64)
		unit, ok := agoUnits[rest[n:n+1]]
		if err != nil || !ok {
			return 0, false
		}
		sum += v * float64(unit)
		rest = rest[n+1:]
	}
	if text == "" || math.IsNaN(sum) || sum > float64(longest) {
		return 0, false
	}
	return time.Duration(sum), true
}
