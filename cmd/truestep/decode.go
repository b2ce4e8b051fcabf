package main

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/truestep-io/truestep/proto/rcce"
)

// decodeCmd shows what bytes of a protocol mean.
type decodeCmd struct {
	RCCE decodeRCCECmd `cmd:"" name:"rcce" help:"Show RealmCrafter messages: one in hex, an ENet datagram in hex, or a capture file."`
	RS   decodeRSCmd   `cmd:"" name:"rs" help:"Show RuneScape player info: what a client knows after each packet, or what stands at which bit of it."`

	Bedrock decodeBedrockCmd `cmd:"" name:"bedrock" help:"Show Minecraft: Bedrock packets: one, a batch or a RakNet datagram in hex, or a capture file, encrypted or not."`
}

// decodeRCCECmd is "truestep decode rcce".
type decodeRCCECmd struct {
	Input   []string `arg:"" name:"input" help:"Hex digits (spaces, 0x, |, : and # comments are fine), a file of them, a pcap file, or - for stdin."`
	Dir     string   `enum:"auto,c2s,s2c" default:"auto" help:"Who speaks: c2s, s2c, or auto: by port in a capture, else whatever parses."`
	Enet    bool     `xor:"transport" help:"The bytes are ENet datagrams. Default: look whether they are."`
	NoEnet  bool     `name:"no-enet" xor:"transport" help:"The bytes are bare messages, type byte first."`
	Port    uint16   `default:"25000" help:"The server's UDP port in a capture; 0 shows every datagram."`
	Full    bool     `help:"Show long fields whole."`
	Secrets bool     `help:"Show password hashes too."`

	in  io.Reader // what - reads; os.Stdin if nil
	out io.Writer // os.Stdout if nil
}

// Help is what decode rcce --help adds to the flags.
func (decodeRCCECmd) Help() string {
	return `Examples:
  truestep decode rcce 12 48 2c01 1900 03
      one message: an attack that hit
  truestep decode rcce session.pcap
      what tcpdump -w session.pcap has caught
  tcpdump -i lo -U -w - udp port 25000 | truestep decode rcce -`
}

// Run decodes the input and prints it. A message that does not parse is shown as far as it goes; as the only input it
// is also the error.
func (c *decodeRCCECmd) Run() error {
	if c.in == nil {
		c.in = os.Stdin
	}
	if c.out == nil {
		c.out = os.Stdout
	}
	p := &printer{w: bufio.NewWriter(c.out), full: c.Full, secrets: c.Secrets}
	err := c.decode(p)
	if flushErr := p.w.Flush(); err == nil {
		err = flushErr
	}
	return err
}

func (c *decodeRCCECmd) decode(p *printer) error {
	return (&decodeInput{
		words: c.Input, in: c.in,
		bytes:   func(b []byte) error { return c.decodeBytes(p, b) },
		capture: func(r io.Reader) error { return c.decodeCapture(p, r) },
	}).read()
}

// decodeBytes shows one message or one datagram.
func (c *decodeRCCECmd) decodeBytes(p *printer, b []byte) error {
	if len(b) == 0 {
		return usage(errors.New("input is empty: give hex digits, a file, or -"))
	}
	d, err := dissectENet(b)
	if c.NoEnet || !c.Enet && (err != nil || !d.canonical()) {
		p.line("message, %d bytes", len(b))
		return p.message(b, c.direction(), 0)
	}
	p.line("ENet datagram, %d bytes", len(b))
	p.datagram(d, err)
	for i := range d.commands {
		if msgErr := p.command(&d.commands[i], c.direction().or(d.direction())); msgErr != nil && err == nil {
			err = msgErr
		}
	}
	return err
}

// speaker is a direction or, as the zero value, the lack of one.
type speaker struct {
	known bool
	dir   rcce.Direction
}

// or is s if known, else other.
func (s speaker) or(other speaker) speaker {
	if s.known {
		return s
	}
	return other
}

var (
	fromClient = speaker{known: true, dir: rcce.C2S}
	fromServer = speaker{known: true, dir: rcce.S2C}
)

func (c *decodeRCCECmd) direction() speaker {
	switch c.Dir {
	case "c2s":
		return fromClient
	case "s2c":
		return fromServer
	}
	return speaker{}
}
