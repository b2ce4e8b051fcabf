package content

import (
	"fmt"
	"math"
	"regexp"
	"slices"

	"github.com/truestep-io/truestep/sim"
)

// Values of keys in [[field]], [[command]] and [[event]].
var (
	fieldKinds    = []string{"player", "npc", "area"}          // names of the values of sim.FieldKind, in order
	audiences     = []string{"all", "party", "self", "nobody"} // names of the values of sim.Audience, in order
	fieldWays     = []string{"fast", "slow"}                   // a fast field is sent in snapshots, a slow one in control messages
	fieldPredicts = []string{"hold", "line"}                   // how clients continue a fast field between snapshots: hold the value, or extrapolate
	argKinds      = map[string]sim.ArgKind{"actor": sim.ArgActor, "text": sim.ArgText}
	builtinFields = []string{"x", "y", "z", "yaw", "health", "flags"} // fields that every actor has in snapshots
)

// gameName matches the names that a game may give: they must be valid in TypeScript, chat lines and schemas.
var gameName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)

// readGame reads [[field]], [[command]] and [[event]], the data that a game declares.
func (b *builder) readGame(root *table) {
	s := &b.w.Schema
	for _, t := range root.tables("field") {
		b.readField(t)
	}
	for _, t := range root.tables("command") {
		t.addLabel("command", "name")
		c := sim.GameCommand{}
		t.gameName(&c.Name, namesOf(s.Commands, func(c *sim.GameCommand) string { return c.Name }))
		t.clientText("help", &c.Help, maxText)
		c.Args = t.readArgs()
		if len(s.Commands) == sim.MaxGameCommands {
			t.fail("", "a game has at most %d commands: remove some", sim.MaxGameCommands)
		} else {
			s.Commands = append(s.Commands, c)
		}
		t.reportUnknownKeys()
	}
	for _, t := range root.tables("event") {
		t.addLabel("event", "name")
		e := sim.GameEvent{}
		t.gameName(&e.Name, namesOf(s.Events, func(e *sim.GameEvent) string { return e.Name }))
		if i, ok := t.choice("to", audiences[:sim.ToNobody]); ok {
			e.To = sim.Audience(i)
		}
		e.Args = t.readArgs()
		if len(s.Events) == sim.MaxGameEvents {
			t.fail("", "a game has at most %d events: remove some", sim.MaxGameEvents)
		} else {
			s.Events = append(s.Events, e)
		}
		t.reportUnknownKeys()
	}
}

// gameName reads the required key "name", which must be unique and match the pattern in the variable gameName.
func (t *table) gameName(into *string, others []string) {
	if !t.require("name", `"mana"`) {
		return
	}
	name, ok := t.rawString("name")
	switch {
	case !ok:
	case !gameName.MatchString(name):
		t.fail("name", "name %q: use lower-case letters, digits and _, at most 32, with a letter first", name)
	case slices.Contains(others, name):
		t.fail("name", "the name %q is taken: give each its own", name)
	default:
		*into = name
	}
}

