package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/truestep-io/truestep/proto/bedrock"
)

// decodeBedrockCmd is "truestep decode bedrock".
type decodeBedrockCmd struct {
	Input   []string `arg:"" name:"input" help:"Hex digits (spaces, 0x, |, : and # comments are fine), a file of them, a pcap file, or - for stdin."`
	As      string   `enum:"auto,packet,batch,datagram" default:"auto" help:"What hex digits are: ${enum}; auto looks at the bytes."`
	Version string   `enum:"auto,2169,2193" default:"auto" help:"Protocol of the game: 2169 (1.26.45), 2193 (1.26.51), or auto: what the client of a capture says, else whatever parses."`
	Port    uint16   `default:"19132" help:"The server's UDP port in a capture; 0 shows every port on which RakNet is spoken."`
	Keylog  string   `placeholder:"FILE" help:"Keys of encrypted sessions, as truestep serve --bedrock-keylog FILE writes them."`
	Only    []string `placeholder:"NAME" help:"Show only packets whose name has one of these in it, in any case: correct,authinput."`
	RakNet  bool     `name:"raknet" help:"Show each datagram of a connection, its frames, and the ACKs."`
	Full    bool     `help:"Show long fields and long lines whole, and fields that are usually left out."`

	in  io.Reader // what - reads; os.Stdin if nil
	out io.Writer // os.Stdout if nil
}

// Help is what decode bedrock --help adds to the flags.
func (decodeBedrockCmd) Help() string {
	return `Examples:
  truestep decode bedrock play.pcap --keylog keys.log
      everything that was said
  truestep decode bedrock play.pcap --keylog keys.log --only correct
      who was pulled back, when, and how far
  tcpdump -i any -s 0 -U -w - udp port 19132 |
      truestep decode bedrock - --keylog keys.log
  truestep decode bedrock fe 06c101 00000879
      a batch
  truestep decode bedrock --version 2193 --as packet INPUT.hex

Sessions are encrypted from the login on. Only the server can tell the keys, and only while the session begins:
start it with truestep serve --bedrock-keylog keys.log, and capture from before the player joins.

A line of a capture is time (UTC), client, direction, name and fields. Numbers of fields are exact. Behind a
correction stands what the client had claimed for that tick, and by how much it was off. Packets that are not
known or do not parse are shown in hex with the error and its offset. At the end of a capture each client has a
summary: packets by name and direction, corrections, datagrams that were sent again or are missing.

Exit status 1: the input of hex digits does not parse, or a capture ends inside of a packet. Exit status 2: the
input cannot be read at all.`
}

// Run decodes the input and prints it. A packet that does not parse is shown in hex; as the only input it is also the
// error.
func (c *decodeBedrockCmd) Run() error {
	if c.in == nil {
		c.in = os.Stdin
	}
	if c.out == nil {
		c.out = os.Stdout
	}
	p := &bedrockPrinter{printer: printer{w: bufio.NewWriter(c.out), full: c.Full}}
	if err := p.choose(c.Only); err != nil {
		return usage(err)
	}
	keys, err := openBedrockKeys(c.Keylog, c.follow())
	if err != nil {
		return usage(err)
	}
	err = (&decodeInput{
		words: c.Input, in: c.in,
		bytes:   func(b []byte) error { return c.decodeBytes(p, b) },
		capture: func(r io.Reader) error { return newBedrockCapture(c, p, keys).read(r) },
	}).read()
	if flushErr := p.w.Flush(); err == nil {
		err = flushErr
	}
	return unlessGone(err)
}

// follow tells whether somebody may be watching the capture while it is made.
func (c *decodeBedrockCmd) follow() bool { return len(c.Input) == 1 && c.Input[0] == "-" }

// version is the version that the flag names, 0 for auto.
func (c *decodeBedrockCmd) version() bedrock.Version {
	switch c.Version {
	case "2169":
		return bedrock.V2169
	case "2193":
		return bedrock.V2193
	}
	return 0
}

// choose sets which packets are shown: those whose name has one of the words in it.
func (p *bedrockPrinter) choose(words []string) error {
	if len(words) == 0 {
		return nil
	}
	p.only = map[bedrock.ID]bool{}
	for _, word := range words {
		found := false
		for _, row := range bedrock.Table() {
			if word != "" && strings.Contains(strings.ToLower(row.Name), strings.ToLower(word)) {
				p.only[row.ID], found = true, true
			}
		}
		if !found {
			return fmt.Errorf("only: no packet has %q in its name; names are as in PlayerAuthInput, CorrectPlayerMovePrediction", word)
		}
	}
	return nil
}

// shows tells whether packets of that type are to be printed.
func (p *bedrockPrinter) shows(id bedrock.ID) bool { return p.only == nil || p.only[id] }
