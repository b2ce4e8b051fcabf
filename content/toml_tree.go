package content

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/truestep-io/truestep/internal/cp1252"
)

// source is a TOML file that is being read: the line of each key, and the problems and warnings found so far.
type source struct {
	name     string              // name of the file in messages
	lines    map[string]int      // line number of each key, by the path of the key
	order    map[string][]string // keys of tables whose order matters, see keyOrder
	problems Problems
	warnings []Warning
}

// table is a TOML table of a source. A method that reads a key stores the value in a variable of the caller. If the key is
// absent, the variable keeps its value, which is the default. The methods record which keys were read; reportUnknownKeys reports
// all other keys.
type table struct {
	src   *source
	path  string // path of the table, such as "area[2].portal[0]"; "" for the root table
	label string // prefix of messages about the table, with colon and space, such as `portal "Gate": `
	keys  map[string]any
	asked []string // keys that were read
}

// parseTOML parses a file. If the syntax is invalid, ok is false and the problem is recorded in the table's source (root.src).
func parseTOML(name string, b []byte) (root *table, ok bool) {
	src := &source{name: name}
	root = &table{src: src, keys: map[string]any{}}
	md, err := toml.Decode(string(b), &root.keys)
	if err != nil {
		line, text := 0, strings.ReplaceAll(err.Error(), "\n", " ")
		if pe, is := errors.AsType[toml.ParseError](err); is {
			line, text = pe.Position.Line, pe.Message
		}
		src.problems = append(src.problems, Problem{name, line, "not TOML: " + text})
		return root, false
	}
	src.lines = scanLines(string(b))
	keys := make([][]string, 0, len(md.Keys()))
	for _, k := range md.Keys() {
		keys = append(keys, k)
	}
	src.order = keyOrder(keys)
	return root, true
}

// line returns the number of the line on which the key with this path is. If the file does not contain the path, it
// returns the line of the nearest parent.
func (s *source) line(path string) int {
	for {
		if n, ok := s.lines[path]; ok {
			return n
		}
		cut := strings.LastIndexAny(path, ".[")
		if cut < 0 {
			return 1
		}
		path = path[:cut]
	}
}

// fail records a problem with a key of the table. If the parameter key is "", the problem is about the table itself.
func (t *table) fail(key, format string, args ...any) {
	path := t.path
	if key != "" {
		path = joinPath(t.path, key)
	}
	text := t.label + fmt.Sprintf(format, args...)
	t.src.problems = append(t.src.problems, Problem{t.src.name, t.src.line(path), text})
}

// warn records a warning about the table.
func (t *table) warn(code, format string, args ...any) {
	where := strings.TrimSuffix(t.label, ": ")
	if where == "" {
		where = "file"
	}
	where = fmt.Sprintf("line %d, %s", t.src.line(t.path), where)
	t.src.warnings = append(t.src.warnings, Warning{code, t.src.name, where, fmt.Sprintf(format, args...)})
}

// has reports whether the table has a key, with a value of any type.
func (t *table) has(key string) bool {
	_, ok := t.get(key)
	return ok
}

func (t *table) get(key string) (any, bool) {
	if !slices.Contains(t.asked, key) {
		t.asked = append(t.asked, key)
	}
	v, ok := t.keys[key]
	return v, ok
}

// require reports whether a required key is present. If it is not, require records a problem, whose message shows the parameter
// example as a value to add.
func (t *table) require(key, example string) bool {
	if t.has(key) {
		return true
	}
	t.fail("", "%s is missing: add %s = %s", key, key, example)
	return false
}

// reportUnknownKeys records a problem for each key that was not read.
func (t *table) reportUnknownKeys() {
	var unknown []string
	for k := range t.keys {
		if !slices.Contains(t.asked, k) {
			unknown = append(unknown, k)
		}
	}
	slices.Sort(unknown)
	for _, k := range unknown {
		t.fail(k, "unknown key %q: %s", k, suggest(k, t.asked, "known keys are"))
	}
}

// number reads a number with or without fraction. It returns false if the key is absent or invalid.
func (t *table) number(key string) (float64, bool) {
	v, ok := t.get(key)
	if !ok {
		return 0, false
	}
	f, ok := asNumber(v)
	if !ok {
		t.fail(key, "%s is %s: write a finite number", key, kindOf(v))
	}
	return f, ok
}

func asNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	return 0, false
}

// float reads a number into *into. A number below lo or above hi is recorded as a problem.
func (t *table) float(key string, into *float32, lo, hi float64) {
	f, ok := t.number(key)
	switch {
	case !ok:
	case f < lo || f > hi:
		t.fail(key, "%s = %v is out of range: use %v to %v", key, f, lo, hi)
	default:
		*into = float32(f)
	}
}

// integers are the integer types that the target of readInteger can have.
type integers interface {
	~int | ~int64 | ~int32 | ~int16 | ~uint8 | ~uint16 | ~uint32
}

