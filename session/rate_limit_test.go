package session

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim"
)

func TestFailedLoginsBeforeSetLimitsCountTowardsNewLimit(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		r.player("Ada")
		for range 2 {
			_, err := r.Login(r.ctx, r.peer(), "Ada", "wrong")
			r.mustBe(err, ErrDenied)
		}
		r.SetLimits(Limits{FailuresPerAccount: 2})
		_, err := r.Login(r.ctx, r.peer(), "Ada", "wrong")
		r.mustBe(err, ErrThrottled)
		r.SetLimits(Limits{}) // the defaults
		_, err = r.Login(r.ctx, r.peer(), "Ada", "wrong")
		r.mustBe(err, ErrDenied)
	})
}

func TestTokenBucketOfIntentsAllowsBurstAndThenFixedRate(t *testing.T) {
	of := budget{perSecond: 20, burst: 40}
	b := bucket{milli: of.burst * 1000, atMS: 1000}
	spend := func(nowMS int64) (n int) {
		for b.takeToken(of, nowMS) {
			n++
		}
		return n
	}
	for _, step := range []struct {
		nowMS int64
		want  int
	}{{1000, 40}, {1000, 0}, {1049, 0}, {1050, 1}, {2050, 20}, {2051, 0}, {1_000_000, 40}} {
		if got := spend(step.nowMS); got != step.want {
			t.Errorf("at %d ms %d intents are granted, want %d", step.nowMS, got, step.want)
		}
	}
}

// A bucket grants at most burst + rate x duration tokens over any duration.
func TestTokenBucketNeverExceedsBurstPlusRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := budget{perSecond: rapid.Int64Range(1, 50).Draw(t, "rate"), burst: rapid.Int64Range(1, 50).Draw(t, "burst")}
		b := bucket{milli: of.burst * 1000}
		var now int64
		var granted int64
		for _, wait := range rapid.SliceOfN(rapid.Int64Range(0, 3000), 1, 200).Draw(t, "waits") {
			now += wait
			if b.takeToken(of, now) {
				granted++
			}
			if most := of.burst + now*of.perSecond/1000; granted > most {
				t.Fatalf("%d granted after %d ms, at most %d", granted, now, most)
			}
		}
	})
}

func TestEveryIntentKindHasRateLimit(t *testing.T) {
	for k := sim.IntentJoin; k <= sim.IntentPursue; k++ {
		if b := budgets[rateClassOf(k)]; b.perSecond <= 0 || b.burst < b.perSecond {
			t.Errorf("intent %d has the budget %+v", k, b)
		}
	}
	if rateClassOf(sim.IntentClaim) != classClaim || rateClassOf(sim.IntentDrop) != classItem || rateClassOf(sim.IntentLeaveParty) != classOther {
		t.Error("rateClassOf assigns an intent to the wrong class")
	}
}
