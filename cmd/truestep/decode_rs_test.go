package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/truestep-io/truestep/proto/rs"
)

// decodeRS runs "truestep decode rs args" with stdin.
func decodeRS(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var c struct {
		Decode decodeCmd `cmd:""`
	}
	var out, errs bytes.Buffer
	parser, err := kong.New(&c, kong.Bind(std{&out, &errs}))
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := parser.Parse(append([]string{"decode", "rs"}, args...))
	if err != nil {
		return exitUsage, "", "truestep: " + err.Error() + "\n"
	}
	c.Decode.RS.in = strings.NewReader(stdin)
	if err := ctx.Run(); err != nil {
		code = complain(&errs, err, statusOf(err))
	}
	return code, out.String(), errs.String()
}

// story is what one client is sent, from docs/wire/rs.md. An unmodified 667 client ended in these states.
type story struct {
	name    string
	self    rs.Index
	at      rs.Tile
	squares map[rs.Index]rs.Square
	cycles  [][2]string // a payload and the state after it
}

// These three have every kind of movement, and the blocks that change how one is drawn.
var stories = []story{
	{"alone", 1, rs.Tile{X: 3200, Z: 3200}, nil, [][2]string{
		{"007ff4", `{"local":{"1":[3200,3200,0]},"lowres":{}}`},
		{"007ff4", `{"local":{"1":[3200,3200,0]},"lowres":{}}`},
		{"987ff4", `{"local":{"1":[3201,3200,0]},"lowres":{}}`},
		{"007ff4", `{"local":{"1":[3201,3200,0]},"lowres":{}}`},
		{"aa7ff4", `{"local":{"1":[3203,3201,0]},"lowres":{}}`},
		{"b1b3807ff4", `{"local":{"1":[3198,3208,0]},"lowres":{}}`},
		{"b200007ff4", `{"local":{"1":[3198,3208,1]},"lowres":{}}`},
		{"be1f47e7007ff4", `{"local":{"1":[4198,3008,0]},"lowres":{}}`},
		{"c07ff4017f", `{"local":{"1":[4198,3008,0]},"lowres":{}}`},
		{"d67ff48002fe", `{"local":{"1":[4197,3008,0]},"lowres":{}}`},
		{"ef7ff4800281", `{"local":{"1":[4199,3010,0]},"lowres":{}}`},
		{"f0ab007ff48102817e", `{"local":{"1":[4209,3000,0]},"lowres":{}}`},
	}},
	{"seen", 1, rs.Tile{X: 3200, Z: 3200}, map[rs.Index]rs.Square{2: 50<<8 | 50, 3: 49<<8 | 50}, [][2]string{
		{"00814a3ff8", `{"local":{"1":[3200,3200,0],"2":[3205,3210,0]},"lowres":{"3":[0,49,50]}}`},
		{"217ff0", `{"local":{"1":[3200,3200,0],"2":[3205,3210,0]},"lowres":{"3":[0,49,50]}}`},
		{"13407ff0", `{"local":{"1":[3200,3200,0],"2":[3204,3211,0]},"lowres":{"3":[0,49,50]}}`},
		{"80007ff0", `{"local":{"1":[3200,3200,0]},"lowres":{"2":[0,50,50],"3":[0,49,50]}}`},
		{"007ff000", `{"local":{"1":[3200,3200,0]},"lowres":{"2":[0,50,50],"3":[0,49,50]}}`},
		{"0013081feffd8008500000ffff0000000000011200011a012401000121012a010a000000000000000000000000000592426f7431000303ff00",
			`{"local":{"1":[3200,3200,0],"3":[3201,3199,0]},"lowres":{"2":[0,50,50]}}`},
		{"11e32f707ff0", `{"local":{"1":[3200,3200,0]},"lowres":{"2":[0,50,50],"3":[2,100,40]}}`},
		{"007ff09ece0a0c40", `{"local":{"1":[3200,3200,0],"3":[3203,3204,0]},"lowres":{"2":[0,50,50]}}`},
		{"11507ff0", `{"local":{"1":[3200,3200,0]},"lowres":{"2":[0,50,50],"3":[1,50,50]}}`},
	}},
	{"far", 1, rs.Tile{X: 3200, Z: 3200}, map[rs.Index]rs.Square{5: 50<<8 | 50, 6: 3<<16 | 10<<8 | 20, 7: 1 << 16, 9: 255<<8 | 1}, [][2]string{
		{"0022c2af7200c700801ff5", `{"local":{"1":[3200,3200,0]},"lowres":{"5":[0,51,49],"6":[0,10,20],"7":[2,200,3],"9":[0,1,1]}}`},
		{"007fe423", `{"local":{"1":[3200,3200,0]},"lowres":{"5":[0,51,49],"6":[0,10,20],"7":[2,200,3],"9":[0,1,1]}}`},
		{"0022cf4bb88fcd00", `{"local":{"1":[3200,3200,0]},"lowres":{"100":[0,1,0],"5":[1,52,50],"6":[0,10,20],"7":[2,200,3],"9":[0,1,1]}}`},
	}},
}

