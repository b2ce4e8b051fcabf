package main

import (
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/raknet"
)

// decodeBytes shows one packet, one batch or one RakNet datagram.
func (c *decodeBedrockCmd) decodeBytes(p *bedrockPrinter, b []byte) error {
	if len(b) == 0 {
		return usage(errors.New("input is empty: give hex digits, a file, or -"))
	}
	as := c.As
	if as == "auto" {
		as = guessBedrock(b)
	}
	switch as {
	case "batch":
		p.line("batch, %s", count(len(b), "byte"))
		return c.showBatch(p, b, "  ")
	case "datagram":
		return c.showDatagram(p, b)
	}
	return c.showPacket(p, b, "", "")
}

// guessBedrock says what bytes are: a batch begins with its id; a datagram has frames, records or an offline message to
// the end; the rest is a packet.
func guessBedrock(b []byte) string {
	if b[0] == bedrock.BatchID {
		return "batch"
	}
	var d raknet.Dissection
	err := d.Dissect(b)
	if err == nil && d.Kind == raknet.OfflineDatagram {
		if _, ok := raknet.DescribeOffline(b); !ok {
			err = raknet.ErrMalformedDatagram
		}
	}
	if err == nil {
		return "datagram"
	}
	return "packet"
}

// showPacket shows a packet under a line that begins with label.
func (c *decodeBedrockCmd) showPacket(p *bedrockPrinter, b []byte, indent, label string) error {
	d := parseBedrock(b, c.version())
	if d.header > 0 && !p.shows(d.id) {
		return nil
	}
	name := d.name()
	if d.row != nil {
		name = fmt.Sprintf("packet %s (%d)%s", name, d.id, versionText(&d))
	}
	p.line("%s%s%s, %s", indent, label, name, count(len(b), "byte"))
	p.many(&d, indent+"  ")
	return d.err
}

// versionText names the version as which a packet was read, if its type differs between versions.
func versionText(d *bedrockPacket) string {
	if d.packet == nil || d.row == nil {
		return ""
	}
	for _, v := range bedrock.Versions() {
		if string(d.packet.Append(nil, v)) != string(d.packet.Append(nil, d.as)) {
			return fmt.Sprintf(" of %d", d.as)
		}
	}
	return ""
}

// showBatch shows a batch, its id first.
func (c *decodeBedrockCmd) showBatch(p *bedrockPrinter, b []byte, indent string) error {
	if b[0] != bedrock.BatchID {
		err := fmt.Errorf("a batch begins with %02x, not with %02x", bedrock.BatchID, b[0])
		p.line("%serror: %v", indent, err)
		return err
	}
	var r batchReader
	payload, found, err := r.unpack(b[1:], packingUnknown)
	if err != nil {
		p.line("%serror: %v; perhaps it is encrypted: only a capture of the whole session can be decrypted", indent, err)
		return err
	}
	p.line("%s%s", indent, packedText(b[1:], payload, found))
	var first error
	err = eachPacket(payload, func(at int, packet []byte) {
		if err := c.showPacket(p, packet, indent, fmt.Sprintf("@%-4d ", at)); err != nil && first == nil {
			first = err
		}
	})
	if err != nil {
		p.line("%serror: %v", indent, err)
		return err
	}
	return first
}

func packedText(b, payload []byte, found packing) string {
	if found == packingNone {
		return "without a compressor byte"
	}
	names := map[byte]string{bedrock.CompressorDeflate: "deflated", bedrock.CompressorSnappy: "snappy", bedrock.CompressorNone: "not compressed"}
	return fmt.Sprintf("%s, %s unpacked", names[b[0]], count(len(payload), "byte"))
}

