package sim

import "testing"

func TestWeatherIsChosenWithProbabilitiesOfArea(t *testing.T) {
	w := testWorld()
	w.Areas[0].WeatherChance = [5]uint8{30, 0, 20, 0, 10}
	a := NewArea(w, 0, 7)
	count := map[Weather]int{}
	const draws = 2000
	for range draws {
		a.weatherTick = 0 // ends the current weather
		f := a.Step(nil)
		if changes := events(f, EventWeather); len(changes) > 0 && Weather(changes[0].N) != f.Weather {
			t.Fatalf("the event has %d, the frame %d", changes[0].N, f.Weather)
		}
		count[f.Weather]++
		a.Recycle(f)
	}
	for kind, percent := range map[Weather]int{Sun: 40, Rain: 30, Snow: 0, Fog: 20, Storm: 0, Wind: 10} {
		if got := count[kind] * 100 / draws; got < percent-3 || got > percent+3 || percent == 0 && count[kind] > 0 {
			t.Errorf("weather %d in %d of 100, want %d", kind, got, percent)
		}
	}
}

func TestWeatherLastsOnePeriod(t *testing.T) {
	w := testWorld()
	w.Areas[0].WeatherChance = [5]uint8{50, 0, 0, 0, 0}
	a := NewArea(w, 0, 1)
	first := a.Step(nil).Weather
	for range a.ticks(weatherPeriodMS) - 1 {
		f := a.Step(nil)
		if f.Weather != first {
			t.Fatalf("weather changed at tick %d", f.Tick)
		}
		a.Recycle(f)
	}
	if again := a.weatherTick; again > a.now+1 {
		t.Errorf("at tick %d the next draw is at %d", a.now, again)
	}
}