func (s *story) placement() []byte {
	var squares [rs.MaxIndex + 1]rs.Square
	for i, at := range s.squares {
		squares[i] = at
	}
	return rs.AppendPlacement(nil, s.self, s.at, &squares)
}

// initLine is the first line of a story, without its end.
func (s *story) initLine() string {
	return fmt.Sprintf(`{"t":"init","self":%d,"bytes":"%x"}`, s.self, s.placement())
}

// lines is a story as a file.
func (s *story) lines() string {
	var b strings.Builder
	b.WriteString(s.initLine() + "\n")
	for _, c := range s.cycles {
		fmt.Fprintf(&b, `{"t":"cycle","bytes":"%s","truth":%s}`+"\n", c[0], c[1])
	}
	return b.String()
}

// states is what is to be printed.
func (s *story) states() string {
	var b strings.Builder
	for _, c := range s.cycles {
		b.WriteString(c[1] + "\n")
	}
	return b.String()
}

func TestDecodeRSPrintsTheStateAfterEveryCycle(t *testing.T) {
	for _, s := range stories {
		code, out, errs := decodeRS(t, s.lines(), "--jsonl", "-")
		if code != 0 || errs != "" || out != s.states() {
			t.Errorf("%s: exit status %d, %s\n%s", s.name, code, errs, out)
		}
		code, out, errs = decodeRS(t, s.lines(), "--jsonl", "-", "--check", "-q", "--profile=667")
		if want := fmt.Sprintf("stdin: right in %d cycles\n", len(s.cycles)); code != 0 || out != "" || errs != want {
			t.Errorf("%s: exit status %d, %s\n%s", s.name, code, errs, out)
		}
		code, out, _ = decodeRS(t, s.lines(), "--jsonl", "-", "--cycle", "3")
		if code != 0 || out != s.cycles[2][1]+"\n" {
			t.Errorf("%s: cycle 3: exit status %d\n%s", s.name, code, out)
		}
	}
}

