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

// Imports are refused unless they are known to be pure; some functions of pure packages are refused, too.
func TestSourceCheckAllowsOnlyPureImportsAndTheirRepeatableFunctions(t *testing.T) {
	for _, c := range []struct {
		imports []string
		body    string
		want    string // part of the text of the only problem; "" if there is no problem
	}{
		{[]string{"slices", "strings", "strconv", "errors", "math/bits", "unicode/utf8"}, "_ = slices.Max([]int{len(strings.ToUpper(strconv.Itoa(bits.Len8(3)))), utf8.RuneError}); _ = errors.New(``)", ""},
		{[]string{"github.com/truestep-io/truestep/sim", "github.com/truestep-io/truestep/sim/geom"}, "var h *sim.Hand; _ = geom.Vec{}; _ = h", ""},
		{[]string{"hash/fnv", "hash/crc32", "encoding/binary"}, "_ = fnv.New32a(); _ = crc32.IEEE; _ = binary.LittleEndian", ""},
		{[]string{"hash/maphash"}, "_ = maphash.MakeSeed()", `must not import "hash/maphash"`},
		{[]string{"crypto/rand"}, "_ = rand.Text()", `must not import "crypto/rand"`},
		{[]string{"math/rand/v2"}, "_ = rand.Int()", `must not import "math/rand/v2"`},
		{[]string{"reflect"}, "_ = reflect.TypeOf(1)", `must not import "reflect"`},
		{[]string{"sync/atomic"}, "var n atomic.Int32; n.Add(1)", `must not import "sync/atomic"`},
		{[]string{"unsafe"}, "_ = unsafe.Sizeof(1)", `must not import "unsafe"`},
		{[]string{"os"}, "_ = os.Args", `must not import "os"`},
		{[]string{"unique"}, "_ = unique.Make(1)", `must not import "unique"`},
		{[]string{"C"}, "", `must not import "C"`},
		{[]string{"example.org/dice"}, "_ = dice.Roll()", `the check does not see its code`},
		{[]string{"github.com/truestep-io/truestep/server"}, "_ = server.Default()", `the check does not see its code`},
		{[]string{"github.com/truestep-io/truestep/simple"}, "_ = simple.X", `the check does not see its code`},
		{[]string{"maps"}, "m := map[int]int{}; _ = maps.Clone(m); maps.Copy(m, m); _ = maps.Equal(m, m)", ""},
		{[]string{"maps"}, "for k := range maps.Keys(map[int]int{}) { _ = k }", "maps.Keys uses the elements of a map in an order that is random"},
		{[]string{"maps", "slices"}, "_ = slices.Collect(maps.Values(map[int]int{}))", "maps.Values uses"},
		{[]string{"maps", "slices"}, "_ = slices.SortedFunc(maps.Keys(map[int]int{}), func(a, b int) int { return 0 })", "maps.Keys uses"},
		{[]string{"maps", "slices"}, "_ = slices.Sorted(maps.Keys(map[int]int{})); _ = slices.Sorted(maps.Values(map[int]int{}))", ""},
		{[]string{"maps"}, "f := maps.All[map[int]int]; _ = f", "maps.All uses"},
		{[]string{"fmt"}, "_ = fmt.Sprintf(`%d`, 1); _ = fmt.Errorf(`x`)", ""},
		{[]string{"fmt"}, "fmt.Println()", "fmt.Println is input or output"},
		{[]string{"fmt"}, "_ = fmt.Sprintf(`%p`, new(int))", "addresses as text"},
		{[]string{"math"}, "_ = math.Sqrt(2); _ = math.MaxInt32; _ = math.SmallestNonzeroFloat32", ""},
		{[]string{"math"}, "_ = math.Exp(1)", "math.Exp gives different results on different CPUs"},
	} {
		src := "package game\n"
		for _, i := range c.imports {
			src += fmt.Sprintf("import %q\n", i)
		}
		file := filepath.Join(t.TempDir(), "rules.go")
		if err := os.WriteFile(file, []byte(src+"func rule() {\n"+c.body+"\n}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		problems, err := check([]string{file})
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" && len(problems) > 0 || c.want != "" && (len(problems) != 1 || !strings.Contains(problems[0], c.want)) {
			t.Errorf("%v: %s\nproblems %q, want %q", c.imports, c.body, problems, c.want)
		}
	}
	file := filepath.Join(t.TempDir(), "rules.go")
	if err := os.WriteFile(file, []byte("package game\nimport . \"math\"\nvar x = Exp(1)\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if problems, err := check([]string{file}); err != nil || len(problems) != 1 || !strings.Contains(problems[0], "with a dot") {
		t.Errorf("import with a dot: %q, %v", problems, err)
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

// counter is a game that adds the result of next to a field.
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
