package checker

import (
	"strings"
	"testing"
	"time"
)

const margin = time.Second

var began = time.Unix(1_700_000_000, 0)

func at(seconds float64) time.Time { return began.Add(time.Duration(seconds * float64(time.Second))) }

// sound returns a history of three clients in which nothing is wrong: Ann and Bob are in Camp, Cid crosses from Camp to Ring
// at 10 s.
func sound() *History {
	h := New(margin)
	for _, who := range []string{"Ann", "Bob", "Cid"} {
		h.Enter(at(0), who, "Camp")
	}
	for n, t := range []float64{2, 4, 6} {
		for _, who := range []string{"Ann", "Bob", "Cid"} {
			h.RecordLine(at(t), who, "Ann", n+1)
		}
	}
	h.Enter(at(10), "Cid", "Ring")
	h.RecordSaid(at(14.9), "Ann", 4)
	h.RecordLine(at(15), "Ann", "Ann", 4)
	h.RecordLine(at(15.2), "Bob", "Ann", 4)
	h.RecordExperience("Ann", "a", 10)
	h.RecordExperience("Ann", "b", 25)
	h.RecordPlaces(at(1), "a", map[string][]string{"Ann": {"Camp"}, "Bob": {"Camp"}, "Cid": {"Camp", "Ring"}})
	h.RecordPlaces(at(1.3), "c", map[string][]string{"Ann": {"Camp", "Ring"}, "Bob": {"Camp"}, "Cid": {"Camp"}}) // has just started: its frame of Ring is old
	h.RecordPlaces(at(1.6), "c", map[string][]string{"Ann": {"Camp", "Ring"}, "Bob": {"Camp"}, "Cid": {"Camp"}}) // the player really changes areas
	h.RecordPlaces(at(1.9), "c", map[string][]string{"Ann": {"Camp"}, "Bob": {"Camp"}, "Cid": {"Camp"}})
	h.RecordPlaces(at(2), "a", map[string][]string{"Ann": {"Camp"}, "Bob": {"Camp"}, "Cid": {"Ring", "Mine"}})
	h.RecordFrame(at(1), "Ann", "first", "Camp", 20)
	h.RecordFrame(at(3), "Ann", "first", "Camp", 60)
	h.RecordFrame(at(4), "Ann", "second", "Camp", 90)
	h.RecordFrame(at(5), "Ann", "first", "Camp", 100) // the node of the first connection was stopped and now catches up: no contradiction
	h.RecordFrame(at(6), "Ann", "first", "Camp", 120)
	h.RecordFrame(at(9), "Ann", "second", "Ring", 7)
	for i, bob := range []Stacks{{}, {"ground 4": 7}, {}, {"ground 5": 7, "ground 6": 8}} { // Ann drops a stack, takes it and drops it again
		h.RecordStacks(at(20+2*float64(i)), "Ann", []Stacks{{"slot 1 of Ann": 7}, {"ground 4": 7}, {"slot 1 of Ann": 7}, {"ground 5": 7}}[i])
		h.RecordStacks(at(20.8+2*float64(i)), "Bob", bob)
	}
	update := func(connection string, number int, from float64, updates int) {
		for i := range updates {
			h.RecordUpdate(at(from+0.1*float64(i)), "Bob", connection, number)
		}
	}
	update("first", 1, 1, 30)
	update("second", 2, 5, 20)
	update("first", 1, 7, 9) // its node was stopped, and sends at its end what it had in its queues: no contradiction
	h.RecordCensus(Census{Label: "first", ItemStacks: []ItemStack{{"Ann", "Token", 100, true}, {"Bob", "Token", 100, true}}})
	h.RecordCensus(Census{Label: "second", ItemStacks: []ItemStack{{"Ann", "Token", 99, false}, {"ground", "Token", 1, false}, {"Bob", "Token", 100, true}}})
	return h
}

func TestConsistentHistoryHasNoErrors(t *testing.T) {
	h := sound()
	for _, err := range h.Check() {
		t.Error(err)
	}
	if n, own := h.Lines(); n != 7 || own != 1 { // three lines to two clients each, and one line to Bob alone
		t.Errorf("%d lines, and %d of the speaker's own, were looked for, want 7 and 1", n, own)
	}
}

