package telemetry

import (
	"errors"
	"testing"
	"time"
)

func TestStatusLineShowsRatesAndRejectedMovements(t *testing.T) {
	for _, c := range []struct {
		name string
		is   Status
		want string
	}{
		{"empty server", Status{}, "0 players  0 actors  tick 0.0/0.0 ms  in 0/s 0 B/s  out 0/s 0 B/s"},
		{
			"holds sorted by frequency, then by name",
			Status{
				Players: 12, Actors: 340, TickP50: 412 * time.Microsecond, TickP99: 1949 * time.Microsecond,
				PacketsIn: 60, BytesIn: 1_940, PacketsOut: 410, BytesOut: 15_240_000,
				Holds: []NamedCount{{"warping", 1}, {"too_fast_up", 1}, {"too_fast", 3}},
			},
			"12 players  340 actors  tick 0.4/1.9 ms  in 60/s 1.9 KB/s  out 410/s 15.2 MB/s" +
				"  held too_fast 3, too_fast_up 1, warping 1",
		},
		{"disk full", Status{Unsaved: 12, SaveFailing: 72*time.Second + 300*time.Millisecond},
			"CANNOT SAVE for 1m12s, 12 unsaved  0 players  0 actors  tick 0.0/0.0 ms  in 0/s 0 B/s  out 0/s 0 B/s"},
		{"journal fails", Status{Now: time.Unix(100, 0), Failures: []Failure{{What: "JOURNAL NOT WRITTEN", Since: time.Unix(28, 0)}}},
			"JOURNAL NOT WRITTEN for 1m12s  0 players  0 actors  tick 0.0/0.0 ms  in 0/s 0 B/s  out 0/s 0 B/s"},
		{"999 bytes are written in bytes", Status{BytesIn: 999, BytesOut: 1000},
			"0 players  0 actors  tick 0.0/0.0 ms  in 0/s 999 B/s  out 0/s 1.0 KB/s"},
		{"999,950 bytes round to 1.0 MB", Status{BytesIn: 999_949, BytesOut: 999_950},
			"0 players  0 actors  tick 0.0/0.0 ms  in 0/s 999.9 KB/s  out 0/s 1.0 MB/s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.is.String(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestStatusRatesAreDifferencesOfTwoTotals(t *testing.T) {
	was := Totals{PacketsIn: 100, BytesOut: 5000, Holds: []NamedCount{{"too_fast", 7}, {"warping", 2}}}
	is := Totals{PacketsIn: 220, BytesOut: 8000, Holds: []NamedCount{{"too_fast", 9}, {"warping", 2}, {"ridden", 1}}}
	s := Status{Players: 4}
	s.SetRates(was, is, 2*time.Second)
	if s.PacketsIn != 60 || s.BytesOut != 1500 || s.Players != 4 {
		t.Errorf("rates are %+v", s)
	}
	if want := "  held too_fast 2, ridden 1"; s.String()[len(s.String())-len(want):] != want {
		t.Errorf("line is %q", s.String())
	}
	s.SetRates(is, is, 0)
	if s.PacketsIn != 0 || len(s.Holds) != 0 {
		t.Errorf("without elapsed time the rates are %+v", s)
	}
}

func TestFailureLastsFromFirstOfConsecutiveErrorsUntilSuccess(t *testing.T) {
	full, late := errors.New("disk full"), errors.New("timeout")
	var f *Failure
	for i, step := range []struct {
		err   error
		since int64 // time of the first error, 0 if there is no failure
	}{{nil, 0}, {full, 1}, {late, 1}, {nil, 0}, {full, 4}} {
		f = f.Next("JOURNAL NOT WRITTEN", step.err, time.Unix(int64(i), 0))
		if (f == nil) != (step.err == nil) || f != nil && (f.Err != step.err || f.Since != time.Unix(step.since, 0) || f.What != "JOURNAL NOT WRITTEN") {
			t.Errorf("attempt %d: %+v, want %+v", i, f, step)
		}
	}
}
