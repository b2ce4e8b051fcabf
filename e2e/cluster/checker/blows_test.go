package checker

import (
	"strings"
	"testing"
)

func hit1(tick uint64, victim string, damage int) Blow {
	return Blow{Area: "Camp", Tick: tick, Attacker: "Ghoul", Victim: victim, Damage: damage}
}

// struckAll records that all clients are shown a blow.
func (h *History) struckAll(seconds float64, b Blow) {
	for _, who := range []string{"Web", "Wob", "Wub"} {
		h.RecordBlow(at(seconds), who, b)
	}
}

// fight returns a history in which nothing is wrong. In Camp, Ann is hit, dies at 30 s and respawns. Three web clients are shown the
// hits, and Ann's own client is shown the health of Ann.
func fight() *History {
	h := New(margin)
	for _, who := range []string{"Web", "Wob", "Wub"} {
		h.Enter(at(0), who, "Camp")
		h.RecordFrame(at(0), who, "first", "Camp", 1)
	}
	alive := func(from, until float64, points int) {
		for t := from; t <= until; t += 0.25 {
			h.RecordHealth(at(t), "Ann", points)
		}
	}
	alive(1, 5, 100)
	h.struckAll(5.1, hit1(100, "Ann", 30))
	h.struckAll(5.1, hit1(100, "Ann", 30)) // two Ghouls at once
	h.struckAll(5.1, hit1(100, "Ann", -1))
	alive(5.25, 10, 40)
	h.struckAll(10.1, hit1(200, "Ann", 15))
	alive(10.25, 29, 25)
	h.struckAll(29.1, hit1(580, "Ann", 25))
	alive(29.25, 34, 0)
	alive(34.25, 40, 100)
	h.struckAll(20, hit1(400, "Bob", 5)) // counts for no health: no client is shown the health of Bob
	h.RecordHealth(at(50), "Ann", 90)
	h.RecordHealth(at(50.5), "Ann", 100) // an older value, shown for a moment after a login
	h.RecordHealth(at(50.6), "Ann", 90)
	return h
}

func TestBlowsThatAllClientsWereShownAreNoContradiction(t *testing.T) {
	h := fight()
	for _, err := range h.Check() {
		t.Error(err)
	}
	if pairs, points := h.Blows(); pairs != 10 || points != 75 { // five blows, each shown to two clients; that at which Ann dies does not count
		t.Errorf("%d blows and %d points were looked for, want 10 and 75", pairs, points)
	}
}

func TestBlowThatDidNotHappenIsReported(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(h *History)
		want  string
	}{
		"shown to one client only": {func(h *History) { h.RecordBlow(at(15), "Web", hit1(300, "Ghoul", 3)) },
			"client Web was shown the hit of Ghoul against Ghoul for 3 points in tick 300 of Camp 1 times, but client Wob was shown it only 0 times, although it was in the area"},
		"shown with other damage": {func(h *History) {
			h.RecordBlow(at(15), "Web", hit1(300, "Ghoul", 3))
			h.RecordBlow(at(15), "Wob", hit1(300, "Ghoul", 4))
			h.RecordBlow(at(15), "Wub", hit1(300, "Ghoul", 3))
		}, "client Web was shown the hit of Ghoul against Ghoul for 3 points in tick 300 of Camp 1 times, but client Wob"},
		"shown in another tick": {func(h *History) {
			h.RecordBlow(at(15), "Web", hit1(300, "Ghoul", -1))
			h.RecordBlow(at(15), "Wob", hit1(301, "Ghoul", -1))
			h.RecordBlow(at(15), "Wub", hit1(301, "Ghoul", -1))
		}, "client Web was shown the miss of Ghoul against Ghoul in tick 300 of Camp 1 times, but client Wob"},
		"shown twice to one client": {func(h *History) { h.RecordBlow(at(20), "Wub", hit1(400, "Bob", 5)) },
			"client Wub was shown the hit of Ghoul against Bob for 5 points in tick 400 of Camp 2 times, but client Web was shown it only 1 times, although it was in the area"},
		"blow undone": {func(h *History) { h.struckAll(15, hit1(300, "Ann", 7)) },
			"Ann had 100 health points, and clients were shown hits that took 82 points: it now has 25 points, want at most 18"},
		"blow without effect on the first health": {func(h *History) { h.struckAll(3, hit1(60, "Ann", 7)) },
			"Ann had 100 health points, and clients were shown hits that took 7 points: it now has 100 points, want at most 93"},
		"health undone": {func(h *History) {
			h.RecordHealth(at(60), "Ann", 95)
			h.RecordHealth(at(63), "Ann", 95)
			h.RecordHealth(at(64), "Ann", 100)
			h.RecordHealth(at(66), "Ann", 100)
		}, "Ann was shown 100 health points, more than the 95 before, although it had not died"},
	} {
		t.Run(name, func(t *testing.T) {
			h := fight()
			c.spoil(h)
			for _, err := range h.Check() {
				if strings.Contains(err.Error(), c.want) {
					return
				}
			}
			t.Errorf("got %v, want an error with %q", h.Check(), c.want)
		})
	}
}

func TestClientThatEntersOrLeavesAreaMayMissBlow(t *testing.T) {
	h := fight()
	h.Enter(at(14.5), "Wob", "Ring")
	h.Leave(at(15.5), "Wub")
	h.RecordBlow(at(15), "Web", hit1(300, "Ghoul", 3))
	for _, err := range h.Check() {
		t.Error(err)
	}
}
