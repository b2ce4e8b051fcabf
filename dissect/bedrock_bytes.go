package dissect

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/raknet"
)

// bytes prints one packet, one batch or one RakNet datagram.
func (p *bedrockPrinter) bytes(b []byte) error {
	if len(b) == 0 {
		return badInput(errEmpty)
	}
	unit := p.Unit
	if unit == AutoUnit || unit == "" {
		unit = detectUnit(b)
	}
	switch unit {
	case BatchUnit:
		p.line("batch, %s", plural(len(b), "byte"))
		return p.batch(b, "  ")
	case DatagramUnit:
		return p.datagram(b)
	}
	return p.packet(b, "", "")
}

// detectUnit guesses the protocol layer of bytes of unknown origin. Bytes that begin with the batch id are a batch. Bytes
// that can be decoded completely as a RakNet datagram (frames, acknowledgement records or an offline message) are a
// datagram. All others are a packet.
func detectUnit(b []byte) InputUnit {
	if b[0] == bedrock.BatchID {
		return BatchUnit
	}
	var d raknet.Dissection
	err := d.Dissect(b)
	if err == nil && d.Kind == raknet.OfflineDatagram {
		if _, ok := raknet.DescribeOffline(b); !ok {
			err = raknet.ErrMalformedDatagram
		}
	}
	if err == nil {
		return DatagramUnit
	}
	return PacketUnit
}

// packet prints a packet. The parameter label is the beginning of the first line.
func (p *bedrockPrinter) packet(b []byte, indent, label string) error {
	d := parsePacket(b, p.Version)
	if d.header > 0 && !p.prints(d.id) {
		return nil
	}
	name := d.name()
	if d.row != nil {
		name = fmt.Sprintf("packet %s (%d)%s", name, d.id, versionText(&d))
	}
	p.line("%s%s%s, %s", indent, label, name, plural(len(b), "byte"))
	p.fieldLines(&d, indent+"  ")
	return d.err
}

// versionText returns the protocol version with which a packet was parsed, or "" if all versions encode the packet in the
// same way.
func versionText(d *parsedPacket) string {
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

// batch prints a batch, whose first byte is bedrock.BatchID.
func (p *bedrockPrinter) batch(b []byte, indent string) error {
	if b[0] != bedrock.BatchID {
		err := fmt.Errorf("a batch must begin with the byte %02x, but the input begins with %02x", bedrock.BatchID, b[0])
		p.line("%serror: %v", indent, err)
		return err
	}
	var r batchReader
	payload, found, err := r.unpack(b[1:], compressorUnknown)
	if err != nil {
		p.line("%serror: %v; perhaps it is encrypted: only a capture of the whole session can be decrypted", indent, err)
		return err
	}
	p.line("%s%s", indent, compressionText(b[1:], payload, found))
	var first error
	err = eachPacket(payload, func(at int, packet []byte) {
		if err := p.packet(packet, indent, fmt.Sprintf("@%-4d ", at)); err != nil && first == nil {
			first = err
		}
	})
	if err != nil {
		p.line("%serror: %v", indent, err)
		return err
	}
	return first
}

// compressionText says how a batch was compressed.
func compressionText(b, payload []byte, found compressor) string {
	if found == compressorNone {
		return "without a compressor byte"
	}
	names := map[byte]string{bedrock.CompressorDeflate: "deflated", bedrock.CompressorSnappy: "snappy", bedrock.CompressorNone: "not compressed"}
	return fmt.Sprintf("%s, %s unpacked", names[b[0]], plural(len(payload), "byte"))
}

// datagram prints a RakNet datagram and its frames.
func (p *bedrockPrinter) datagram(b []byte) error {
	var d raknet.Dissection
	err := d.Dissect(b)
	p.line("RakNet datagram, %s: %s", plural(len(b), "byte"), datagramText(&d, b))
	if d.Kind == raknet.OfflineDatagram {
		if _, ok := raknet.DescribeOffline(b); !ok && err == nil {
			err = fmt.Errorf("RakNet message with id %02x, sent outside of a connection: %w", b[0], raknet.ErrMalformedDatagram)
		}
	}
	first := err
	for i := range d.Frames {
		f := &d.Frames[i]
		p.line("  %s", frameText(f))
		if err := p.frameBody(f); err != nil && first == nil {
			first = err
		}
	}
	if err != nil {
		p.line("  error: %v", err)
	}
	return first
}

// frameBody prints the message in a frame.
func (p *bedrockPrinter) frameBody(f *raknet.DissectedFrame) error {
	switch {
	case f.Split:
		p.line("    %s", p.hex(f.Body))
	case f.Body[0] == bedrock.BatchID:
		return p.batch(f.Body, "    ")
	default:
		p.line("    %s", p.messageText(f.Body))
	}
	return nil
}

// messageText formats a RakNet message that is not a batch.
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

// datagramText formats the header of a datagram.
func datagramText(d *raknet.Dissection, b []byte) string {
	switch d.Kind {
	case raknet.DataDatagram:
		return fmt.Sprintf("number %d, %s", d.Number, plural(len(d.Frames), "frame"))
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

const shownSpans = 8 // maximum number of ranges of an ACK or NACK that are printed

// spansText formats ranges of datagram numbers, at most shownSpans of them.
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

// frameText formats the header of a frame.
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
	return text + ", " + plural(len(f.Body), "byte")
}
