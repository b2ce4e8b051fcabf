package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/proto/rs"
)

// decodeRSCmd is "truestep decode rs".
type decodeRSCmd struct {
	Payload []string `arg:"" optional:"" name:"payload" help:"Player-info payloads in hex, without opcode and size: each argument is one packet, @FILE names a file with the digits of one."`

	Profile   string   `enum:"634,667,osrs239" default:"667" help:"Revision of the client: ${enum}."`
	JSONL     string   `name:"jsonl" placeholder:"FILE" help:"Read init and cycle lines, as truestep vectors rs writes them; - is standard input."`
	Trace     bool     `help:"Show passes, runs, changes and blocks with their bits, instead of states."`
	Cycle     int      `placeholder:"N" help:"Show only cycle N, the first being 1, and stop there."`
	Check     bool     `help:"Compare with the truth in the lines."`
	Quiet     bool     `short:"q" help:"Print no states."`
	Self      int      `placeholder:"IDX" help:"Of payloads in hex: the client's own index, 1..2047."`
	Placement string   `placeholder:"HEX|@FILE" xor:"placement" help:"Of payloads in hex: the placement block, 4608 bytes; @FILE has its digits or the bytes themselves."`
	At        flagTile `placeholder:"X,Y[,PLANE]" xor:"placement" help:"Of payloads in hex: the client's own tile, everybody else being at square 0,0. In place of --placement."`

	in io.Reader // what --jsonl - reads; os.Stdin if nil
}

// Help is what decode rs --help adds to the flags.
func (decodeRSCmd) Help() string {
	return `Examples:
  truestep decode rs --jsonl run.jsonl
      a state for every cycle
  my-encoder | truestep decode rs --profile 634 --jsonl - --check --quiet
  truestep decode rs --jsonl run.jsonl --trace --cycle 12
      what stands at which bit of the twelfth packet
  truestep decode rs --self 1 --at 3200,3200 007ff4 987ff4
      two packets: idle, a step to the east
  truestep decode rs --self 1 --placement @placement.hex c07ff4017f

States are lines of {"local":{"7":[3200,3201,0]},"lowres":{"9":[0,50,49]}}, as truth is in the lines of truestep
vectors rs; see its --help. Keys of lines that are not known are ignored. An init line between cycles is a
reconnection, or another client if self differs.

In a trace every item has its offset and length in bits, and what it says. The trace of a packet that is refused
ends where the client gave up.

Exit status 1: a packet is refused, or with --check the client ends elsewhere than truth says; the message names
the cycle and where it went wrong. Exit status 2: a line or an argument cannot be read.`
}

// Validate refuses flags that do not go together.
func (c *decodeRSCmd) Validate() error {
	inHex := len(c.Payload) > 0 || c.Self != 0 || c.Placement != "" || c.At.given
	switch {
	case c.Cycle < 0:
		return fmt.Errorf("cycle %d: the first is 1", c.Cycle)
	case c.Quiet && c.Trace:
		return errors.New("--quiet and --trace can't be used together")
	case c.JSONL != "" && inHex:
		return errors.New("--jsonl brings its own self, placement and payloads: leave these out, or --jsonl")
	case c.JSONL != "":
		return nil
	case !inHex:
		return errors.New("name a file with --jsonl FILE, or give --self, --placement and payloads in hex")
	case c.Check || c.Quiet:
		return errors.New("--check and --quiet are for --jsonl")
	case c.Self == 0 && c.Placement == "" && !c.At.given:
		return errors.New("payloads in hex need --self, and --placement or --at; for a file of lines there is --jsonl FILE")
	case c.Self < 1 || c.Self > rs.MaxIndex:
		return fmt.Errorf("self %d: name the client's own index, 1..%d", c.Self, rs.MaxIndex)
	case c.Placement == "" && !c.At.given:
		return errors.New("where does the client start? Give --placement HEX, --placement @FILE or --at X,Y,PLANE")
	case len(c.Payload) == 0:
		return errors.New("give payloads in hex")
	}
	return nil
}

