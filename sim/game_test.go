package sim

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/rng"
)

// gameTestSchema returns a schema with fields of players, NPCs and areas, three commands and one event.
func gameTestSchema() GameSchema {
	return GameSchema{
		Fields: [NumFieldKinds][]GameField{
			FieldOfPlayer: {
				{Name: "mana", Max: 500, Default: 100, Step: 1, To: ToSelf, Save: true},
				{Name: "team", Max: 2, Step: 1, Words: []string{"none", "red", "blue"}},
			},
			FieldOfNPC:  {{Name: "anger", Min: -10, Max: 10, Default: 10, Step: 1}, {Name: "home", Max: 9, Step: 1}},
			FieldOfArea: {{Name: "score", Max: 99, Step: 1}},
		},
		Commands: []GameCommand{
			{Name: "cast", Args: []GameArg{{Name: "spell", Max: 63, Step: 1}, {Name: "target", Kind: ArgActor}}},
			{Name: "buy", Args: []GameArg{{Name: "item", Max: 1, Words: []string{"bread", "sword"}, Step: 1}, {Name: "amount", Min: 1, Max: 90, Step: 0.5}}},
			{Name: "shout", Args: []GameArg{{Name: "words", Kind: ArgText}}},
		},
		Events: []GameEvent{{Name: "burst", Args: []GameArg{{Name: "at", Kind: ArgActor}, {Name: "size", Max: 9, Step: 1}}}},
	}
}

// testGame is a game that calls every method of Hand.
type testGame struct {
	mana, team, anger, score FieldID
	burst                    EventID
}

func newTestGame(s *GameSchema) *testGame {
	field := func(kind FieldKind, name string) FieldID {
		id, err := s.Field(kind, name)
		if err != nil {
			panic(err)
		}
		return id
	}
	return &testGame{field(FieldOfPlayer, "mana"), field(FieldOfPlayer, "team"), field(FieldOfNPC, "anger"), field(FieldOfArea, "score"), 0}
}

func (g *testGame) Command(h *Hand, who EntityID, c *Command) {
	switch c.ID {
	case 0: // cast
		if h.Get(who, g.mana) < 10 {
			h.Refuse("You have no mana.")
			return
		}
		h.Add(who, g.mana, -10)
		h.Hurt(c.Actor, who, c.Args[0])
		h.Emit(g.burst, who, c.Actor, "", c.Args[0])
	case 1: // buy
		h.Give(who, []uint16{itemHerb, itemSword}[c.Args[0]], uint16(c.Args[1]))
	case 2: // shout
		h.Say(who, strings.ToUpper(c.Text))
	}
}

func (g *testGame) Tick(h *Hand) {
	if !h.Every(1000) {
		return
	}
	h.Add(0, g.score, 1)
	for id := range h.Players() {
		h.Set(id, g.team, h.Rand(3))
		h.Heal(id, 1)
	}
	for id := range h.NPCs() {
		h.Add(id, g.anger, -1)
	}
}

// gameWorld returns a test world with a game.
func gameWorld() *World {
	w := testWorld()
	w.Schema = gameTestSchema()
	w.Game = newTestGame(&w.Schema)
	return w
}

// eventsOf returns the events of a kind.
func eventsOf(f *Frame, kind EventKind) (list []Event) {
	for _, e := range f.Events {
		if e.Kind == kind {
			list = append(list, e)
		}
	}
	return list
}

func numbersOf(n ...int32) *[MaxGameArgs]int32 {
	p := new([MaxGameArgs]int32)
	copy(p[:], n)
	return p
}

