package area

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim"
)

func claim(who sim.EntityID, n int64) sim.Intent {
	return sim.Intent{Kind: sim.IntentClaim, Who: who, AtMS: n}
}

func TestPlayerAboveIntentBudgetDoesNotBlockOtherPlayers(t *testing.T) {
	running(t, 1, Options{}, func(t *testing.T, w *World, fakes []*fake) {
		for i := range int64(MaxInbox) {
			submit(t, w, 0, claim(1, i))
		}
		for range 100 {
			if err := w.Submit(0, claim(1, 99)); !errors.Is(err, ErrFull) {
				t.Fatalf("an intent above the budget gives %v, want ErrFull", err)
			}
		}
		submit(t, w, 0, claim(2, 0), join(1), sim.Intent{Kind: sim.IntentLeave, Who: 3}, sim.Intent{Kind: sim.IntentFreeze, Who: 1})
		if n := w.Stats()[0].Full; n != 100 {
			t.Errorf("stats count %d rejected intents, want 100", n)
		}
		ticks(1)
		if n := len(fakes[0].took[0]); n != MaxIntentsTick+4 {
			t.Errorf("the tick took %d intents, want %d of the first player and 4 of the others", n, MaxIntentsTick)
		}
	})
}

func TestTickProcessesAtMostEightIntentsPerPlayer(t *testing.T) {
	running(t, 1, Options{}, func(t *testing.T, w *World, fakes []*fake) {
		for i := range int64(20) {
			submit(t, w, 0, claim(1, i))
		}
		ticks(3)
		var next int64
		for tick, want := range []int{8, 8, 4} {
			if n := len(fakes[0].took[tick]); n != want {
				t.Errorf("tick %d took %d, want %d", tick, n, want)
			}
			for _, in := range fakes[0].took[tick] {
				if in.AtMS != next {
					t.Errorf("took intent %d, want %d", in.AtMS, next)
				}
				next++
			}
		}
	})
}

// A node of a cluster drains the inbox several times in a round.
func TestRepeatedDrainInOneRoundRespectsIntentLimit(t *testing.T) {
	b := newInbox(64, 8)
	put := func(who sim.EntityID, n int64) {
		for i := range n {
			if err := b.put(claim(who, i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	put(1, 8)
	put(2, 3)
	if n := len(b.drain(nil, true)); n != 11 {
		t.Fatalf("the first drain takes %d intents, want 11", n)
	}
	put(1, 8)
	put(2, 8)
	if got := b.drain(nil, false); len(got) != 5 || got[0].Who != 2 {
		t.Errorf("a further drain of the round takes %d intents, want 5 of player 2", len(got))
	}
	if n := len(b.drain(nil, true)); n != 8+3 {
		t.Errorf("the next round takes %d intents, want 11", n)
	}
	for who := range sim.EntityID(1000) { // each player sends one intent and no more
		_ = b.put(claim(who+10, 1))
		b.drain(nil, true)
	}
	if n := len(b.budgets); n > 1 {
		t.Errorf("the inbox has %d budgets, want that of the last player", n)
	}
}

func TestQueuedIntentsOfPlayerAreDroppedOnLeave(t *testing.T) {
	b := newInbox(64, 2)
	for i := range int64(5) {
		_ = b.put(claim(1, i))
		_ = b.put(claim(2, i))
	}
	_ = b.put(sim.Intent{Kind: sim.IntentLeave, Who: 1})
	got := b.drain(nil, true)
	if len(got) != 5 || got[4].Kind != sim.IntentLeave {
		t.Errorf("took %+v", got)
	}
	for _, in := range b.drain(nil, true) {
		if in.Who == 1 {
			t.Error("an intent of the player was taken after its leave")
		}
	}
	if n := b.budgets[1].waiting; n != 0 {
		t.Errorf("%d of its intents are still counted", n)
	}
}

func TestSubmitToUnknownAreaReturnsErrClosed(t *testing.T) {
	w, _ := newFakes(2, Options{})
	for _, id := range []sim.AreaID{-1, 2, 1 << 30} {
		if err := w.Submit(id, join(1)); !errors.Is(err, ErrClosed) {
			t.Errorf("area %d: %v", id, err)
		}
	}
}

// Every accepted intent of random traffic is drained once, in the order of its player and within the budgets.
func TestInboxPreservesIntentOrderAndBudgetPerPlayer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth, perTick := rapid.IntRange(1, 6).Draw(t, "depth"), rapid.IntRange(1, 4).Draw(t, "per tick")
		b := newInbox(depth, perTick)
		waiting := map[sim.EntityID]int{}
		last := map[sim.EntityID]int64{}
		var serial int64
		taken := map[sim.EntityID]int{} // in this round
		drain := func(newRound bool) (n int) {
			if newRound {
				clear(taken)
			}
			for _, in := range b.drain(nil, newRound) {
				n++
				if in.Kind == sim.IntentJoin {
					continue
				}
				taken[in.Who]++
				waiting[in.Who]--
				if in.AtMS <= last[in.Who] {
					t.Fatalf("intent %d of player %d drained after %d", in.AtMS, in.Who, last[in.Who])
				}
				last[in.Who] = in.AtMS
			}
			for who, k := range taken {
				if k > perTick {
					t.Fatalf("player %d had %d intents in one round", who, k)
				}
			}
			return n
		}
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			who := sim.EntityID(rapid.IntRange(1, 3).Draw(t, "who"))
			switch rapid.IntRange(0, 6).Draw(t, "what") {
			case 0:
				drain(rapid.Bool().Draw(t, "new round"))
			case 1:
				if err := b.put(join(who)); err != nil {
					t.Fatal(err)
				}
			default:
				serial++
				err := b.put(claim(who, serial))
				if full := waiting[who] >= depth; full != errors.Is(err, ErrFull) {
					t.Fatalf("%d of %d wait, and put returned %v", waiting[who], depth, err)
				}
				if err == nil {
					waiting[who]++
				}
			}
		}
		for drain(true) > 0 {
		}
		for who, n := range waiting {
			if n != 0 {
				t.Fatalf("%d intents of player %d were lost", n, who)
			}
		}
		if len(b.budgets) != 0 || len(b.waiting) != 0 {
			t.Fatalf("the empty inbox still has budgets %v", b.budgets)
		}
	})
}

// BenchmarkInboxRound puts an intent of each of 250 players into the inbox and drains it into a new slice, as a node of a cluster does.
func BenchmarkInboxRound(b *testing.B) {
	inbox := newInbox(MaxInbox, MaxIntentsTick)
	b.ReportAllocs()
	for b.Loop() {
		for who := range sim.EntityID(250) {
			if err := inbox.put(claim(who+1, 0)); err != nil {
				b.Fatal(err)
			}
		}
		if got := inbox.drain(nil, true); len(got) != 250 {
			b.Fatalf("drained %d intents", len(got))
		}
	}
}
