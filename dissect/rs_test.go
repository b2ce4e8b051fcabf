package dissect

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/rs"
)

var profile667, _ = rs.ProfileNamed("667")

// decodeLines runs RS.PrintLines, for revision 667 unless o has another profile.
func decodeLines(o RS, lines string) (out string, cycles int, err error) {
	if o.Profile == nil {
		o.Profile = profile667
	}
	var b bytes.Buffer
	cycles, err = o.PrintLines(&b, "stdin", strings.NewReader(lines))
	return b.String(), cycles, err
}

// decodePackets runs RS.PrintPackets for revision 667; payloads are hex digits or @FILE.
func decodePackets(o RS, self rs.Index, placement []byte, payloads ...string) (string, error) {
	o.Profile = profile667
	var packets [][]byte
	for _, text := range payloads {
		b, err := HexOrFile(text, rs.PlacementSize)
		if err != nil {
			return "", err
		}
		packets = append(packets, b)
	}
	var b bytes.Buffer
	err := o.PrintPackets(&b, self, placement, packets)
	return b.String(), err
}

// story holds the packets that one client receives, taken from docs/wire/rs.md. An unmodified client of revision 667
// reached the states in it.
type story struct {
	name    string
	self    rs.Index
	at      rs.Tile
	squares map[rs.Index]rs.MapSquare
	cycles  [][2]string // each element: a payload, and the state after it
}

