package sim

import "testing"

func TestCalendarAdvancesByTimeFactor(t *testing.T) {
	c := Calendar{Year: 7, Day: 335, Hour: 23, Minute: 50, Factor: 10}
	c.Months[0].StartDay = 336
	for _, tc := range []struct {
		ms                      int64
		year, day, hour, minute int32
	}{
		{0, 7, 335, 23, 50},
		{5_999, 7, 335, 23, 50},
		{6_000, 7, 335, 23, 51},
		{60_000, 7, 336, 0, 0},
		{60_000 + 144*60_000, 8, 0, 0, 0},
		{60_000 + 144*60_000*338, 9, 0, 0, 0},
		{-5, 7, 335, 23, 50},
	} {
		got := c.After(tc.ms)
		if got.Year != tc.year || got.Day != tc.day || got.Hour != tc.hour || got.Minute != tc.minute {
			t.Errorf("after %d ms: year %d, day %d, %d:%d; want %d, %d, %d:%d",
				tc.ms, got.Year, got.Day, got.Hour, got.Minute, tc.year, tc.day, tc.hour, tc.minute)
		}
	}
}

func TestCalendarWithTimeFactorZeroDoesNotAdvance(t *testing.T) {
	c := Calendar{Hour: 12}
	if got := c.After(1 << 40); got != c {
		t.Errorf("got %+v", got)
	}
}
