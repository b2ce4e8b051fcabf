package dissect

import (
	"fmt"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/rs"
)

func TestRSUnreadableLineReturnsInputErrorWithLineNumber(t *testing.T) {
	s := &stories[0]
	good := s.initLine() + "\n" + `{"t":"cycle","bytes":"007ff4"}` + "\n"
	for _, c := range []struct{ name, lines, want string }{
		{"nothing", "", "the input has no lines; the first one must be an \"init\" line"},
		{"empty lines", "\n \n", "the input has no lines; the first one must be an \"init\" line"},
		{"no init", `{"t":"cycle","bytes":"007ff4"}`, "line 1: the input has a \"cycle\" line before its first \"init\" line"},
		{"no JSON", good + "\ncycle", "line 4: the line is not valid JSON: invalid character 'c' looking for beginning of value"},
		{"half a line", good + `{"t":"cy`, "line 3: the line is not valid JSON: unexpected end of JSON input"},
		{"two values", good + `{} {}`, "line 3: the line is not valid JSON: invalid character '{' after top-level value"},
		{"a list", good + `["t"]`, "line 3: the line is not a JSON object"},
		{"null", good + `null`, `line 3: field "t" is missing, but must be "init" or "cycle"`},
		{"another t", good + `{"t":"tick"}`, `line 3: field "t" is "tick", but must be "init" or "cycle"`},
		{"t is a long number", good + `{"t":` + strings.Repeat("1", 90) + `}`, `line 3: field "t" is 1111111111111111111111111111111111111111..., but must be`},
		{"no bytes", good + `{"t":"cycle"}`, `line 3: field "bytes" is missing, but must be hex digits in quotes`},
		{"bytes is null", good + `{"t":"cycle","bytes":null}`, `line 3: field "bytes" is null, but must be hex digits in quotes`},
		{"bytes is a number", good + `{"t":"cycle","bytes":12}`, `line 3: field "bytes" is 12, but must be hex digits in quotes`},
		{"half a byte", good + `{"t":"cycle","bytes":"007ff"}`, `line 3: field "bytes": 5 hex digits do not make whole bytes`},
		{"no digit", good + `{"t":"cycle","bytes":"00zff4"}`, "line 3: field \"bytes\": 'z' at position 2 is not a hex digit"},
		{"no letter of ASCII", good + `{"t":"cycle","bytes":"00šff4"}`, "line 3: field \"bytes\": 'š' at position 2 is not a hex digit"},
		{"no self", `{"t":"init","bytes":""}`, `line 1: field "self" is missing, but must be a player index 1..2047`},
		{"self 0", `{"t":"init","self":0,"bytes":""}`, `line 1: field "self" is 0, but must be a player index 1..2047`},
		{"self 2048", `{"t":"init","self":2048,"bytes":""}`, `line 1: field "self" is 2048, but must be a player index 1..2047`},
		{"self -1", `{"t":"init","self":-1,"bytes":""}`, `line 1: field "self" is -1, but must be a player index 1..2047`},
		{"self as a text", `{"t":"init","self":"1","bytes":""}`, `line 1: field "self" is "1", but must be a player index 1..2047`},
		{"short placement", `{"t":"init","self":1,"bytes":"0c80"}`, `line 1: field "bytes": the placement block has 2 bytes instead of 4608`},
		{"a line without end", good + strings.Repeat(" ", maxInfoLine) + "{}", "line 3: the line is longer than 1048576 bytes"},
	} {
		_, _, err := decodeLines(RS{Quiet: true}, c.lines)
		if !isInputError(err) || !strings.HasPrefix(err.Error(), "stdin: "+c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestRSInvalidExpectedStateIsErrorOnlyIfStatesAreChecked(t *testing.T) {
	s := &stories[0]
	for _, c := range []struct{ truth, want string }{
		{``, `the line has no field "truth", the expected state to compare with`},
		{`,"truth":null`, `the line has no field "truth", the expected state to compare with`},
		{`,"truth":7`, `field "truth" is not of the form`},
		{`,"truth":{"local":{"1":[3200,"x",0]}}`, `field "truth" is not of the form`},
		{`,"truth":{"local":{"1":[3200,3200]}}`, `field "truth": local: player "1" has 2 numbers instead of 3`},
		{`,"truth":{"lowres":{"1":[0,1,2,3]}}`, `field "truth": lowres: player "1" has 4 numbers instead of 3`},
		{`,"truth":{"local":{"2048":[0,0,0]}}`, `field "truth": invalid line in a file of RuneScape test vectors: player index "2048"`},
		{`,"truth":{"local":{"1":[16384,0,0]}}`, `field "truth": invalid line in a file of RuneScape test vectors: local player 1 is at [16384 0 0]`},
		{`,"truth":{"lowres":{"1":[4,0,0]}}`, `field "truth": invalid line in a file of RuneScape test vectors: field lowres: player 1 is in map square [4 0 0]`},
	} {
		lines := s.initLine() + "\n" + `{"t":"cycle","bytes":"007ff4"` + c.truth + `}`
		out, _, err := decodeLines(RS{Check: true}, lines)
		if !isInputError(err) || out != "" || !strings.HasPrefix(err.Error(), "stdin: line 2: "+c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v\n%s", c.truth, err, out)
		}
		if _, _, err := decodeLines(RS{}, lines); err != nil {
			t.Errorf("%s, without Check: %v", c.truth, err)
		}
	}
	if _, _, err := decodeLines(RS{Check: true}, s.initLine()); !isInputError(err) || !strings.Contains(err.Error(), "the input has no \"cycle\" line to check") {
		t.Errorf("an init alone: %v", err)
	}
}

// In a truncated file the last line is incomplete. The states before that line are printed, and the error names the line.
func TestRSTruncatedFileIsPrintedUpToLastWholeLine(t *testing.T) {
	s := stories[0]
	s.cycles = s.cycles[2:6]
	whole := s.lines()
	for cut := len(s.initLine()) - 3; cut < len(whole); cut++ {
		lines := strings.Split(whole[:cut], "\n")
		last := lines[len(lines)-1]
		bad := last != "" && !strings.HasSuffix(last, "}}}") && (len(lines) > 1 || !strings.HasSuffix(last, "}"))
		out, _, err := decodeLines(RS{}, whole[:cut])
		if bad != isInputError(err) || !bad && err != nil || !strings.HasPrefix(s.states(), out) {
			t.Fatalf("%d bytes: %v\n%s", cut, err, out)
		}
		if want := fmt.Sprintf("stdin: line %d: the line is not valid JSON", len(lines)); bad && !strings.HasPrefix(err.Error(), want) {
			t.Fatalf("%d bytes: %v", cut, err)
		}
	}
}

// A line may be long enough for the largest payload of any revision and further long keys. The payload of this test is not valid: the
// error must be about the payload, not about the length of the line.
func TestRSLineWithLargestPayloadIsRead(t *testing.T) {
	line := fmt.Sprintf(`{"t":"cycle","bytes":"%s","note":"%s"}`, strings.Repeat("00", 40000), strings.Repeat("x", 900_000))
	osrs, _ := rs.ProfileNamed("osrs239")
	_, _, err := decodeLines(RS{Profile: osrs}, stories[0].initLine()+"\n"+line)
	if err == nil || isInputError(err) || !strings.Contains(err.Error(), "cycle 1 (line 2): ") {
		t.Error(err)
	}
}

// The fuzzed lines follow a valid init line, which is too long to be fuzzed.
func FuzzRS(f *testing.F) {
	s := &stories[0]
	_, cycles, _ := strings.Cut(s.lines(), "\n")
	f.Add([]byte(cycles))
	f.Add([]byte(`{"t":"cycle","bytes":"80"}`))
	f.Add([]byte(`{"t":"init","self":1,"bytes":"0c80"}`))
	init := s.initLine() + "\n"
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, o := range []RS{{Check: true}, {Trace: true}} {
			if _, _, err := decodeLines(o, init+string(b)); err != nil && strings.TrimSpace(err.Error()) == "" {
				t.Fatal("an error without a message")
			}
		}
	})
}
