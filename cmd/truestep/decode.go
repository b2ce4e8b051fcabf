package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/truestep-io/truestep/internal/pcap"
	"github.com/truestep-io/truestep/proto/rcce"
)

// decodeCmd shows what bytes of a protocol mean.
type decodeCmd struct {
	RCCE decodeRCCECmd `cmd:"" name:"rcce" help:"Show RealmCrafter messages: one in hex, an ENet datagram in hex, or a capture file."`
	RS   decodeRSCmd   `cmd:"" name:"rs" help:"Show RuneScape player info: what a client knows after each packet, or what stands at which bit of it."`
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
  truestep decode rcce 12 48 2c01 1900 03                 one message: an attack that hit
  truestep decode rcce session.pcap                       what tcpdump -w session.pcap has caught
  tcpdump -i lo -U -w - udp port 25000 | truestep decode rcce -`
}

// How much of the input is looked at.
const maxHexText = 1 << 20 // bytes of hex text

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
	if len(c.Input) == 1 {
		if name := c.Input[0]; name == "-" {
			return c.decodeStream(p, "stdin", c.in)
		} else if b, err := parseHex(name); err == nil {
			return c.decodeBytes(p, b)
		}
		return c.decodeFile(p, c.Input[0])
	}
	b, err := parseHex(strings.Join(c.Input, " "))
	if err != nil {
		return usage(fmt.Errorf("input: %w", err))
	}
	return c.decodeBytes(p, b)
}

func (c *decodeRCCECmd) decodeFile(p *printer, name string) error {
	f, err := os.Open(name)
	if err != nil {
		if looksLikeHex(name) {
			_, hexErr := parseHex(name)
			return usage(fmt.Errorf("input: %w", hexErr))
		}
		return usage(fmt.Errorf("input is neither hex nor a file: %w", err))
	}
	defer f.Close()
	return c.decodeStream(p, name, f)
}

// decodeStream looks at the first bytes to tell a capture from hex text.
func (c *decodeRCCECmd) decodeStream(p *printer, name string, r io.Reader) error {
	in := bufio.NewReader(r)
	magic, _ := in.Peek(4)
	if pcap.IsMagic(magic) {
		if err := c.decodeCapture(p, in); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(in, maxHexText+1))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(text) > maxHexText {
		return usage(fmt.Errorf("%s: neither a pcap file nor hex of at most %d bytes", name, maxHexText))
	}
	b, err := parseHex(string(text))
	if err != nil {
		return usage(fmt.Errorf("%s: neither a pcap file nor hex: %w", name, err))
	}
	return c.decodeBytes(p, b)
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

// parseHex reads hex digits, with whatever people put between them: white space, 0x, and the marks of hexdumps. A line
// from # on is a comment. Errors name the first character that is none of these.
func parseHex(text string) ([]byte, error) {
	var digits bytes.Buffer
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		for word := range strings.FieldsFuncSeq(line, isHexGap) {
			word = strings.TrimPrefix(strings.TrimPrefix(word, "0x"), "0X")
			for i := range len(word) {
				if hexValue(word[i]) < 0 {
					return nil, fmt.Errorf("%q is not a hex digit", word[i])
				}
			}
			digits.WriteString(word)
		}
	}
	d := digits.Bytes()
	if len(d)%2 != 0 {
		return nil, fmt.Errorf("%d hex digits do not make whole bytes", len(d))
	}
	b := make([]byte, len(d)/2)
	for i := range b {
		b[i] = uint8(hexValue(d[2*i])<<4 | hexValue(d[2*i+1]))
	}
	return b, nil
}

func isHexGap(r rune) bool { return strings.ContainsRune(" \t\r\n,;:|_-", r) }

func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// looksLikeHex says whether somebody meant s as hex rather than as a file's name: most of it is digits.
func looksLikeHex(s string) bool {
	digits := 0
	for i := range len(s) {
		if hexValue(s[i]) >= 0 {
			digits++
		}
	}
	return digits*4 >= len(s)*3 && !strings.ContainsAny(s, `./\`)
}