func TestGameCommandChangesFieldsAndIsAnswered(t *testing.T) {
	w := gameWorld()
	a := NewArea(w, 0, 1)
	a.Step([]Intent{joinAt(w, 1, geom.Vec{}), joinAt(w, 2, geom.Vec{X: 5})})
	f := a.Step([]Intent{{Kind: IntentCommand, Who: 1, Args: numbersOf(7), Target: 2, Serial: 41}})
	if got := f.FieldsOf(w, f.Find(1)); !slices.Equal(got, []int32{90, 0}) {
		t.Errorf("fields of the caster: %v, want mana 90", got)
	}
	done := eventsOf(f, EventCommand)
	if len(done) != 1 || done[0].Value != 41 || done[0].Other != 2 {
		t.Errorf("result %+v, want number 41 and target 2", done)
	}
	burst := eventsOf(f, EventGame)
	if len(burst) != 1 || burst[0].Other != 2 || burst[0].Args[1] != 7 {
		t.Errorf("event %+v, want target 2 and size 7", burst)
	}
	if hit := eventsOf(f, EventAttacked); len(hit) != 1 || hit[0].N != 7 {
		t.Errorf("attack %+v, want damage 7", hit)
	}
}

func TestInvalidGameCommandsAreRefusedWithReason(t *testing.T) {
	w := gameWorld()
	for _, c := range []struct {
		about string
		in    Intent
		why   reason.Reason
		text  string
	}{
		{"number above its range", Intent{Args: numbersOf(64), Target: 2}, reason.BadArgument, ""},
		{"number below its range", Intent{Args: numbersOf(-1), Target: 2}, reason.BadArgument, ""},
		{"actor elsewhere", Intent{Target: 77}, reason.TargetGone, ""},
		{"unknown number of a command", Intent{SlotA: 3}, reason.NoSuchCommand, ""},
		{"text too long", Intent{SlotA: 2, Text: strings.Repeat("x", MaxGameText+1)}, reason.BadArgument, ""},
		{"typed command that does not exist", Intent{SlotA: CommandLine, Text: "fly"}, reason.NoSuchCommand, "/cast SPELL TARGET"},
		{"typed command without an argument", Intent{SlotA: CommandLine, Text: "cast 3"}, reason.BadArgument, "TARGET is missing. Usage: /cast SPELL TARGET"},
		{"typed word that is not among the words", Intent{SlotA: CommandLine, Text: "buy house 1"}, reason.BadArgument, "/buy bread|sword AMOUNT"},
		{"typed number out of range", Intent{SlotA: CommandLine, Text: "buy bread 45.5"}, reason.BadArgument, "45.5"},
		{"typed number that is none", Intent{SlotA: CommandLine, Text: "buy bread NaN"}, reason.BadArgument, "NaN"},
		{"typed argument too many", Intent{SlotA: CommandLine, Text: "buy bread 1 2"}, reason.BadArgument, `The command has no argument for "2".`},
		{"typed name of nobody", Intent{SlotA: CommandLine, Text: "cast 1 Nobody"}, reason.BadArgument, "Nobody"},
	} {
		a := NewArea(w, 0, 1)
		a.Step([]Intent{joinAt(w, 1, geom.Vec{}), joinAt(w, 2, geom.Vec{X: 5})})
		c.in.Kind, c.in.Who, c.in.Serial = IntentCommand, 1, 9
		f := a.Step([]Intent{c.in})
		got := eventsOf(f, EventRefused)
		if len(got) != 1 || got[0].Reason != c.why || got[0].Value != 9 || got[0].N != int32(IntentCommand) || !strings.Contains(got[0].Text, c.text) {
			t.Errorf("%s: %+v, want %v with %q", c.about, got, c.why, c.text)
		}
		if len(eventsOf(f, EventCommand)) != 0 {
			t.Errorf("%s: the command is reported as carried out", c.about)
		}
	}
}

func TestCommandRefusedByGameReportsErrorTextOfGame(t *testing.T) {
	w := gameWorld()
	a := NewArea(w, 0, 1)
	a.Step([]Intent{joinAt(w, 1, geom.Vec{}), joinAt(w, 2, geom.Vec{X: 5})})
	cast := Intent{Kind: IntentCommand, Who: 1, Target: 2}
	for range 10 {
		a.Step([]Intent{cast})
	}
	if got := eventsOf(a.Step([]Intent{cast}), EventRefused); len(got) != 1 || got[0].Reason != reason.GameRule || got[0].Text != "You have no mana." {
		t.Errorf("%+v, want the refusal of the game", got)
	}
}

