package journal

import (
	"fmt"
	"strings"
	"time"

	"github.com/truestep-io/truestep/internal/duration"
)

// ParseTime parses a time as operators type it: a duration before now (10m, 1d12h, -90s), a time of day (its latest
// occurrence before now), a date, or a date and time. Times are in the time zone of now. An error begins with the text in
// quotation marks.
func ParseTime(text string, now time.Time) (time.Time, error) {
	trimmed := strings.TrimSpace(text)
	if ago, err := duration.Parse(strings.TrimPrefix(trimmed, "-")); err == nil && ago >= 0 && trimmed != "0" {
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
