package area

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/telemetry"
)

func TestAreaStatsCountTicksIntentsAndRefusalReasons(t *testing.T) {
	m := telemetry.New()
	synctest.Test(t, func(t *testing.T) {
		w, fakes := newFakes(2, Options{Metrics: m})
		fakes[1].every = 10 * time.Millisecond
		w.Start(t.Context())
		submit(t, w, 0, join(1), join(2), say(1, "no"), say(2, "no"))
		submit(t, w, 1, join(3))
		time.Sleep(40 * time.Millisecond)
		ticks(20)
		s := w.Stats()
		a, b := s[0], s[1]
		if a.Name != "area 0" || a.Tick != 20 || a.Players != 2 || a.Actors != 2 || a.Intents != 4 || a.Events != 6 {
			t.Errorf("stats are %+v", a)
		}
		if a.Refused["no_pvp"] != 2 || a.Held["too_fast"] != 2 || len(a.Corrected) != 0 || len(b.Refused) != 0 {
			t.Errorf("refused %v, held %v, corrected %v", a.Refused, a.Held, a.Corrected)
		}
		if b.TickP50 < 10*time.Millisecond || b.TickP99 > 12*time.Millisecond || a.TickP99 > time.Millisecond {
			t.Errorf("ticks of 10 ms: p50 %v, p99 %v; ticks of nothing: %v", b.TickP50, b.TickP99, a.TickP99)
		}
		sum := Sum(s)
		if sum.Players != 3 || sum.Refused["no_pvp"] != 2 || sum.TickP99 != b.TickP99 || sum.Intents != 5 {
			t.Errorf("sum is %+v", sum)
		}
		if m.Area("area 0").Players.Load() != 2 || m.Held.With("too_fast").Load() != 2 {
			t.Error("the metrics differ from the stats")
		}
		s[0].Refused["no_pvp"] = 99
		if w.Stats()[0].Refused["no_pvp"] != 2 {
			t.Error("the returned maps are shared with the recorder")
		}
		_ = w.Stop(t.Context())
	})
}

func TestQuantileOfTickTimesExceedsExactValueByAtMostOneEighth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		micros := rapid.SliceOfN(rapid.IntRange(0, 10_000_000), 1, 200).Draw(t, "micros")
		q := rapid.SampledFrom([]float64{.01, .5, .99, 1}).Draw(t, "q")
		var h histogram
		for _, us := range micros {
			h[bucket(time.Duration(us)*time.Microsecond)]++
		}
		slices.Sort(micros)
		rank := max(int(q*float64(len(micros))+0.999999), 1)
		exact := time.Duration(micros[rank-1]) * time.Microsecond
		got := h.quantile(q)
		if got <= exact || got > exact+exact/8+time.Microsecond {
			t.Fatalf("quantile %v of %v is %v, exactly %v", q, micros, got, exact)
		}
	})
}

func TestEveryDurationHasHistogramBucket(t *testing.T) {
	for _, d := range []time.Duration{-time.Second, 0, 7 * time.Microsecond, 8 * time.Microsecond, time.Hour, 1 << 62} {
		if i := bucket(d); i < 0 || i >= len(histogram{}) {
			t.Errorf("bucket of %v is %d", d, i)
		}
	}
	if new(histogram).quantile(.99) != 0 {
		t.Error("the quantile of an empty histogram is not 0")
	}
}

func TestTickTimesInAreaStatsAreForgottenAfterTenSeconds(t *testing.T) {
	var tm timings
	tm.add(3, time.Second)
	for second := int64(4); second < 13; second++ {
		tm.add(second, time.Millisecond)
	}
	h := tm.sum(12)
	if h.quantile(1) < time.Second {
		t.Error("the tick of 9 seconds ago has expired")
	}
	h = tm.sum(13)
	if h.quantile(1) >= time.Second {
		t.Error("the tick of 10 seconds ago has not expired")
	}
	h = tm.sum(1000)
	if h.quantile(1) != 0 {
		t.Error("ticks from before a long pause have not expired")
	}
}
