// Package duration parses and prints durations as operators write them: in Go's notation, extended by days and weeks (30d, 1w,
// 1d12h).
package duration

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const day = 24 * time.Hour

// days matches the parts of a duration that package time cannot parse: numbers of days and weeks, such as 1.5d.
var days = regexp.MustCompile(`(\d+(?:\.\d+)?)([dw])`)

// Parse parses a duration such as 400ms, 90s, 1.5h, 30d or 1w2d. The message of an error begins with the invalid text in quotes.
func Parse(text string) (time.Duration, error) {
	if d, err := time.ParseDuration(text); err == nil {
		return d, nil
	}
	var sum float64 // ns
	rest := days.ReplaceAllStringFunc(strings.TrimPrefix(text, "-"), func(part string) string {
		n, _ := strconv.ParseFloat(part[:len(part)-1], 64) // for a number beyond the range of float64, n is infinite
		if part[len(part)-1] == 'w' {
			n *= 7
		}
		sum += n * float64(day)
		return ""
	})
	if rest != "" {
		d, err := time.ParseDuration(rest)
		if err != nil || d < 0 || rest[0] == '+' {
			return 0, fmt.Errorf("%q is not a duration such as 400ms, 10m, 12h or 30d", text)
		}
		sum += float64(d)
	}
	switch {
	case rest == "" && sum == 0 && !days.MatchString(text):
		return 0, fmt.Errorf("%q is not a duration such as 400ms, 10m, 12h or 30d", text)
	case sum >= math.MaxInt64:
		return 0, fmt.Errorf("%q is too long for a duration: at most 290 years", text)
	case strings.HasPrefix(text, "-"):
		sum = -sum
	}
	return time.Duration(sum), nil
}

// Format returns a duration as text that Parse accepts: whole days as "30d", everything else in Go's notation without a
// trailing "0s" or "0m0s", such as "1h30m".
func Format(d time.Duration) string {
	if d >= day && d%day == 0 {
		return strconv.FormatInt(int64(d/day), 10) + "d"
	}
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}
