package sim

// Weather is the weather of an area. The numbers are those in the packets of the RealmCrafter protocol. Source:
// docs/wire/rcce.md, ChangeArea.
type Weather uint8

// Values of Weather, as in the packets of the RealmCrafter protocol.
const (
	Sun Weather = iota // clear sky
	Rain
	Snow
	Fog
	Storm
	Wind
)

// weatherPeriodMS is the time between two changes of the weather, in ms. It is an hour of the RealmCrafter server's calendar,
// which runs ten times as fast as real time: that server changes the weather each such hour. The value is an estimate, not
// measured.
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