func TestCommandTypedAsTextIsParsedAndExecutedByGame(t *testing.T) {
	w := gameWorld()
	a := NewArea(w, 0, 1)
	two := joinAt(w, 2, geom.Vec{X: 5})
	c := *two.Join.Character
	c.Name = "Anna Maria"
	two.Join.Character = &c
	a.Step([]Intent{joinAt(w, 1, geom.Vec{}), two})
	f := a.Step([]Intent{
		{Kind: IntentCommand, Who: 1, SlotA: CommandLine, Text: "CAST 5 anna maria"},
		{Kind: IntentCommand, Who: 1, SlotA: CommandLine, Text: "buy bread 1.5"},
		{Kind: IntentCommand, Who: 1, SlotA: CommandLine, Text: "shout hello you  there"},
	})
	if done := eventsOf(f, EventCommand); len(done) != 3 {
		t.Fatalf("carried out %+v, refused %+v; want three commands", done, eventsOf(f, EventRefused))
	}
	if said := eventsOf(f, EventChat); len(said) != 1 || said[0].Text != "HELLO YOU  THERE" {
		t.Errorf("said %+v", said)
	}
	if n := (&Hand{a: a}).Count(1, itemHerb); n < 3 { // 1.5 is three steps of 0.5
		t.Errorf("the player has %d herbs, want 3 more than before", n)
	}
}

func TestGameCommandInWorldWithoutGameIsRefused(t *testing.T) {
	w := testWorld()
	w.Schema = gameTestSchema()
	a := NewArea(w, 0, 1)
	a.Step([]Intent{joinAt(w, 1, geom.Vec{})})
	if got := eventsOf(a.Step([]Intent{{Kind: IntentCommand, Who: 1, Target: 1}}), EventRefused); len(got) != 1 || got[0].Reason != reason.NoSuchCommand {
		t.Errorf("%+v, want NoSuchCommand", got)
	}
}

func TestGameFieldsOfPlayerAreKeptInTransferAndRecord(t *testing.T) {
	w := gameWorld()
	game := w.Game.(*testGame)
	a, b := NewArea(w, areaField, 1), NewArea(w, areaTown, 1)
	a.Step([]Intent{joinAt(w, 1, geom.Vec{})})
	h := a.hand()
	h.Set(1, game.mana, 33)
	h.Set(1, game.team, 2)
	f := a.Step([]Intent{{Kind: IntentTeleport, Who: 1, To: areaTown, Join: &Join{Portal: -1}}})
	departed := eventsOf(f, EventDeparted)
	if len(departed) != 1 || !slices.Equal(departed[0].Record.Fields, []SavedField{{"mana", 33}}) {
		t.Fatalf("departed %+v, want a record with mana 33 and no team, which is not saved", departed)
	}
	f = b.Step([]Intent{{Kind: IntentJoin, Who: 1, Join: departed[0].Join}})
	if got := f.FieldsOf(w, f.Find(1)); !slices.Equal(got, []int32{33, 2}) {
		t.Errorf("fields after the crossing: %v, want mana 33 and team 2", got)
	}
	f = NewArea(w, areaField, 1).Step([]Intent{{Kind: IntentJoin, Who: 1, Join: &Join{Character: departed[0].Record, Portal: -1, Login: true}}})
	if got := f.FieldsOf(w, f.Find(1)); !slices.Equal(got, []int32{33, 0}) {
		t.Errorf("fields after a login: %v, want mana 33 and the default team", got)
	}
}

func TestSavedGameFieldsThatWorldDoesNotDeclareAreKept(t *testing.T) {
	w := gameWorld()
	a := NewArea(w, 0, 1)
	in := joinAt(w, 1, geom.Vec{})
	c := *in.Join.Character
	c.Fields = []SavedField{{"gold", 12}, {"mana", 900}}
	in.Join.Character = &c
	a.Step([]Intent{in})
	left := eventsOf(a.Step([]Intent{{Kind: IntentLeave, Who: 1}}), EventLeft)
	if len(left) != 1 || !reflect.DeepEqual(left[0].Record.Fields, []SavedField{{"mana", 500}, {"gold", 12}}) {
		t.Errorf("record %+v, want mana limited to its range, and the unknown gold", left)
	}
}

