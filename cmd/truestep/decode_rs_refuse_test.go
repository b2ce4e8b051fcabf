package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestDecodeRSBlamesTheLineThatCannotBeRead(t *testing.T) {
	s := &stories[0]
	good := s.initLine() + "\n" + `{"t":"cycle","bytes":"007ff4"}` + "\n"
	for _, c := range []struct{ name, lines, want string }{
		{"nothing", "", "no lines; the first has to be an init"},
		{"empty lines", "\n \n", "no lines; the first has to be an init"},
		{"no init", `{"t":"cycle","bytes":"007ff4"}`, "line 1: a cycle ahead of the first init"},
		{"no JSON", good + "\ncycle", "line 4: not JSON: invalid character 'c' looking for beginning of value"},
		{"half a line", good + `{"t":"cy`, "line 3: not JSON: unexpected end of JSON input"},
		{"two values", good + `{} {}`, "line 3: not JSON: invalid character '{' after top-level value"},
		{"a list", good + `["t"]`, "line 3: not a JSON object"},
		{"null", good + `null`, `line 3: t is missing, must be "init" or "cycle"`},
		{"another t", good + `{"t":"tick"}`, `line 3: t is "tick", must be "init" or "cycle"`},
		{"t is a long number", good + `{"t":` + strings.Repeat("1", 90) + `}`, `line 3: t is 1111111111111111111111111111111111111111..., must be`},
		{"no bytes", good + `{"t":"cycle"}`, "line 3: bytes is missing, must be hex digits in quotes"},
		{"bytes is null", good + `{"t":"cycle","bytes":null}`, "line 3: bytes is null, must be hex digits in quotes"},
		{"bytes is a number", good + `{"t":"cycle","bytes":12}`, "line 3: bytes is 12, must be hex digits in quotes"},
		{"half a byte", good + `{"t":"cycle","bytes":"007ff"}`, "line 3: bytes: 5 hex digits do not make whole bytes"},
		{"no digit", good + `{"t":"cycle","bytes":"00zff4"}`, "line 3: bytes: 'z' at 2 is not a hex digit"},
		{"no letter of ASCII", good + `{"t":"cycle","bytes":"00šff4"}`, "line 3: bytes: 'š' at 2 is not a hex digit"},
		{"no self", `{"t":"init","bytes":""}`, "line 1: self is missing, must be an index 1..2047"},
		{"self 0", `{"t":"init","self":0,"bytes":""}`, "line 1: self is 0, must be an index 1..2047"},
		{"self 2048", `{"t":"init","self":2048,"bytes":""}`, "line 1: self is 2048, must be an index 1..2047"},
		{"self -1", `{"t":"init","self":-1,"bytes":""}`, "line 1: self is -1, must be an index 1..2047"},
		{"self as a text", `{"t":"init","self":"1","bytes":""}`, `line 1: self is "1", must be an index 1..2047`},
		{"short placement", `{"t":"init","self":1,"bytes":"0c80"}`, "line 1: placement block is 2 bytes, must be 4608"},
		{"a line without end", good + strings.Repeat(" ", maxInfoLine) + "{}", "line 3: longer than 1048576 bytes"},
	} {
		code, _, errs := decodeRS(t, c.lines, "--jsonl", "-", "--quiet")
		if code != exitUsage || !strings.HasPrefix(errs, "truestep: stdin: "+c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit status %d, %s", c.name, code, errs)
		}
	}
}

func TestDecodeRSBlamesATruthThatCannotBeRead(t *testing.T) {
	s := &stories[0]
	for _, c := range []struct{ truth, want string }{
		{``, "no truth to check"},
		{`,"truth":null`, "no truth to check"},
		{`,"truth":7`, "truth is not of the form"},
		{`,"truth":{"local":{"1":[3200,"x",0]}}`, "truth is not of the form"},
		{`,"truth":{"local":{"1":[3200,3200]}}`, `truth: local "1" has 2 numbers, must have 3`},
		{`,"truth":{"lowres":{"1":[0,1,2,3]}}`, `truth: lowres "1" has 4 numbers, must have 3`},
		{`,"truth":{"local":{"2048":[0,0,0]}}`, `truth: bad line: index "2048"`},
		{`,"truth":{"local":{"1":[16384,0,0]}}`, `truth: bad line: local 1 is at [16384 0 0]`},
		{`,"truth":{"lowres":{"1":[4,0,0]}}`, `truth: bad line: lowres 1 is at [4 0 0]`},
	} {
		lines := s.initLine() + "\n" + `{"t":"cycle","bytes":"007ff4"` + c.truth + `}`
		code, out, errs := decodeRS(t, lines, "--jsonl", "-", "--check")
		if code != exitUsage || out != "" || !strings.HasPrefix(errs, "truestep: stdin: line 2: "+c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit status %d, %s\n%s", c.truth, code, errs, out)
		}
		if code, _, errs := decodeRS(t, lines, "--jsonl", "-"); code != 0 {
			t.Errorf("%s, not to be checked: exit status %d, %s", c.truth, code, errs)
		}
	}
	if code, _, errs := decodeRS(t, s.initLine(), "--jsonl", "-", "--check"); code != exitUsage || !strings.Contains(errs, "no cycle to check") {
		t.Errorf("an init alone: exit status %d, %s", code, errs)
	}
}

