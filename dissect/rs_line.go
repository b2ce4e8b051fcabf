package dissect

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/internal/rsscene"
	"github.com/truestep-io/truestep/proto/rs"
)

// infoLine is a parsed init or cycle line of a file of RuneScape test vectors (rsscene.Line).
type infoLine struct {
	init  bool           // the line is an init line
	self  rs.Index       // index of the client's own player; in an init line only
	bytes []byte         // placement block of an init line, packet of a cycle line
	truth *rsscene.Truth // expected state of the client after a cycle line; nil if the caller does not need it
}

// readInfoLine parses a line. It ignores unknown keys. It reads the expected state, under the key "truth", only if wantTruth
// is set.
func readInfoLine(b []byte, wantTruth bool) (l infoLine, err error) {
	var keys map[string]json.RawMessage // not a struct, because encoding/json would accept BYTES for bytes
	if err := json.Unmarshal(b, &keys); err != nil {
		return l, notJSON(err)
	}
	var t string
	if json.Unmarshal(keys["t"], &t) != nil || t != rsscene.LineInit && t != rsscene.LineCycle {
		return l, fmt.Errorf("field \"t\" is %s, but must be %q or %q", orMissing(keys["t"]), rsscene.LineInit, rsscene.LineCycle)
	}
	l.init = t == rsscene.LineInit
	if l.init && (json.Unmarshal(keys["self"], &l.self) != nil || l.self < 1 || l.self > rs.MaxIndex) {
		return l, fmt.Errorf("field \"self\" is %s, but must be a player index 1..%d", orMissing(keys["self"]), rs.MaxIndex)
	}
	if l.bytes, err = readBytes(keys["bytes"]); err != nil {
		return l, err
	}
	if l.init && len(l.bytes) != rs.PlacementSize {
		return l, fmt.Errorf("field \"bytes\": the placement block has %d bytes instead of %d", len(l.bytes), rs.PlacementSize)
	}
	if !l.init && wantTruth {
		l.truth, err = readTruth(keys["truth"])
	}
	return l, err
}

func notJSON(err error) error {
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return errors.New("the line is not a JSON object")
	}
	return fmt.Errorf("the line is not valid JSON: %w", err)
}

// orMissing returns the start of the value v for an error message, or "missing" if there is no value.
func orMissing(v json.RawMessage) string {
	const most = 40
	switch {
	case len(v) == 0:
		return "missing"
	case len(v) > most:
		return strings.ToValidUTF8(string(v[:most]), "") + "..."
	}
	return string(v)
}

func readBytes(v json.RawMessage) ([]byte, error) {
	var digits *string
	if json.Unmarshal(v, &digits) != nil || digits == nil {
		return nil, fmt.Errorf("field \"bytes\" is %s, but must be hex digits in quotes", orMissing(v))
	}
	b, err := hex.DecodeString(*digits)
	switch at := strings.IndexFunc(*digits, func(r rune) bool { return r > 'f' || hexValue(byte(r)) < 0 }); {
	case err == nil:
		return b, nil
	case at >= 0:
		return nil, fmt.Errorf("field \"bytes\": %q at position %d is not a hex digit", []rune((*digits)[at:])[0], at)
	}
	return nil, fmt.Errorf("field \"bytes\": %d hex digits do not make whole bytes", len(*digits))
}

// readTruth parses the expected state of a client after a cycle.
func readTruth(v json.RawMessage) (*rsscene.Truth, error) {
	var t struct{ Local, Lowres map[string][]int }
	if len(v) == 0 || string(v) == "null" {
		return nil, errors.New(`the line has no field "truth", the expected state to compare with`)
	}
	if err := json.Unmarshal(v, &t); err != nil {
		return nil, errors.New(`field "truth" is not of the form {"local":{"7":[x,y,plane]},"lowres":{"9":[plane,rx,ry]}}`)
	}
	local, err := triples("local", t.Local)
	if err != nil {
		return nil, err
	}
	lowres, err := triples("lowres", t.Lowres)
	if err != nil {
		return nil, err
	}
	truth, err := (&rsscene.LineTruth{Local: local, Lowres: lowres}).Truth()
	if err != nil {
		return nil, fmt.Errorf(`field "truth": %w`, err)
	}
	return truth, nil
}

