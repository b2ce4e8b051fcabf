package gametest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
)

func TestSourceCheckReportsEveryStatementThatMakesGameRulesNondeterministic(t *testing.T) {
	src, err := os.ReadFile("testdata/bad.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "bad.go")
	if err := os.WriteFile(file, src, 0o644); err != nil {
		t.Fatal(err)
	}
	problems, err := check([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		line int
		text string
	}{
		{5, `must not import "math/rand"`}, {6, `must not import "time"`}, {19, "must not change the game"}, {20, "must not change the game"},
		{21, "the variable total of the package"}, {22, "goroutines"}, {23, "range over a map"}, {26, "math.Sin"},
	}
	for i, w := range want {
		if i >= len(problems) || !strings.Contains(problems[i], fmt.Sprintf("bad.go:%d:", w.line)) || !strings.Contains(problems[i], w.text) {
			t.Errorf("problem %d should be line %d with %q; got %q", i, w.line, w.text, problems)
		}
	}
	if len(problems) != len(want) {
		t.Errorf("%d problems, want %d: %q", len(problems), len(want), problems)
	}
}

// recorder collects the errors of a test.
type recorder struct {
	testing.TB
	mu   sync.Mutex
	errs []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errs = append(r.errs, fmt.Sprintf(format, args...))
}

func arena(game func(f sim.FieldID) sim.Game) *sim.World {
	human := sim.Template{ID: 1, Race: "Human", Radius: 1, Playable: true}
	human.Attr[0], human.Attr[1] = combat.Attribute{Value: 100, Max: 100}, combat.Attribute{Value: 50, Max: 100}
	w := &sim.World{
		Name: "arena", TicksPerSecond: 20, Roles: combat.AttributeRoles{Health: 0, Speed: 1, Strength: 1, Energy: -1, Breath: -1, Toughness: -1},
		Rules:     sim.Rules{Combat: combat.DefaultRules(), RespawnArea: sim.NoArea, RespawnPortal: -1, RespawnDelayMS: 500, RespawnHealth: 50, SaveEveryMS: 30_000, MaxActors: 100},
		Templates: []sim.Template{human}, Areas: []sim.AreaDef{{Name: "One", PvP: true}, {Name: "Two"}},
	}
	w.Schema.Fields[sim.FieldOfPlayer] = []sim.GameField{{Name: "n", Max: 1000, Step: 1}}
	w.Schema.Commands = []sim.GameCommand{{Name: "set", Args: []sim.GameArg{{Name: "n", Max: 1000, Step: 1}}}}
	f, _ := w.Schema.Field(sim.FieldOfPlayer, "n")
	w.Game = game(f)
	return w
}

// counter is a game that adds what next returns.
type counter struct {
	n    sim.FieldID
	next func(h *sim.Hand) int32
}

func (g *counter) Command(h *sim.Hand, who sim.EntityID, c *sim.Command) { h.Set(who, g.n, c.Args[0]) }

func (g *counter) Tick(h *sim.Hand) {
	for id := range h.Players() {
		h.Set(id, g.n, g.next(h))
	}
}

func TestReplayAcceptsDeterministicGame(t *testing.T) {
	Replay(t, arena(func(n sim.FieldID) sim.Game {
		return &counter{n, func(h *sim.Hand) int32 { return h.Rand(1000) }}
	}), 400, 7)
}

func TestReplayDetectsGameWithStateOutsideItsFields(t *testing.T) {
	var calls atomic.Int32
	r := &recorder{TB: t}
	Replay(r, arena(func(n sim.FieldID) sim.Game {
		return &counter{n, func(*sim.Hand) int32 { return calls.Add(1) % 1000 }}
	}), 400, 7)
	if len(r.errs) == 0 || !strings.Contains(r.errs[0], "not in a field") {
		t.Errorf("errors %q, want one that says that the game remembers something", r.errs)
	}
}
