package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/truestep-io/truestep/dissect"
	"github.com/truestep-io/truestep/internal/terminal"
	"github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/rs"
)

// decodeCmd groups the commands that print packets of a protocol in readable form.
type decodeCmd struct {
	RCCE decodeRCCECmd `cmd:"" name:"rcce" help:"Show RealmCrafter messages: one in hex, an ENet datagram in hex, or a capture file."`
	RS   decodeRSCmd   `cmd:"" name:"rs" help:"Show RuneScape player info: what a client knows after each packet, or the meaning of the packet's bits."`

	Bedrock decodeBedrockCmd `cmd:"" name:"bedrock" help:"Show Minecraft: Bedrock packets: one, a batch or a RakNet datagram in hex, or a capture file, encrypted or not."`
	Web     decodeWebCmd     `cmd:"" name:"web" help:"Show messages of the web protocol in hex, or the snapshots of a file of vectors."`
}

// decodeRCCECmd is the command "truestep decode rcce", which prints RealmCrafter messages in readable form.
type decodeRCCECmd struct {
	Input   []string `arg:"" name:"input" help:"Hex digits (spaces, 0x, |, : and # comments are fine), a file of them, a pcap file, or - for stdin."`
	Dir     string   `enum:"auto,c2s,s2c" default:"auto" help:"Sender of the messages: c2s, s2c, or auto: by port in a capture, else the one that parses."`
	Enet    bool     `xor:"transport" help:"The bytes are ENet datagrams. Default: detected."`
	NoEnet  bool     `name:"no-enet" xor:"transport" help:"The bytes are bare messages, type byte first."`
	Port    uint16   `default:"25000" help:"The server's UDP port in a capture; 0 shows every datagram."`
	Full    bool     `help:"Show long fields whole."`
	Secrets bool     `help:"Show password hashes too."`

	in io.Reader // input of the argument "-"; os.Stdin if nil
}

// Help returns the text that is printed below the flags of the command.
func (decodeRCCECmd) Help() string { return helpText("decode-rcce") }

// Run decodes the input and prints it.
func (c *decodeRCCECmd) Run(to std) error {
	d := dissect.RCCE{Side: map[string]dissect.Sender{"c2s": dissect.ClientSide, "s2c": dissect.ServerSide}[c.Dir], Port: c.Port, Full: c.Full, Secrets: c.Secrets}
	switch {
	case c.Enet:
		d.Transport = dissect.ENetTransport
	case c.NoEnet:
		d.Transport = dissect.NoTransport
	}
	return decodeStatus(dissect.ReadInput(c.Input, orStdin(c.in),
		func(b []byte) error { return d.PrintBytes(to.out, b) },
		func(r io.Reader) error { return d.PrintCapture(to.out, r) }))
}

func orStdin(in io.Reader) io.Reader {
	if in == nil {
		return os.Stdin
	}
	return in
}

// decodeStatus adds the exit status to an error: 2 for unreadable input, that of SIGPIPE if the reader of the output has ended.
func decodeStatus(err error) error {
	if _, ok := errors.AsType[dissect.InputError](err); ok {
		return usage(err)
	}
	return quietOnClosedPipe(err)
}

// decodeBedrockCmd is the command "truestep decode bedrock", which prints Bedrock packets in readable form.
type decodeBedrockCmd struct {
	Input   []string `arg:"" name:"input" help:"Hex digits (spaces, 0x, |, : and # comments are fine), a file of them, a pcap file, or - for stdin."`
	As      string   `enum:"auto,packet,batch,datagram" default:"auto" help:"What the hex digits are: ${enum}; auto detects it."`
	Version string   `enum:"auto,2169,2193" default:"auto" help:"Protocol of the game: 2169 (1.26.45), 2193 (1.26.51), or auto: the one that the client of a capture names, else the first that parses."`
	Port    uint16   `default:"19132" help:"The server's UDP port in a capture; 0 shows every port on which RakNet is spoken."`
	Keylog  string   `placeholder:"FILE" help:"Keys of encrypted sessions, as truestep serve --bedrock-keylog FILE writes them."`
	Only    []string `placeholder:"NAME" help:"Show only packets whose name has one of these in it, in any case: correct,authinput."`
	RakNet  bool     `name:"raknet" help:"Show each datagram of a connection, its frames, and the ACKs."`
	Full    bool     `help:"Show long fields and long lines whole, and fields that are usually left out."`

	in io.Reader // input of the argument "-"; os.Stdin if nil
}