func TestGameFieldsAreClampedToDeclaredRange(t *testing.T) {
	w := gameWorld()
	game := w.Game.(*testGame)
	a := NewArea(w, 0, 1)
	a.Step([]Intent{joinAt(w, 1, geom.Vec{})})
	h := a.hand()
	h.Set(1, game.mana, -1)
	if v := h.Get(1, game.mana); v != 0 {
		t.Errorf("%d after -1, want 0", v)
	}
	if v := h.Add(1, game.mana, 1<<31-1); v != 500 {
		t.Errorf("%d after an overflow, want 500", v)
	}
	h.Set(1, game.anger, 5) // a field of NPCs
	h.Set(99, game.mana, 5)
	h.Set(1, FieldID{}, 5)
	if h.Get(1, game.anger) != 0 || h.Get(99, game.mana) != 0 || h.Get(1, game.mana) != 500 {
		t.Error("a field that the actor does not have was set")
	}
}

// TestReplayOfGameFromStartOrSnapshotGivesSameHashes steps a game with random intents. It encodes and decodes all intents
// and frames, replays the decoded intents once from the start and once from a snapshot in between, and compares the state
// hash of every tick.
func TestReplayOfGameFromStartOrSnapshotGivesSameHashes(t *testing.T) {
	w := gameWorld()
	random := rng.New(5)
	var log [][]byte
	var hashes []uint64
	var middle []byte
	a := NewArea(w, 0, 1)
	var decoded Frame
	for tick := range 600 {
		if tick == 300 {
			middle = a.Snapshot(nil)
		}
		ins := randomIntents(w, random, tick, 12)
		for id := range EntityID(12) {
			if random.IntN(4) == 0 {
				ins = append(ins, Intent{Kind: IntentCommand, Who: id + 1, SlotA: uint8(random.IntN(4)), Args: numbersOf(random.IntN(70), random.IntN(3)), Target: EntityID(random.IntN(12) + 1), Text: "hello"})
			}
		}
		log = append(log, AppendIntents(nil, ins))
		f := a.Step(ins)
		hashes = append(hashes, f.Hash)
		b := f.Append(nil)
		if err := decoded.Decode(w, b); err != nil || !bytes.Equal(decoded.Append(nil), b) {
			t.Fatalf("tick %d: the frame does not survive its codec: %v", tick, err)
		}
		if !slices.Equal(decoded.FieldsOf(w, &decoded.Actors[len(decoded.Actors)-1]), f.FieldsOf(w, &f.Actors[len(f.Actors)-1])) {
			t.Fatalf("tick %d: the decoded frame has other fields", tick)
		}
	}
	replay := func(a *Area, from int) {
		for tick := from; tick < len(log); tick++ {
			ins, err := ParseIntents(nil, log[tick])
			if err != nil {
				t.Fatal(err)
			}
			if f := a.Step(ins); f.Hash != hashes[tick] {
				t.Fatalf("tick %d after %d: hash %x, want %x", tick, from, f.Hash, hashes[tick])
			}
		}
	}
	replay(NewArea(w, 0, 1), 0)
	restored, err := Restore(w, middle)
	if err != nil {
		t.Fatal(err)
	}
	replay(restored, 300)
	if _, err := Restore(testWorld(), middle); err == nil {
		t.Error("the snapshot is accepted by a world without the game")
	}
}

func TestGameRulesCanGiveAndTakeItems(t *testing.T) {
	w := gameWorld()
	a := NewArea(w, 0, 1)
	a.Step([]Intent{joinAt(w, 1, geom.Vec{})})
	a.beginFrame()
	h := a.hand()
	had := h.Count(1, itemHerb)
	if !h.Give(1, itemHerb, 3) || h.Count(1, itemHerb) != had+3 {
		t.Fatalf("%d herbs, want %d", h.Count(1, itemHerb), had+3)
	}
	if len(a.ground) != 0 {
		t.Error("a given item lies on the ground")
	}
	if h.Give(1, 9999, 1) || h.Give(7, itemHerb, 1) || h.Give(1, itemHerb, 0) {
		t.Error("an item, a player or an amount that does not exist was accepted")
	}
	if h.Take(1, itemHerb, uint16(had+4)) || !h.Take(1, itemHerb, 2) || h.Count(1, itemHerb) != had+1 {
		t.Errorf("%d herbs after taking 2, want %d", h.Count(1, itemHerb), had+1)
	}
	for h.Give(1, itemSword, 1) {
	}
	if n := h.Count(1, itemSword); n < 20 || n > SlotCount {
		t.Errorf("a full backpack has %d swords", n)
	}
}