// Together, these three series of packets have every kind of movement, and the blocks that change the appearance of a player.
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
	{"seen", 1, rs.Tile{X: 3200, Z: 3200}, map[rs.Index]rs.MapSquare{2: 50<<8 | 50, 3: 49<<8 | 50}, [][2]string{
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
	{"far", 1, rs.Tile{X: 3200, Z: 3200}, map[rs.Index]rs.MapSquare{5: 50<<8 | 50, 6: 3<<16 | 10<<8 | 20, 7: 1 << 16, 9: 255<<8 | 1}, [][2]string{
		{"0022c2af7200c700801ff5", `{"local":{"1":[3200,3200,0]},"lowres":{"5":[0,51,49],"6":[0,10,20],"7":[2,200,3],"9":[0,1,1]}}`},
		{"007fe423", `{"local":{"1":[3200,3200,0]},"lowres":{"5":[0,51,49],"6":[0,10,20],"7":[2,200,3],"9":[0,1,1]}}`},
		{"0022cf4bb88fcd00", `{"local":{"1":[3200,3200,0]},"lowres":{"100":[0,1,0],"5":[1,52,50],"6":[0,10,20],"7":[2,200,3],"9":[0,1,1]}}`},
	}},
}

func (s *story) placement() []byte {
	var squares [rs.MaxIndex + 1]rs.MapSquare
	for i, at := range s.squares {
		squares[i] = at
	}
	return rs.AppendPlacement(nil, s.self, s.at, &squares)
}

// initLine returns the first line of the story's file, the init line, without the newline.
func (s *story) initLine() string {
	return fmt.Sprintf(`{"t":"init","self":%d,"bytes":"%x"}`, s.self, s.placement())
}

// lines returns the story as the JSON lines of a vector file.
func (s *story) lines() string {
	var b strings.Builder
	b.WriteString(s.initLine() + "\n")
	for _, c := range s.cycles {
		fmt.Fprintf(&b, `{"t":"cycle","bytes":"%s","truth":%s}`+"\n", c[0], c[1])
	}
	return b.String()
}

// states returns the output that PrintLines must print for the story.
func (s *story) states() string {
	var b strings.Builder
	for _, c := range s.cycles {
		b.WriteString(c[1] + "\n")
	}
	return b.String()
}

func TestRSStateIsPrintedAfterEveryCycle(t *testing.T) {
	for _, s := range stories {
		if out, _, err := decodeLines(RS{}, s.lines()); err != nil || out != s.states() {
			t.Errorf("%s: %v\n%s", s.name, err, out)
		}
		if out, cycles, err := decodeLines(RS{Check: true, Quiet: true}, s.lines()); err != nil || out != "" || cycles != len(s.cycles) {
			t.Errorf("%s, checked: %d cycles, %v\n%s", s.name, cycles, err, out)
		}
		if out, _, err := decodeLines(RS{Cycle: 3}, s.lines()); err != nil || out != s.cycles[2][1]+"\n" {
			t.Errorf("%s: cycle 3: %v\n%s", s.name, err, out)
		}
	}
}

// Lines may have additional keys. Empty lines and CRLF line ends are allowed. The expected state is optional.
func TestRSCaptureLinesWrittenByOtherToolsAreAccepted(t *testing.T) {
	s := &stories[0]
	lines := strings.NewReplacer(`{"t":"cycle"`, `{ "BYTES":7, "tick":600, "note":{"x":[1]}, "t":"cycle"`, "\n", "\r\n\r\n").Replace(s.lines())
	lines = strings.ReplaceAll(lines, "007ff4", "007FF4")
	if out, _, err := decodeLines(RS{}, lines); err != nil || out != s.states() {
		t.Errorf("%v\n%s", err, out)
	}
	lines = s.initLine() + "\n" + `{"bytes":"007ff4","t":"cycle"}` // the line has no member "truth" and no newline at its end
	if out, _, err := decodeLines(RS{}, lines); err != nil || out != s.cycles[0][1]+"\n" {
		t.Errorf("%v\n%s", err, out)
	}
	if out, _, err := decodeLines(RS{}, s.initLine()); err != nil || out != "" {
		t.Errorf("an init alone: %v\n%s", err, out)
	}
}

// A second init line with the same player index is a reconnection, which resets the skip flags. An init line with another index begins
// another client.
func TestRSSecondInitLineWithSamePlayerIndexIsAppliedAsReconnection(t *testing.T) {
	first, other := stories[0], stories[0]
	other.self = 5
	if out, _, err := decodeLines(RS{}, first.lines()+first.lines()); err != nil || out != first.states()+first.states() {
		t.Errorf("%v\n%s", err, out)
	}
	lines := first.lines() + other.initLine() + "\n" + `{"t":"cycle","bytes":"007ff4"}`
	out, _, err := decodeLines(RS{Cycle: 13}, lines)
	if err != nil || out != `{"local":{"5":[3200,3200,0]},"lowres":{}}`+"\n" {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestRSTraceIsSameForJSONLinesHexAndFileInput(t *testing.T) {
	s := &stories[1]
	whole, _, err := decodeLines(RS{Trace: true}, s.lines())
	if err != nil {
		t.Error(err)
	}
	golden(t, "rs_trace.txt", whole)
	one, _, err := decodeLines(RS{Trace: true, Cycle: 6}, s.lines())
	if err != nil || !strings.HasPrefix(one, "cycle 6 (line 7)\n") || !strings.Contains(whole, one) {
		t.Errorf("cycle 6: %v\n%s", err, one)
	}
	t.Chdir(t.TempDir())
	digits := hex.EncodeToString(s.placement())
	for name, b := range map[string]string{"placement.hex": digits + " # of player 1\n", "placement.bin": string(s.placement()), "packet.hex": "0081 4a3f f8\n"} {
		if err := os.WriteFile(name, []byte(b), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := strings.ReplaceAll(whole[:strings.Index(whole, "cycle 3")], " (line 2)", "")
	want = strings.ReplaceAll(want, " (line 3)", "")
	for _, text := range []string{digits, "@placement.hex", "@placement.bin"} {
		placement, err := HexOrFile(text, rs.PlacementSize)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := decodePackets(RS{}, 1, placement, "@packet.hex", "21 7f f0"); err != nil || out != want {
			t.Errorf("placement %.20s: %v\n%s", text, err, out)
		}
	}
	out, err := decodePackets(RS{Cycle: 3}, 1, placementAt3200, "007ff4", "007ff4", "987ff4")
	if err != nil || !strings.HasPrefix(out, "cycle 3\n") || !strings.Contains(out, "tile 3200,3200 plane 0 -> tile 3201,3200 plane 0") {
		t.Errorf("%v\n%s", err, out)
	}
}

// placementAt3200 places client 1 at 3200,3200.
var placementAt3200 = rs.AppendPlacement(nil, 1, rs.Tile{X: 3200, Z: 3200}, nil)

// The error names the cycle and the bit; the states before that cycle are printed.
func TestRSErrorOfUndecodablePacketContainsCycleAndBit(t *testing.T) {
	s := &stories[1]
	for _, c := range []struct{ name, old, bad, want string }{
		{"a byte is missing", "13407ff0", "13407f", "cycle 3 (line 4): pass 3, index 3, bit 24: gpi1: packet length does not match its content: too short"},
		{"a byte too many", "13407ff0", "13407ff000", "cycle 3 (line 4): player info, bit 32: gpi1: packet length does not match its content: extra bytes after the last field"},
		{"nothing at all", "13407ff0", "", "cycle 3 (line 4): pass 2, index 1, bit 0: gpi1: packet length does not match its content: too short"},
		{"the viewer is removed", "13407ff0", "80", "cycle 3 (line 4): pass 2, index 1, bit 4: s:lr: packet removes the client's own player"},
		{"a run is too long", "13407ff0", "7ff8", "cycle 3 (line 4): pass 2, index 1, bit 14: nsn1: run of idle players goes past the end of pass 2 (local players that the last packet skipped)"},
		{"larger than any client takes", "13407ff0", strings.Repeat("00", 15001), "cycle 3 (line 4): player info, bit 0: packet is larger than the client's receive buffer"},
	} {
		lines := strings.Replace(s.lines(), `"`+c.old+`"`, `"`+c.bad+`"`, 1)
		out, _, err := decodeLines(RS{}, lines)
		if err == nil || isInputError(err) || err.Error() != "stdin: "+c.want || out != s.cycles[0][1]+"\n"+s.cycles[1][1]+"\n" {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
		out, _, err = decodeLines(RS{Trace: true, Cycle: 9}, lines)
		if err == nil || !strings.HasPrefix(out, "cycle 3 (line 4)\n") || !strings.Contains(out, "refused: ") || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s, traced: %v\n%s", c.name, err, out)
		}
	}
	out, err := decodePackets(RS{}, 1, placementAt3200, "007ff4", "80", "007ff4")
	if err == nil || isInputError(err) || !strings.HasPrefix(err.Error(), "decode the payload of cycle 2: pass 2, index 1, bit 4: s:lr") {
		t.Error(err)
	}
	golden(t, "rs_refused.txt", out)
}

func TestRSCheckErrorContainsIndexOfPlayerWithUnexpectedState(t *testing.T) {
	s := &stories[1]
	for _, c := range []struct{ old, bad, want string }{
		{`"2":[3204,3211,0]`, `"2":[3204,3211,1]`, "player 2 is local [3204,3211,0], must be local [3204,3211,1]"},
		{`"2":[3204,3211,0]`, `"2":[3204,3211,0],"4":[1,2,3]`, "player 4 is lowres [0,0,0], must be local [1,2,3]"},
		{`,"2":[3204,3211,0]`, ``, "player 2 is local [3204,3211,0], must be lowres [0,0,0]"},
		{`[3204,3211,0]},"lowres":{"3":[0,49,50]}`, `[3204,3211,0]},"lowres":{"5":[0,1,1]}`,
			"player 3 is lowres [0,49,50], must be lowres [0,0,0]; further players that differ: 1"},
	} {
		lines := strings.Replace(s.lines(), c.old, c.bad, 1)
		out, _, err := decodeLines(RS{Check: true}, lines)
		if err == nil || isInputError(err) || err.Error() != "stdin: cycle 3 (line 4): "+c.want || strings.Count(out, "\n") != 3 {
			t.Errorf("%s: %v\n%s", c.bad, err, out)
		}
		if _, _, err := decodeLines(RS{}, lines); err != nil {
			t.Errorf("%s, without Check: %v", c.bad, err)
		}
	}
	lines := strings.Replace(s.lines(), `"lowres":{`, `"lowres":{"44":[0,0,0],`, 1)
	if _, _, err := decodeLines(RS{Check: true}, lines); err != nil {
		t.Errorf("a truth that lists square 0,0: %v", err)
	}
}