// A file that ends too early has a line cut in two: the states before it are printed, and the last line is to blame.
func TestDecodeRSOfAPrefixPrintsWhatIsThere(t *testing.T) {
	s := stories[0]
	s.cycles = s.cycles[2:6]
	whole := s.lines()
	for cut := len(s.initLine()) - 3; cut < len(whole); cut++ {
		lines := strings.Split(whole[:cut], "\n")
		last := lines[len(lines)-1]
		bad := last != "" && !strings.HasSuffix(last, "}}}") && (len(lines) > 1 || !strings.HasSuffix(last, "}"))
		code, out, errs := decodeRS(t, whole[:cut], "--jsonl", "-")
		if bad != (code == exitUsage) || !bad && code != 0 || !strings.HasPrefix(s.states(), out) {
			t.Fatalf("%d bytes: exit status %d, %s\n%s", cut, code, errs, out)
		}
		if want := fmt.Sprintf("truestep: stdin: line %d: not JSON", len(lines)); bad && !strings.HasPrefix(errs, want) {
			t.Fatalf("%d bytes: %s", cut, errs)
		}
	}
}

// The largest payload of any revision fits into a line, and much beside it.
func TestDecodeRSReadsLongLines(t *testing.T) {
	line := fmt.Sprintf(`{"t":"cycle","bytes":"%s","note":"%s"}`, strings.Repeat("00", 40000), strings.Repeat("x", 900_000))
	code, _, errs := decodeRS(t, stories[0].initLine()+"\n"+line, "--jsonl", "-", "--profile", "osrs239")
	if code != 1 || !strings.Contains(errs, "cycle 1 (line 2): ") {
		t.Errorf("exit status %d, %s", code, errs)
	}
}

func TestDecodeRSRefusesFlagsThatSayNothing(t *testing.T) {
	here(t)
	s := &stories[0]
	placement := fmt.Sprintf("%x", s.placement())
	for name, b := range map[string]string{"long": strings.Repeat("0", maxHexText+1), "text": "hello", "run.jsonl": s.lines()} {
		if err := os.WriteFile(name, []byte(b), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "name a file with --jsonl FILE, or give --self, --placement and payloads in hex"},
		{[]string{"run.jsonl"}, "for a file of lines there is --jsonl FILE"},
		{[]string{"--jsonl", "nosuch"}, "jsonl: open nosuch: no such file or directory"},
		{[]string{"--jsonl", "."}, ".: read .: is a directory"},
		{[]string{"--jsonl", "-", "007ff4"}, "--jsonl brings its own self"},
		{[]string{"--jsonl", "-", "--at", "1,1"}, "--jsonl brings its own self"},
		{[]string{"--jsonl", "run.jsonl", "--cycle=-1"}, "cycle -1: the first is 1"},
		{[]string{"--jsonl", "run.jsonl", "--cycle", "13"}, "run.jsonl: there are 12 cycles, so no cycle 13"},
		{[]string{"--jsonl", "run.jsonl", "--quiet", "--trace"}, "--quiet and --trace can't be used together"},
		{[]string{"--jsonl", "run.jsonl", "--profile", "668"}, `--profile must be one of "634","667","osrs239" but got "668"`},
		{[]string{"--self", "1", "--at", "1,1"}, "give payloads in hex"},
		{[]string{"--self", "1", "007ff4"}, "where does the client start?"},
		{[]string{"--self", "1", "--at", "1,1", "--placement", "00", "007ff4"}, "can't be used together"},
		{[]string{"--self", "1", "--at", "1,1", "--check", "007ff4"}, "--check and --quiet are for --jsonl"},
		{[]string{"--at", "1,1", "007ff4"}, "self 0: name the client's own index, 1..2047"},
		{[]string{"--self", "2048", "--at", "1,1", "007ff4"}, "self 2048"},
		{[]string{"--self", "1", "--at", "16384,1", "007ff4"}, `"16384,1" is not a tile`},
		{[]string{"--self", "1", "--at", "1,1,4", "007ff4"}, `"1,1,4" is not a tile`},
		{[]string{"--self", "1", "--at", "1", "007ff4"}, `"1" is not a tile`},
		{[]string{"--self", "1", "--at", "1,1,1,1", "007ff4"}, `"1,1,1,1" is not a tile`},
		{[]string{"--self", "1", "--placement", "0c80", "007ff4"}, "placement: 2 bytes, must be 4608"},
		{[]string{"--self", "1", "--placement", "@nosuch", "007ff4"}, "placement: open nosuch"},
		{[]string{"--self", "1", "--placement", "@text", "007ff4"}, "placement: text: 'h' is not a hex digit"},
		{[]string{"--self", "1", "--placement", "@long", "007ff4"}, "placement: long: more than 1048576 bytes"},
		{[]string{"--self", "1", "--placement", placement, "007ff4", "007ff"}, "payload 2: 5 hex digits do not make whole bytes"},
		{[]string{"--self", "1", "--at", "1,1", "007ff4", "--cycle", "2"}, "cycle 2: there are 1 payloads"},
	} {
		code, out, errs := truestep(append([]string{"decode", "rs"}, c.args...)...)
		if code != exitUsage || out != "" || !strings.HasPrefix(errs, "truestep: ") || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%.80q: exit status %d, %s\n%s", c.args, code, errs, out)
		}
	}
}

// The lines come after a good init, which is too long for a fuzzer to play with.
func FuzzDecodeRS(f *testing.F) {
	s := &stories[0]
	_, cycles, _ := strings.Cut(s.lines(), "\n")
	f.Add([]byte(cycles))
	f.Add([]byte(`{"t":"cycle","bytes":"80"}`))
	f.Add([]byte(`{"t":"init","self":1,"bytes":"0c80"}`))
	init := s.initLine() + "\n"
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, c := range []decodeRSCmd{{Check: true}, {Trace: true}} {
			var out, errs bytes.Buffer
			c.Profile, c.JSONL, c.in = "667", "-", strings.NewReader(init+string(b))
			if err := c.Run(std{&out, &errs}); err != nil && strings.TrimSpace(err.Error()) == "" {
				t.Fatal("an error without words")
			}
		}
	})
}