func TestGameRulesCanMoveSpawnDamageAndRemoveActors(t *testing.T) {
	w := gameWorld()
	a := NewArea(w, 0, 1)
	a.Step([]Intent{joinAt(w, 1, geom.Vec{}), joinAt(w, 2, geom.Vec{X: 5})})
	a.beginFrame()
	h := a.hand()
	h.Move(1, a.id, geom.Vec{X: 50, Z: 60}, 90)
	if x, _ := h.Actor(1); x.Pos.X != 50 || x.Pos.Z != 60 || x.Yaw != 90 {
		t.Errorf("moved to %+v", x)
	}
	wolf := h.Spawn(tmplWolf, geom.Vec{X: 1}, 0)
	if x, ok := h.Actor(wolf); !ok || x.Player || x.Template != tmplWolf || h.Spawn(999, geom.Vec{}, 0) != 0 {
		t.Errorf("spawned %+v", x)
	}
	h.Remove(1)
	h.Remove(wolf)
	if _, ok := h.Actor(wolf); ok {
		t.Error("the NPC is still there")
	}
	if _, ok := h.Actor(1); !ok {
		t.Error("a player was removed")
	}
	h.Hurt(2, 1, 1<<30)
	if x, _ := h.Actor(2); !x.Dead || x.Health != 0 {
		t.Errorf("hurt to death: %+v", x)
	}
	h.Hurt(1, 0, 1<<30)
	if x, _ := h.Actor(1); !x.Dead {
		t.Errorf("hurt to death by nobody: %+v", x)
	}
	h.Heal(1, 5)
	h.Move(1, a.id, geom.Vec{}, 0)
	if x, _ := h.Actor(1); x.Health != 0 || x.Pos.X != 50 {
		t.Error("a dead player was healed or moved")
	}
	f := a.publish()
	if len(eventsOf(f, EventDied)) != 2 || len(eventsOf(f, EventAttacked)) != 1 {
		t.Errorf("%d deaths and %d attacks, want 2 and 1", len(eventsOf(f, EventDied)), len(eventsOf(f, EventAttacked)))
	}
	a.Step(nil)
}

func TestStepWithGameDoesNotAllocate(t *testing.T) {
	w := gameWorld()
	w.Rules.SaveEveryMS = 1 << 30
	a := NewArea(w, 0, 1)
	var joins []Intent
	for id := range EntityID(50) {
		joins = append(joins, joinAt(w, id+1, geom.Vec{X: float32(id) * 20}))
	}
	a.Recycle(a.Step(joins))
	for range 200 {
		a.Recycle(a.Step(nil))
	}
	if n := testing.AllocsPerRun(100, func() { a.Recycle(a.Step(nil)) }); n > 0 {
		t.Errorf("a tick allocates %v times, want 0", n)
	}
}

// BenchmarkStepGame measures ticks in which a game executes its rules and changes fields.
func BenchmarkStepGame(b *testing.B) {
	for _, with := range []bool{false, true} {
		b.Run(fmt.Sprintf("game=%v/actors=1000", with), func(b *testing.B) {
			w := testWorld()
			if with {
				w = gameWorld()
			}
			w.Rules.SaveEveryMS = 1 << 30
			w.Rules.MaxActors = 2000
			a := NewArea(w, 0, 1)
			var joins []Intent
			for id := range EntityID(1000) {
				in := joinAt(w, id+1, geom.Vec{X: float32(id % 40 * 20), Z: float32(id / 40 * 20)})
				in.Join.Authority = move.ByClaim
				joins = append(joins, in)
			}
			a.Recycle(a.Step(joins))
			b.ReportAllocs()
			for b.Loop() {
				a.Recycle(a.Step(nil))
			}
		})
	}
}
