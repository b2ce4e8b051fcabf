package content

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
)

// gameTOML declares one element of every kind of a game's own data.
const gameTOML = `
[[field]]
kind = "player"
name = "mana"
range = [0, 50]
step = 0.1
default = 10
to = "self"
predict = "line"

[[field]]
kind = "player"
name = "team"
range = ["none", "red", "blue"]
default = "red"
save = false

[[field]]
kind = "player"
name = "title"
range = [0, 9]
to = "party"
way = "slow"

[[field]]
kind = "npc"
name = "anger"
range = [-10, 10]
to = "nobody"

[[field]]
kind = "area"
name = "score"
range = [5, 99]

[[command]]
name = "cast"
help = "Casts a spell."
fields = { spell = [0, 63], target = "actor", item = ["bread", "sword"], power = { range = [0, 2], step = 0.5 }, words = "text" }

[[event]]
name = "burst"
to = "party"
fields = { size = [1, 9] }
`

func TestGameFieldsCommandsAndEventsInWorldFileAreLoaded(t *testing.T) {
	w, _, err := LoadWorld("game.toml", []byte(tinyTOML+gameTOML))
	if err != nil {
		t.Fatal(err)
	}
	want := sim.GameSchema{
		Fields: [sim.NumFieldKinds][]sim.GameField{
			sim.FieldOfPlayer: {
				{Name: "mana", Max: 500, Default: 100, Step: 0.1, To: sim.ToSelf, Linear: true, Save: true},
				{Name: "team", Max: 2, Default: 1, Step: 1, Words: []string{"none", "red", "blue"}},
				{Name: "title", Max: 9, Step: 1, To: sim.ToParty, Slow: true, Save: true},
			},
			sim.FieldOfNPC:  {{Name: "anger", Min: -10, Max: 10, Step: 1, To: sim.ToNobody, Slow: true}},
			sim.FieldOfArea: {{Name: "score", Min: 5, Max: 99, Default: 5, Step: 1, Slow: true}},
		},
		Commands: []sim.GameCommand{{Name: "cast", Help: "Casts a spell.", Args: []sim.GameArg{
			{Name: "spell", Max: 63, Step: 1}, {Name: "target", Kind: sim.ArgActor}, {Name: "item", Max: 1, Step: 1, Words: []string{"bread", "sword"}},
			{Name: "power", Max: 4, Step: 0.5}, {Name: "words", Kind: sim.ArgText},
		}}},
		Events: []sim.GameEvent{{Name: "burst", To: sim.ToParty, Args: []sim.GameArg{{Name: "size", Min: 1, Max: 9, Step: 1}}}},
	}
	if !reflect.DeepEqual(w.Schema, want) {
		t.Errorf("schema\n%+v, want\n%+v", w.Schema, want)
	}
}