// Run decodes and prints.
func (c *decodeRSCmd) Run(to std) error {
	profile, _ := rs.ProfileNamed(c.Profile)
	if c.JSONL == "" {
		return unlessGone(c.decodeHex(to.out, profile))
	}
	name, in := "stdin", c.in
	if c.JSONL != "-" {
		f, err := os.Open(c.JSONL)
		if err != nil {
			return usage(fmt.Errorf("jsonl: %w", err))
		}
		defer f.Close()
		name, in = c.JSONL, f
	} else if in == nil {
		in = os.Stdin
	}
	run := infoRun{decodeRSCmd: c, profile: profile, name: name, to: to}
	return unlessGone(run.read(in))
}

// decodeHex shows the packets of the command line.
func (c *decodeRSCmd) decodeHex(out io.Writer, profile *rs.Profile) error {
	placement, err := c.placement()
	if err != nil {
		return usage(fmt.Errorf("placement: %w", err))
	}
	packets := make([][]byte, len(c.Payload))
	for k, text := range c.Payload {
		if packets[k], err = hexOrFile(text); err != nil {
			return usage(fmt.Errorf("payload %d: %w", k+1, err))
		}
	}
	if c.Cycle > len(packets) {
		return usage(fmt.Errorf("cycle %d: there are %d payloads", c.Cycle, len(packets)))
	}
	client, err := rs.NewClient(profile, rs.Index(c.Self), placement)
	if err != nil {
		return usage(err)
	}
	var t rs.Trace
	for k, b := range packets {
		refused := client.ApplyTraced(b, &t)
		if c.shows(k+1) || refused != nil {
			if _, err := out.Write(appendTrace(nil, k+1, 0, &t)); err != nil {
				return err
			}
		}
		if refused != nil {
			return fmt.Errorf("cycle %d: %w", k+1, refused)
		}
		if k+1 == c.Cycle {
			break
		}
	}
	return nil
}

// shows says whether a cycle is to be printed.
func (c *decodeRSCmd) shows(cycle int) bool { return c.Cycle == 0 || c.Cycle == cycle }

func (c *decodeRSCmd) placement() ([]byte, error) {
	if c.At.given {
		return rs.AppendPlacement(nil, rs.Index(c.Self), c.At.Tile, nil), nil
	}
	b, err := hexOrFile(c.Placement)
	if err == nil && len(b) != rs.PlacementSize {
		err = fmt.Errorf("%d bytes, must be %d", len(b), rs.PlacementSize)
	}
	return b, err
}

// hexOrFile reads hex digits, or @FILE. A file of the size of a placement block may be one without being hex.
func hexOrFile(text string) ([]byte, error) {
	name, isFile := strings.CutPrefix(text, "@")
	if !isFile {
		return parseHex(text)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := io.ReadAll(io.LimitReader(f, maxHexText+1))
	if err != nil {
		return nil, err
	}
	if len(all) > maxHexText {
		return nil, fmt.Errorf("%s: more than %d bytes", name, maxHexText)
	}
	b, err := parseHex(string(all))
	switch {
	case err != nil && len(all) == rs.PlacementSize:
		return all, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

// flagTile is a tile written x,y or x,y,plane.
type flagTile struct {
	rs.Tile
	given bool
}

// UnmarshalText reads a tile.
func (t *flagTile) UnmarshalText(b []byte) error {
	words := strings.Split(string(b), ",")
	var v [3]uint64
	for k, most := range [3]uint64{rs.MaxCoord, rs.MaxCoord, 3} {
		if k >= len(words) {
			break
		}
		var err error
		if v[k], err = strconv.ParseUint(words[k], 10, 16); err != nil || v[k] > most {
			words = nil
		}
	}
	if len(words) < 2 || len(words) > 3 {
		return fmt.Errorf("%q is not a tile such as 3200,3200 or 3200,3200,1: x and y 0..%d, plane 0..3", b, rs.MaxCoord)
	}
	*t = flagTile{rs.Tile{X: uint16(v[0]), Z: uint16(v[1]), Plane: uint8(v[2])}, true}
	return nil
}