func TestCheckReportsContradictionsInHistory(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(h *History)
		want  string
	}{
		"line doubled":                 {func(h *History) { h.RecordLine(at(7), "Bob", "Ann", 2) }, "Bob was shown chat line 2 of Ann twice"},
		"line doubled to its speaker":  {func(h *History) { h.RecordLine(at(7), "Ann", "Ann", 3) }, "Ann was shown chat line 3 of Ann twice"},
		"line doubled in another area": {func(h *History) { h.RecordLine(at(20), "Cid", "Ann", 3) }, "Cid was shown chat line 3 of Ann twice"},
		"line lost":                    {func(h *History) { h.RecordLine(at(18), "Ann", "Ann", 5) }, "Bob was not shown chat line 5 of Ann"},
		"line lost to all":             {func(h *History) { h.RecordSaid(at(18), "Ann", 5) }, "Ann was not shown chat line 5, which it had sent while it was in Camp"},
		"line out of order": {func(h *History) {
			h.RecordLine(at(18), "Bob", "Ann", 6)
			h.RecordLine(at(18.1), "Bob", "Ann", 5)
		}, "Bob was shown chat line 5 of Ann after the later line 6"},
		"character in two places": {func(h *History) {
			h.RecordPlaces(at(3), "a", map[string][]string{"Ann": {"Camp", "Ring"}, "Bob": {"Camp"}, "Cid": {"Ring"}})
			h.RecordPlaces(at(4), "a", map[string][]string{"Ann": {"Camp", "Ring"}, "Bob": {"Camp"}, "Cid": {"Ring"}})
		}, "a shows Ann in 2 areas at once"},
		"character twice in one area": {func(h *History) {
			h.RecordPlaces(at(2), "b", map[string][]string{"Ann": {"Camp"}, "Bob": {"Camp"}, "Cid": {"Ring"}})
			h.RecordPlaces(at(3), "b", map[string][]string{"Ann": {"Camp"}, "Bob": {"Camp", "Camp"}, "Cid": {"Ring"}})
			h.RecordPlaces(at(4), "b", map[string][]string{"Ann": {"Camp"}, "Bob": {"Camp", "Camp"}, "Cid": {"Ring"}})
		}, "b shows Bob in 2 areas at once"},
		"experience fell": {func(h *History) { h.RecordExperience("Ann", "c", 24) }, "Ann was shown 24 experience points (c), fewer than the 25 before (b)"},
		"login twice": {func(h *History) { h.RecordFrame(at(6.5), "Ann", "first", "Camp", 130) },
			"account Ann is in the world through two connections: first was shown tick 130 of Camp, 1.5s after it was first shown a later tick than 90, at which second entered"},
		"login twice on one node": {func(h *History) {
			h.RecordFrame(at(10), "Bob", "first", "Camp", 200)
			h.RecordFrame(at(10.1), "Bob", "second", "Camp", 201)
			for tick := range uint64(50) {
				h.RecordFrame(at(11+float64(tick)/20), "Bob", "first", "Camp", 220+tick)
				h.RecordFrame(at(11+float64(tick)/20), "Bob", "second", "Camp", 220+tick)
			}
		}, "account Bob is in the world through two connections"},
		"login back and forth": {func(h *History) {
			h.RecordFrame(at(8), "Ann", "third", "Camp", 170)
			h.RecordFrame(at(9), "Ann", "second", "Camp", 175)
			h.RecordFrame(at(11), "Ann", "second", "Camp", 215)
		}, "second was shown tick 215 of Camp, 2s after it was first shown a later tick than 170, at which third entered"},
		"updates of two connections": {func(h *History) {
			for i := range 4 { // without an interruption of half a second
				h.RecordUpdate(at(10+0.4*float64(i)), "Bob", "first", 1)
			}
		}, "account Bob is in the world twice: first was shown updates of the world for 1.2s, all after the first one of second"},
		"ticks lost at a new connection": {func(h *History) { h.RecordFrame(at(9), "Ann", "third", "Camp", 119) },
			"account Ann, third was first shown tick 119 of Camp, but earlier connections were shown tick 120: 1 ticks were lost"},
		"ticks lost while all nodes were down": {func(h *History) {
			h.RecordFrame(at(9), "Bob", "first", "Ring", 300)
			h.RecordOutage(at(10))
			h.RecordFrame(at(11), "Ann", "third", "Ring", 299)
		}, "account Ann, third was first shown tick 299 of Ring, but earlier connections were shown tick 300: 1 ticks were lost"},
		"tick shown again": {func(h *History) { h.RecordFrame(at(9.1), "Ann", "second", "Ring", 6) }, "account Ann, second was shown tick 6 of Ring after tick 7"},
		"character in no area": {func(h *History) {
			for i := range 5 {
				h.RecordPlaces(at(3+float64(i)/3), "a", map[string][]string{"Ann": {"Camp"}, "Cid": {"Ring"}})
				h.RecordPlaces(at(3.1+float64(i)/3), "b", map[string][]string{"Ann": {"Camp"}, "Cid": {"Ring"}})
			}
		}, "no observer shows Bob in any area for 1.1s, although its client is in the world; the last sample is that of b"},
		"character in different areas at two observers": {func(h *History) { sample(h, 20, 22, "Camp", "Ring") },
			"a shows Ann in Camp, and b shows it in Ring: for 1.15s they have had no area in common"},
		"character at the first observer only":  {func(h *History) { sample(h, 20, 22, "Ring", "") }, "a shows Ann in Ring, and b shows it in no area"},
		"character at the second observer only": {func(h *History) { sample(h, 20, 22, "", "Ring") }, "a shows Ann in no area, and b shows it in Ring"},
		"character stands at one observer and changes areas at the other": {func(h *History) {
			sample(h, 20, 20.75, "Camp", "Ring")
			sample(h, 20.75, 22, "Mine", "Ring")
		}, "a shows Ann in Mine, and b shows it in Ring"},
		"stack on the ground and in an inventory": {func(h *History) {
			h.RecordStacks(at(20), "Ann", Stacks{"slot 1 of Ann": 7})
			h.RecordStacks(at(21), "Bob", Stacks{"ground 4": 7})
			h.RecordStacks(at(22.5), "Bob", Stacks{})
		}, "the stack of 7 pieces was shown at two places for 1.5s: ground 4 and slot 1 of Ann"},
		"stack under two handles to the end": {func(h *History) {
			h.RecordStacks(at(20), "Ann", Stacks{"ground 3": 7})
			h.RecordStacks(at(21), "Bob", Stacks{"ground 4": 7})
			h.RecordStacks(at(22.5), "Cid", Stacks{"ground 5": 8})
		}, "the stack of 7 pieces was shown at two places for 1.5s: ground 3 and ground 4"},
		"item doubled": {func(h *History) {
			h.RecordCensus(Census{Label: "third", ItemStacks: []ItemStack{{"Ann", "Token", 99, false}, {"ground", "Token", 1, false}, {"Bob", "Token", 1, false}, {"Bob", "Token", 99, true}}})
		}, "third: the stack of 1 Token, which exists once, is in two places: ground and Bob"},
		"item lost": {func(h *History) {
			h.RecordCensus(Census{Label: "third", ItemStacks: []ItemStack{{"Ann", "Token", 99, false}, {"Bob", "Token", 100, true}}})
		}, "third: the world has 199 pieces of Token, but had 200"},
		"all items of a kind lost": {func(h *History) { h.RecordCensus(Census{Label: "third", ItemStacks: nil}) }, "third: the world has 0 pieces of Token, but had 200"},
	} {
		t.Run(name, func(t *testing.T) {
			h := sound()
			c.spoil(h)
			errs := h.Check()
			if len(errs) != 1 || !strings.Contains(errs[0].Error(), c.want) {
				t.Errorf("got %v, want one error with %q", errs, c.want)
			}
		})
	}
}