// readInteger reads an integer into *into. An integer below lo or above hi is recorded as a problem. The type T must be
// able to hold lo and hi.
func readInteger[T integers](t *table, key string, into *T, lo, hi int64) {
	v, ok := t.get(key)
	if !ok {
		return
	}
	n, is := v.(int64)
	switch {
	case !is:
		t.fail(key, "%s is %s: write a whole number from %d to %d", key, kindOf(v), lo, hi)
	case n < lo || n > hi:
		t.fail(key, "%s = %d is out of range: use %d to %d", key, n, lo, hi)
	default:
		*into = T(n)
	}
}

// boolean reads the value true or false into *into.
func (t *table) boolean(key string, into *bool) {
	v, ok := t.get(key)
	if !ok {
		return
	}
	b, is := v.(bool)
	if !is {
		t.fail(key, "%s is %s: write true or false", key, kindOf(v))
		return
	}
	*into = b
}

// rawString reads a string without checking its characters. It returns false if the key is absent or not a string.
func (t *table) rawString(key string) (string, bool) {
	v, ok := t.get(key)
	if !ok {
		return "", false
	}
	s, is := v.(string)
	if !is {
		t.fail(key, "%s is %s: write a string in quotes", key, kindOf(v))
	}
	return s, is
}

// clientText reads a string of at most limit characters that all clients can show.
func (t *table) clientText(key string, into *string, limit int) {
	s, ok := t.rawString(key)
	if !ok {
		return
	}
	if t.checkClientText(key, s, limit) {
		*into = s
	}
}

// checkClientText reports whether all clients can show a string, and records a problem if they cannot. The string must not be
// longer than limit or have control characters. It may have only characters of Windows-1252, the encoding of RealmCrafter and
// RuneScape clients.
func (t *table) checkClientText(key, s string, limit int) bool {
	encoded, ok := cp1252.TryEncode(s)
	switch {
	case !ok:
		t.fail(key, "%s %q contains a letter that clients cannot show: use Western European letters (Windows-1252)", key, s)
	case len(encoded) > limit:
		t.fail(key, "%s is %d letters long: use at most %d", key, len(encoded), limit)
	case strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || 0x80 <= r && r < 0xa0 }):
		t.fail(key, "%s %q contains a line break or another control character: remove it", key, s)
	default:
		return true
	}
	return false
}

// choice reads one of several words and returns its index in words. It returns false if the key is absent or invalid.
func (t *table) choice(key string, words []string) (int, bool) {
	s, ok := t.rawString(key)
	if !ok {
		return 0, false
	}
	if i := slices.Index(words, s); i >= 0 {
		return i, true
	}
	t.fail(key, "%s %q is unknown: %s", key, s, suggest(s, words, "use one of"))
	return 0, false
}

// subtable returns the table under a key, nil if it is absent or not a table.
func (t *table) subtable(key string) *table {
	v, ok := t.get(key)
	if !ok {
		return nil
	}
	m, is := v.(map[string]any)
	if !is {
		t.fail(key, "%s is %s: write a table, [%s] or { key = value }", key, kindOf(v), joinPath(t.path, key))
		return nil
	}
	return &table{src: t.src, path: joinPath(t.path, key), label: t.label, keys: m}
}

// tables returns the elements of an array of tables: [[key]] or key = [{...}, {...}].
func (t *table) tables(key string) []*table {
	v, ok := t.get(key)
	if !ok {
		return nil
	}
	var tables []*table
	switch v := v.(type) {
	case []map[string]any:
		for i, m := range v {
			tables = append(tables, &table{src: t.src, path: fmt.Sprintf("%s[%d]", joinPath(t.path, key), i), label: t.label, keys: m})
		}
		return tables
	case []any:
		for i, e := range v {
			m, is := e.(map[string]any)
			if !is {
				t.fail(fmt.Sprintf("%s[%d]", key, i), "%s contains %s: write tables only", key, kindOf(e))
				continue
			}
			tables = append(tables, &table{src: t.src, path: fmt.Sprintf("%s[%d]", joinPath(t.path, key), i), label: t.label, keys: m})
		}
		return tables
	}
	t.fail(key, "%s is %s: write [[%s]] above each one", key, kindOf(v), key)
	return nil
}

// array returns the elements of an array of values, nil if it is absent or not an array.
func (t *table) array(key string) []any {
	v, ok := t.get(key)
	if !ok {
		return nil
	}
	switch v := v.(type) {
	case []any:
		return v
	case []map[string]any:
		t.fail(key, "%s contains tables: write plain values in [ ]", key)
	default:
		t.fail(key, "%s is %s: write a list in [ ]", key, kindOf(v))
	}
	return nil
}

// stringArray returns the elements of an array of strings. An element that is not a string is recorded as a problem.
func (t *table) stringArray(key string) []string {
	var words []string
	for i, v := range t.array(key) {
		s, is := v.(string)
		if !is {
			t.fail(fmt.Sprintf("%s[%d]", key, i), "%s contains %s: write strings in quotes", key, kindOf(v))
		}
		words = append(words, s)
	}
	return words
}

// kindOf returns the name of the type of a TOML value, for messages.
func kindOf(v any) string {
	switch v := v.(type) {
	case string:
		return "a string"
	case int64:
		return "a whole number"
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "not a finite number"
		}
		return "a number with a fraction"
	case bool:
		return "true or false"
	case []any, []map[string]any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}
