package sim

// Weather is what the sky of an area does. The numbers are the wire's. Source: docs/wire/rcce.md, ChangeArea.
type Weather uint8

// Kinds of weather.
const (
	Sun Weather = iota
	Rain
	Snow
	Fog
	Storm
	Wind
)

// weatherEveryMS is how long a weather lasts. guess: the original changes it by the hour of its own calendar, which runs
// ten times as fast as ours.
const weatherEveryMS = 360_000

// turnWeather draws the weather by the area's chances, at the first tick and then when its time is over. What the
// chances leave of 100 is sun.
func (a *Area) turnWeather() {
	if a.def.WeatherChance == [5]uint8{} || a.now < a.weatherTick {
		return
	}
	a.weatherTick = a.now + a.ticks(weatherEveryMS)
	was := a.weather
	a.weather = Sun
	roll := a.luck.IntN(100)
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