// sample records four samples a second of two observers, a and b, which show Ann in one area each, with "" in none. Each sample of b is
// 0.1 s later than that of a.
func sample(h *History, from, until float64, a, b string) {
	areas := func(ann string) map[string][]string {
		all := map[string][]string{"Bob": {"Camp"}, "Cid": {"Ring"}}
		if ann != "" {
			all["Ann"] = []string{ann}
		}
		return all
	}
	for t := from; t < until; t += 0.25 {
		h.RecordPlaces(at(t), "a", areas(a))
		h.RecordPlaces(at(t+0.1), "b", areas(b))
	}
}

func TestObserversMayShowCharacterInDifferentAreasWhileOneIsBehind(t *testing.T) {
	for name, record := range map[string]func(h *History){
		"a change of areas a second later": func(h *History) {
			sample(h, 20, 21, "Camp", "Camp")
			sample(h, 21, 22, "Ring", "Camp")
			sample(h, 22, 24, "Ring", "Ring")
		},
		"there and back, seen first at one observer and then at the other": func(h *History) {
			sample(h, 20, 21, "Camp", "Camp")
			sample(h, 21, 22, "Ring", "Camp")
			sample(h, 22, 25, "Ring", "Ring")
			sample(h, 25, 26, "Ring", "Camp")
			sample(h, 26, 28, "Camp", "Camp")
		},
		"many changes of areas, each half a second later": func(h *History) {
			areas := []string{"Camp", "Ring", "Mine"}
			for i := range 15 {
				t := 20 + 0.5*float64(i)
				sample(h, t, t+0.5, areas[(i+1)%3], areas[i%3])
			}
		},
		"in the world for half a second several times, between two samples of one observer": func(h *History) {
			for t := 20.0; t < 26; t++ {
				sample(h, t, t+0.5, "Camp", "")
				sample(h, t+0.5, t+1, "", "")
			}
		},
		"no sample since the change of areas": func(h *History) {
			sample(h, 20, 21, "Camp", "Camp")
			sample(h, 21, 22, "Ring", "Camp")
			for i := range 20 {
				h.RecordPlaces(at(22+0.25*float64(i)), "a", map[string][]string{"Ann": {"Ring"}, "Bob": {"Camp"}, "Cid": {"Ring"}})
			}
		},
		"forgotten meanwhile": func(h *History) {
			sample(h, 20, 21, "Camp", "Camp")
			sample(h, 21, 21.75, "Ring", "Camp")
			h.Forget("b")
			h.RecordPlaces(at(21.8), "b", map[string][]string{"Ann": {"Camp"}, "Bob": {"Camp"}, "Cid": {"Ring"}}) // the first sample does not count
			sample(h, 22, 23, "Ring", "Camp")
			sample(h, 23, 24, "Ring", "Ring")
		},
		"no samples of both between two changes of areas": func(h *History) {
			sample(h, 20, 21, "Camp", "Camp")
			sample(h, 21, 21.25, "Ring", "Camp")
			sample(h, 28, 28.25, "Ring", "Camp")
			sample(h, 28.25, 29, "Ring", "Ring")
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := New(margin)
			if record(h); h.Places() < 3*10 {
				t.Errorf("only %d places were compared", h.Places())
			}
			for _, err := range h.Check() {
				t.Error(err)
			}
		})
	}
}