// Each contradictory declaration causes one error with the line of its key.
func TestInvalidGameFieldsCommandsAndEventsAreRefused(t *testing.T) {
	field := "[[field]]\nkind = \"player\"\nname = \"a\"\nrange = [0, 9]\n"
	for _, c := range []struct {
		text string
		line int // line of the problem, counted from the first line of text
		want string
	}{
		{"[[field]]\nname = \"a\"\nrange = [0, 9]\n", 1, `kind is missing: add kind = "player"`},
		{"[[field]]\nkind = \"monster\"\nname = \"a\"\nrange = [0, 9]\n", 2, `kind "monster" is unknown`},
		{"[[field]]\nkind = \"player\"\nrange = [0, 9]\n", 1, "name is missing"},
		{"[[field]]\nkind = \"player\"\nname = \"Mana\"\nrange = [0, 9]\n", 3, `name "Mana": use lower-case letters`},
		{"[[field]]\nkind = \"player\"\nname = \"health\"\nrange = [0, 9]\n", 3, `the name "health" is taken`},
		{field + "[[field]]\nkind = \"player\"\nname = \"a\"\nrange = [0, 9]\n", 7, `the name "a" is taken`},
		{"[[field]]\nkind = \"player\"\nname = \"a\"\n", 1, "range is missing"},
		{"[[field]]\nkind = \"player\"\nname = \"a\"\nrange = [9, 0]\n", 4, "the first number must be below the second"},
		{"[[field]]\nkind = \"player\"\nname = \"a\"\nrange = [0, 1, 2]\n", 4, "write [lowest, highest]"},
		{"[[field]]\nkind = \"player\"\nname = \"a\"\nrange = [0, 5e9]\n", 4, "use a larger step"},
		{"[[field]]\nkind = \"player\"\nname = \"a\"\nrange = [0, 0.25]\nstep = 0.1\n", 4, "not a whole number of steps"},
		{"[[field]]\nkind = \"player\"\nname = \"a\"\nrange = [0, 9]\nstep = 0\n", 5, "step = 0: use a number above 0"},
		{"[[field]]\nkind = \"player\"\nname = \"a\"\nrange = [\"x\"]\n", 4, "write 2 to 64 words"},
		{"[[field]]\nkind = \"player\"\nname = \"a\"\nrange = [\"x\", \"x\"]\n", 4, `the word "x" occurs twice`},
		{"[[field]]\nkind = \"player\"\nname = \"a\"\nrange = [\"x\", \"Y\"]\n", 4, `word "Y": use lower-case`},
		{field + "default = 10\n", 5, "default = 10 is out of the range 0 to 9"},
		{"[[field]]\nkind = \"player\"\nname = \"a\"\nrange = [\"x\", \"y\"]\ndefault = \"z\"\n", 5, `default "z" is unknown`},
		{field + "to = \"everybody\"\n", 5, `to "everybody" is unknown`},
		{field + "to = \"nobody\"\nway = \"fast\"\n", 5, "so way and predict have no effect: remove them"},
		{field + "way = \"slow\"\npredict = \"line\"\n", 6, `predict = "line" is only for numbers with way = "fast": change way, or remove predict`},
		{"[[field]]\nkind = \"player\"\nname = \"a\"\nrange = [\"x\", \"y\"]\npredict = \"line\"\n", 5, `predict = "line" is only for numbers`},
		{"[[field]]\nkind = \"npc\"\nname = \"a\"\nrange = [0, 9]\nto = \"self\"\n", 5, "only players have a party and a client"},
		{"[[field]]\nkind = \"area\"\nname = \"a\"\nrange = [0, 9]\nway = \"fast\"\n", 5, "fields of areas are sent when they change"},
		{"[[field]]\nkind = \"npc\"\nname = \"a\"\nrange = [0, 9]\nsave = true\n", 5, "only players have a record"},
		{field + "colour = 3\n", 5, `unknown key "colour"`},
		{"[[command]]\nfields = {}\n", 1, "name is missing"},
		{"[[command]]\nname = \"a\"\nfields = { B = [0, 1] }\n", 3, `"B": use lower-case`},
		{"[[command]]\nname = \"a\"\nfields = { b = \"npc\" }\n", 3, `b = "npc": use "actor", "text"`},
		{"[[command]]\nname = \"a\"\nfields = { b = 3 }\n", 3, "b is a whole number: use"},
		{"[[command]]\nname = \"a\"\nfields = { b = \"actor\", c = \"actor\" }\n", 3, "only one argument can be an actor"},
		{"[[command]]\nname = \"a\"\nfields = { b = { range = [0, 1], stop = 2 } }\n", 3, `unknown key "stop"`},
		{"[[command]]\nname = \"a\"\nfields = { b=[0,1], c=[0,1], d=[0,1], e=[0,1], f=[0,1], g=[0,1], h=[0,1], i=[0,1], j=[0,1] }\n", 3, "9 arguments are too many"},
		{"[[event]]\nname = \"a\"\nto = \"nobody\"\n", 3, `to "nobody" is unknown`},
		{"[[event]]\nname = \"a\"\n[[event]]\nname = \"a\"\n", 4, `the name "a" is taken`},
	} {
		_, _, err := LoadWorld("game.toml", []byte(tinyTOML+c.text))
		line := strings.Count(tinyTOML, "\n") + c.line
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), fmt.Sprintf("game.toml:%d", line)) || strings.Count(err.Error(), "\n") > 0 {
			t.Errorf("%s\ngives %v\nwant one problem on line %d: %s", c.text, err, line, c.want)
		}
	}
}

func TestTooManyGameFieldsCommandsAndEventsAreRefused(t *testing.T) {
	var b strings.Builder
	for i := range sim.MaxFastFields + 1 {
		fmt.Fprintf(&b, "[[field]]\nkind = \"npc\"\nname = \"f%d\"\nrange = [0, 1]\n", i)
	}
	for i := range sim.MaxGameCommands + 1 {
		fmt.Fprintf(&b, "[[command]]\nname = \"c%d\"\n[[event]]\nname = \"e%d\"\n", i, i)
	}
	_, _, err := LoadWorld("game.toml", []byte(tinyTOML+b.String()))
	for _, want := range []string{`at most 24 fields with way = "fast"`, "at most 64 commands", "at most 64 events"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}