// Help returns the text that is printed below the flags of the command.
func (decodeBedrockCmd) Help() string { return helpText("decode-bedrock") }

// Run decodes the input and prints it.
func (c *decodeBedrockCmd) Run(to std) error {
	live := len(c.Input) == 1 && c.Input[0] == "-" // another program may be writing the capture
	d, err := dissect.NewBedrock(dissect.BedrockOptions{
		Unit: dissect.InputUnit(c.As), Version: map[string]bedrock.Version{"2169": bedrock.V2169, "2193": bedrock.V2193}[c.Version], Port: c.Port,
		KeyLog: c.Keylog, Only: c.Only, RakNet: c.RakNet, Full: c.Full, Live: live,
	})
	if err == nil {
		err = dissect.ReadInput(c.Input, orStdin(c.in),
			func(b []byte) error { return d.PrintBytes(to.out, b) },
			func(r io.Reader) error {
				if live {
					defer ignoreFirstInterrupt()()
				}
				return d.PrintCapture(to.out, r)
			})
	}
	return decodeStatus(err)
}

// ignoreFirstInterrupt ignores the first Ctrl-C, which ends the program that writes the capture: this program must then
// still print its summary. A second Ctrl-C ends this program. The function undo restores the normal behaviour.
func ignoreFirstInterrupt() (undo func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	done := make(chan struct{})
	go func() {
		select {
		case <-c:
			signal.Reset(os.Interrupt)
		case <-done:
		}
	}()
	return func() {
		signal.Stop(c)
		close(done)
	}
}

// decodeRSCmd is the command "truestep decode rs". It prints, in readable form, RuneScape packets with other players' positions.
type decodeRSCmd struct {
	Payload []string `arg:"" optional:"" name:"payload" help:"Player-info payloads in hex, without opcode and size: each argument is one packet, @FILE names a file with the digits of one."`

	Profile string `enum:"634,667,osrs239" default:"667" help:"Revision of the client: ${enum}."`
	// JSONL names a file of test vectors, one per line: first the client's initial state, then the packet of each cycle.
	JSONL string `name:"jsonl" placeholder:"FILE" help:"Read init and cycle lines, as truestep vectors rs writes them; - is standard input."`
	Trace bool   `help:"Show passes, runs, changes and blocks with their bits, instead of states."`
	Cycle int    `placeholder:"N" help:"Show only cycle N, the first being 1, and stop there."`
	// Check makes Run compare each decoded state with the expected state in the file that JSONL names.
	Check     bool         `help:"Compare the decoded state with the expected state in the lines."`
	Quiet     bool         `short:"q" help:"Print only errors and differences, no states."`
	Self      int          `placeholder:"IDX" help:"Of payloads in hex: the client's own index, 1..2047."`
	Placement string       `placeholder:"HEX|@FILE" xor:"placement" help:"Of payloads in hex: the placement block, 4608 bytes; @FILE has its digits or the bytes themselves."`
	At        dissect.Tile `placeholder:"X,Y[,PLANE]" xor:"placement" help:"Of payloads in hex: the client's own tile; all other players are at square 0,0. In place of --placement."`

	in io.Reader // input of "--jsonl -"; os.Stdin if nil
}

// Help returns the text that is printed below the flags of the command.
func (decodeRSCmd) Help() string { return helpText("decode-rs") }

// Validate refuses flags that contradict each other.
func (c *decodeRSCmd) Validate() error {
	inHex := len(c.Payload) > 0 || c.Self != 0 || c.Placement != "" || c.At.Given
	switch {
	case c.Cycle < 0:
		return fmt.Errorf("--cycle %d: cycles are numbered from 1", c.Cycle)
	case c.Quiet && c.Trace:
		return errors.New("--quiet and --trace can't be used together")
	case c.JSONL != "" && inHex:
		return errors.New("--jsonl cannot be combined with --self, --placement, --at or payloads: the file of --jsonl contains them")
	case c.JSONL != "":
		return nil
	case !inHex:
		return errors.New("name a file with --jsonl FILE, or give --self, --placement and payloads in hex")
	case c.Check || c.Quiet:
		return errors.New("--check and --quiet can be used only with --jsonl FILE")
	case c.Self == 0 && c.Placement == "" && !c.At.Given:
		return errors.New("hex payloads need --self and one of --placement or --at; to read JSON lines from a file, use --jsonl FILE")
	case c.Self < 1 || c.Self > rs.MaxIndex:
		return fmt.Errorf("--self %d: must be the client's own index, 1..%d", c.Self, rs.MaxIndex)
	case c.Placement == "" && !c.At.Given:
		return errors.New("the client's start position is missing: give --placement HEX, --placement @FILE or --at X,Y,PLANE")
	case len(c.Payload) == 0:
		return errors.New("packet payloads are missing: give them in hex")
	}
	return nil
}

