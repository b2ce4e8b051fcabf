package sim

// Calendar is the date and time at which a world starts, and how fast they advance. Source: RealmCrafter Environment.dat.
type Calendar struct {
	Year         int32 // number of the year
	Day          int32 // day of the year, from 0
	Hour, Minute int32
	Factor       int32 // game minutes per real minute; 0 stops time
	Seasons      [12]Season
	Months       [20]Month // Months[0].StartDay is the last day of the year, where the first month begins
}

// Season is one of the seasons of the game's year. It lasts until the next season begins.
type Season struct {
	Name       string // name of the season that clients display
	StartDay   int32  // day of the year on which it begins, from 0
	Dusk, Dawn int32  // hours of the day at which dusk and dawn begin, 0..23
}

// Month is one of the months of the game's year. It lasts until the next month begins.
type Month struct {
	Name     string // name of the month that clients display
	StartDay int32  // day of the year on which it begins, from 0
}

// After returns the calendar after ms milliseconds of real time. The days of a year are 0 to the StartDay of the first month,
// both included: in the RealmCrafter server the first month begins on the last day of the year.
func (c Calendar) After(ms int64) Calendar {
	minutes := int64(c.Minute) + max(ms, 0)*int64(max(c.Factor, 0))/60_000
	hours := int64(c.Hour) + minutes/60
	days := int64(c.Day) + hours/24
	year := int64(max(c.Months[0].StartDay, 0)) + 1
	c.Minute, c.Hour, c.Day = int32(minutes%60), int32(hours%24), int32(days%year)
	c.Year = int32(int64(c.Year) + days/year)
	return c
}