// showDatagram shows a RakNet datagram and what is in it.
func (c *decodeBedrockCmd) showDatagram(p *bedrockPrinter, b []byte) error {
	var d raknet.Dissection
	err := d.Dissect(b)
	p.line("RakNet datagram, %s: %s", count(len(b), "byte"), datagramText(&d, b))
	if d.Kind == raknet.OfflineDatagram {
		if _, ok := raknet.DescribeOffline(b); !ok && err == nil {
			err = fmt.Errorf("offline message %02x: %w", b[0], raknet.ErrMalformedDatagram)
		}
	}
	first := err
	for i := range d.Frames {
		f := &d.Frames[i]
		p.line("  %s", frameText(f))
		if err := c.showBody(p, f); err != nil && first == nil {
			first = err
		}
	}
	if err != nil {
		p.line("  error: %v", err)
	}
	return first
}

// showBody shows what a frame holds.
func (c *decodeBedrockCmd) showBody(p *bedrockPrinter, f *raknet.DissectedFrame) error {
	switch {
	case f.Split:
		p.line("    %s", p.hex(f.Body))
	case f.Body[0] == bedrock.BatchID:
		return c.showBatch(p, f.Body, "    ")
	default:
		p.line("    %s", p.messageText(f.Body))
	}
	return nil
}

// messageText is a message that is no batch.
func (p *bedrockPrinter) messageText(body []byte) string {
	if raknet.IsUserMessage(body) {
		return fmt.Sprintf("message %02x that is no batch: %s", body[0], p.hex(body))
	}
	d, ok := raknet.DescribeMessage(body)
	switch {
	case ok:
		return d.String()
	case d.Name == "":
		return fmt.Sprintf("RakNet message %02x, not known: %s", body[0], p.hex(body))
	}
	return fmt.Sprintf("%s, malformed: %s", d.Name, p.hex(body))
}

// datagramText is the head of a datagram in words.
func datagramText(d *raknet.Dissection, b []byte) string {
	switch d.Kind {
	case raknet.DataDatagram:
		return fmt.Sprintf("number %d, %s", d.Number, count(len(d.Frames), "frame"))
	case raknet.AckDatagram:
		return "ACK " + spansText(d.Spans)
	case raknet.NackDatagram:
		return "NACK " + spansText(d.Spans)
	case raknet.OfflineDatagram:
		m, ok := raknet.DescribeOffline(b)
		switch {
		case ok:
			return m.String()
		case m.Name != "":
			return m.Name + ", malformed"
		}
		return fmt.Sprintf("no RakNet message begins with %02x", b[0])
	}
	return "empty"
}

const shownSpans = 8 // of an ACK or NACK

func spansText(spans []raknet.Span) string {
	text := ""
	for i, s := range spans {
		if i > 0 {
			text += ","
		}
		if i == shownSpans {
			return text + fmt.Sprintf("... %d spans", len(spans))
		}
		text += fmt.Sprint(s.First)
		if s.Last != s.First {
			text += fmt.Sprintf("-%d", s.Last)
		}
	}
	return text
}

// frameText is the head of a frame in words.
func frameText(f *raknet.DissectedFrame) string {
	names := [...]string{"unreliable", "unreliable sequenced", "reliable", "reliable ordered", "reliable sequenced"}
	text := fmt.Sprintf("@%-4d %s", f.Offset, names[f.Reliability])
	switch f.Reliability {
	case raknet.Reliable:
		text += fmt.Sprintf(" message=%d", f.Message)
	case raknet.ReliableOrdered:
		text += fmt.Sprintf(" message=%d order=%d channel=%d", f.Message, f.Order, f.Channel)
	case raknet.UnreliableSequenced:
		text += fmt.Sprintf(" sequence=%d order=%d channel=%d", f.Sequence, f.Order, f.Channel)
	case raknet.ReliableSequenced:
		text += fmt.Sprintf(" message=%d sequence=%d order=%d channel=%d", f.Message, f.Sequence, f.Order, f.Channel)
	}
	if f.Split {
		text += fmt.Sprintf(" part %d of %d of message %d", f.Index, f.Count, f.SplitID)
	}
	return text + ", " + count(len(f.Body), "byte")
}
