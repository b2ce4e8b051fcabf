package dissect

import (
	"errors"
	"fmt"
	"strings"

	"github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/wire"
)

// bedrockPrinter prints those Bedrock packets that the options select.
type bedrockPrinter struct {
	printer
	*Bedrock
}

// parsedPacket is the result of parsing a packet: what was read before the first error, and this error.
type parsedPacket struct {
	id     bedrock.ID
	row    *bedrock.PacketDef // row of the packet table; nil if the packet type is unknown
	body   []byte             // body without the header, borrowed
	header int                // length of the header in bytes; 0 if the header is not valid
	from   uint8              // number of the sending subclient, for split screens
	to     uint8              // number of the receiving subclient
	packet bedrock.Packet     // parsed packet; nil if the body cannot be parsed
	as     bedrock.Version    // version with which the body was parsed
	err    error              // error of the header or the body; if packet is not nil: wire.ErrTrailing, bytes follow the last field
}

// parsePacket parses the header and the body of a packet. The parameter v is the protocol version; if it is 0, all
// supported versions are tried.
func parsePacket(b []byte, v bedrock.Version) parsedPacket {
	var d parsedPacket
	d.id, d.from, d.to, d.body, d.err = bedrock.ParseHeader(b)
	if d.err != nil {
		d.body = b
		return d
	}
	d.header = len(b) - len(d.body)
	row, ok := bedrock.Lookup(d.id)
	if !ok {
		d.err = bedrock.ErrUnknownPacket
		return d
	}
	d.row = row
	versions := []bedrock.Version{v}
	if v == 0 {
		versions = bedrock.Versions()
	}
	for i, v := range versions {
		packet, err := row.Parse(d.body, v)
		if err == nil || i == 0 {
			d.packet, d.err, d.as = packet, err, v
		}
		if err == nil {
			break
		}
	}
	return d
}

// name returns the name of the packet type. If the sender or the receiver is a player of a split screen (a subclient), the
// numbers of both follow.
func (d *parsedPacket) name() string {
	if d.header == 0 {
		return "packet without a header"
	}
	name := d.id.String()
	if d.from != 0 || d.to != 0 {
		name += fmt.Sprintf(" (subclient %d to %d)", d.from, d.to)
	}
	return name
}

// failed reports whether the body could not be parsed.
func (d *parsedPacket) failed() bool { return d.packet == nil }

// problem returns a text with the error of a packet and its bytes, or "" if the packet is valid.
func (p *bedrockPrinter) problem(d *parsedPacket) string {
	switch {
	case d.err == nil:
		return ""
	case errors.Is(d.err, wire.ErrTrailing):
		return fmt.Sprintf("error: %v; the packet is whole without them", d.err)
	case errors.Is(d.err, bedrock.ErrUnknownPacket):
		return fmt.Sprintf("type not known, body of %s: %s", plural(len(d.body), "byte"), p.hex(d.body))
	}
	return fmt.Sprintf("error: %v; body of %s: %s", d.err, plural(len(d.body), "byte"), p.hex(d.body))
}

// oneLine formats a packet as one line: its name, its fields, and its error.
func (p *bedrockPrinter) oneLine(d *parsedPacket) string {
	var s strings.Builder
	s.WriteString(d.name())
	if d.packet != nil {
		for _, f := range p.packetFields(d.packet) {
			s.WriteByte(' ')
			if f.name != "" {
				s.WriteString(f.name)
				s.WriteByte('=')
			}
			s.WriteString(f.value)
		}
	}
	line := s.String()
	if len(line) > shownLine && !p.full {
		line = strings.ToValidUTF8(line[:shownLine], "") + " ... (--full)"
	}
	if problem := p.problem(d); problem != "" {
		line += " " + problem
	}
	return line
}

// fieldLines prints one line for each field of a packet, and a line with the error if the packet is not valid.
func (p *bedrockPrinter) fieldLines(d *parsedPacket, indent string) {
	if d.packet != nil {
		for _, f := range p.packetFields(d.packet) {
			p.line("%s%-20s %s", indent, f.name, f.value)
		}
	}
	if problem := p.problem(d); problem != "" {
		p.line("%s%s", indent, problem)
	}
}