// triples converts the lists in m to arrays of three numbers. A list of another length is an error. The parameter name is the
// field of the expected state that m comes from, "local" or "lowres"; the error contains it.
func triples(name string, m map[string][]int) (map[string][3]int, error) {
	out := make(map[string][3]int, len(m))
	for key, v := range m {
		if len(v) != 3 {
			return nil, fmt.Errorf(`field "truth": %s: player %q has %d numbers instead of 3`, name, key, len(v))
		}
		out[key] = [3]int(v)
	}
	return out, nil
}

// compareWithTruth returns an error if the client's state differs from the expected one. The error describes the first
// difference, in the order of player indices, and contains the number of further differences.
func compareWithTruth(c *rs.PlayerInfoDecoder, t *rsscene.Truth) error {
	first, more := "", -1
	for i := rs.Index(1); i <= rs.MaxIndex; i++ {
		at, seen := c.Local(i)
		square, _ := c.LowRes(i)
		if seen == t.IsLocal[i] && at == t.Tile[i] && square == t.Square[i] {
			continue
		}
		if more++; more == 0 {
			first = fmt.Sprintf("player %d is %s, must be %s", i, position(seen, at, square), position(t.IsLocal[i], t.Tile[i], t.Square[i]))
		}
	}
	switch {
	case more < 0:
		return nil
	case more > 0:
		first += fmt.Sprintf("; further players that differ: %d", more)
	}
	return errors.New(first)
}

// position formats what a client knows of the position of a player, as the expected states of test vectors do. The parameter seen
// says whether the client draws the player. If so, the result contains the player's tile, the parameter at. Otherwise it contains the
// player's map square, the parameter square.
func position(seen bool, at rs.Tile, square rs.MapSquare) string {
	if seen {
		return fmt.Sprintf("local [%d,%d,%d]", at.X, at.Z, at.Plane)
	}
	return fmt.Sprintf("lowres [%d,%d,%d]", square.Plane(), square.X(), square.Z())
}

// stateOrder contains all player indices, sorted as decimal text (1, 10, 100, ...), which is the order of the JSON keys in files
// of test vectors.
var stateOrder = func() []rs.Index {
	keys := make([]rs.Index, rs.MaxIndex)
	for k := range keys {
		keys[k] = rs.Index(k + 1)
	}
	slices.SortFunc(keys, func(a, b rs.Index) int {
		return strings.Compare(strconv.Itoa(int(a)), strconv.Itoa(int(b)))
	})
	return keys
}()

// appendState appends a client's state in exactly the format of the expected states in vector files (rsscene.LineTruth).
func appendState(b []byte, c *rs.PlayerInfoDecoder) []byte {
	b = append(b, `{"local":{`...)
	for _, i := range stateOrder {
		if t, ok := c.Local(i); ok {
			b = appendEntry(b, i, int(t.X), int(t.Z), int(t.Plane))
		}
	}
	b = append(b, `},"lowres":{`...)
	for _, i := range stateOrder {
		if s, ok := c.LowRes(i); ok && s != 0 {
			b = appendEntry(b, i, int(s.Plane()), int(s.X()), int(s.Z()))
		}
	}
	return append(b, "}}"...)
}

// appendEntry appends an entry of a JSON object: the index i as the key, and the numbers v as a list. It appends a comma before
// each entry but the first.
func appendEntry(b []byte, i rs.Index, v ...int) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = append(strconv.AppendInt(append(b, '"'), int64(i), 10), `":[`...)
	for k, n := range v {
		if k > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return append(b, ']')
}

// appendTrace appends a heading, the content of a packet, and an empty line. The heading contains the cycle and, if line is not
// 0, the line number.
func appendTrace(b []byte, cycle, line int, t *rs.PacketTrace) []byte {
	b = fmt.Appendf(b, "cycle %d", cycle)
	if line > 0 {
		b = fmt.Appendf(b, " (line %d)", line)
	}
	return append(t.AppendText(append(b, '\n')), '\n')
}
