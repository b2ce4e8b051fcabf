package move

import "testing"

// Rule SV-18 of docs/wire/bedrock.md: after a long silence the client may send at most as many late inputs as the queue
// holds.
func TestInputCreditAfterSilenceIsBoundedByQueueSize(t *testing.T) {
	policy := DefaultPredictPolicy()
	policy.SilentKickMS = 0
	s := PredictState{Started: true}
	const rate, seconds = 20, 200
	for range 3000 {
		policy.InputsDue(&s, 0, rate)
		policy.CountSilentTick(&s, rate)
	}
	waits, done := 0, 0
	for i := range seconds * rate {
		waits++
		if i%4 == 0 { // 25 inputs per second
			waits++
		}
		waits = min(waits, int(policy.QueueSize))
		n := policy.InputsDue(&s, waits, rate)
		waits -= n
		done += n
	}
	maximum := seconds*rate + int(policy.MaxCredits+policy.QueueSize) + seconds/driftSeconds + 1
	if done > maximum {
		t.Errorf("%d inputs processed in %d s, at most %d", done, seconds, maximum)
	}
}

// Rule SV-18 of docs/wire/bedrock.md: an extra input per tick is processed only if the queue has been non-empty without
// interruption.
func TestExtraInputIsProcessedOnlyAfterUninterruptedBacklog(t *testing.T) {
	policy := DefaultPredictPolicy()
	const rate = 20
	for broken, want := range map[bool]int{false: 2, true: 1} {
		s := PredictState{Started: true}
		for range rate*driftSeconds - 1 {
			if n := policy.InputsDue(&s, 2, rate); n != 1 {
				t.Fatalf("%d inputs in a tick", n)
			}
		}
		if broken {
			policy.InputsDue(&s, 1, rate)
		}
		if n := policy.InputsDue(&s, 2, rate); n != want {
			t.Errorf("interrupted %v: %d inputs in a tick, want %d", broken, n, want)
		}
	}
}
