package telemetry

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Status holds the values of the status line: averages and counts over one second.
type Status struct {
	Players, Actors       int           // connected players, and all actors
	TickP50, TickP99      time.Duration // median and 99th percentile of the tick duration
	PacketsIn, PacketsOut uint64        // packets per second
	BytesIn, BytesOut     uint64        // payload bytes per second
	Holds                 []NamedCount  // held claims by reason, during the second
	Unsaved               int           // player records that wait to be saved, shown while SaveFailing is not 0
	SaveFailing           time.Duration // time since records could last be saved; 0 while saving works
	Failures              []Failure     // other current failures, such as a journal that cannot be written
	Now                   time.Time     // time of the status; String computes the durations of Failures up to it
}

// SetRates computes the traffic per second and the number of held claims from two readings of the counters, was and is, and the
// time between them. Players, actors and tick durations are unchanged.
func (s *Status) SetRates(was, is Totals, elapsed time.Duration) {
	perSecond := func(was, is uint64) uint64 {
		if elapsed <= 0 || is < was {
			return 0
		}
		return uint64(float64(is-was)/elapsed.Seconds() + 0.5)
	}
	s.PacketsIn = perSecond(was.PacketsIn, is.PacketsIn)
	s.PacketsOut = perSecond(was.PacketsOut, is.PacketsOut)
	s.BytesIn = perSecond(was.BytesIn, is.BytesIn)
	s.BytesOut = perSecond(was.BytesOut, is.BytesOut)
	s.Holds = s.Holds[:0]
	for _, h := range is.Holds {
		if n := h.N - countOf(was.Holds, h.Name); n > 0 {
			s.Holds = append(s.Holds, NamedCount{h.Name, n})
		}
	}
}

func countOf(list []NamedCount, name string) uint64 {
	for _, c := range list {
		if c.Name == name {
			return c.N
		}
	}
	return 0
}

// String returns the status line without a newline. Holds are sorted by frequency and omitted when there were none:
//
//	CANNOT SAVE for 1m12s, 12 unsaved  12 players  340 actors  ...
//	12 players  340 actors  tick 0.4/1.9 ms  in 60/s 1.9 KB/s  out 410/s 15.2 KB/s  held too_fast 3, warping 1
func (s Status) String() string {
	var b strings.Builder
	if s.SaveFailing > 0 { // the line begins with the failure, because a narrow terminal cuts off the end
		fmt.Fprintf(&b, "CANNOT SAVE for %s, %d unsaved  ", s.SaveFailing.Round(time.Second), s.Unsaved)
	}
	for i := range s.Failures {
		b.WriteString(s.Failures[i].text(s.Now) + "  ")
	}
	fmt.Fprintf(&b, "%d players  %d actors  tick %s/%s ms  in %d/s %s/s  out %d/s %s/s",
		s.Players, s.Actors, millis(s.TickP50), millis(s.TickP99),
		s.PacketsIn, size(s.BytesIn), s.PacketsOut, size(s.BytesOut))
	holds := slices.Clone(s.Holds)
	slices.SortFunc(holds, func(a, b NamedCount) int {
		return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Name, b.Name))
	})
	for i, h := range holds {
		b.WriteString([]string{"  held ", ", "}[min(i, 1)])
		fmt.Fprintf(&b, "%s %d", h.Name, h.N)
	}
	return b.String()
}

func millis(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d)/float64(time.Millisecond)) }

// size formats a number of bytes with decimal prefixes.
func size(n uint64) string {
	units := []string{"B", "KB", "MB", "GB"}
	x, u := float64(n), 0
	for x >= 999.95 && u < len(units)-1 {
		x, u = x/1000, u+1
	}
	if u == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", x, units[u])
}
