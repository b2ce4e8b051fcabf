package checker

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// contradict records a history that has every kind of event and a contradiction of each kind, and a time with a monotonic clock.
func contradict(h *History) {
	start := time.Now()
	at := func(s float64) time.Time { return start.Add(time.Duration(s * float64(time.Second))) }
	for _, who := range []string{"Ann", "Bob"} {
		h.Enter(at(0), who, "Camp")
		h.RecordFrame(at(0), who, "first of "+who, "Camp", 100)
	}
	h.RecordSaid(at(19), "Ann", 0)
	h.RecordLine(at(20), "Ann", "Ann", 1) // Bob is not shown it
	h.RecordLine(at(21), "Ann", "Ann", 3)
	h.RecordLine(at(21), "Bob", "Ann", 3)
	h.RecordLine(at(22), "Bob", "Ann", 2)
	h.RecordLine(at(23), "Bob", "Ann", 3)
	h.RecordExperience("Ann", "hit through node a", 10)
	h.RecordExperience("Ann", "login through node b", 9)
	for i := range 3 { // the first sample of an observer is not compared
		h.RecordPlaces(at(23+float64(i)), "a", map[string][]string{"Ann": {"Camp", "Mine"}, "Bob": {"Camp"}})
	}
	h.Forget("a")
	h.RecordPlaces(at(26), "a", map[string][]string{"Ann": {"Camp", "Mine"}})
	for i := range 6 {
		h.RecordPlaces(at(27+float64(i)), "b", map[string][]string{"Ann": {"Camp"}, "Bob": {"Camp"}})
		h.RecordPlaces(at(27.5+float64(i)), "c", map[string][]string{"Ann": {"Mine"}, "Bob": {"Ring"}})
	}
	h.RecordBlow(at(30), "Ann", Blow{Area: "Camp", Tick: 700, Attacker: "Cow", Victim: "Ann", Damage: 3})
	for s := range 5 {
		h.RecordHealth(at(float64(25+s)), "Ann", 20)
		h.RecordHealth(at(float64(40+s)), "Ann", 20)
	}
	h.RecordHealth(at(50), "Ann", 25)
	h.RecordHealth(at(60), "Ann", 25)
	h.RecordFrame(at(61), "Ann", "second of Ann", "Camp", 1300)
	for s := range 8 {
		h.RecordFrame(at(float64(62+s)), "Ann", "first of Ann", "Camp", uint64(1320+20*s))
	}
	for s := range 9 {
		h.RecordUpdate(at(float64(62)+float64(s)/2), "Cid", "second of Cid", 2)
		h.RecordUpdate(at(float64(62)+float64(s)/2), "Cid", "first of Cid", 1)
	}
	h.RecordOutage(at(80))
	h.RecordFrame(at(81), "Bob", "second of Bob", "Camp", 1299)
	for _, who := range []string{"Ann", "Bob"} {
		h.JoinParty(at(0), who, "the only party")
	}
	h.RecordParty(at(26), "Ann", "Camp", []string{"Cow"})
	for s, mount := range []string{"Horse", "", "Pony"} {
		h.RecordRide(at(float64(26+s)), "Ann", "Camp", mount, 0)
	}
	h.RecordPets(at(30), "a", "Camp", 700, []string{"Ann", "Bob"}, 3)
	h.RecordStacks(at(60), "Ann", Stacks{"slot 3": 5, "slot 4": 6})
	h.RecordStacks(at(60), "Bob", Stacks{"ground 3": 5})
	h.RecordStacks(at(69), "Ann", Stacks{"slot 4": 6})
	h.RecordStacks(at(69), "Ann", Stacks{"slot 4": 7})
	h.Leave(at(70), "Bob")
	h.RecordStacks(at(71), "Bob", Stacks{"ground 3": 7})
	h.RecordCensus(Census{Label: "first", ItemStacks: []ItemStack{{Where: "Ann", Item: "Coin", Amount: 4}, {Where: "Bob", Item: "Coin", Amount: 4, Common: true}}, Animals: map[string]int{"Horse": 1}})
	h.RecordCensus(Census{Label: "second", ItemStacks: []ItemStack{{Where: "Ann", Item: "Coin", Amount: 4}, {Where: "the ground", Item: "Coin", Amount: 4}, {Where: "Bob", Item: "Coin", Amount: 1}}})
}

func TestHistoryReadFromFileHasSameContradictions(t *testing.T) {
	var file bytes.Buffer
	h := New(2 * time.Second)
	h.WriteEvents(&file)
	contradict(h)
	if err := h.Stop(); err != nil {
		t.Fatal(err)
	}
	want := h.Check()
	for _, part := range []string{"twice", "after the later line", "fewer than", "areas at once", "no area in common", "two connections", "Cid is in the world twice", "not shown chat line 0", "not shown chat line 1", "were shown tick 1460: 161 ticks were lost", "5 pieces was shown at two places for 9s", "two places", "pieces of Coin", "was shown the hit", "health points, more than", "not shown Bob", "shown Cow in its party", "on a Pony in Camp", "3 pets in tick 700", "animals of the kind Horse"} {
		if !strings.Contains(fmt.Sprint(want), part) {
			t.Errorf("the history has no contradiction %q: %v", part, want)
		}
	}
	text := file.String()
	read, events, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if got := read.Check(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the history that was read has\n%v\nwant\n%v", got, want)
	}
	if lines := strings.Count(text, "\n"); events != lines-1 || events < 40 {
		t.Errorf("%d events, and %d lines in the file", events, lines)
	}
	pairs, points := read.Blows()
	if read.Company() != h.Company() {
		t.Errorf("company %+v, want %+v", read.Company(), h.Company())
	}
	counts := func(h *History) [6]int {
		others, own := h.Lines()
		return [6]int{others, own, h.Frames(), h.Updates(), h.StackMoves(), h.Places()}
	}
	readLines, lines := counts(read), counts(h)
	if wantPairs, wantPoints := h.Blows(); pairs != wantPairs || points != wantPoints || readLines != lines {
		t.Errorf("%d blows, %d points and %v lines, want %d, %d and %v", pairs, points, readLines, wantPairs, wantPoints, lines)
	}
}

func TestErrorForDamagedHistoryFileContainsLineNumber(t *testing.T) {
	const head = `{"history":1,"margin":1000}` + "\n"
	for text, want := range map[string]string{
		"":                         "not a history",
		`{"event":"leave"}`:        "not a history",
		`{"history":2,"margin":1}`: "version 2",
		head + `{"event":"leave"}`: "line 2",
		head + `{"event":"hit"`:    "line 2",
		head + `{"event":"forget"}` + "\n" + `{"event":"sing","at":"2026-01-02T03:04:05Z"}`: `line 3: unknown event "sing"`,
		head + `{"event":"hit","at":"2026-01-02T03:04:05Z"}`:                                "lacks its content",
		head + `{"event":"census"}`:                                                         "lacks its content",
	} {
		if _, _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, fmt.Errorf("no space") }

func TestErrorOfHistoryWriterIsReported(t *testing.T) {
	h := New(time.Second)
	h.WriteEvents(fullDisk{})
	for range 2000 { // more than the write buffer holds
		h.RecordExperience("Ann", "a long occasion, so that the buffer is full soon", 1)
	}
	if err := h.Stop(); err == nil || !strings.Contains(err.Error(), "no space") {
		t.Errorf("the error is %v", err)
	}
}
