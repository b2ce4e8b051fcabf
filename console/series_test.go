package console

import (
	"runtime"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/telemetry"
)

func stats(held, corrected uint64) []area.AreaStats {
	return []area.AreaStats{
		{Players: 3, Actors: 10, TickP50: 2 * time.Millisecond, TickP99: 9 * time.Millisecond, Held: map[string]uint64{"too_fast": held}},
		{Players: 4, Actors: 20, TickP50: time.Millisecond, TickP99: 12 * time.Millisecond, Corrected: map[string]uint64{"mispredicted": corrected}},
	}
}

func TestMetricSeriesHasOnePointPerSecond(t *testing.T) {
	var s series
	at := time.UnixMilli(1_000_000)
	s.add(at, stats(5, 7), telemetry.Totals{BytesIn: 100})
	if got := s.bodySince(0); len(got.At) != 0 {
		t.Errorf("the first call added a point: %+v", got)
	}
	s.add(at.Add(time.Second), stats(5, 9), telemetry.Totals{BytesIn: 600, PacketsOut: 30})
	s.add(at.Add(3*time.Second), stats(6, 9), telemetry.Totals{BytesIn: 1600, PacketsOut: 30})
	got := s.bodySince(0)
	if len(got.At) != 2 || got.At[0] != 1_001_000 || got.At[1] != 1_003_000 || got.StepMS != 1000 {
		t.Fatalf("the series is %+v", got)
	}
	if got.Players[0] != 7 || got.Actors[0] != 30 || got.TickP50US[0] != 2000 || got.TickP99US[0] != 12000 {
		t.Errorf("the series is %+v", got)
	}
	if got.BytesIn[0] != 500 || got.BytesIn[1] != 500 || got.PacketsOut[0] != 30 || got.PacketsOut[1] != 0 {
		t.Errorf("the series is %+v", got)
	}
	if c := got.Corrections["mispredicted"]; len(got.Corrections) != 1 || c[0] != 2 || c[1] != 0 {
		t.Errorf("corrections %v", got.Corrections)
	}
	if h := got.Holds["too_fast"]; len(got.Holds) != 1 || h[0] != 0 || h[1] != 1 {
		t.Errorf("holds %v", got.Holds)
	}
	if later := s.bodySince(1_001_000); len(later.At) != 1 || len(later.Corrections) != 0 || len(later.Players) != 1 {
		t.Errorf("the series since the first second is %+v", later)
	}
}

func TestMetricSeriesHoldsLastHour(t *testing.T) {
	var s series
	at := time.UnixMilli(0)
	names := reason.All()
	held, corrected := map[string]uint64{}, map[string]uint64{}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range 2*seriesLength + 100 {
		held[names[i%len(names)].String()]++
		corrected[names[i%len(names)].String()]++
		s.add(at.Add(time.Duration(i)*time.Second), []area.AreaStats{{Players: i, Held: held, Corrected: corrected}}, telemetry.Totals{})
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapInuse) - int64(before.HeapInuse); grown > 8<<20 {
		t.Errorf("an hour with every reason takes %d KiB", grown>>10)
	}
	got := s.bodySince(0)
	if len(got.At) != seriesLength || got.At[0] != 1000*(seriesLength+100) || got.Players[seriesLength-1] != 2*seriesLength+99 {
		t.Fatalf("%d points from %d", len(got.At), got.At[0])
	}
	for i := 1; i < len(got.At); i++ {
		if got.At[i] != got.At[i-1]+1000 {
			t.Fatalf("%d after %d", got.At[i], got.At[i-1])
		}
	}
	for name, list := range got.Holds {
		var sum uint32
		for _, n := range list {
			sum += n
		}
		if len(list) != seriesLength || sum < seriesLength/uint32(len(names)) || sum > seriesLength/uint32(len(names))+1 {
			t.Errorf("%s: %d in %d points", name, sum, len(list))
		}
	}
	runtime.KeepAlive(&s)
}

func TestConnectionTrafficRateIsAverageSincePreviousUpdate(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		r.waitUntilShown(s)
		now := r.clock.now()
		s.Link().BytesOut.Add(100)
		r.links.update(r.Hub.Players(), now)
		s.Link().BytesOut.Add(5000)
		s.Link().PacketsIn.Add(40)
		s.Link().RTT.Store(35)
		r.links.update(r.Hub.Players(), now.Add(2*time.Second))
		if rate := r.links.rate(s.Entity); rate.bytesOut != 2500 || rate.packetsIn != 20 || rate.bytesIn != 0 {
			t.Errorf("the traffic rate is %+v", rate)
		}
		if a := r.call(Viewer, "GET", pathOf(s, ""), ""); a.status != 200 {
			t.Errorf("status %d, response %s", a.status, a.body)
		}
		r.links.update(nil, now.Add(3*time.Second))
		if r.links.contains(s.Entity) {
			t.Error("a player that left still has a rate")
		}
	})
}