func TestChatLineMayBeMissedWhileListenerOrSpeakerEntersOrLeaves(t *testing.T) {
	for name, spoil := range map[string]func(h *History){
		"listener has just come":    func(h *History) { h.Enter(at(17.5), "Dan", "Camp") },
		"listener leaves at once":   func(h *History) { h.Leave(at(18.5), "Bob") },
		"listener is elsewhere":     func(h *History) { h.Enter(at(12), "Dan", "Ring") },
		"speaker changes the area":  func(h *History) { h.Enter(at(18.5), "Ann", "Ring") },
		"speaker's session is over": func(h *History) { h.Leave(at(17), "Ann") },
	} {
		t.Run(name, func(t *testing.T) {
			h := sound()
			spoil(h)
			h.RecordSaid(at(17.9), "Ann", 5)
			h.RecordLine(at(18), "Ann", "Ann", 5)
			if name == "listener has just come" || name == "listener is elsewhere" {
				h.RecordLine(at(18), "Bob", "Ann", 5)
			}
			for _, err := range h.Check() {
				t.Error(err)
			}
		})
	}
}

func TestChatLineSentWhileSpeakerEntersOrLeavesMayBeLost(t *testing.T) {
	for name, spoil := range map[string]func(h *History){
		"changes the area":   func(h *History) { h.Enter(at(18.5), "Ann", "Ring") },
		"loses the session":  func(h *History) { h.Leave(at(18.5), "Ann") },
		"has just come back": func(h *History) { h.Leave(at(16), "Ann"); h.Enter(at(17.5), "Ann", "Camp") },
	} {
		h := sound()
		h.RecordSaid(at(18), "Ann", 5)
		spoil(h)
		for _, err := range h.Check() {
			t.Errorf("the speaker %s: %v", name, err)
		}
	}
}