// Run decodes the packets and prints them.
func (c *decodeRSCmd) Run(to std) error {
	profile, _ := rs.ProfileNamed(c.Profile)
	d := dissect.RS{Profile: profile, Trace: c.Trace, Cycle: c.Cycle, Check: c.Check, Quiet: c.Quiet}
	if c.JSONL == "" {
		return decodeStatus(c.decodeHex(to.out, d))
	}
	return decodeStatus(readLines(c.JSONL, c.in, func(name string, in io.Reader) error {
		cycles, err := d.PrintLines(to.out, name, in)
		if err == nil && c.Check {
			_, err = fmt.Fprintf(to.err, "%s: right in %s\n", name, terminal.Count(cycles, "cycle"))
		}
		return err
	}))
}

// decodeHex decodes the packets given on the command line and prints them.
func (c *decodeRSCmd) decodeHex(out io.Writer, d dissect.RS) error {
	placement, err := c.placement()
	if err != nil {
		return usage(fmt.Errorf("read --placement: %w", err))
	}
	packets := make([][]byte, len(c.Payload))
	for k, text := range c.Payload {
		if packets[k], err = dissect.HexOrFile(text, rs.PlacementSize); err != nil {
			return usage(fmt.Errorf("read payload %d: %w", k+1, err))
		}
	}
	return d.PrintPackets(out, rs.Index(c.Self), placement, packets)
}

// placement returns the client's initial state: its tile and other players' map squares. --at gives only the tile.
func (c *decodeRSCmd) placement() ([]byte, error) {
	if c.At.Given {
		return rs.AppendPlacement(nil, rs.Index(c.Self), c.At.Tile, nil), nil
	}
	b, err := dissect.HexOrFile(c.Placement, rs.PlacementSize)
	if err == nil && len(b) != rs.PlacementSize {
		err = fmt.Errorf("the placement block (the client's tile and the map squares of the other players) has %d bytes, must have %d", len(b), rs.PlacementSize)
	}
	return b, err
}

// decodeWebCmd is the command "truestep decode web", which prints messages of the web protocol in readable form.
type decodeWebCmd struct {
	Input []string `arg:"" optional:"" name:"message" help:"A message or datagram in hex (spaces, 0x, |, : and # comments are fine), a file with its digits, or - for stdin."`
	// JSONL is the path of a file of test vectors with one snapshot per line.
	JSONL string `name:"jsonl" placeholder:"FILE" help:"Read the lines of truestep vectors web, decode their snapshots, and compare them with the expected states; - is standard input."`
	Quiet bool   `short:"q" help:"With --jsonl: print only errors and a summary, no states."`

	in io.Reader // input of the argument "-"; os.Stdin if nil
}

// Help returns the text that is printed below the flags of the command.
func (decodeWebCmd) Help() string { return helpText("decode-web") }

// Validate refuses flags that contradict each other.
func (c *decodeWebCmd) Validate() error {
	if (c.JSONL == "") == (len(c.Input) == 0) {
		return errors.New("give a message in hex, or name a file of test vectors with --jsonl FILE")
	}
	return nil
}

// Run decodes the input and prints it.
func (c *decodeWebCmd) Run(to std) error {
	d := dissect.Web{Quiet: c.Quiet}
	if c.JSONL == "" {
		return decodeStatus(dissect.ReadInput(c.Input, orStdin(c.in),
			func(b []byte) error { return d.PrintBytes(to.out, b) },
			func(r io.Reader) error { return d.PrintCapture(to.out, r) }))
	}
	return decodeStatus(readLines(c.JSONL, c.in, func(name string, in io.Reader) error { return d.PrintLines(to.out, name, in) }))
}

// readLines opens the named file and passes it to the function read. If the name is "-", it passes the parameter stdin instead.
func readLines(name string, stdin io.Reader, read func(name string, in io.Reader) error) error {
	if name == "-" {
		return read("stdin", orStdin(stdin))
	}
	f, err := os.Open(name)
	if err != nil {
		return usage(fmt.Errorf("read the file of --jsonl: %w", err))
	}
	defer f.Close()
	return read(name, f)
}