// readField reads a table [[field]], which declares an integer of each player, NPC or area for the world's game.
func (b *builder) readField(t *table) {
	t.addLabel("field", "name")
	defer t.reportUnknownKeys()
	kind := sim.FieldOfPlayer
	if t.require("kind", `"player"`) {
		if i, ok := t.choice("kind", fieldKinds); ok {
			kind = sim.FieldKind(i)
		}
	}
	list := &b.w.Schema.Fields[kind]
	f := sim.GameField{Save: kind == sim.FieldOfPlayer, Slow: kind == sim.FieldOfArea}
	t.gameName(&f.Name, append(namesOf(*list, func(f *sim.GameField) string { return f.Name }), builtinFields...))
	if !t.require("range", "[0, 100]") {
		return
	}
	if !t.readRange("range", &f.Min, &f.Max, &f.Step, &f.Words) {
		return
	}
	f.Default = min(max(0, f.Min), f.Max)
	t.readDefault(&f)
	if i, ok := t.choice("to", audiences); ok {
		f.To = sim.Audience(i)
	}
	if i, ok := t.choice("way", fieldWays); ok {
		f.Slow = i == 1
	}
	if i, ok := t.choice("predict", fieldPredicts); ok {
		f.Linear = i == 1
	}
	t.boolean("save", &f.Save)
	switch {
	case kind != sim.FieldOfPlayer && (f.To == sim.ToParty || f.To == sim.ToSelf):
		t.fail("to", "to = %q: only players have a party and a client; use \"all\" or \"nobody\"", audiences[f.To])
	case kind != sim.FieldOfPlayer && f.Save:
		t.fail("save", "save = true is for fields of players: only players have a record that is stored")
	case kind == sim.FieldOfArea && !f.Slow:
		t.fail("way", "way = \"fast\": fields of areas are sent when they change; leave the key out")
	case f.To == sim.ToNobody && (t.has("way") || t.has("predict")):
		t.fail("to", "to = \"nobody\": no client receives the field, so way and predict have no effect: remove them")
	case f.Linear && (f.Slow || len(f.Words) > 0):
		t.fail("predict", "predict = \"line\" is only for numbers with way = \"fast\": change way, or remove predict")
	}
	f.Slow = f.Slow || f.To == sim.ToNobody
	fast := 0
	for i := range *list {
		if !(*list)[i].Slow {
			fast++
		}
	}
	switch {
	case !f.Slow && fast == sim.MaxFastFields:
		t.fail("", "a kind has at most %d fields with way = \"fast\": write way = \"slow\" for some", sim.MaxFastFields)
	case f.Slow && len(*list)-fast == sim.MaxSlowFields:
		t.fail("", "a kind has at most %d fields with way = \"slow\": remove some", sim.MaxSlowFields)
	default:
		*list = append(*list, f)
	}
}

// readDefault reads the default value of a field, in units or as one of its words.
func (t *table) readDefault(f *sim.GameField) {
	if !t.has("default") {
		return
	}
	if len(f.Words) > 0 {
		if i, ok := t.choice("default", f.Words); ok {
			f.Default = int32(i)
		}
		return
	}
	units, ok := t.number("default")
	if !ok {
		return
	}
	v := math.Round(units / f.Step)
	if v < float64(f.Min) || v > float64(f.Max) {
		t.fail("default", "default = %v is out of the range %v to %v", units, float64(f.Min)*f.Step, float64(f.Max)*f.Step)
		return
	}
	f.Default = int32(v)
}

// readRange reads the key with the allowed values: a list of words, or the range of a number in units. For a number, the
// key step has the distance between two values. The result is false if readRange has recorded a problem.
func (t *table) readRange(key string, lo, hi *int32, step *float64, words *[]string) bool {
	*step = 1
	list := t.array(key)
	if len(list) > 0 {
		if _, isWord := list[0].(string); isWord {
			return t.readWords(key, hi, words)
		}
	}
	if f, ok := t.number("step"); ok {
		if !(f > 0 && f <= 1e6) {
			t.fail("step", "step = %v: use a number above 0, at most 1000000", f)
			return false
		}
		*step = f
	}
	return t.readBounds(key, list, lo, hi, *step)
}

// readBounds reads the list [lowest, highest], two multiples of step, and converts both to numbers of steps: with step
// 0.1, [0, 2.5] becomes 0 and 25. It returns false if it has recorded a problem.
func (t *table) readBounds(key string, list []any, lo, hi *int32, step float64) bool {
	if len(list) != 2 {
		t.fail(key, "%s: write [lowest, highest], or a list of words", key)
		return false
	}
	for i, into := range [...]*int32{lo, hi} {
		f, ok := asNumber(list[i])
		n := math.Round(f / step)
		switch {
		case !ok:
			t.fail(key, "%s has %s: write [lowest, highest], or a list of words", key, kindOf(list[i]))
			return false
		case n < -sim.MaxGameValue || n > sim.MaxGameValue:
			t.fail(key, "%s: %v is more than %d steps of %v: use a larger step", key, f, sim.MaxGameValue, step)
			return false
		case math.Abs(n*step-f) > 1e-9*math.Max(1, math.Abs(f)):
			t.fail(key, "%s: %v is not a whole number of steps of %v", key, f, step)
			return false
		}
		*into = int32(n)
	}
	if *lo >= *hi {
		t.fail(key, "%s: the first number must be below the second", key)
		return false
	}
	return true
}