func TestDecodeRSReadsAFile(t *testing.T) {
	here(t)
	s := &stories[0]
	if err := os.WriteFile("run.jsonl", []byte(s.lines()), 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, errs := truestep("decode", "rs", "--jsonl", "run.jsonl")
	if code != 0 || errs != "" || out != s.states() {
		t.Errorf("exit status %d, %s\n%s", code, errs, out)
	}
}

// A line may have keys that others need, empty lines and line ends of any system do no harm, and nobody has to know the
// truth.
func TestDecodeRSTakesLinesAsOthersWriteThem(t *testing.T) {
	s := &stories[0]
	lines := strings.NewReplacer(`{"t":"cycle"`, `{ "BYTES":7, "tick":600, "note":{"x":[1]}, "t":"cycle"`, "\n", "\r\n\r\n").Replace(s.lines())
	lines = strings.ReplaceAll(lines, "007ff4", "007FF4")
	if code, out, errs := decodeRS(t, lines, "--jsonl", "-"); code != 0 || out != s.states() {
		t.Errorf("exit status %d, %s\n%s", code, errs, out)
	}
	lines = s.initLine() + "\n" + `{"bytes":"007ff4","t":"cycle"}` // no truth, and no end of line
	if code, out, errs := decodeRS(t, lines, "--jsonl", "-"); code != 0 || out != s.cycles[0][1]+"\n" {
		t.Errorf("exit status %d, %s\n%s", code, errs, out)
	}
	if code, out, errs := decodeRS(t, s.initLine(), "--jsonl", "-"); code != 0 || out+errs != "" {
		t.Errorf("an init alone: exit status %d, %s\n%s", code, errs, out)
	}
}

// A second init of the same client is a reconnection: who was skipped does not matter any more. One of another is another
// client.
func TestDecodeRSStartsAnewAtAnInit(t *testing.T) {
	first, other := stories[0], stories[0]
	other.self = 5
	lines := first.lines() + first.lines()
	if code, out, errs := decodeRS(t, lines, "--jsonl", "-"); code != 0 || out != first.states()+first.states() {
		t.Errorf("exit status %d, %s\n%s", code, errs, out)
	}
	lines = first.lines() + other.initLine() + "\n" + `{"t":"cycle","bytes":"007ff4"}`
	code, out, errs := decodeRS(t, lines, "--jsonl", "-", "--cycle", "13")
	if code != 0 || out != `{"local":{"5":[3200,3200,0]},"lowres":{}}`+"\n" {
		t.Errorf("exit status %d, %s\n%s", code, errs, out)
	}
}

func TestDecodeRSTracesPackets(t *testing.T) {
	here(t)
	s := &stories[1]
	code, whole, errs := decodeRS(t, s.lines(), "--jsonl", "-", "--trace")
	if code != 0 || errs != "" {
		t.Errorf("exit status %d, %s", code, errs)
	}
	golden(t, "decode/rs_trace.txt", whole)

	code, one, errs := decodeRS(t, s.lines(), "--jsonl", "-", "--trace", "--cycle", "6")
	if code != 0 || !strings.HasPrefix(one, "cycle 6 (line 7)\n") || !strings.Contains(whole, one) {
		t.Errorf("cycle 6: exit status %d, %s\n%s", code, errs, one)
	}

	digits := hex.EncodeToString(s.placement())
	for name, b := range map[string]string{"placement.hex": digits + " # of player 1\n", "placement.bin": string(s.placement()), "packet.hex": "0081 4a3f f8\n"} {
		if err := os.WriteFile(name, []byte(b), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := strings.ReplaceAll(whole[:strings.Index(whole, "cycle 3")], " (line 2)", "")
	want = strings.ReplaceAll(want, " (line 3)", "")
	for _, placement := range []string{digits, "@placement.hex", "@placement.bin"} {
		code, out, errs := decodeRS(t, "", "--self=1", "--placement", placement, "@packet.hex", "21 7f f0")
		if code != 0 || errs != "" || out != want {
			t.Errorf("placement %.20s: exit status %d, %s\n%s", placement, code, errs, out)
		}
	}
	code, out, errs := decodeRS(t, "", "--self=1", "--at", "3200,3200,0", "007ff4", "007ff4", "987ff4", "--cycle", "3")
	if code != 0 || !strings.HasPrefix(out, "cycle 3\n") || !strings.Contains(out, "tile 3200,3200 plane 0 -> tile 3201,3200 plane 0") {
		t.Errorf("exit status %d, %s\n%s", code, errs, out)
	}
}

// The message says which cycle and which bit; the states before it are printed.
func TestDecodeRSSaysWhereAPacketIsWrong(t *testing.T) {
	s := &stories[1]
	for _, c := range []struct{ name, old, bad, want string }{
		{"a byte is missing", "13407ff0", "13407f", "cycle 3 (line 4): pass 3, index 3, bit 24: gpi1: packet is not as long as what it says: too short"},
		{"a byte too many", "13407ff0", "13407ff000", "cycle 3 (line 4): player info, bit 32: gpi1: packet is not as long as what it says: bytes after the end"},
		{"nothing at all", "13407ff0", "", "cycle 3 (line 4): pass 2, index 1, bit 0: gpi1: packet is not as long as what it says: too short"},
		{"the viewer removes himself", "13407ff0", "80", "cycle 3 (line 4): pass 2, index 1, bit 4: s:lr: removal of the client's own player"},
		{"a run is too long", "13407ff0", "7ff8", "cycle 3 (line 4): pass 2, index 1, bit 14: nsn1: run of idle players open at the end of pass 2"},
		{"larger than any client takes", "13407ff0", strings.Repeat("00", 15001), "cycle 3 (line 4): player info, bit 0: packet larger than a client's receive buffer"},
	} {
		lines := strings.Replace(s.lines(), `"`+c.old+`"`, `"`+c.bad+`"`, 1)
		code, out, errs := decodeRS(t, lines, "--jsonl", "-")
		if code != 1 || errs != "truestep: stdin: "+c.want+"\n" || out != s.cycles[0][1]+"\n"+s.cycles[1][1]+"\n" {
			t.Errorf("%s: exit status %d, %s\n%s", c.name, code, errs, out)
		}
		code, out, errs = decodeRS(t, lines, "--jsonl", "-", "--trace", "--cycle", "9")
		if code != 1 || !strings.HasPrefix(out, "cycle 3 (line 4)\n") || !strings.Contains(out, "refused: ") || !strings.HasSuffix(errs, c.want+"\n") {
			t.Errorf("%s, traced: exit status %d, %s\n%s", c.name, code, errs, out)
		}
	}
	code, out, errs := decodeRS(t, "", "--self=1", "--at=3200,3200", "007ff4", "80", "007ff4")
	if code != 1 || !strings.HasPrefix(errs, "truestep: cycle 2: pass 2, index 1, bit 4: s:lr") {
		t.Errorf("exit status %d, %s", code, errs)
	}
	golden(t, "decode/rs_refused.txt", out)
}

func TestDecodeRSCheckSaysWhoIsElsewhere(t *testing.T) {
	s := &stories[1]
	for _, c := range []struct{ old, bad, want string }{
		{`"2":[3204,3211,0]`, `"2":[3204,3211,1]`, "index 2 is local [3204,3211,0], truth says local [3204,3211,1]"},
		{`"2":[3204,3211,0]`, `"2":[3204,3211,0],"4":[1,2,3]`, "index 4 is lowres [0,0,0], truth says local [1,2,3]"},
		{`,"2":[3204,3211,0]`, ``, "index 2 is local [3204,3211,0], truth says lowres [0,0,0]"},
		{`[3204,3211,0]},"lowres":{"3":[0,49,50]}`, `[3204,3211,0]},"lowres":{"5":[0,1,1]}`,
			"index 3 is lowres [0,49,50], truth says lowres [0,0,0]; so are 1 more"},
	} {
		lines := strings.Replace(s.lines(), c.old, c.bad, 1)
		code, out, errs := decodeRS(t, lines, "--jsonl", "-", "--check")
		if code != 1 || errs != "truestep: stdin: cycle 3 (line 4): "+c.want+"\n" || strings.Count(out, "\n") != 3 {
			t.Errorf("%s: exit status %d, %s\n%s", c.bad, code, errs, out)
		}
		if code, _, errs := decodeRS(t, lines, "--jsonl", "-"); code != 0 {
			t.Errorf("%s, not to be checked: exit status %d, %s", c.bad, code, errs)
		}
	}
	lines := strings.Replace(s.lines(), `"lowres":{`, `"lowres":{"44":[0,0,0],`, 1)
	if code, _, errs := decodeRS(t, lines, "--jsonl", "-", "--check"); code != 0 {
		t.Errorf("a square 0,0 that is told: exit status %d, %s", code, errs)
	}
}
