package sim

// Weather is the weather of an area. Source: docs/wire/rcce.md, ChangeArea.
type Weather uint8

// Values of Weather. Those after Sun are in the order of AreaDef.WeatherChance.
const (
	Sun Weather = iota // clear sky
	Rain
	Snow
	Fog
	Storm
	Wind
)

// weatherPeriodMS is the time between two changes of the weather, in ms. The RealmCrafter server changes the weather once per
// hour of its calendar. The value is the length of that hour at the default Calendar.Factor of 10; a world with another factor
// has the same period. The period of the RealmCrafter server has not been measured.
const weatherPeriodMS = 360_000

// updateWeather chooses the weather at random by the area's chances, in the first tick and then once per period. The chance of
// sun is 100 percent minus the other chances.
func (a *Area) updateWeather() {
	if a.def.WeatherChance == [5]uint8{} || a.now < a.weatherTick {
		return
	}
	a.weatherTick = a.now + a.ticks(weatherPeriodMS)
	was := a.weather
	a.weather = Sun
	roll := a.rng.IntN(100)
	for i, chance := range a.def.WeatherChance {
		if roll -= int32(chance); roll < 0 {
			a.weather = Rain + Weather(i)
			break
		}
	}
	if a.weather != was {
		a.emit(Event{Kind: EventWeather, N: int32(a.weather)})
	}
}