// readWords reads the list of words that a value can be. It returns false if it has recorded a problem.
func (t *table) readWords(key string, hi *int32, words *[]string) bool {
	list := t.stringArray(key)
	for i, w := range list {
		switch {
		case !gameName.MatchString(w):
			t.fail(key, "%s: word %q: use lower-case letters, digits and _, at most 32, with a letter first", key, w)
			return false
		case slices.Contains(list[:i], w):
			t.fail(key, "%s: the word %q occurs twice", key, w)
			return false
		}
	}
	if len(list) < 2 || len(list) > sim.MaxGameWords {
		t.fail(key, "%s: write 2 to %d words", key, sim.MaxGameWords)
		return false
	}
	*words, *hi = list, int32(len(list)-1)
	return true
}

// readArgs reads the key fields of a command or event: its arguments, in the order of the file.
func (t *table) readArgs() (args []sim.GameArg) {
	ft := t.subtable("fields")
	if ft == nil {
		return nil
	}
	used := [sim.ArgText + 1]bool{}
	for _, name := range t.src.order[ft.path] {
		arg := sim.GameArg{Name: name}
		if !gameName.MatchString(name) {
			t.fail("fields", "fields: %q: use lower-case letters, digits and _, at most 32, with a letter first", name)
			return nil
		}
		if !ft.readArg(&arg) {
			return nil
		}
		if arg.Kind != sim.ArgNumber && used[arg.Kind] {
			ft.fail(name, "%s: only one argument can be an actor, and one a text", name)
			return nil
		}
		used[arg.Kind] = true
		args = append(args, arg)
	}
	if len(args) > sim.MaxGameArgs {
		t.fail("fields", "fields: %d arguments are too many: use at most %d", len(args), sim.MaxGameArgs)
		return nil
	}
	return args
}

// readArg reads the type of an argument: [lowest, highest], a list of words, "actor", "text", or { range = ..., step =
// ... }.
func (t *table) readArg(arg *sim.GameArg) bool {
	v, _ := t.get(arg.Name)
	switch v := v.(type) {
	case string:
		kind, ok := argKinds[v]
		if !ok {
			t.fail(arg.Name, "%s = %q: use \"actor\", \"text\", [lowest, highest] or a list of words", arg.Name, v)
		}
		arg.Kind = kind
		return ok
	case map[string]any:
		rt := t.subtable(arg.Name)
		ok := rt.require("range", "[0, 100]") && rt.readRange("range", &arg.Min, &arg.Max, &arg.Step, &arg.Words)
		rt.reportUnknownKeys()
		return ok
	case []any:
		rt := &table{src: t.src, path: t.path, label: t.label, keys: map[string]any{arg.Name: v}}
		return rt.readRange(arg.Name, &arg.Min, &arg.Max, &arg.Step, &arg.Words)
	}
	t.fail(arg.Name, "%s is %s: use \"actor\", \"text\", [lowest, highest] or a list of words", arg.Name, kindOf(v))
	return false
}

// keyOrder returns, for each command and event, the keys of its table "fields" in the order of the file. The result is indexed by the
// path of the table, such as "command[0].fields". The parameter keys has the paths of all keys of the file, each as a list of names.
func keyOrder(keys [][]string) map[string][]string {
	order, count := map[string][]string{}, map[string]int{}
	for _, k := range keys {
		switch {
		case len(k) == 1:
			count[k[0]]++
		case len(k) == 3 && k[1] == "fields":
			path := fmt.Sprintf("%s[%d].fields", k[0], count[k[0]]-1)
			order[path] = append(order[path], k[2])
		}
	}
	return order
}