func TestConnectionsMayShowSameTickAfterOutageAndOtherAreasOlderTicks(t *testing.T) {
	h := New(margin)
	h.RecordFrame(at(1), "Ann", "first", "Camp", 60)
	h.RecordFrame(at(1), "Bob", "first", "Camp", 55) // a node behind the other one
	h.RecordOutage(at(2))
	h.RecordFrame(at(3), "Bob", "second", "Camp", 60)
	h.RecordFrame(at(3), "Ann", "second", "Ring", 5)
	for _, err := range h.Check() {
		t.Error(err)
	}
	if n := h.Frames(); n != 4 {
		t.Errorf("%d frames, want 4", n)
	}
}

func TestLateUpdatesOfOldConnectionWithInterruptionsAreNoSecondLogin(t *testing.T) {
	h := New(margin)
	for i := range 20 { // 0.6 s between two updates is an interruption
		h.RecordUpdate(at(1+0.6*float64(i)), "Ann", "first", 1)
		h.RecordUpdate(at(1+0.6*float64(i)), "Ann", "second", 2)
	}
	for _, err := range h.Check() {
		t.Error(err)
	}
	if n := h.Updates(); n != 40 {
		t.Errorf("%d updates, want 40", n)
	}
}

// A client abandons a connection before the watcher has read its updates.
func TestConnectionsWithUpdatesAreOrderedByNumber(t *testing.T) {
	h := New(margin)
	update := func(connection string, number, first, updates int) {
		for i := range updates {
			h.RecordUpdate(at(float64(first)+0.1*float64(i)), "Ann", connection, number)
		}
	}
	update("second", 2, 1, 1)
	update("first", 1, 1, 1)
	update("second", 2, 1, 60)
	for _, err := range h.Check() {
		t.Error(err)
	}
	update("first", 1, 10, 60)
	want := "Ann is in the world twice: first was shown updates"
	if errs := h.Check(); len(errs) != 1 || !strings.Contains(errs[0].Error(), want) {
		t.Errorf("reported %v, want one error with %q", errs, want)
	}
}

func TestOldConnectionMayShowOlderTicksThanNewConnection(t *testing.T) {
	h := New(margin)
	h.RecordFrame(at(1), "Ann", "first", "Camp", 20)
	h.RecordFrame(at(4), "Ann", "second", "Camp", 90)
	for tick := range uint64(70) { // the first connection is shown frames slowly, but only older ones than the second
		h.RecordFrame(at(5+float64(tick)), "Ann", "first", "Camp", 21+tick)
	}
	h.RecordFrame(at(80), "Ann", "first", "Ring", 500) // ticks of different areas are not comparable
	for _, err := range h.Check() {
		t.Error(err)
	}
}

func TestChatLinesAreExpectedAgainAfterClientReturns(t *testing.T) {
	h := sound()
	h.Leave(at(16), "Bob")
	h.Enter(at(20), "Bob", "Camp")
	h.RecordLine(at(25), "Ann", "Ann", 5)
	if errs := h.Check(); len(errs) != 1 {
		t.Errorf("got %v, want one error", errs)
	}
}
