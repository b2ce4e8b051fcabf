package content

import (
	"fmt"

	"github.com/truestep-io/truestep/sim"
)

// defaultTimeFactor is the default number of game minutes per real minute.
const defaultTimeFactor = 10

// defaultCalendar returns the calendar that clients see if the world has none: 12 months of 28 days and four seasons. Its time
// begins at noon of the first day. Source: RealmCrafter data specification, section 9, default of the RealmCrafter server.
func defaultCalendar() sim.Calendar {
	const months, monthDays, seasons = 12, 28, 4
	c := sim.Calendar{Year: 1, Day: 1, Hour: 12, Factor: defaultTimeFactor}
	for i := range c.Months {
		c.Months[i] = sim.Month{Name: fmt.Sprint("Month ", i+1), StartDay: int32(i * monthDays)}
	}
	for i := range c.Seasons {
		c.Seasons[i] = sim.Season{Name: fmt.Sprint("Season ", i+1), StartDay: int32(i * months * monthDays / seasons), Dusk: 18, Dawn: 6}
	}
	// As in the RealmCrafter server, the first month and the first season begin on the last day of the year.
	c.Months[0].StartDay, c.Seasons[0].StartDay = months*monthDays, months*monthDays
	return c
}

// importCalendar imports Environment.dat. Values that clients cannot show are limited without a warning, because a server
// wrote the file, not the world's author.
func (b *projectBuilder) importCalendar() {
	e := b.raw.environment
	if e == nil {
		return
	}
	c := sim.Calendar{
		Year: max(e.Year, 0), Day: min(max(e.Day, 0), maxValue), Hour: min(max(e.Hour, 0), 23), Minute: min(max(e.Minute, 0), 59),
		Factor: min(e.TimeFactor, 255),
	}
	if c.Factor < 1 {
		c.Factor = defaultTimeFactor
	}
	for i, s := range e.Seasons {
		c.Seasons[i] = sim.Season{Name: s.Name, StartDay: min(max(s.StartDay, 0), maxValue), Dusk: min(max(s.DuskHour, 0), 23), Dawn: min(max(s.DawnHour, 0), 23)}
	}
	for i, m := range e.Months {
		c.Months[i] = sim.Month{Name: m.Name, StartDay: min(max(m.StartDay, 0), maxValue)}
	}
	b.w.Calendar = c
}
